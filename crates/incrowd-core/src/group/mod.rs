//! Groups of equal rows: the question under every audit, "who looks alike in these columns?".
//!
//! # Method
//! The codes of a row are packed into one 64-bit key, bit field by bit field. Where the fields need more than 64 bits, a
//! prefix of the columns is grouped first and its group number takes the prefix's place, so a key always stands for
//! exactly one combination of codes. Short keys of many rows are counted
//! in arrays. Others pass through a bijection that
//! spreads them (equal after it means equal before it; nothing is ever compared by a hash alone), are sorted by their
//! leading bits into partitions small enough for a processor's cache, and each partition is counted in a table of its own.
//!
//! Blocks of rows and partitions are worked on in parallel. Neither their number nor any result depends on the number
//! of threads: groups are numbered in order of first appearance.
//!
//! Time is linear in the cells (expected), memory 8 to 16 bytes a row. Without tags for rows or weights
//! ([`smallest_group`] and [`crowds`] of unweighted tables) it is 8.

mod crowds;
mod direct;
mod keys;
mod partition;
mod tally;
#[cfg(test)]
mod tests;

pub use crowds::{Crowds, crowds, smallest_group};

use crate::table::{Column, People, Table};
use keys::Keys;

/// Rows divided into groups that are equal in some columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    /// The group of each row, numbered from 0 in order of first appearance.
    pub of_row: Vec<u32>,
    /// How many groups there are.
    pub count: u32,
}

impl Grouping {
    /// The first row of each group.
    pub fn first_rows(&self) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.count as usize);
        for (row, &group) in self.of_row.iter().enumerate() {
            if group as usize == first.len() {
                first.push(row as u32);
            }
        }
        first
    }

    /// How many individuals of the table each group holds; an individual with several rows in a group counts once in it.
    pub fn sizes(&self, table: &Table) -> Vec<u64> {
        let mut sizes = vec![0; self.count as usize];
        match table.people() {
            People::Rows => self.of_row.iter().for_each(|&group| sizes[group as usize] += 1),
            People::Weights(weights) => {
                for (&group, &weight) in self.of_row.iter().zip(weights) {
                    sizes[group as usize] += u64::from(weight);
                }
            }
            People::Subjects { of_row, .. } => {
                for (group, _) in self.members(of_row) {
                    sizes[group as usize] += 1;
                }
            }
        }
        sizes
    }

    /// The groups divided further: rows that are in one group and equal in the column.
    ///
    /// # Panics
    /// When the column is shorter than the grouping.
    #[must_use]
    pub fn refined(&self, column: &Column) -> Self {
        group(&Keys::of_grouping(self, column))
    }

    /// Each pair of a group and a subject in it, once.
    pub(crate) fn members(&self, subject_of_row: &[u32]) -> Vec<(u32, u32)> {
        let pairs = group(&Keys::of_numbers(&[&self.of_row, subject_of_row]));
        let pick = |row: u32| (self.of_row[row as usize], subject_of_row[row as usize]);
        pairs.first_rows().into_iter().map(pick).collect()
    }
}

/// Divides rows into groups that are equal in all the columns; without columns all rows form one group.
///
/// # Panics
/// When a column is shorter than `rows`.
pub fn group_rows(rows: usize, columns: &[&Column]) -> Grouping {
    group(&Keys::of_columns(rows, columns))
}

/// How many individuals each group of rows equal in all the columns holds, in order of first appearance.
pub fn group_sizes(table: &Table, columns: &[&Column]) -> Vec<u64> {
    group_rows(table.rows(), columns).sizes(table)
}

fn group(keys: &Keys<'_>) -> Grouping {
    if direct::suits(keys) { direct::group(keys) } else { partition::group(keys) }
}
