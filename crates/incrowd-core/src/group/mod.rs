//! Groups of equal rows (equivalence classes): which rows are equal in these columns? Every audit needs this.
//!
//! # Method
//! The codes of a row are packed into one 64-bit key, bit field by bit field. Where the fields need more than 64 bits,
//! a prefix of the columns is grouped first and its group number replaces the prefix, so a key always represents
//! exactly one combination of codes. Short keys of many rows are counted in arrays. Others pass through a bijection
//! that spreads them (equal after it means equal before it; nothing is ever compared by a hash alone), are sorted by
//! their leading bits into partitions small enough for a processor's cache, and each partition is counted in its own
//! table.
//!
//! Blocks of rows and partitions are processed in parallel. Neither their number nor any result depends on the number
//! of threads: groups are numbered in order of first appearance.
//!
//! Time is linear in the cells (expected), memory 8 to 16 bytes per row. Without tags for rows or weights
//! ([`smallest_group`] and [`crowds`] of unweighted tables) it is 8.

mod branches;
mod count;
mod crowds;
mod descent;
mod direct;
mod keys;
mod partition;
mod stripped;
mod tally;
#[cfg(test)]
mod tests;

pub use branches::{in_many, in_two};
pub(crate) use count::{code_sizes, count_by, row_weights};
pub(crate) use crowds::are_nearly_all;
pub use crowds::{Crowds, crowds, smallest_group};
pub(crate) use descent::{Descent, Divided};
pub(crate) use stripped::Stripped;

use crate::table::{Column, People, Table};
use keys::Keys;

/// Rows divided into groups that are equal in some columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    /// The group of each row, numbered from 0 in order of first appearance.
    pub of_row: Vec<u32>,
    /// The number of groups.
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

    /// The number of individuals of the table in each group; an individual with several rows in a group counts once in
    /// it.
    pub fn sizes(&self, table: &Table) -> Vec<u64> {
        sizes(&self.of_row, self.count as usize, table)
    }

    /// The groups divided further: rows that are in one group and equal in the column.
    ///
    /// # Panics
    /// When the column is shorter than the grouping.
    #[must_use]
    pub fn refined(&self, column: &Column) -> Self {
        group(&Keys::of_grouping(self, column))
    }
}

/// How many individuals of the table are in each of `count` groups, by the group of each row; an individual with
/// several rows in a group counts once in it.
pub(crate) fn sizes(of_row: &[u32], count: usize, table: &Table) -> Vec<u64> {
    let People::Subjects { of_row: subjects, .. } = table.people() else {
        let weights = row_weights(table).unwrap_or_default();
        return count_by(of_row.len(), weights, count, |row| of_row[row] as usize);
    };
    let mut sizes = vec![0; count];
    members(of_row, subjects).for_each(|(group, _)| sizes[group as usize] += 1);
    sizes
}

/// Each pair of a group and a subject in it, once.
pub(crate) fn members<'a>(
    of_row: &'a [u32],
    subject_of_row: &'a [u32],
) -> impl Iterator<Item = (u32, u32)> + 'a {
    let pairs = group(&Keys::of_numbers(&[of_row, subject_of_row]));
    pairs.first_rows().into_iter().map(|row| (of_row[row as usize], subject_of_row[row as usize]))
}

/// Divides rows into groups that are equal in all the columns; without columns all rows form one group.
///
/// # Panics
/// When a column is shorter than `rows`.
pub fn group_rows(rows: usize, columns: &[&Column]) -> Grouping {
    group(&Keys::of_columns(rows, columns))
}

/// The number of individuals in each group of rows equal in all the columns, in order of first appearance.
pub fn group_sizes(table: &Table, columns: &[&Column]) -> Vec<u64> {
    group_rows(table.rows(), columns).sizes(table)
}

/// Divides rows into groups that are equal in all of some numberings of them.
pub(crate) fn group_numbers(of_row: &[&[u32]]) -> Grouping {
    group(&Keys::of_numbers(of_row))
}

fn group(keys: &Keys<'_>) -> Grouping {
    if direct::suits(keys) { direct::group(keys) } else { partition::group(keys) }
}
