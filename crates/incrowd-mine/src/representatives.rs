//! What stands for groups of rows in front of a learner: the means of their numbers, their most frequent names.
//!
//! These are functions of the groups and of one attribute of their rows. Where this attribute is public, so are they.
//! Shares of the class would reveal more than populations do (`docs/proofs.md`).
//!
//! Rows are counted by value and not one after the other, so that their order does not matter.

use incrowd_core::table::{Column, People, Table};
use rayon::prelude::*;

/// How many rows of a group have a value.
struct Count {
    group: u32,
    code: u32,
    weight: u64,
}

/// The mean number of each group, rounded to some significant digits; none if fewer than `fewest` individuals have one.
pub(crate) fn means(
    table: &Table,
    (column, numbers): (&Column, &[f64]),
    (group_of_row, groups): (&[u32], usize),
    (digits, fewest): (usize, u64),
) -> Vec<Option<f64>> {
    let counts = counts(table, column, (group_of_row, groups));
    let individuals = individuals(table, column, group_of_row, groups);
    let mut means = vec![None; groups];
    for own in counts.chunk_by(|a, b| a.group == b.group) {
        let present = || own.iter().filter(|count| count.code != column.missing_code());
        let all: u64 = present().map(|count| count.weight).sum();
        let sum: f64 = present().map(|count| numbers[count.code as usize] * count.weight as f64).sum();
        let group = own[0].group as usize;
        let present = individuals.as_ref().map_or(all, |individuals| individuals[group]);
        if present >= fewest.max(1) {
            means[group] = Some(rounded(sum / all as f64, digits));
        }
    }
    means
}

/// The number of individuals with a number in each group, if individuals can have several rows.
fn individuals(table: &Table, column: &Column, group_of_row: &[u32], groups: usize) -> Option<Vec<u64>> {
    let People::Subjects { of_row, .. } = table.people() else { return None };
    let present = (0..).zip(column.codes().iter()).filter(|&(_, code)| code != column.missing_code());
    let mut pairs: Vec<(u32, u32)> =
        present.map(|(row, _): (usize, u32)| (group_of_row[row], of_row[row])).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    let mut counts = vec![0; groups];
    pairs.iter().for_each(|&(group, _)| counts[group as usize] += 1);
    Some(counts)
}

/// The code of the most frequent value of each group, the first of several. A missing value is one as well.
pub(crate) fn most_frequent(
    table: &Table,
    column: &Column,
    (group_of_row, groups): (&[u32], usize),
) -> Vec<u32> {
    let mut most = vec![0; groups];
    for own in counts(table, column, (group_of_row, groups)).chunk_by(|a, b| a.group == b.group) {
        let highest = own.iter().rev().max_by_key(|count| count.weight);
        most[own[0].group as usize] = highest.map_or(0, |count| count.code);
    }
    most
}

/// The values of each group, by group and code.
fn counts(table: &Table, column: &Column, (group_of_row, groups): (&[u32], usize)) -> Vec<Count> {
    let codes = column.missing_code() as usize + 1;
    if groups.saturating_mul(codes) <= 2 * table.rows() {
        return counts_in_place(table, column, group_of_row, (groups, codes));
    }
    let of_row = |(row, code): (usize, u32)| (group_of_row[row], code, table.weight(row));
    let mut rows: Vec<(u32, u32, u32)> = column.codes().iter().enumerate().map(of_row).collect();
    rows.par_sort_unstable();
    let count = |run: &[(u32, u32, u32)]| Count {
        group: run[0].0,
        code: run[0].1,
        weight: run.iter().map(|&(_, _, weight)| u64::from(weight)).sum(),
    };
    rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(count).collect()
}

/// The same with a place for each pair of a group and a code.
fn counts_in_place(
    table: &Table,
    column: &Column,
    group_of_row: &[u32],
    (groups, codes): (usize, usize),
) -> Vec<Count> {
    let mut weights = vec![0_u64; groups * codes];
    for (row, code) in column.codes().iter().enumerate() {
        weights[group_of_row[row] as usize * codes + code as usize] += u64::from(table.weight(row));
    }
    let present = weights.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
    let count = |(place, weight): (usize, u64)| Count {
        group: (place / codes) as u32,
        code: (place % codes) as u32,
        weight,
    };
    present.map(count).collect()
}

/// A number rounded to some significant digits.
fn rounded(number: f64, digits: usize) -> f64 {
    let after = digits.saturating_sub(1);
    // Adding zero leaves one sign of it.
    format!("{number:.after$e}").parse().unwrap_or(number) + 0.0
}
