//! `kactus2` as printed (Algorithms 2 to 4), including its faults, for comparison.
//!
//! Complying means `k` individuals, whatever else is required. What the printed algorithm does to the working set is
//! taken literally: a leaf that was filled up by swapping releases its own rows and keeps those it was given, which are
//! counted, and suppressed, as its own from there on; leaves stay listed after they were handled; leaves without rows
//! are deficient leaves. (Algorithm 3 stores an entropy where a node belongs; the node is meant.) The audit finds the
//! faults of the result.

use super::choose::{Leaf, by_entropy};
use crate::table::climb::Group;
use crate::table::task::Task;
use incrowd_core::table::Column;

/// The input of the algorithms.
struct Printed<'a> {
    task: &'a Task<'a>,
    class: &'a Column,
    k: u64,
    swapping: f64,
}

/// How the leaves below a node become groups.
pub(super) fn siblings<'a>(
    task: &'a Task<'a>,
    class: &'a Column,
    swapping: f64,
) -> impl FnMut(u32, Vec<Group>, &mut Vec<Group>) -> Vec<u32> + 'a {
    let printed = Printed { task, class, k: task.guarantee.asked_k().unwrap_or(1), swapping };
    move |node, leaves, groups| printed.anonymize(node, &leaves, groups)
}

impl Printed<'_> {
    /// Algorithm 2.
    fn anonymize(&self, node: u32, leaves: &[Group], groups: &mut Vec<Group>) -> Vec<u32> {
        let all: Vec<u32> = leaves.iter().flat_map(|leaf| leaf.rows.iter().copied()).collect();
        if self.task.table.individuals_among(&all) < self.k {
            return all;
        }
        let leaves = leaves.iter().map(|leaf| Leaf::new(self.task, self.class, leaf));
        let (mut complying, mut lacking): (Vec<_>, Vec<_>) =
            leaves.partition(|leaf| self.count(leaf) >= self.k);
        self.swap(&mut complying, &mut lacking, groups);
        self.suppress(node, &mut complying, &mut lacking, groups);
        lacking.iter().flat_map(Leaf::rows).collect()
    }

    /// Algorithm 3.
    fn swap(&self, complying: &mut [Leaf], lacking: &mut [Leaf], groups: &mut Vec<Group>) {
        for leaf in lacking {
            let required = self.required(leaf);
            if self.swapping < required as f64 / self.k as f64 {
                continue;
            }
            let choice = |(place, giver): (usize, &Leaf)| {
                let has_more = self.count(giver).saturating_sub(self.k) > required;
                let choice = if has_more { giver.choose_for(self.task, leaf, self.k) } else { None };
                Some((place, choice?))
            };
            let choices = complying.iter().enumerate().filter_map(choice).collect();
            let Some((giver, choice)) = by_entropy(choices).into_iter().next() else { continue };
            groups.push(Group { node: leaf.node, rows: leaf.rows() });
            *leaf = self.leaf(leaf.node, complying[giver].chosen(&choice));
            complying[giver].give(&choice);
        }
    }

    /// Algorithm 4.
    fn suppress(&self, node: u32, complying: &mut [Leaf], lacking: &mut [Leaf], groups: &mut Vec<Group>) {
        for giver in complying {
            for leaf in lacking.iter_mut() {
                if self.count(giver).saturating_sub(self.k) < self.required(leaf) {
                    continue;
                }
                let Some(choice) = giver.choose_for(self.task, leaf, self.k) else { continue };
                let mut rows = leaf.rows();
                rows.extend(giver.chosen(&choice));
                giver.give(&choice);
                *leaf = self.leaf(leaf.node, Vec::new());
                groups.push(Group { node, rows });
            }
            groups.push(Group { node: giver.node, rows: giver.rows() });
        }
    }

    fn leaf(&self, node: u32, rows: Vec<u32>) -> Leaf {
        Leaf::new(self.task, self.class, &Group { node, rows })
    }

    fn count(&self, leaf: &Leaf) -> u64 {
        leaf.population(self.task)
    }

    fn required(&self, leaf: &Leaf) -> u64 {
        self.k.saturating_sub(self.count(leaf))
    }
}
