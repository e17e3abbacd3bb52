//! Joint spans, tree by tree.

use super::super::groups::{Groups, Span};
use super::merged::Merged;
use crate::group::group_numbers;
use crate::table::{People, Table};
use hashbrown::HashSet;
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

/// How joint spans are divided by one more tree.
pub(super) struct Step<'g> {
    /// For each joint span the one it was part of, and the span of the tree.
    pub(super) spans: Vec<(u32, u32)>,
    /// The spans of the tree.
    pub(super) spans_of_tree: &'g [Span],
}

/// Merged rows by joint span, as far as trees have been added.
pub(super) struct Joint<'m> {
    merged: &'m Merged,
    /// The joint span of each merged row.
    pub(super) of_merged: Vec<u32>,
    /// Whether each span has a single leaf in every tree.
    pub(super) single_leaf: Vec<bool>,
    pub(super) curve: Vec<FirstTrees>,
}

impl<'m> Joint<'m> {
    /// Merged rows in groups, which all trees divide further.
    pub(super) fn new(merged: &'m Merged, of_merged: Vec<u32>) -> Self {
        let spans = of_merged.iter().max().map_or(0, |&last| last as usize + 1);
        Self { merged, of_merged, single_leaf: vec![true; spans], curve: Vec::new() }
    }

    /// Divides rows by the spans of one more tree.
    pub(super) fn add<'g>(&mut self, table: &Table, groups: &'g Groups) -> Step<'g> {
        let before = self.single_leaf.len();
        let pairs = group_numbers(&[&self.of_merged, &groups.of_row]);
        let pair = |row: u32| (self.of_merged[row as usize], groups.of_row[row as usize]);
        let spans: Vec<(u32, u32)> = pairs.first_rows().into_iter().map(pair).collect();
        self.of_merged = pairs.of_row;
        let single = |&(before, own): &(u32, u32)| {
            self.single_leaf[before as usize] && groups.spans[own as usize].leaves.len() == 1
        };
        self.single_leaf = spans.iter().map(single).collect();
        self.note(table, before);
        Step { spans, spans_of_tree: &groups.spans }
    }

    /// Notes what the trees so far reveal: as much as before if they divide no span further.
    fn note(&mut self, table: &Table, before: usize) {
        let spans = self.single_leaf.len();
        let trees = self.curve.len() as u64 + 1;
        if let Some(last) = self.curve.last().filter(|_| spans == before) {
            self.curve.push(FirstTrees { trees, ..*last });
            return;
        }
        let populations = self.merged.populations(table, &self.of_merged, spans);
        self.curve.push(FirstTrees {
            trees,
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
        let rows = of_row.iter().zip(&self.merged.of_row);
        let alone = rows.filter(|&(_, &row)| populations[self.of_merged[row as usize] as usize] == 1);
        alone.map(|(&subject, _)| subject).collect::<HashSet<u32>>().len() as u64
    }
}
