//! Rows as one permuted index array, one range per part; dividing a part touches its range alone.
//!
//! The rows of a tree's leaves are such a partition, and so are the rows of its spans. A part keeps the order of its
//! rows, so nothing depends on how often or by how many threads it was divided. Dividing takes time linear in the part.

use incrowd_core::group::{in_many, in_two};
use incrowd_core::table::{Code, Codes};
use incrowd_core::with_codes;
use rayon::prelude::*;
use std::ops::Range;

/// Parts with more rows than this are divided in parallel.
const PARALLEL: usize = 1 << 17;

/// Rows divided in one go.
const BLOCK: usize = 1 << 15;

/// A permutation of rows.
pub(crate) struct Partition {
    order: Vec<u32>,
    scratch: Vec<u32>,
}

impl Partition {
    /// All rows in one part.
    pub(crate) fn new(rows: usize) -> Self {
        Self::of((0..rows as u32).collect())
    }

    /// These rows in one part.
    pub(crate) fn of(rows: Vec<u32>) -> Self {
        Self { order: rows, scratch: Vec::new() }
    }

    /// The whole permutation.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rows of a part.
    pub(crate) fn rows(&self, part: &Range<u32>) -> &[u32] {
        &self.order[part.start as usize..part.end as usize]
    }

    /// Puts other rows into a part.
    pub(crate) fn fill(&mut self, part: &Range<u32>, rows: &[u32]) {
        self.order[part.start as usize..part.end as usize].copy_from_slice(rows);
    }

    /// Sorts the rows of a part.
    pub(crate) fn sort(&mut self, part: &Range<u32>) {
        self.order[part.start as usize..part.end as usize].sort_unstable();
    }

    /// Divides a part by the branch of each row's code; the parts are in the order of the branches, and may be empty.
    pub(crate) fn divide(
        &mut self,
        part: &Range<u32>,
        codes: &Codes,
        branch_of_code: &[u32],
        branches: u32,
    ) -> Vec<Range<u32>> {
        let mut parts = Vec::with_capacity(branches as usize);
        self.divide_into(part, codes, branch_of_code, branches, &mut parts);
        parts
    }

    /// The same with the parts at the end of a list.
    pub(crate) fn divide_into(
        &mut self,
        part: &Range<u32>,
        codes: &Codes,
        branch_of_code: &[u32],
        branches: u32,
        parts: &mut Vec<Range<u32>>,
    ) {
        let rows = &mut self.order[part.start as usize..part.end as usize];
        self.scratch.resize(self.scratch.len().max(rows.len()), 0);
        let scratch = &mut self.scratch[..rows.len()];
        let mut add = |starts: &[usize]| {
            let place = |end: usize| part.start + end as u32;
            parts.extend(starts.windows(2).map(|ends| place(ends[0])..place(ends[1])));
        };
        with_codes!(codes, codes => {
            let branch = |row: u32| branch_of_code[codes[row as usize].wide() as usize];
            match branches {
                2 if rows.len() > PARALLEL => {
                    add(&[0, in_two_at_once(rows, scratch, |row| branch(row) == 1), rows.len()]);
                }
                2 => add(&[0, in_two(rows, scratch, |row| branch(row) == 1), rows.len()]),
                _ => add(&in_many(rows, scratch, branch, branches as usize)),
            }
        });
    }
}

/// As [`in_two`], block by block in parallel; the blocks are put together after.
fn in_two_at_once(rows: &mut [u32], scratch: &mut [u32], second: impl Fn(u32) -> bool + Sync) -> usize {
    let blocks = rows.par_chunks_mut(BLOCK).zip(scratch.par_chunks_mut(BLOCK));
    let firsts: Vec<usize> = blocks.map(|(rows, scratch)| in_two(rows, scratch, &second)).collect();
    let middle: usize = firsts.iter().sum();
    let (mut low, mut high) = scratch.split_at_mut(middle);
    let mut moves = Vec::with_capacity(firsts.len());
    for (block, &first) in rows.chunks(BLOCK).zip(&firsts) {
        let (to_low, rest) = low.split_at_mut(first);
        let (to_high, others) = high.split_at_mut(block.len() - first);
        (low, high) = (rest, others);
        moves.push((block.split_at(first), to_low, to_high));
    }
    moves.into_par_iter().for_each(|((firsts, seconds), to_low, to_high)| {
        to_low.copy_from_slice(firsts);
        to_high.copy_from_slice(seconds);
    });
    let whole = rows.par_chunks_mut(BLOCK).zip(scratch.par_chunks(BLOCK));
    whole.for_each(|(rows, scratch)| rows.copy_from_slice(scratch));
    middle
}
