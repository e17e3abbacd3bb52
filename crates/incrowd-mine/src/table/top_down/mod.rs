//! Top-down specialization (TDS) and top-down refinement (TDR): one cut through every attribute, refined while the
//! class gains from it.
//!
//! Papers: Fung, Wang, Yu: *Top-Down Specialization for Information and Privacy Preservation* (ICDE 2005); *Anonymizing
//! Classification Data for Privacy Preservation* (TKDE 2007).
//!
//! All attributes start with one value that covers all others. A step replaces a value of a cut, in all rows that show
//! it, by what is below: the children of a group of the taxonomy, the two parts of an interval, or, for names without a
//! taxonomy, all values (TDS) or one disclosed value and the rest, which stays suppressed (TDR). Of the steps after
//! which every group meets the guarantee, the one with the highest
//!
//! > `Score(v) = IG(R_v) / (A − A_v + 1)`
//!
//! is made, until no step has a positive score. `IG(R_v)` is the information gain in bits among the rows `R_v` that
//! show v; `A` is the population of the smallest group now, `A_v` after the step. With several sets of attributes, each
//! known to some attacker, groups are those of a set, every set must meet the guarantee, and `A − A_v` is the mean over
//! the sets that contain the attribute.
//!
//! **Guarantee**: a step that would break it for some group is never made, so it holds at any time. Requirements are
//! closed under merging groups and steps only divide them; so a step that breaks the guarantee once would always break
//! it later, and is excluded.
//!
//! **What need not be recomputed**: `R_v` depends on one attribute alone, so its gain is computed once (for a
//! suppressed rest once per disclosure). Dividing groups only makes the groups of a simulated step smaller; so `A_v` is
//! the smaller one of `A` and the smallest simulated group so far, and only groups that a step has divided are
//! simulated again.
//!
//! **Running time**: a step that divides the rows `R_v` takes O(`|R_v|` · attributes · height of the taxonomy), and
//! simulates nothing else.
//!
//! **Rules where the papers have none**
//! - Where only one child occurs in the table, gain and loss are both 0: the value is replaced by that child at once.
//!   It divides no group.
//! - A step without gain is not made, even if it is safe: the table contains no more than the class gains from.
//! - Ties: the attribute that is first in the table, then the lowest code under the value, then the lowest disclosed
//!   code.
//! - An interval is cut where the gain is highest, the lowest of several places, whether or not that meets the
//!   guarantee; the bound is a short decimal between two values. A numeric attribute with a declared taxonomy follows
//!   the taxonomy.
//! - Missing values: in a taxonomy the leaf `?`; numbers are divided into missing and other ones first.

mod groups;
mod search;
mod sets;
#[cfg(test)]
mod tests;
mod values;

use super::draft::Draft;
use super::params::{CheckedTableParams, TableMethod};
use super::task::Task;
use super::watch::Watch;
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use search::CutSearch;
use values::Cuts;

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    let cuts = Cuts::new(task, params.method == TableMethod::Tdr)?;
    let mut search = CutSearch::new(task, watch, sets::sets(task, params)?, cuts);
    while let Some(step) = search.best() {
        progress.check()?;
        search.make(step);
        progress.advance(1);
    }
    search.into_draft()
}
