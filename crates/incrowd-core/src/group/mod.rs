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

use crate::table::{Code, Column, People, Table};
use crate::with_codes;
use keys::Keys;
use rayon::prelude::*;

/// Rows counted in one go, where groups are few enough to be counted in parallel.
const BLOCK: usize = 1 << 18;

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

/// How many individuals of the table are in each of `count` groups, by the group of each row; an individual with several rows in a group counts
/// once in it.
pub(crate) fn sizes(of_row: &[u32], count: usize, table: &Table) -> Vec<u64> {
    match table.people() {
        People::Rows => tallies(of_row, &[], count),
        People::Weights(weights) => tallies(of_row, weights, count),
        People::Subjects { of_row: subjects, .. } => {
            let mut sizes = vec![0; count];
            members(of_row, subjects).for_each(|(group, _)| sizes[group as usize] += 1);
            sizes
        }
    }
}

/// How many individuals have each code of a column; none where individuals have several rows.
pub(crate) fn code_sizes(table: &Table, column: &Column) -> Option<Vec<u64>> {
    let weights = match table.people() {
        People::Rows => &[],
        People::Weights(weights) => weights.as_slice(),
        People::Subjects { .. } => return None,
    };
    Some(with_codes!(column.codes(), codes => tallies(codes, weights, column.code_count())))
}

/// How many rows, with their weights if there are any, each group has.
fn tallies<C: Code>(of_row: &[C], weights: &[u32], count: usize) -> Vec<u64> {
    let none = || vec![0_u64; count];
    let block = if count <= BLOCK / 4 { BLOCK } else { of_row.len().max(1) };
    let tally = |mut sizes: Vec<u64>, (place, groups): (usize, &[C])| {
        match weights.get(place * block..) {
            Some(weights) if !weights.is_empty() => groups
                .iter()
                .zip(weights)
                .for_each(|(group, &weight)| sizes[group.wide() as usize] += u64::from(weight)),
            _ => groups.iter().for_each(|group| sizes[group.wide() as usize] += 1),
        }
        sizes
    };
    let add = |a: Vec<u64>, b: Vec<u64>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    let blocks = of_row.par_chunks(block).enumerate();
    blocks.fold(none, tally).reduce_with(add).unwrap_or_else(none)
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

/// How many individuals each group of rows equal in all the columns holds, in order of first appearance.
pub fn group_sizes(table: &Table, columns: &[&Column]) -> Vec<u64> {
    group_rows(table.rows(), columns).sizes(table)
}

fn group(keys: &Keys<'_>) -> Grouping {
    if direct::suits(keys) { direct::group(keys) } else { partition::group(keys) }
}
