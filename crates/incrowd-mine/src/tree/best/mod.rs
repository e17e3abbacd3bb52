//! The project's own method: binary splits, best first, pruned by cross-validation.
//!
//! 1. Numeric columns with many values are put into at most 255 bins of about equal size ([`coarse`]).
//! 2. A tree is grown best first to a number of leaves. A split is a threshold or a division of a categorical
//!    attribute's values into two sets, the best by an impurity ([`criterion`]) of all that break no span
//!    ([`propose`]). Where an attribute has very many names, those with few rows at a node are grouped (`view`).
//! 3. The impurity and the amount of pruning (weakest links by training errors, [`prune`]) are chosen by
//!    cross-validation on the training rows alone ([`choose`], [`deal`], [`held`]); with more care where there are
//!    fewer than 10,000 rows.
//!
//! **Guarantee.** As in the papers: every split is checked against the guarantee with all spans of its node, and the
//! finished tree is audited against the original table. Dividing values into two sets generalizes by free cuts: only
//! values that would breach alone share a branch with others.
//!
//! **Thresholds** are short decimals between two neighbouring bins, never a value of the table.
//!
//! **Without a sample** (`sample: false`) nothing is chosen: splits are by entropy, and subtrees are cut off that save no
//! error on the training rows. Such a tree can be grown from counts alone (`counted`).
//!
//! **Running time.** One pass over the smaller child's rows for each split and attribute (the larger child's counts are
//! the parent's less the smaller one's), all attributes of a row at once ([`counts`]), times impurities and folds; if
//! there are many rows (more than [`choose::SAMPLE`], or fewer with many attributes), the choice is made on a sample
//! and only one tree is grown on all rows. Of an attribute with many names, those that stay together at a node are
//! swept as one (`view`); with more than two classes, a sweep updates the impurity by the classes that change.
//!
//! **Ties.** The attribute first in the table, the lowest threshold; of impurities the first, of prunings the smallest
//! tree. Folds and samples depend on a hash of a row's values, so that neither the order of rows nor merging equal ones
//! changes the tree. Individuals with several rows are dealt by their number instead, which is the order in which they
//! first appear; there the order of rows can change the tree.

mod choose;
mod coarse;
mod counts;
mod criterion;
mod deal;
mod grow;
mod held;
mod propose;
mod prune;
mod view;

use super::grower::Grower;
use super::judge::Judge;
use super::params::CheckedTreeParams;
use super::release::Cut;
use super::safely;
use super::task::Task;
use super::{MinedTree, unmet_at_root};
use choose::Choice;
pub(super) use coarse::Coarse;
use counts::Layout;
use grow::grow;
use incrowd_core::Result;

use incrowd_core::policy::Policy;
use incrowd_core::progress::Progress;
use incrowd_core::table::Table;

/// Mines a tree; see the module's doc.
pub(super) fn mine(
    table: &Table,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let coarse = Coarse::new(table, policy);
    let task = coarse.task(table, policy, params)?;
    let mut grower = Grower::new(&task);
    if let Some(broken) = grower.root_breach() {
        return Err(unmet_at_root(&grower, broken));
    }
    let choice = if params.whole {
        Choice::whole(params)
    } else if !params.sample {
        Choice::fixed(params)
    } else {
        let stage = progress.stage("choosing", choose::trees(&coarse));
        let choice = choose::choose(&coarse, policy, params, progress);
        stage.finish()?;
        choice
    };
    let stage = progress.stage("growing", Some(u64::from(params.max_leaves)));
    let layout = Layout::new(&task);
    grow(&mut grower, &coarse, &layout, choice.way, progress);
    drop(layout);
    stage.finish()?;
    let _stage = progress.stage("auditing", None);
    pruned(&grower, choice, params, progress)
}

/// Prunes a tree and releases it.
fn pruned(
    grower: &Grower<'_>,
    choice: Choice,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let links = prune::links(grower, choice.price);
    let cut = Cut(links.iter().map(|&link| link <= choice.alpha).collect());
    safely::release_pruned(grower, &cut, params, progress)
}

/// Grows a tree from counts, as far as these are known. Nothing is chosen: that needs rows.
pub(super) fn grow_from_counts(
    grower: &mut Grower<'_>,
    coarse: &Coarse,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) {
    let layout = Layout::new(grower.task);
    grow(grower, coarse, &layout, Choice::fixed(params).way, progress);
}

/// Prunes and releases a tree that was grown from counts.
pub(super) fn release_from_counts(
    grower: &Grower<'_>,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    pruned(grower, Choice::fixed(params), params, progress)
}

/// The task of a coarse table, audited against the table it was made from.
impl Coarse {
    fn task<'a>(
        &'a self,
        table: &'a Table,
        policy: &'a Policy,
        params: &'a CheckedTreeParams,
    ) -> Result<Task<'a>> {
        let mut task = Task::new(&self.table, policy, params)?;
        task.judge = Judge::Rows(table);
        // Bins of numbers would hide what the table ties together.
        task.tie(table)?;
        Ok(task)
    }
}

/// Grows a tree with the first impurity and prunes nothing: what the tests of spans look at.
#[cfg(test)]
pub(super) fn grow_for_test(grower: &mut Grower<'_>, params: &CheckedTreeParams) {
    let coarse = Coarse::new(grower.task.table, grower.task.policy.expect("a policy"));
    let layout = Layout::new(grower.task);
    let way = choose::Way { criterion: criterion::Criterion::Gini, ..Choice::whole(params).way };
    grow(grower, &coarse, &layout, way, &incrowd_core::progress::Silent);
}
