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

use super::memo::Of;
use crate::tree::grower::Grower;
use crate::tree::spans::Span;
use crate::tree::split::Split;
use hashbrown::HashMap;
use incrowd_core::guarantee::{Requirement, SeveralRows};
use incrowd_core::table::People;

impl<'t> Grower<'t> {
    /// Whether a split leaves a small part of a span in one bin, or too few individuals with the same spans in all
    /// rows.
    pub(crate) fn careful_breach(&self, node: u32, split: &Split) -> bool {
        self.task.careful && (self.has_small_part(node, split) || self.parts_individuals(node, split))
    }

    /// The k that a tree without tests breaks for individuals with several rows.
    pub(super) fn careful_root_breach(&self) -> Option<&'t Requirement> {
        if !self.task.careful || !self.has_few_alike(&|_, _| 0) {
            return None;
        }
        self.task.guarantee.requirement_of_k()
    }

    fn branch(&self, split: &Split, row: u32) -> u32 {
        split.branch_of_code[self.task.attributes[split.attribute].column.code(row as usize) as usize]
    }

    /// Nothing is small before the split: a public one divides every part of a span, a private one only those at the
    /// node.
    fn has_small_part(&self, node: u32, split: &Split) -> bool {
        let Some(least) = self.task.guarantee.asked_smallest_bin() else { return false };
        let known = self.task.attributes[split.attribute].known;
        let is_small = |&individuals: &u64| 0 < individuals && individuals < least;
        self.smallest_first(node).into_iter().any(|span| {
            let parts = if known { self.all_parts(span, split) } else { self.parts_at(node, span, split) };
            parts.iter().any(is_small)
        })
    }

    /// The individuals of a span in each branch and bin.
    fn all_parts(&self, span: &Span, split: &Split) -> Vec<u64> {
        let (leaves, classes) = (span.leaves.len(), self.task.class.count);
        let bin = |row: u32| {
            let leaf = span.leaves.partition_point(|&leaf| leaf < self.leaf_of_row[row as usize]);
            leaf as u32 * classes as u32 + self.task.class.column.code(row as usize)
        };
        self.parts_of(span, split, Of::Bins(leaves), leaves * classes, bin)
    }

    /// The individuals of a span in each branch and class at one of its leaves.
    fn parts_at(&self, node: u32, span: &Span, split: &Split) -> Vec<u64> {
        let classes = self.task.class.count;
        let bin = |row: u32| {
            let is_here = self.leaf_of_row[row as usize] == node;
            if is_here { self.task.class.column.code(row as usize) } else { classes as u32 }
        };
        let parts = self.parts_of(span, split, Of::BinsAt(node), classes + 1, bin);
        parts.chunks_exact(classes + 1).flat_map(|of_branch| &of_branch[..classes]).copied().collect()
    }

    /// Whether a split that an attacker can follow leaves an individual with too few others who have the same spans in
    /// all rows.
    fn parts_individuals(&self, node: u32, split: &Split) -> bool {
        let known = self.task.attributes[split.attribute].known;
        let part = |row: u32, leaves: &[u32]| {
            if leaves.contains(&node) { self.branch(split, row) } else { 0 }
        };
        known && self.has_few_alike(&part)
    }

    /// Whether fewer individuals than k have the same spans, each divided into `part`s, in all rows.
    fn has_few_alike(&self, part: &dyn Fn(u32, &[u32]) -> u32) -> bool {
        let guarantee = self.task.guarantee;
        let (Some(k), People::Subjects { of_row, count }) = (guarantee.asked_k(), self.task.table.people())
        else {
            return false;
        };
        if guarantee.several_rows() != SeveralRows::Strict {
            return false;
        }
        let mut spans_of: Vec<Vec<(u32, u32)>> = vec![Vec::new(); *count as usize];
        for (number, span) in (0..).zip(self.spans.all()) {
            for &row in self.spans.rows(&self.by_leaf, span) {
                spans_of[of_row[row as usize] as usize].push((number, part(row, &span.leaves)));
            }
        }
        let mut alike: HashMap<Vec<(u32, u32)>, u64> = HashMap::new();
        for mut spans in spans_of.into_iter().filter(|spans| !spans.is_empty()) {
            spans.sort_unstable();
            *alike.entry(spans).or_default() += 1;
        }
        alike.values().any(|&individuals| individuals < k)
    }
}
