//! A table with its finest numeric columns put into bins.

use crate::sample::Part;
use crate::tree::task::columns_a_task;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Code, Codes, Column, Table, Values};
use incrowd_core::with_codes;
use rayon::prelude::*;

/// The most bins of a numeric column; with the missing code they fit a byte.
const BINS: usize = 255;

/// A table with at most [`BINS`] values in every numeric attribute.
pub(super) struct Coarse {
    /// The table. A bin is called by its highest value.
    pub(super) table: Table,
    /// For each column the lowest value of each bin, where it was binned.
    lowest: Vec<Option<Vec<f64>>>,
}

impl Coarse {
    pub(super) fn new(table: &Table, policy: &Policy) -> Self {
        let plays = |column: &Column| {
            policy.class.as_deref() != Some(column.name())
                && policy
                    .attribute(column.name())
                    .is_some_and(|a| matches!(a.role, Role::Public | Role::Private))
        };
        let is_class = |column: &Column| policy.class.as_deref() == Some(column.name());
        let coarsened = |column: &Column| {
            let binned = column.values().numbers().filter(|numbers| numbers.len() > BINS && plays(column));
            binned.map_or_else(|| (column.clone(), None), |numbers| bin(table, column, numbers))
        };
        let is_earlier = |column: &Column| policy.earlier.as_deref() == Some(column.name());
        let is_used = |column: &&Column| plays(column) || is_class(column) || is_earlier(column);
        let used: Vec<&Column> = table.columns().iter().filter(is_used).collect();
        let (columns, lowest) =
            used.into_par_iter().with_min_len(columns_a_task(table)).map(coarsened).unzip();
        // The columns are as long as they were and keep their names.
        let coarse = Table::new(columns, table.people().clone()).unwrap_or_else(|_| table.clone());
        Self { table: coarse, lowest }
    }

    /// The same with equal rows merged, where no row belongs to a subject.
    pub(super) fn merged(&self) -> Self {
        Self { table: self.table.merged(), lowest: self.lowest.clone() }
    }

    /// Rows of this table as a table of their own, with the same bins.
    pub(super) fn of_table(&self, table: Table) -> Self {
        Self { table, lowest: self.lowest.clone() }
    }

    /// The rows with other weights; those without any are left out. The rows of subjects stay as they are, or go.
    pub(super) fn weighted(&self, weights: &[u32]) -> Self {
        self.of_table(Part::weighted(&self.table, weights).of(&self.table))
    }

    /// The values that surround a threshold behind a code of a numeric column: the last of its bin and the first of the
    /// next.
    pub(super) fn gap(&self, column: &Column, code: u32) -> Option<(f64, f64)> {
        let numbers = column.values().numbers()?;
        let place = self.table.columns().iter().position(|other| other.name() == column.name())?;
        let next = code as usize + 1;
        let high = match &self.lowest[place] {
            Some(lowest) => *lowest.get(next)?,
            None => *numbers.get(next)?,
        };
        Some((numbers[code as usize], high))
    }
}

/// Puts values into bins of about equal weight, never dividing equal values.
fn bin(table: &Table, column: &Column, numbers: &[f64]) -> (Column, Option<Vec<f64>>) {
    let mut weights = vec![0_u64; numbers.len() + 1];
    with_codes!(column.codes(), codes => for (row, code) in codes.iter().enumerate() {
        weights[code.wide() as usize] += u64::from(table.weight(row));
    });
    let total: u64 = weights[..numbers.len()].iter().sum();
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut bin_of_code = Vec::with_capacity(numbers.len() + 1);
    let mut passed = 0;
    for (code, &weight) in weights[..numbers.len()].iter().enumerate() {
        // A new bin begins once the bins so far have their share.
        if high.is_empty() || (passed * BINS as u64 >= total * high.len() as u64 && high.len() < BINS) {
            low.push(numbers[code]);
            high.push(numbers[code]);
        }
        let last = high.len() - 1;
        high[last] = numbers[code];
        bin_of_code.push(last as u32);
        passed += weight;
    }
    bin_of_code.push(high.len() as u32);
    let codes = with_codes!(column.codes(), codes => {
        Codes::collect(high.len() + 1, codes.iter().map(|code| bin_of_code[code.wide() as usize]))
    });
    match Column::new(column.name(), Values::Numeric(high), codes) {
        Ok(coarse) => (coarse.dated_as(column), Some(low)),
        Err(_) => (column.clone(), None),
    }
}
