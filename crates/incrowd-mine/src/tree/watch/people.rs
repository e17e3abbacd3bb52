//! Counting individuals among rows. Where they have several rows, each counts once for a label that any of their rows
//! has.

use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::split::Split;
use crate::tree::task::Task;
use incrowd_core::table::{Column, People, Table};
use std::borrow::Cow;
use std::cell::Cell;

thread_local! {
    static ROWS: Scratch<u32> = const { Cell::new(Vec::new()) };
    static OWN: Scratch<HeldCell> = const { Cell::new(Vec::new()) };
    static ALONE: Scratch<(HeldCell, u64)> = const { Cell::new(Vec::new()) };
    static LAST: Scratch<u32> = const { Cell::new(Vec::new()) };
    static SUMS: Scratch<u64> = const { Cell::new(Vec::new()) };
}

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
        People::Subjects { of_row, .. } => {
            let mut count = 0;
            each_individual(of_row, rows, |_| count += 1);
            count
        }
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
            each_individual(of_row, rows, |rows| {
                own.clear();
                own.extend(rows.iter().map(|&row| label(row)));
                own.sort_unstable();
                own.dedup();
                own.iter().for_each(|&label| counts[label] += 1);
            });
        }
        People::Weights(weights) => {
            rows.iter().for_each(|&row| counts[label(row)] += u64::from(weights[row as usize]));
        }
        _ => rows.iter().for_each(|&row| counts[label(row)] += 1),
    }
    counts
}

/// Goes through the rows of each individual. A part of the rows is in a few ascending runs, which the sort merges.
fn each_individual(of_row: &[u32], rows: &[u32], mut look: impl FnMut(&[u32])) {
    let individual = |row: &u32| of_row[*row as usize];
    let mut look_at_each =
        |rows: &[u32]| rows.chunk_by(|a, b| individual(a) == individual(b)).for_each(&mut look);
    if rows.is_sorted_by_key(individual) {
        look_at_each(rows);
    } else {
        with_scratch(&ROWS, |together| {
            together.extend_from_slice(rows);
            together.sort_by_key(individual);
            look_at_each(together);
        });
    }
}

/// The code of an attribute, and the value of something else.
type HeldCell = (u32, u32);

/// Which cells the rows of each individual are in. Where individuals have several rows, what they count for depends on
/// all of these.
pub(super) struct Held {
    /// The individuals who are in a single cell, by cell.
    alone: Vec<(HeldCell, u64)>,
    /// The cells of the others, one individual after the other.
    several: Vec<HeldCell>,
    /// Where the cells of each of these end.
    ends: Vec<u32>,
}

impl Held {
    /// The cells of the individuals of some rows; a cell has one of so many codes and of so many values.
    pub(super) fn new(
        task: &Task<'_>,
        rows: &[u32],
        (codes, values): (usize, usize),
        cell: impl Fn(u32) -> HeldCell,
    ) -> Self {
        let (mut several, mut ends) = (Vec::new(), Vec::new());
        let alone = with_scratch(&ALONE, |alone| {
            if let People::Subjects { of_row, .. } = task.table.people() {
                with_scratch(&OWN, |own| {
                    each_individual(of_row, rows, |rows| {
                        own.clear();
                        own.extend(rows.iter().map(|&row| cell(row)));
                        own.sort_unstable();
                        own.dedup();
                        if let [cell] = own[..] {
                            alone.push((cell, 1));
                        } else {
                            several.extend_from_slice(own);
                            ends.push(several.len() as u32);
                        }
                    });
                });
            } else {
                alone.extend(rows.iter().map(|&row| (cell(row), u64::from(task.table.weight(row as usize)))));
            }
            summed(alone, codes, values)
        });
        Self { alone, several, ends }
    }

    /// The codes of a column of a table among all its rows.
    pub(super) fn of_column(task: &Task<'_>, table: &Table, column: &Column) -> Self {
        if task.has_subjects() {
            let everyone: Vec<u32> = (0..task.table.rows() as u32).collect();
            return Self::new(task, &everyone, (column.code_count(), 1), |row| {
                (column.code(row as usize), 0)
            });
        }
        let mut counts = vec![0; column.code_count()];
        let codes = column.codes().iter().enumerate();
        codes.for_each(|(row, code)| counts[code as usize] += u64::from(table.weight(row)));
        let alone = (0..).zip(counts).filter(|&(_, n)| n > 0).map(|(code, n)| ((code, 0), n)).collect();
        Self { alone, several: Vec::new(), ends: Vec::new() }
    }

    /// The individuals in each branch of a split with each of so many values, branch by branch, at the end of a list.
    pub(super) fn append_by_branch(&self, split: &Split, values: usize, list: &mut Vec<u64>) {
        let label =
            |(code, value): HeldCell| split.branch_of_code[code as usize] as usize * values + value as usize;
        self.append_by(split.branches as usize * values, label, list);
    }

    /// The individuals with each label of their cells, at the end of a list.
    pub(super) fn append_by(&self, labels: usize, label: impl Fn(HeldCell) -> usize, list: &mut Vec<u64>) {
        let start = list.len();
        list.resize(start + labels, 0);
        let counts = &mut list[start..];
        self.alone.iter().for_each(|&(cell, n)| counts[label(cell)] += n);
        if self.ends.is_empty() {
            return;
        }
        with_scratch(&LAST, |last| {
            // The number of the last individual, from 1, who was counted for a label.
            last.resize(labels, 0);
            let mut start = 0;
            for (number, &end) in (1_u32..).zip(&self.ends) {
                for &cell in &self.several[start..end as usize] {
                    let label = label(cell);
                    counts[label] += u64::from(last[label] != number);
                    last[label] = number;
                }
                start = end as usize;
            }
        });
    }

    /// The number of elements.
    pub(super) fn size(&self) -> usize {
        2 * self.alone.len() + self.several.len() + self.ends.len()
    }
}

/// The sum for each cell, by cell: by a sort where the individuals are few compared with the possible cells.
fn summed(cells: &mut [(HeldCell, u64)], codes: usize, values: usize) -> Vec<(HeldCell, u64)> {
    if cells.len() * 4 < codes * values {
        cells.sort_unstable();
        let sum = |same: &[(HeldCell, u64)]| (same[0].0, same.iter().map(|&(_, n)| n).sum());
        return cells.chunk_by(|a, b| a.0 == b.0).map(sum).collect();
    }
    with_scratch(&SUMS, |sums| {
        sums.resize(codes * values, 0);
        cells.iter().for_each(|&((code, value), n)| sums[code as usize * values + value as usize] += n);
        let of_codes = (0..).zip(sums.chunks_exact(values));
        let cells =
            of_codes.flat_map(|(code, sums)| (0..).zip(sums).map(move |(value, &n)| ((code, value), n)));
        cells.filter(|&(_, n)| n > 0).collect()
    })
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
