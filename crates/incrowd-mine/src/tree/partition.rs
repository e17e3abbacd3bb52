//! Rows as one permuted index array, a range a part; dividing a part touches its range alone.
//!
//! The rows of a tree's leaves are such a partition, and so are the rows of its spans. A part keeps the order its rows had, so nothing
//! depends on how often or by how many threads it was divided. Dividing takes time linear in the part.

use incrowd_core::table::{Code, Codes};
use incrowd_core::with_codes;
use std::ops::Range;

/// A permutation of rows.
pub(crate) struct Partition {
    order: Vec<u32>,
    scratch: Vec<u32>,
}

impl Partition {
    /// All rows in one part.
    pub(crate) fn new(rows: usize) -> Self {
        Self { order: (0..rows as u32).collect(), scratch: Vec::new() }
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

    /// Divides a part by the branch of each row's code; the parts are in the order of the branches, and may be empty.
    pub(crate) fn divide(
        &mut self,
        part: &Range<u32>,
        codes: &Codes,
        branch_of_code: &[u32],
        branches: u32,
    ) -> Vec<Range<u32>> {
        let rows = &mut self.order[part.start as usize..part.end as usize];
        self.scratch.resize(self.scratch.len().max(rows.len()), 0);
        let starts = with_codes!(codes, codes => {
            sort_by_branch(rows, &mut self.scratch, codes, branch_of_code, branches as usize)
        });
        starts.windows(2).map(|ends| part.start + ends[0]..part.start + ends[1]).collect()
    }
}

/// Sorts rows by branch, stably; returns where each branch begins, and the end.
fn sort_by_branch<C: Code>(
    rows: &mut [u32],
    scratch: &mut [u32],
    codes: &[C],
    branch_of_code: &[u32],
    branches: usize,
) -> Vec<u32> {
    let branch = |row: u32| branch_of_code[codes[row as usize].wide() as usize] as usize;
    let mut next = vec![0_u32; branches + 1];
    rows.iter().for_each(|&row| next[branch(row) + 1] += 1);
    (0..branches).for_each(|i| next[i + 1] += next[i]);
    let starts = next.clone();
    for &row in rows.iter() {
        let place = &mut next[branch(row)];
        scratch[*place as usize] = row;
        *place += 1;
    }
    rows.copy_from_slice(&scratch[..rows.len()]);
    starts
}
