//! A partial tree, and the rule it is grown for.

use super::list::{Condition, ListRule};
use super::{Choices, Grower, Pessimism};
use crate::tree::gain::total_entropy;
use crate::tree::prune::FAVOUR;
use crate::tree::task::Task;
use std::ops::Range;

/// Numbers closer than this are equal.
const CLOSE: f64 = 1e-6;

/// A node that has been grown into.
#[derive(Clone, Copy)]
struct End {
    /// The child the rule goes on to; none at a leaf.
    next: Option<u32>,
    /// The rows of the leaf the rule ends in.
    size: u64,
}

/// A node that is being grown into. Partial trees can be as deep as they have rows, so these are kept on a stack of
/// their own.
struct Open {
    node: u32,
    children: Range<u32>,
    /// The number of children that were tried.
    tried: usize,
    /// The one that is being tried.
    child: u32,
}

/// A partial tree.
pub(super) struct Partial<'t> {
    grower: Grower<'t>,
    /// The result for each node; none for those that were not tried.
    ends: Vec<Option<End>>,
}

impl<'t> Partial<'t> {
    /// Grows a partial tree.
    pub(super) fn grow(grower: Grower<'t>, min_rows: u64, pessimism: &Pessimism) -> Self {
        let mut this = Self { grower, ends: vec![None] };
        let mut open: Vec<Open> = this.open(0, min_rows).into_iter().collect();
        while let Some(top) = open.last_mut() {
            let went_on =
                top.tried > 0 && this.ends[top.child as usize].is_some_and(|end| end.next.is_some());
            let next = if went_on { None } else { this.next(top.children.clone(), min_rows) };
            if let Some(child) = next {
                top.tried += 1;
                top.child = child;
                let below = this.open(child, min_rows);
                open.extend(below);
            } else {
                let (node, children) = (top.node, top.children.clone());
                open.pop();
                let end = this.close(node, children, went_on, min_rows, pessimism);
                this.ends[node as usize] = Some(end);
            }
        }
        this
    }

    /// Splits a node, or makes it a leaf.
    fn open(&mut self, node: u32, min_rows: u64) -> Option<Open> {
        let Some(split) = Choices::split(&self.grower, min_rows, node) else {
            self.ends[node as usize] = Some(self.leaf(node));
            return None;
        };
        let children = self.grower.commit(node, split);
        self.ends.resize(children.end as usize, None);
        Some(Open { node, child: children.start, children, tried: 0 })
    }

    /// The child to try next: the first without entropy, or the one with the lowest; none if all others have too few
    /// rows.
    fn next(&self, children: Range<u32>, min_rows: u64) -> Option<u32> {
        let (mut best, mut lowest) = (None, f64::MAX);
        for child in children.filter(|&child| self.ends[child as usize].is_none()) {
            let (counts, size) = (&self.grower.node(child).counts, self.grower.node(child).size());
            if size < min_rows {
                continue;
            }
            let entropy = total_entropy(counts) / size as f64;
            if entropy < CLOSE {
                return Some(child);
            }
            if lowest - entropy > CLOSE {
                (best, lowest) = (Some(child), entropy);
            }
        }
        best
    }

    /// What becomes of a node of which no child is to be tried any more.
    fn close(
        &self,
        node: u32,
        children: Range<u32>,
        went_on: bool,
        min_rows: u64,
        pessimism: &Pessimism,
    ) -> End {
        if !went_on {
            // Children that were not tried have too few rows, and are leaves.
            let subtree: f64 = children.clone().map(|child| self.errors(child, pessimism)).sum();
            if self.errors(node, pessimism) - (subtree + FAVOUR) < CLOSE {
                return self.leaf(node);
            }
        }
        let mut best: Option<(u32, u64)> = None;
        for child in children {
            let Some(end) = self.ends[child as usize] else { continue };
            let enough = self.grower.node(child).size() >= min_rows;
            if enough && best.is_none_or(|(_, size)| end.size > size) {
                best = Some((child, end.size));
            }
        }
        best.map_or_else(|| self.leaf(node), |(child, size)| End { next: Some(child), size })
    }

    fn leaf(&self, node: u32) -> End {
        End { next: None, size: self.grower.node(node).size() }
    }

    /// The pessimistic error of a node as a leaf.
    fn errors(&self, node: u32, pessimism: &Pessimism) -> f64 {
        let node = self.grower.node(node);
        let (size, most) = (node.size(), node.counts.iter().max().copied().unwrap_or(0));
        let wrong = (size - most) as f64;
        if size == 0 { 0.0 } else { wrong + pessimism.more_errors(size as f64, wrong) }
    }

    /// The nodes from the root to the leaf the rule ends in.
    fn path(&self) -> Vec<u32> {
        let below = |node: &u32| self.ends[*node as usize].and_then(|end| end.next);
        std::iter::successors(Some(0), below).collect()
    }

    /// The rule.
    pub(super) fn rule(&self, task: &Task<'_>) -> ListRule {
        let path = self.path();
        let condition = |step: &[u32]| {
            let (split, first) = self.grower.node(step[0]).split.as_ref()?;
            Some(Condition::of(task, split, step[1] - first))
        };
        let conditions = path.windows(2).filter_map(condition).collect();
        let end = path.last().copied().unwrap_or(0);
        ListRule { conditions, counts: self.grower.node(end).counts.clone() }
    }

    /// The rows the rule does not cover.
    pub(super) fn uncovered(&self) -> Vec<u32> {
        let end = self.path().last().copied().unwrap_or(0);
        let Range { start, end } = self.grower.node(end).rows;
        let rows = self.grower.by_leaf.order();
        [&rows[..start as usize], &rows[end as usize..]].concat()
    }
}
