//! Tables of averages: a tree on noisy numbers puts individuals into groups, and each group shows common values.
//!
//! Paper: a classification-tree k-anonymizer by noise and aggregation in place of suppression. It is short; what it
//! leaves open is decided here.
//!
//! Noise is added to every public number: nearly normal, with a standard deviation of `noise` times the attribute's,
//! rounded to as many decimals as the attribute's values have. A tree is grown by C4.5 from the noisy numbers, the
//! other public attributes and the class. From the leaves up, a leaf that may be a group becomes one. One that may not
//! is filled up with rows drawn at random from siblings that can spare them; if that is not possible, its rows are left
//! at the parent, which is then a leaf. What is left at the root is a group, or is suppressed if there are too few.
//!
//! For a group each attribute shows one value: numbers their mean or median, names the most frequent or the lowest
//! common ancestor. They are computed from the source's values; the noise only moves individuals between groups.
//!
//! **Guarantee.** Whatever the guarantee of the task requires: a leaf becomes a group if the guarantee holds for its
//! rows, groups that show the same are merged, and then everything is checked again (docs/proofs.md). Where only a
//! number of individuals is required, fewer than that many are suppressed. Cells are not true of every individual: the
//! share that is not is counted as swapped.
//!
//! **Missing values.** A missing number follows most rows in the tree. The mean and the median are those of the numbers
//! present; a group in which more numbers are missing than present shows `?`. A missing name is a name like any other.
//!
//! **Running time.** That of the tree, and for each deficient leaf one pass over its siblings' rows.

mod noise;
mod show;
#[cfg(test)]
mod tests;

use super::borrow::borrow;
use super::climb::{ClimbResult, Group, by_compliance, climb, settle};
use super::draft::Draft;
use super::induce::{PublicColumns, induce};
use super::params::CheckedTableParams;
use super::task::Task;
use super::watch::Watch;
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use incrowd_core::random::Random;
use show::Show;

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    let mut seen = PublicColumns::new();
    for (place, attribute) in task.attributes.iter().enumerate() {
        seen.push((place, noise::noisy(task, attribute, params)?));
    }
    let tree = induce(task, &seen, progress)?;
    let ClimbResult { groups, left } = climb(tree, siblings(task, watch, params.seed));
    let show = Show::new(task, params);
    let groups = groups.into_iter().map(|group| (show.cells(&group.rows), group.rows));
    Ok(settle(task, watch, groups, left, |rows| show.cells(rows)))
}

/// How the leaves below a node become groups. Each node draws from a stream of its own.
fn siblings(
    task: &Task<'_>,
    watch: &Watch<'_>,
    seed: u64,
) -> impl FnMut(u32, Vec<Group>, &mut Vec<Group>) -> Vec<u32> {
    move |node, leaves, groups| {
        let (mut complying, lacking) = by_compliance(watch, leaves);
        let random = &mut Random::of(seed, u64::from(node));
        let mut left = Vec::new();
        for mut leaf in lacking {
            if borrow(task, watch, random, &mut leaf.rows, &mut complying) {
                groups.push(leaf);
            } else {
                left.append(&mut leaf.rows);
            }
        }
        groups.append(&mut complying);
        left
    }
}
