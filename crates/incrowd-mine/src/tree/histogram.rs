//! How often each code of a column occurs with each class, or another label, among some rows. The value of a split
//! depends on nothing else.
//!
//! One pass over the rows where they are many compared with the codes, a sort where they are few; either way only codes
//! that occur are listed, in ascending order, with exact counts. So a result depends neither on the way nor on the
//! order of the rows.

use super::scratch::{Scratch, with_scratch};
use super::split::Split;
use super::task::Task;
use incrowd_core::table::{Code, Column, People};
use incrowd_core::with_codes;
use std::cell::Cell;

/// Counts by code and class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Histogram {
    classes: usize,
    codes: Vec<u32>,
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts a column's codes among rows by class; a row counts as often as its weight.
    pub(crate) fn of(task: &Task<'_>, column: &Column, rows: &[u32]) -> Self {
        with_codes!(task.class.column.codes(), class => {
            Self::by_label(task, column, rows, task.class.count, |row| class[row as usize].wide())
        })
    }

    /// The same by any other label of the rows instead of the class.
    pub(crate) fn by_label(
        task: &Task<'_>,
        column: &Column,
        rows: &[u32],
        labels: usize,
        label: impl Fn(u32) -> u32,
    ) -> Self {
        let weights = match task.table.people() {
            People::Weights(weights) => Some(weights.as_slice()),
            _ => None,
        };
        let size = column.values().len() + 1;
        with_codes!(column.codes(), codes => {
            let cell = |row: u32| (codes[row as usize].wide(), label(row));
            if rows.len() * 4 < size * labels.div_ceil(task.class.count) {
                sparse(cell, weights, rows, labels)
            } else {
                dense(cell, weights, rows, labels, size)
            }
        })
    }

    /// No counts.
    pub(crate) fn empty(labels: usize) -> Self {
        Self::with_room(0, labels)
    }

    /// Counts of pairs of a code and a label, in any order.
    pub(crate) fn of_cells(mut cells: Vec<((u32, u32), u64)>, labels: usize) -> Self {
        Self::of_sorted(&mut cells, labels)
    }

    /// The codes that occur of counts by code and class.
    pub(crate) fn from_counts(all: &[u64], classes: usize) -> Self {
        let present = || (0..).zip(all.chunks_exact(classes)).filter(|(_, n)| n.iter().any(|&n| n > 0));
        let mut histogram = Self::with_room(present().count(), classes);
        for (code, counts) in present() {
            histogram.codes.push(code);
            histogram.counts.extend_from_slice(counts);
        }
        histogram
    }

    /// The same for all classes together.
    pub(crate) fn of_rows(all: &[u64], classes: usize) -> Self {
        let mut histogram = Self { classes: 1, codes: Vec::new(), counts: Vec::new() };
        for (code, counts) in (0..).zip(all.chunks_exact(classes)) {
            let rows = counts.iter().sum();
            if rows > 0 {
                histogram.codes.push(code);
                histogram.counts.push(rows);
            }
        }
        histogram
    }

    /// Sorts cells, and adds them up.
    fn of_sorted(cells: &mut [((u32, u32), u64)], labels: usize) -> Self {
        cells.sort_unstable();
        let by_code = || cells.chunk_by(|a, b| a.0.0 == b.0.0);
        let mut histogram = Self::with_room(by_code().count(), labels);
        for of_code in by_code() {
            histogram.codes.push(of_code[0].0.0);
            let from = histogram.counts.len();
            histogram.counts.resize(from + labels, 0);
            let counts = &mut histogram.counts[from..];
            of_code.iter().for_each(|&((_, label), weight)| counts[label as usize] += weight);
        }
        histogram
    }

    fn with_room(codes: usize, classes: usize) -> Self {
        Self { classes, codes: Vec::with_capacity(codes), counts: Vec::with_capacity(codes * classes) }
    }

    /// The number of elements.
    pub(crate) fn size(&self) -> usize {
        self.codes.len() + self.counts.len()
    }

    /// The codes that occur, ascending.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The number of classes, or other labels.
    pub(crate) fn labels(&self) -> usize {
        self.classes
    }

    /// The counts of the code at a place.
    pub(crate) fn at(&self, place: usize) -> &[u64] {
        &self.counts[place * self.classes..(place + 1) * self.classes]
    }

    /// The counts of all codes together, at the end of a list.
    pub(crate) fn append_together(&self, list: &mut Vec<u64>) {
        let start = list.len();
        list.resize(start + self.classes, 0);
        for (_, counts) in self.iter() {
            list[start..].iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
    }

    /// The codes that occur with their counts by class.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u64])> {
        self.codes.iter().copied().zip(self.counts.chunks_exact(self.classes))
    }

    /// The counts of the codes of each branch: branch by branch, class by class.
    pub(crate) fn by_branch(&self, branch_of_code: &[u32], branches: u32) -> Vec<u64> {
        let mut counts = Vec::new();
        self.append_by_branch(branch_of_code, branches, &mut counts);
        counts
    }

    /// The same at the end of a list.
    fn append_by_branch(&self, branch_of_code: &[u32], branches: u32, list: &mut Vec<u64>) {
        let start = list.len();
        list.resize(start + branches as usize * self.classes, 0);
        let counts = &mut list[start..];
        for (code, of_class) in self.iter() {
            let from = branch_of_code[code as usize] as usize * self.classes;
            counts[from..from + self.classes].iter_mut().zip(of_class).for_each(|(sum, n)| *sum += n);
        }
    }
}

thread_local! {
    static COUNTS: Scratch<u64> = const { Cell::new(Vec::new()) };
    static CELLS: Scratch<((u32, u32), u64)> = const { Cell::new(Vec::new()) };
    static BRANCHES: Scratch<u64> = const { Cell::new(Vec::new()) };
}

/// Counts the codes of each branch of a split: histogram by histogram, branch by branch, label by label.
pub(crate) fn with_branches<'h, T>(
    all: impl Iterator<Item = &'h Histogram>,
    split: &Split,
    look: impl FnOnce(&[u64]) -> T,
) -> T {
    with_scratch(&BRANCHES, |parts| {
        all.for_each(|counts| counts.append_by_branch(&split.branch_of_code, split.branches, parts));
        look(parts)
    })
}

fn dense(
    cell: impl Fn(u32) -> (u32, u32),
    weights: Option<&[u32]>,
    rows: &[u32],
    labels: usize,
    size: usize,
) -> Histogram {
    let slot = |row: u32| {
        let (code, label) = cell(row);
        code as usize * labels + label as usize
    };
    with_scratch(&COUNTS, |all| {
        all.resize(size * labels, 0);
        match weights {
            None => rows.iter().for_each(|&row| all[slot(row)] += 1),
            Some(weights) => {
                rows.iter().for_each(|&row| all[slot(row)] += u64::from(weights[row as usize]));
            }
        }
        Histogram::from_counts(all, labels)
    })
}

fn sparse(
    cell: impl Fn(u32) -> (u32, u32),
    weights: Option<&[u32]>,
    rows: &[u32],
    labels: usize,
) -> Histogram {
    let weight = |row: u32| weights.map_or(1, |weights| u64::from(weights[row as usize]));
    with_scratch(&CELLS, |cells| {
        cells.extend(rows.iter().map(|&row| (cell(row), weight(row))));
        Histogram::of_sorted(cells, labels)
    })
}
