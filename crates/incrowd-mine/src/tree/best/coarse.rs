//! A table with its finest numeric columns put into bins.

use crate::sample::Part;
use crate::tree::task::columns_a_task;
use hashbrown::HashMap;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Code, Codes, Column, People, Table, Values};
use incrowd_core::{Result, with_codes};
use rayon::prelude::*;
use std::sync::Arc;

/// The most bins of a numeric column; with the missing code they fit a byte.
const BINS: usize = 255;

/// What is known of all bins, columns each in a table of its own, and for each that was binned the bin of each code.
pub(in crate::tree) type CoarseColumns = (Coarse, Vec<Table>, Vec<Option<Arc<[u32]>>>);

/// A table with at most [`BINS`] values in every numeric attribute.
pub(in crate::tree) struct Coarse {
    /// The table. A bin is called by its highest value.
    pub(super) table: Table,
    /// The lowest value of each bin of the columns that were binned, by name.
    lowest: HashMap<String, Vec<f64>>,
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
        let (columns, lowest): (Vec<Column>, Vec<Option<Vec<f64>>>) =
            used.into_par_iter().with_min_len(columns_a_task(table)).map(coarsened).unzip();
        let named = columns.iter().map(|column| column.name().to_owned()).zip(lowest);
        let lowest = named.filter_map(|(name, lowest)| Some((name, lowest?))).collect();
        // The columns are as long as they were and keep their names.
        let coarse = Table::new(columns, table.people().clone()).unwrap_or_else(|_| table.clone());
        Self { table: coarse, lowest }
    }

    /// Columns that are each in a table of its own, with the number of individuals of each value. Returns them with
    /// what is known of all their bins, and for each that was binned the bin of each code.
    pub(in crate::tree) fn of_columns(tables: &[Table], policy: &Policy) -> Result<CoarseColumns> {
        let empty = Table::new(Vec::new(), People::Rows)?;
        let mut all = Self { table: empty, lowest: HashMap::new() };
        let (mut columns, mut bins) = (Vec::with_capacity(tables.len()), Vec::with_capacity(tables.len()));
        for own in tables {
            let coarse = Self::new(own, policy);
            bins.push(coarse.bins(own));
            all.lowest.extend(coarse.lowest);
            columns.push(coarse.table);
        }
        Ok((all, columns, bins))
    }

    /// The bin of each code of a table of one column, the missing one's last, if it was binned.
    fn bins(&self, table: &Table) -> Option<Arc<[u32]>> {
        let column = table.columns().first().filter(|column| self.lowest.contains_key(column.name()))?;
        let (numbers, ends) = (column.values().numbers()?, self.table.columns().first()?.values().numbers()?);
        let bin = |number: &f64| ends.partition_point(|end| end < number) as u32;
        Some(numbers.iter().map(bin).chain([ends.len() as u32]).collect())
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
        let next = code as usize + 1;
        let high = match self.lowest.get(column.name()) {
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
