//! The number of individuals in a set of rows.

use incrowd_core::bits::Bits;
use incrowd_core::table::{self, Table};

/// The individuals of rows, in a separate order.
#[derive(Clone)]
pub(super) enum People {
    /// Each row is one individual.
    Rows,
    /// Each row represents this many.
    Weights(Vec<u32>),
    /// Each row belongs to the individual of this number.
    Subjects(Vec<u32>),
}

impl People {
    pub(super) fn of(table: &Table) -> Self {
        match table.people() {
            table::People::Weights(weights) => Self::Weights(weights.clone()),
            table::People::Subjects { of_row, .. } => Self::Subjects(of_row.clone()),
            _ => Self::Rows,
        }
    }

    /// The individuals of a set of rows.
    pub(super) fn count(&self, rows: &Bits) -> u64 {
        match self {
            Self::Rows => rows.count(),
            Self::Weights(weights) => rows.iter().map(|row| u64::from(weights[row])).sum(),
            Self::Subjects(subjects) => distinct(rows.iter().map(|row| subjects[row]).collect()),
        }
    }

    /// The individuals of what is in both sets of rows.
    pub(super) fn count_and(&self, one: &Bits, other: &Bits) -> u64 {
        match self {
            Self::Rows => one.count_and(other),
            Self::Weights(_) | Self::Subjects(_) => self.count(&one.and(other)),
        }
    }

    /// The individuals of a list of rows.
    pub(super) fn count_list(&self, rows: &[u32]) -> u64 {
        match self {
            Self::Rows => rows.len() as u64,
            Self::Weights(weights) => rows.iter().map(|&row| u64::from(weights[row as usize])).sum(),
            Self::Subjects(subjects) => distinct(rows.iter().map(|&row| subjects[row as usize]).collect()),
        }
    }

    /// The same for some of the rows, which are numbered anew.
    pub(super) fn select(&self, rows: &Bits) -> Self {
        let pick = |values: &[u32]| rows.iter().map(|row| values[row]).collect();
        match self {
            Self::Rows => Self::Rows,
            Self::Weights(weights) => Self::Weights(pick(weights)),
            Self::Subjects(subjects) => Self::Subjects(pick(subjects)),
        }
    }
}

fn distinct(mut numbers: Vec<u32>) -> u64 {
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len() as u64
}
