//! Joint spans and vectors of leaves, tree by tree.

use super::super::groups::{Groups, Span};
use crate::group::{group_numbers, sizes};
use crate::table::{People, Table};
use hashbrown::HashSet;
use rayon::prelude::*;
use serde::Serialize;

/// What the first trees of an ensemble reveal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FirstTrees {
    /// The number of trees.
    pub trees: u64,
    /// The number of joint spans.
    pub spans: u64,
    /// The individuals of the smallest of them.
    pub k: u64,
    /// The individuals who are alone in theirs.
    pub alone: u64,
}

/// How joint spans and vectors of leaves are divided by one more tree.
pub(super) struct Step<'g> {
    /// For each joint span the one it was part of, and the span of the tree.
    pub(super) spans: Vec<(u32, u32)>,
    /// For each vector the one it extends, and the leaf of the tree.
    pub(super) bins: Vec<(u32, u32)>,
    /// The spans of the tree.
    pub(super) spans_of_tree: &'g [Span],
}

/// The rows by joint span and by vector of leaves, as far as trees have been added.
pub(super) struct Joint {
    pub(super) span_of_row: Vec<u32>,
    pub(super) bin_of_row: Vec<u32>,
    /// For each span the vectors it reaches, ascending; `None` if they are too many to be listed.
    pub(super) reach: Option<Vec<Vec<u32>>>,
    /// Whether each span has a single leaf in every tree.
    pub(super) single_leaf: Vec<bool>,
    pub(super) curve: Vec<FirstTrees>,
    /// How many pairs of spans and vectors may still be examined.
    steps: usize,
}

/// The most pairs of spans and vectors that are listed, and that are examined.
const MOST_PAIRS: usize = 1 << 26;
const MOST_STEPS: usize = 1 << 31;

impl Joint {
    /// Rows in groups, which all trees divide further.
    pub(super) fn new(span_of_row: Vec<u32>) -> Self {
        let spans = span_of_row.iter().max().map_or(0, |&last| last as usize + 1);
        Self {
            bin_of_row: vec![0; span_of_row.len()],
            span_of_row,
            reach: Some(vec![vec![0]; spans]),
            single_leaf: vec![true; spans],
            curve: Vec::new(),
            steps: MOST_STEPS,
        }
    }

    /// Divides rows by the spans and the leaves of one more tree.
    pub(super) fn add<'g>(&mut self, table: &Table, groups: &'g Groups) -> Step<'g> {
        let (spans, of_row) = divided(&self.span_of_row, &groups.of_row);
        self.span_of_row = of_row;
        let (bins, of_row) = divided(&self.bin_of_row, &groups.leaf_of_row);
        self.bin_of_row = of_row;
        let step = Step { spans, bins, spans_of_tree: &groups.spans };
        let single = |&(before, own): &(u32, u32)| {
            self.single_leaf[before as usize] && groups.spans[own as usize].leaves.len() == 1
        };
        self.single_leaf = step.spans.iter().map(single).collect();
        self.extend_reach(&step);
        self.note(table, step.spans.len());
        step
    }

    /// A vector is reached from a span iff the vector without its last leaf was, and the leaf is in the span of the
    /// tree.
    fn extend_reach(&mut self, step: &Step<'_>) {
        let Some(reach) = self.reach.take() else { return };
        let bins = step.bins.iter().map(|bin| bin.0).max().map_or(0, |last| last as usize + 1);
        let mut longer: Vec<Vec<(u32, u32)>> = vec![Vec::new(); bins];
        (0..).zip(&step.bins).for_each(|(bin, &(before, leaf))| longer[before as usize].push((leaf, bin)));
        let work = |&(before, _): &(u32, u32)| -> usize {
            reach[before as usize].iter().map(|&bin| longer[bin as usize].len()).sum()
        };
        let Some(left) = self.steps.checked_sub(step.spans.par_iter().map(work).sum()) else { return };
        self.steps = left;
        let pairs = |&(before, own): &(u32, u32)| {
            let leaves = &step.spans_of_tree[own as usize].leaves;
            let longer = reach[before as usize].iter().flat_map(|&bin| &longer[bin as usize]);
            longer.filter(|(leaf, _)| leaves.binary_search(leaf).is_ok()).map(|&(_, bin)| bin)
        };
        if step.spans.par_iter().map(|span| pairs(span).count()).sum::<usize>() > MOST_PAIRS {
            return;
        }
        let of_span = |span| {
            let mut bins: Vec<u32> = pairs(span).collect();
            bins.sort_unstable();
            bins
        };
        self.reach = Some(step.spans.par_iter().map(of_span).collect());
    }

    fn note(&mut self, table: &Table, spans: usize) {
        let populations = sizes(&self.span_of_row, spans, table);
        self.curve.push(FirstTrees {
            trees: self.curve.len() as u64 + 1,
            spans: spans as u64,
            k: populations.iter().copied().min().unwrap_or(0),
            alone: self.alone(table, &populations),
        });
    }

    /// The individuals who are alone in a span.
    fn alone(&self, table: &Table, populations: &[u64]) -> u64 {
        let People::Subjects { of_row, .. } = table.people() else {
            return populations.iter().filter(|&&individuals| individuals == 1).count() as u64;
        };
        let rows = of_row.iter().zip(&self.span_of_row);
        let alone = rows.filter(|&(_, &span)| populations[span as usize] == 1).map(|(&subject, _)| subject);
        alone.collect::<HashSet<u32>>().len() as u64
    }
}

/// Divides groups by another number of each row: for each new group the old one and the number, and each row's group.
fn divided(of_row: &[u32], by: &[u32]) -> (Vec<(u32, u32)>, Vec<u32>) {
    let pairs = group_numbers(&[of_row, by]);
    let pair = |row: u32| (of_row[row as usize], by[row as usize]);
    (pairs.first_rows().into_iter().map(pair).collect(), pairs.of_row)
}
