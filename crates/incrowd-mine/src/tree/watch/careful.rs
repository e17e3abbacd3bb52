//! Additional checks of a miner whose first tree did not pass the audit: stricter than the guarantee, and sound.
//!
//! Some things depend on the whole tree, so that no single split causes them: a small part of a span's individuals in
//! one bin that follows from all populations together, and individuals with several rows of whom too few have the same
//! spans in all rows. The first tree is grown without checking these, as most trees satisfy them; where its audit
//! fails, a second one is grown so carefully that they hold:
//!
//! - every part of a span's individuals who are in one bin is empty or has as many individuals as a smallest bin
//!   requires. Whatever can be derived about such a part then includes its true size, which is not small;
//! - with the strict reading of k, every individual has the same spans in all rows as k − 1 others.
//!
//! Both still hold when subtrees are cut off: parts are merged, and individuals who had the same spans still have them.

use super::check::CheckedNode;
use super::memo::Of;
use crate::tree::grower::Grower;
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::spans::Span;
use crate::tree::split::Split;
use crate::tree::task::Task;
use incrowd_core::group::in_many;
use incrowd_core::guarantee::{Requirement, SeveralRows};
use incrowd_core::table::People;
use std::cell::Cell;
use std::ops::Range;

thread_local! {
    static PARTS: Scratch<u64> = const { Cell::new(Vec::new()) };
    static INDIVIDUALS: Scratch<u32> = const { Cell::new(Vec::new()) };
    static SPANS: Scratch<(u32, u32)> = const { Cell::new(Vec::new()) };
    static ALIKE: Scratch<Range<usize>> = const { Cell::new(Vec::new()) };
}

/// The rows of each individual.
pub(super) struct RowsOf<'t> {
    of_row: &'t [u32],
    /// The rows, individual by individual.
    rows: Vec<u32>,
    /// Where those of each individual begin, and the end.
    starts: Vec<usize>,
    /// How many individuals must have the same spans in all rows.
    k: u64,
}

impl<'t> RowsOf<'t> {
    /// None where it is not required that individuals have the same spans in all rows.
    pub(super) fn new(task: &'t Task<'t>) -> Option<Self> {
        let People::Subjects { of_row, count } = task.table.people() else { return None };
        let is_strict = task.careful && task.guarantee.several_rows() == SeveralRows::Strict;
        let k = task.guarantee.asked_k().filter(|_| is_strict)?;
        let (mut rows, mut scratch) = ((0..of_row.len() as u32).collect::<Vec<_>>(), vec![0; of_row.len()]);
        let starts = in_many(&mut rows, &mut scratch, |row| of_row[row as usize], *count as usize);
        Some(Self { of_row, rows, starts, k })
    }

    fn of(&self, individual: u32) -> &[u32] {
        &self.rows[self.starts[individual as usize]..self.starts[individual as usize + 1]]
    }
}

impl CheckedNode<'_, '_> {
    /// Whether a split leaves a small part of a span in one bin, or too few individuals with the same spans in all
    /// rows.
    pub(super) fn is_carefully_broken_by(&self, split: &Split) -> bool {
        let grower = self.grower;
        grower.task.careful && (self.has_small_part(split) || grower.parts_individuals(self.node, split))
    }

    /// Nothing is small before the split: a public one divides every part of a span, a private one only those at the
    /// node.
    fn has_small_part(&self, split: &Split) -> bool {
        let task = self.grower.task;
        let Some(least) = task.guarantee.asked_smallest_bin() else { return false };
        let (known, classes) = (task.attributes[self.attribute].known, task.class.count);
        let is_small = |&individuals: &u64| 0 < individuals && individuals < least;
        with_scratch(&PARTS, |parts| {
            self.spans.iter().any(|span| {
                parts.clear();
                if known {
                    self.grower.append_parts(span, split, parts);
                    return parts.iter().any(is_small);
                }
                self.grower.append_parts_at(self.node, span, split, parts);
                parts.chunks_exact(classes + 1).any(|of_branch| of_branch[..classes].iter().any(is_small))
            })
        })
    }
}

impl<'t> Grower<'t> {
    /// The k that a tree without tests breaks for individuals with several rows.
    pub(super) fn careful_root_breach(&self) -> Option<&'t Requirement> {
        if !self.task.careful || !self.has_few_alike(0, |_| 0) {
            return None;
        }
        self.task.guarantee.requirement_of_k()
    }

    /// The individuals of a span in each branch and bin.
    fn append_parts(&self, span: &Span, split: &Split, parts: &mut Vec<u64>) {
        let (leaves, classes) = (span.leaves.len(), self.task.class.count);
        let bin = |row: u32| {
            let leaf = span.leaves.partition_point(|&leaf| leaf < self.leaf_of_row[row as usize]);
            leaf as u32 * classes as u32 + self.task.class.column.code(row as usize)
        };
        let held = self.held(span, split.attribute, (Of::Bins(leaves), leaves * classes), bin);
        held.append_by_branch(split, leaves * classes, parts);
    }

    /// The individuals of a span in each branch and class at one of its leaves, and at all others together.
    fn append_parts_at(&self, node: u32, span: &Span, split: &Split, parts: &mut Vec<u64>) {
        let classes = self.task.class.count;
        let bin = |row: u32| {
            let is_here = self.leaf_of_row[row as usize] == node;
            if is_here { self.task.class.column.code(row as usize) } else { classes as u32 }
        };
        let held = self.held(span, split.attribute, (Of::BinsAt(node), classes + 1), bin);
        held.append_by_branch(split, classes + 1, parts);
    }

    /// Whether a split that an attacker can follow leaves an individual with too few others who have the same spans in
    /// all rows.
    fn parts_individuals(&self, node: u32, split: &Split) -> bool {
        let attribute = &self.task.attributes[split.attribute];
        let branch = |row: u32| split.branch_of_code[attribute.column.code(row as usize) as usize];
        attribute.known && self.has_few_alike(node, branch)
    }

    /// Whether fewer individuals than k have the same spans in all rows, where the spans of a node are divided by
    /// branch. Individuals without a row in these have the same spans as before, and so have all who had the same.
    fn has_few_alike(&self, node: u32, branch: impl Fn(u32) -> u32) -> bool {
        let Some(rows_of) = &self.watch.rows_of else { return false };
        let part = |row: u32| {
            let number = self.spans.of_row(row)?;
            let is_divided = self.spans.all()[number as usize].leaves.binary_search(&node).is_ok();
            Some((number, if is_divided { branch(row) } else { 0 }))
        };
        with_scratch(&INDIVIDUALS, |individuals| {
            for span in self.spans.of(node) {
                let rows = self.spans.rows(&self.by_leaf, span);
                individuals.extend(rows.iter().map(|&row| rows_of.of_row[row as usize]));
            }
            individuals.sort_unstable();
            individuals.dedup();
            with_scratch(&SPANS, |spans| {
                with_scratch(&ALIKE, |alike| {
                    for &individual in &*individuals {
                        let start = spans.len();
                        spans.extend(rows_of.of(individual).iter().filter_map(|&row| part(row)));
                        spans[start..].sort_unstable();
                        alike.push(start..spans.len());
                    }
                    let spans = |own: &Range<usize>| &spans[own.clone()];
                    alike.sort_unstable_by(|a, b| spans(a).cmp(spans(b)));
                    alike.chunk_by(|a, b| spans(a) == spans(b)).any(|same| (same.len() as u64) < rows_of.k)
                })
            })
        })
    }
}
