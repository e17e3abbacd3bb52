//! `kactus2`, repaired: each deficient leaf is filled up by swapping or by suppression, once.

use super::choose::{Choice, Leaf, by_entropy};
use crate::table::climb::{Group, by_compliance};
use crate::table::task::Task;
use crate::table::watch::Watch;
use incrowd_core::table::Column;

/// The leaves below a node.
struct Siblings<'a> {
    task: &'a Task<'a>,
    watch: &'a Watch<'a>,
    /// The required number of individuals.
    k: u64,
    complying: Vec<Leaf>,
    /// Those that may not be a group yet, in the order of the branches.
    lacking: Vec<Leaf>,
}

/// How the leaves below a node become groups.
pub(super) fn siblings<'a>(
    task: &'a Task<'a>,
    watch: &'a Watch<'a>,
    class: &'a Column,
    swapping: f64,
) -> impl FnMut(u32, Vec<Group>, &mut Vec<Group>) -> Vec<u32> + 'a {
    let k = task.guarantee.asked_k().unwrap_or(1);
    move |node, leaves, groups| {
        let (complying, lacking) = by_compliance(watch, leaves);
        if lacking.is_empty() || complying.is_empty() {
            groups.extend(complying);
            return lacking.into_iter().flat_map(|leaf| leaf.rows).collect();
        }
        let leaf = |group: &Group| Leaf::new(task, class, group);
        let complying = complying.iter().map(leaf).collect();
        let lacking = lacking.iter().map(leaf).collect();
        let mut siblings = Siblings { task, watch, k, complying, lacking };
        siblings.swap(swapping, groups);
        siblings.suppress(node, groups);
        let released = siblings.complying.iter().map(|leaf| Group { node: leaf.node, rows: leaf.rows() });
        groups.extend(released);
        siblings.lacking.iter().flat_map(Leaf::rows).collect()
    }
}

impl Siblings<'_> {
    /// Algorithm 3: leaves that lack little are given records, and these the leaf's value.
    fn swap(&mut self, threshold: f64, groups: &mut Vec<Group>) {
        for leaf in std::mem::take(&mut self.lacking) {
            let lacks = self.k.saturating_sub(leaf.population(self.task));
            let lacks_little = lacks > 0 && lacks as f64 / self.k as f64 <= threshold;
            let filled = if lacks_little { self.fill(&leaf, 0..self.complying.len()) } else { None };
            match filled {
                Some(rows) => groups.push(Group { node: leaf.node, rows }),
                None => self.lacking.push(leaf),
            }
        }
    }

    /// Algorithm 4: leaves that lack are given records, and all these are released at the parent.
    fn suppress(&mut self, node: u32, groups: &mut Vec<Group>) {
        for giver in 0..self.complying.len() {
            for leaf in std::mem::take(&mut self.lacking) {
                let lacks = leaf.population(self.task) < self.k;
                match if lacks { self.fill(&leaf, giver..giver + 1) } else { None } {
                    Some(rows) => groups.push(Group { node, rows }),
                    None => self.lacking.push(leaf),
                }
            }
        }
    }

    /// Fills a leaf up from the best giver among some, if the leaf and the giver then are groups each.
    fn fill(&mut self, leaf: &Leaf, givers: std::ops::Range<usize>) -> Option<Vec<u32>> {
        let choice = |giver: usize| Some((giver, self.complying[giver].choose_for(self.task, leaf, self.k)?));
        for (giver, choice) in by_entropy(givers.filter_map(choice).collect()) {
            if let Some(rows) = self.filled(leaf, giver, &choice) {
                self.complying[giver].give(&choice);
                return Some(rows);
            }
        }
        None
    }

    /// The rows of a leaf with those chosen, if that is safe.
    fn filled(&self, leaf: &Leaf, giver: usize, choice: &Choice) -> Option<Vec<u32>> {
        let left = self.complying[giver].rows_without(choice);
        if left.is_empty() || !self.watch.holds(&left) {
            return None;
        }
        let mut rows = leaf.rows();
        rows.extend(self.complying[giver].chosen(choice));
        self.watch.holds(&rows).then_some(rows)
    }
}
