//! Counting individuals among rows. Where they have several rows, each counts once for a label that any of their rows
//! has.

use crate::tree::task::Task;
use incrowd_core::table::{People, Table};
use std::borrow::Cow;

/// A table in which the rows of every individual follow each other, so that they are counted without sorting. Nothing
/// else depends on the order of rows.
pub(crate) fn with_individuals_together(table: &Table) -> Cow<'_, Table> {
    match table.people() {
        People::Subjects { of_row, .. } if !of_row.is_sorted() => {
            let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
            rows.sort_by_key(|&row| of_row[row as usize]);
            Cow::Owned(table.select(&rows))
        }
        _ => Cow::Borrowed(table),
    }
}

/// The number of individuals of the rows.
pub(crate) fn individuals(task: &Task<'_>, rows: &[u32]) -> u64 {
    match task.table.people() {
        People::Subjects { of_row, .. } => by_individual(of_row, &together(of_row, rows)).count() as u64,
        _ => task.table.individuals_among(rows),
    }
}

/// The individuals of each bin, by branch and class, among the rows of a node.
pub(crate) fn bins(task: &Task<'_>, rows: &[u32], branch: impl Fn(u32) -> u32, branches: u32) -> Vec<u64> {
    let classes = task.class.count;
    let bin = |row: u32| branch(row) as usize * classes + task.class.column.code(row as usize) as usize;
    individuals_by(task, rows, branches as usize * classes, bin)
}

/// The individuals with each label.
pub(super) fn individuals_by(
    task: &Task<'_>,
    rows: &[u32],
    labels: usize,
    label: impl Fn(u32) -> usize,
) -> Vec<u64> {
    let mut counts = vec![0; labels];
    match task.table.people() {
        People::Subjects { of_row, .. } => {
            let mut own = Vec::new();
            for rows in by_individual(of_row, &together(of_row, rows)) {
                own.clear();
                own.extend(rows.iter().map(|&row| label(row)));
                own.sort_unstable();
                own.dedup();
                own.iter().for_each(|&label| counts[label] += 1);
            }
        }
        People::Weights(weights) => {
            rows.iter().for_each(|&row| counts[label(row)] += u64::from(weights[row as usize]));
        }
        _ => rows.iter().for_each(|&row| counts[label(row)] += 1),
    }
    counts
}

/// The rows with those of every individual next to each other. A part of the rows is in a few ascending runs, which the
/// sort merges.
fn together<'r>(of_row: &[u32], rows: &'r [u32]) -> Cow<'r, [u32]> {
    let individual = |row: &u32| of_row[*row as usize];
    if rows.is_sorted_by_key(individual) {
        return Cow::Borrowed(rows);
    }
    let mut rows = rows.to_vec();
    rows.sort_by_key(individual);
    Cow::Owned(rows)
}

/// The rows of each individual, where these are next to each other.
fn by_individual<'r>(of_row: &'r [u32], rows: &'r [u32]) -> impl Iterator<Item = &'r [u32]> {
    rows.chunk_by(|&a, &b| of_row[a as usize] == of_row[b as usize])
}

/// Which cells the rows of each individual are in. Where individuals have several rows, what they count for depends on
/// all of these.
pub(super) struct Held {
    /// The individuals who are in a single cell, by cell.
    alone: Vec<(u64, u64)>,
    /// The cells of the others, one individual after the other.
    several: Vec<u64>,
    /// Where the cells of each of these end.
    ends: Vec<u32>,
}

impl Held {
    pub(super) fn new(task: &Task<'_>, rows: &[u32], cell: impl Fn(u32) -> u64) -> Self {
        let mut held = Self { alone: Vec::new(), several: Vec::new(), ends: Vec::new() };
        let People::Subjects { of_row, .. } = task.table.people() else {
            let weight = |row: u32| u64::from(task.table.weight(row as usize));
            held.alone = summed(rows.iter().map(|&row| (cell(row), weight(row))).collect());
            return held;
        };
        let (mut own, mut alone) = (Vec::new(), Vec::new());
        for rows in by_individual(of_row, &together(of_row, rows)) {
            own.clear();
            own.extend(rows.iter().map(|&row| cell(row)));
            own.sort_unstable();
            own.dedup();
            if let [cell] = own[..] {
                alone.push((cell, 1));
            } else {
                held.several.extend_from_slice(&own);
                held.ends.push(held.several.len() as u32);
            }
        }
        held.alone = summed(alone);
        held
    }

    /// The individuals with each label of their cells.
    pub(super) fn by(&self, labels: usize, label: impl Fn(u64) -> usize) -> Vec<u64> {
        let mut counts = vec![0; labels];
        self.alone.iter().for_each(|&(cell, n)| counts[label(cell)] += n);
        // The number of the last individual, from 1, who was counted for a label.
        let (mut last, mut start) = (vec![0; labels], 0);
        for (number, &end) in (1_u32..).zip(&self.ends) {
            for &cell in &self.several[start..end as usize] {
                let label = label(cell);
                counts[label] += u64::from(last[label] != number);
                last[label] = number;
            }
            start = end as usize;
        }
        counts
    }

    /// The number of elements.
    pub(super) fn size(&self) -> usize {
        2 * self.alone.len() + self.several.len() + self.ends.len()
    }
}

/// The sum for each cell, by cell.
fn summed(mut cells: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    cells.sort_unstable();
    let sum = |same: &[(u64, u64)]| (same[0].0, same.iter().map(|&(_, n)| n).sum());
    cells.chunk_by(|a, b| a.0 == b.0).map(sum).collect()
}

/// How many individuals a part of a span's rows may have, by the number of rows alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct FewestOf {
    /// By how much the rows of the span exceed its individuals; those of a part exceed theirs by no more.
    pub(super) surplus: u64,
    /// The most rows of any individual.
    pub(super) most_rows: u64,
}

impl FewestOf {
    /// The fewest individuals who can have so many rows of the span.
    pub(super) fn individuals(self, rows: u64) -> u64 {
        rows.div_ceil(self.most_rows.max(1)).max(rows.saturating_sub(self.surplus))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn individuals_are_bounded_by_their_rows() {
        let fewest = FewestOf { surplus: 4, most_rows: 3 };
        assert_eq!([0, 1, 3, 4, 6, 7, 10].map(|rows| fewest.individuals(rows)), [0, 1, 1, 2, 2, 3, 6]);
    }
}
