//! Mondrian: all individuals are divided recursively, by one attribute at a time, as long as every part meets the
//! guarantee.
//!
//! Papers: LeFevre, DeWitt, Ramakrishnan: *Mondrian Multidimensional k-Anonymity* (ICDE 2006), *Workload-Aware
//! Anonymization* (KDD 2006).
//!
//! | attribute | divisions | cell of a part |
//! | --- | --- | --- |
//! | numbers, and dates as days | at a value; missing ones come after the highest number | `[lowest, highest]`, with `or ?` where some are missing |
//! | names with a taxonomy | a group against the rest; all groups below the common one, with those that are too small combined | their lowest common group |
//! | names with an order | at a value | those that occur |
//! | other names | in two sets, along an order of the criterion: frequency (loss), share of the class (gain), the column's (width) | those that occur |
//!
//! A criterion determines which division is best ([`Criterion`](super::Criterion)):
//! - *width*: of the attribute whose cell is widest, all groups below or else the division nearest to the median;
//! - *gain*: the highest information gain about the class; among equal ones as width;
//! - *loss*: the largest decrease of the loss metric (the share of an attribute's values that a cell covers).
//!
//! Of several equally good ones the attribute that is first in the table is taken, then the first of its divisions.
//!
//! **Setting aside.** A few individuals often keep a part from being divided or its cell from being tight, for example
//! three of 300 from another country. With *loss* they are set aside if that lowers the loss even if those set aside
//! lose 0.55 of each cell (`EXPECTED`). All that were set aside are then divided like a separate table. What is left at
//! the end and does not meet the guarantee alone joins the groups that lose least by it. Groups of different rounds
//! with equal cells are one. The result is compared with that without setting aside, and the better one is released.
//! The other two criteria are strict: for any two groups there is an attribute in which they have no value in common.
//!
//! **Guarantee**: parts are divided only if all their parts meet it, so every part does, and what joins a group is
//! checked with it.
//!
//! **Running time**: O(rows · attributes) per level of the recursion, by one histogram per attribute and part; the rows
//! are one permuted array. Where more than k is required, the guarantee is checked for the 64 best divisions of each
//! attribute only (`SHORTLIST`), one after the other.
//!
//! **Deviations**: the papers cut at the median alone and stop where that breaks k; here the nearest place that does
//! not break it is taken. The papers do not set individuals aside.

mod aside;
mod counts;
mod divide;
mod line;
mod score;
mod taxonomy;
#[cfg(test)]
mod tests;

use super::draft::Draft;
use super::params::{CheckedTableParams, Criterion};
use super::task::Task;
use super::watch::Watch;
use divide::Mondrian;
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use rayon::prelude::*;

/// The number of divisions of an attribute that are checked where the guarantee is more than k.
const SHORTLIST: usize = 64;

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    let mondrian = Mondrian::new(task, watch, params.criterion)?;
    let groups = groups(&mondrian, params.criterion, progress)?;
    let cells: Vec<Vec<_>> = groups.par_iter().map(|rows| mondrian.cells(rows)).collect();
    let mut draft = Draft::new(task.table.rows(), task.attributes.len());
    for (rows, cells) in groups.iter().zip(cells) {
        draft.add_rows(rows, cells);
    }
    Ok(draft)
}

/// The groups by the criterion of least loss.
pub(super) fn least_loss(
    task: &Task<'_>,
    watch: &Watch<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Vec<u32>>> {
    groups(&Mondrian::new(task, watch, Criterion::Loss)?, Criterion::Loss, progress)
}

fn groups(mondrian: &Mondrian<'_>, criterion: Criterion, progress: &dyn Progress) -> Result<Vec<Vec<u32>>> {
    let groups = mondrian.strict(progress);
    progress.check()?;
    if criterion != Criterion::Loss {
        return Ok(groups);
    }
    let other = aside::with_setting_aside(mondrian, progress);
    progress.check()?;
    let other = other.filter(|other| total_loss(mondrian, other) < total_loss(mondrian, &groups));
    Ok(other.unwrap_or(groups))
}

/// The loss summed over all cells. The sum is in the order of the groups, which does not depend on threads.
fn total_loss(mondrian: &Mondrian<'_>, groups: &[Vec<u32>]) -> f64 {
    let losses: Vec<f64> =
        groups.par_iter().map(|rows| mondrian.weight(rows) as f64 * mondrian.loss(rows)).collect();
    losses.into_iter().sum()
}
