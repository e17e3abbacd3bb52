//! kADET over C4.5 (PKDD 2006, section 3.3), with the details of Weka's J48, which the paper's experiments used.
//!
//! A node chooses among its attributes: of those whose information gain is not below the mean, the one with the highest
//! gain ratio. Names are tested with one branch for each value; numbers by the best of all thresholds that break
//! nothing. One queue contains the choices of all nodes, the highest gain ratio first. A choice that would break the
//! guarantee by the time it is made is replaced: names by their next generalization, numbers by the best threshold that
//! is still safe, or the attribute is excluded for this node; then the node chooses again.
//!
//! **Guarantee.** As for `kadet-id3`; pruning only merges spans (see `prune`).
//!
//! **Missing values** are a separate value for names, with a separate branch. For numbers they go to the side with most
//! of the node's rows. Either way the tree is a function of the table, with "missing" as one more possible cell, and
//! the attacker is assumed to know which public cells are missing: every definition of spans applies unchanged, and the
//! audit checks it like any other tree. (C4.5 spreads such rows over all branches in fractions; a fraction of an
//! individual is in no span.)
//!
//! **Running time.** A node costs one pass over its rows for each attribute and one over its numeric attributes'
//! distinct values; a choice that is made costs one pass over the individuals of the node's spans for a public
//! attribute.
//!
//! **Deviations from J48.** Thresholds are short decimals and never a value of the table: between the two values J48
//! would cut between for public attributes, anywhere between the node's two neighbours for private ones. The penalty
//! for choosing among many thresholds counts those that are safe. Ties: the attribute that is first in the table, the
//! lowest threshold, the earlier node.

mod choice;
mod numbers;

use super::grower::Grower;
use super::growth::Growth;
use super::params::CheckedTreeParams;
pub(super) use choice::Choices;
use incrowd_core::progress::Progress;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A node that has chosen.
struct Entry {
    ratio: f64,
    node: u32,
    choices: Choices,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.ratio.total_cmp(&other.ratio).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Grows the tree; a smaller one if cancelled.
pub(crate) fn grow(grower: &mut Grower<'_>, params: &CheckedTreeParams, progress: &dyn Progress) {
    let (min_rows, mut growth) = (params.min_rows, Growth::new(progress));
    let mut queue = BinaryHeap::from_iter(entry(grower, min_rows, 0));
    while let Some(Entry { node, mut choices, .. }) = queue.pop()
        && !progress.is_cancelled()
    {
        let Some(chosen) = choices.best() else { continue };
        match choices.take_safe(grower, chosen) {
            // Not known yet: all of this is done again once it is.
            Some(split) if !grower.can_follow(node, &split) => {}
            Some(split) => {
                for child in grower.commit(node, split) {
                    queue.extend(entry(grower, min_rows, child));
                }
                growth.split(grower, node);
            }
            None => queue.extend(ranked(node, choices)),
        }
    }
}

fn entry(grower: &Grower<'_>, min_rows: u64, node: u32) -> Option<Entry> {
    ranked(node, Choices::of(grower, min_rows, node)?)
}

fn ranked(node: u32, choices: Choices) -> Option<Entry> {
    choices.best_ratio().map(|ratio| Entry { ratio, node, choices })
}
