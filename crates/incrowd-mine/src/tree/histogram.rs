//! How often each code of a column occurs with each class among some rows. The value of a split depends on nothing
//! else.
//!
//! One pass over the rows where they are many compared with the codes, a sort where they are few; either way only codes
//! that occur are listed, in ascending order, with exact counts. So a result depends neither on the way nor on the
//! order of the rows.

use super::task::Task;
use incrowd_core::table::{Code, Column, People};
use incrowd_core::with_codes;

/// Counts by code and class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Histogram {
    classes: usize,
    codes: Vec<u32>,
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts a column's codes among rows; a row counts as often as its weight.
    pub(crate) fn of(task: &Task<'_>, column: &Column, rows: &[u32]) -> Self {
        let classes = task.class.count;
        let weights = match task.table.people() {
            People::Weights(weights) => Some(weights.as_slice()),
            _ => None,
        };
        let size = column.values().len() + 1;
        with_codes!(column.codes(), codes => with_codes!(task.class.column.codes(), class => {
            if rows.len() * 4 < size {
                sparse(codes, class, weights, rows, classes)
            } else {
                dense(codes, class, weights, rows, classes, size)
            }
        }))
    }

    /// The codes that occur of counts by code and class.
    pub(crate) fn from_counts(all: &[u64], classes: usize) -> Self {
        let mut histogram = Self { classes, codes: Vec::new(), counts: Vec::new() };
        for (code, counts) in (0..).zip(all.chunks_exact(classes)) {
            if counts.iter().any(|&n| n > 0) {
                histogram.codes.push(code);
                histogram.counts.extend_from_slice(counts);
            }
        }
        histogram
    }

    /// The number of elements.
    pub(crate) fn size(&self) -> usize {
        self.codes.len() + self.counts.len()
    }

    /// The codes that occur, ascending.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The codes that occur with their counts by class.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u64])> {
        self.codes.iter().copied().zip(self.counts.chunks_exact(self.classes))
    }

    /// The counts of the codes of each branch: branch by branch, class by class.
    pub(crate) fn by_branch(&self, branch_of_code: &[u32], branches: u32) -> Vec<u64> {
        let mut counts = vec![0; branches as usize * self.classes];
        for (code, of_class) in self.iter() {
            let from = branch_of_code[code as usize] as usize * self.classes;
            counts[from..from + self.classes].iter_mut().zip(of_class).for_each(|(sum, n)| *sum += n);
        }
        counts
    }
}

fn dense<C: Code, K: Code>(
    codes: &[C],
    class: &[K],
    weights: Option<&[u32]>,
    rows: &[u32],
    classes: usize,
    size: usize,
) -> Histogram {
    let mut all = vec![0_u64; size * classes];
    let slot = |row: u32| {
        let row = row as usize;
        codes[row].wide() as usize * classes + class[row].wide() as usize
    };
    match weights {
        None => rows.iter().for_each(|&row| all[slot(row)] += 1),
        Some(weights) => {
            rows.iter().for_each(|&row| all[slot(row)] += u64::from(weights[row as usize]));
        }
    }
    Histogram::from_counts(&all, classes)
}

fn sparse<C: Code, K: Code>(
    codes: &[C],
    class: &[K],
    weights: Option<&[u32]>,
    rows: &[u32],
    classes: usize,
) -> Histogram {
    let weight = |row: usize| weights.map_or(1, |weights| u64::from(weights[row]));
    let cell = |&row: &u32| {
        let row = row as usize;
        (codes[row].wide(), class[row].wide(), weight(row))
    };
    let mut cells: Vec<(u32, u32, u64)> = rows.iter().map(cell).collect();
    cells.sort_unstable();
    let mut histogram = Histogram { classes, codes: Vec::new(), counts: Vec::new() };
    for of_code in cells.chunk_by(|a, b| a.0 == b.0) {
        histogram.codes.push(of_code[0].0);
        let from = histogram.counts.len();
        histogram.counts.resize(from + classes, 0);
        of_code.iter().for_each(|&(_, class, weight)| histogram.counts[from + class as usize] += weight);
    }
    histogram
}
