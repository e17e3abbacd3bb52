//! The sizes of groups of equal rows, without the assignment of rows to groups.

use super::direct;
use super::keys::Keys;
use super::partition::{Partitioned, Tags};
use super::{group_rows, members};
use crate::table::{Column, People, Table};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// How large the groups of rows equal in some columns are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Crowds {
    /// The number of groups.
    pub groups: u64,
    /// The number of individuals in the smallest group; zero only for an empty table.
    pub smallest: u64,
    /// The number of individuals who are alone in a group.
    pub alone: u64,
    /// The number of individuals in groups smaller than a given size.
    pub few: u64,
}

impl Crowds {
    pub(super) const NONE: Self = Self { groups: 0, smallest: u64::MAX, alone: 0, few: 0 };

    pub(super) fn with(mut self, size: u64, fewer_than: u64) -> Self {
        self.groups += 1;
        self.smallest = self.smallest.min(size);
        self.alone += u64::from(size == 1);
        self.few += if size < fewer_than { size } else { 0 };
        self
    }

    fn and(self, other: Self) -> Self {
        Self {
            groups: self.groups + other.groups,
            smallest: self.smallest.min(other.smallest),
            alone: self.alone + other.alone,
            few: self.few + other.few,
        }
    }

    fn of_sizes(sizes: impl Iterator<Item = u64>, fewer_than: u64) -> Self {
        sizes.fold(Self::NONE, |crowds, size| crowds.with(size, fewer_than))
    }

    pub(super) fn done(mut self) -> Self {
        if self.groups == 0 {
            self.smallest = 0;
        }
        self
    }
}

/// Among fewer individuals than this, it is not surprising that all values differ.
const SURPRISING: u64 = 20;

/// Whether so many of the individuals are nearly all of them, and enough that this means something.
pub(crate) fn are_nearly_all(some: u64, individuals: u64) -> bool {
    individuals >= SURPRISING && some.saturating_mul(20) >= individuals.saturating_mul(19)
}

/// How large the groups of rows equal in all the columns are; `few` counts those in groups of fewer than `fewer_than`.
///
/// An individual with several rows counts once in each group, and once as alone or among few.
pub fn crowds(table: &Table, columns: &[&Column], fewer_than: u64) -> Crowds {
    let weights: &[u32] = match table.people() {
        People::Rows => &[],
        People::Weights(weights) => weights,
        People::Subjects { of_row, count } => {
            return crowds_of_subjects(table.rows(), columns, (of_row, *count), fewer_than).done();
        }
    };
    let keys = Keys::of_columns(table.rows(), columns);
    if direct::suits(&keys) {
        return Crowds::of_sizes(direct::sizes(&keys, weights).into_iter(), fewer_than).done();
    }
    let parts = Partitioned::new(&keys, tags(weights));
    let crowds = (0..parts.count()).into_par_iter().map_init(
        || parts.tally(),
        |tally, partition| {
            parts.tally_sizes(partition, tally);
            Crowds::of_sizes(tally.numbers(), fewer_than)
        },
    );
    crowds.reduce(|| Crowds::NONE, Crowds::and).done()
}

/// The individuals in the smallest group of rows equal in all the columns: the k of a table whose columns are known.
///
/// Zero only for an empty table. Stops early once someone is found to be alone.
pub fn smallest_group(table: &Table, columns: &[&Column]) -> u64 {
    let weights: &[u32] = match table.people() {
        People::Rows => &[],
        People::Weights(weights) => weights,
        People::Subjects { .. } => return crowds(table, columns, 0).smallest,
    };
    let keys = Keys::of_columns(table.rows(), columns);
    if direct::suits(&keys) {
        return direct::sizes(&keys, weights).into_iter().min().unwrap_or(0);
    }
    let parts = Partitioned::new(&keys, tags(weights));
    let alone = AtomicBool::new(false);
    let smallest = (0..parts.count()).into_par_iter().map_init(
        || parts.tally(),
        |tally, partition| {
            // No group is smaller than one, so the rest cannot change the result.
            if alone.load(Ordering::Relaxed) {
                return None;
            }
            parts.tally_sizes(partition, tally);
            let smallest = tally.numbers().min();
            alone.fetch_or(smallest == Some(1), Ordering::Relaxed);
            smallest
        },
    );
    smallest.flatten().min().unwrap_or(0)
}

fn tags(weights: &[u32]) -> Tags<'_> {
    if weights.is_empty() { Tags::None } else { Tags::Weights(weights) }
}

fn crowds_of_subjects(
    rows: usize,
    columns: &[&Column],
    (subject_of_row, subjects): (&[u32], u32),
    fewer_than: u64,
) -> Crowds {
    let grouping = group_rows(rows, columns);
    let members: Vec<(u32, u32)> = members(&grouping.of_row, subject_of_row).collect();
    let mut sizes = vec![0_u64; grouping.count as usize];
    for &(group, _) in &members {
        sizes[group as usize] += 1;
    }
    let mut crowds = Crowds::of_sizes(sizes.iter().copied(), 0);
    let count_where = |small: &dyn Fn(u64) -> bool| {
        let mut seen = vec![false; subjects as usize];
        for &(group, subject) in &members {
            seen[subject as usize] |= small(sizes[group as usize]);
        }
        seen.into_iter().filter(|&seen| seen).count() as u64
    };
    crowds.alone = count_where(&|size| size == 1);
    crowds.few = count_where(&|size| size < fewer_than);
    crowds
}
