//! kADET over ID3 (Friedman, Schuster, Wolff: k-Anonymous Decision Tree Induction, PKDD 2006, Algorithm 1).
//!
//! One queue contains the possible splits of all nodes, the one with the highest gain first. A split that would break
//! the guarantee is replaced by one with the attribute's next generalization, until there is none; a split that would
//! not is made, and its new nodes' splits join the queue. No pruning.
//!
//! **Guarantee.** Every split is checked against the guarantee with all spans of its node, so no span of the tree
//! breaks it at any time.
//!
//! **Running time.** A node costs one pass over its rows for each attribute, a public split one over the individuals of
//! the node's spans.
//!
//! **Deviations and what the paper leaves open.** The children of a split join the queue (the printed pseudo-code omits
//! this). A gain is positive iff the class is not distributed equally in all branches, decided by integers. On equal
//! gains the earlier node comes first, then the attribute that is first in the table. A new node's attributes start at
//! their finest level, as in the VLDB paper. A branch is made for every value (or group) that can occur at the node,
//! with or without rows; one without rows predicts what its parent would. Missing values are a separate value. Numeric
//! attributes are tested by the intervals of their taxonomy, finest first but never value by value, and left out with a
//! warning without one; there missing values go with most rows.

use super::gain::{Counts, information_gain};
use super::grower::Grower;
use super::growth::Growth;
use super::histogram::{Histogram, with_branches};
use super::split::{Split, threshold_behind};
use super::task::AttributeTests;
use incrowd_core::progress::Progress;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A possible split.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    gain: f64,
    node: u32,
    attribute: usize,
    level: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let first = |c: &Self| (c.node, c.attribute, c.level);
        self.gain.total_cmp(&other.gain).then_with(|| first(other).cmp(&first(self)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Grows the tree.
pub(crate) fn grow(grower: &mut Grower<'_>, progress: &dyn Progress) {
    step(grower, usize::MAX, progress);
}

/// Grows a root by at most this many splits; by fewer if cancelled.
pub(crate) fn step(grower: &mut Grower<'_>, splits: usize, progress: &dyn Progress) {
    let mut queue = BinaryHeap::from(candidates(grower, 0));
    let (mut made, mut growth) = (0, Growth::new(progress));
    while let Some(Candidate { node, attribute, level, .. }) = queue.pop()
        && made < splits
        && !progress.is_cancelled()
        && grower.check_size().is_ok()
    {
        if grower.node(node).split.is_some() {
            continue;
        }
        let rows = grower.histogram(node, attribute);
        let Some(split) = split(grower, node, attribute, level, &rows) else { continue };
        if grower.would_breach(node, &split, &rows) {
            queue.extend(consider(grower, node, attribute, level + 1, &rows));
            continue;
        }
        // Not known yet: all of this is done again once it is.
        if !grower.can_follow(node, &split) {
            continue;
        }
        made += 1;
        for child in grower.commit(node, split) {
            queue.extend(candidates(grower, child));
        }
        growth.split(grower, node);
    }
}

/// The possible splits of a node, every attribute at its finest level.
fn candidates(grower: &Grower<'_>, node: u32) -> Vec<Candidate> {
    if grower.node(node).is_pure() || !grower.is_known(node) {
        return Vec::new();
    }
    let look = |attribute: usize| {
        let rows = grower.histogram(node, attribute);
        consider(grower, node, attribute, 0, &rows)
    };
    let attributes = 0..grower.task.attributes.len();
    // A task for another thread is worth it only from some thousand rows on.
    if grower.node(node).rows.len() < 4096 {
        attributes.filter_map(look).collect()
    } else {
        attributes.into_par_iter().filter_map(look).collect()
    }
}

/// A split of a node by an attribute at a level, if there is such a level and the split gains anything.
fn consider(
    grower: &Grower<'_>,
    node: u32,
    attribute: usize,
    level: usize,
    rows: &Histogram,
) -> Option<Candidate> {
    let split = split(grower, node, attribute, level, rows)?;
    let classes = grower.task.class.count;
    let gain = with_branches(std::iter::once(rows), &split, |all| information_gain(Counts { all, classes }));
    (gain > 0.0).then_some(Candidate { gain, node, attribute, level })
}

/// The split by an attribute at a level, if there is such a level.
pub(crate) fn split(
    grower: &Grower<'_>,
    node: u32,
    index: usize,
    level: usize,
    rows: &Histogram,
) -> Option<Split> {
    let attribute = &grower.task.attributes[index];
    match &attribute.kind {
        AttributeTests::Names(levels) => {
            let reach = grower.reach_of(node, index);
            Some(Split::by_level(index, attribute, levels.get(level)?, reach, rows))
        }
        AttributeTests::Numbers(numbers) => {
            let reach = grower.reach_of(node, index);
            let met = |threshold: &f64| reach.is_none_or(|reach| reach.divided_by(*threshold));
            let behind = |&rank: &u32| threshold_behind(&numbers.values, rank as usize, numbers.dates);
            let cuts = &numbers.levels.get(level)?.0;
            let may_cut = |threshold: &f64| numbers.may_cut(*threshold);
            let thresholds = cuts.iter().filter_map(behind).filter(met).filter(may_cut).collect();
            Some(Split::by_thresholds(index, attribute, thresholds, rows))
        }
    }
}
