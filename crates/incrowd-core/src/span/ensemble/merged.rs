//! Rows that no public test of an ensemble distinguishes, merged into one: all of them have the same joint span.

use super::super::class::ClassSide;
use crate::error::Result;
use crate::group::{Grouping, group_numbers, group_rows, row_weights};
use crate::table::{Column, People, Table};

/// The rows of a table by what an attacker can follow of them.
pub(super) struct Merged {
    /// For each row the one it is merged into.
    pub(super) of_row: Vec<u32>,
    /// For each merged row the first row of it.
    pub(super) first: Vec<u32>,
    /// The merged rows: the public columns that are tested, and the class.
    pub(super) table: Table,
    /// The individuals of each merged row; none where individuals may have several rows.
    individuals: Option<Vec<u64>>,
}

impl Merged {
    /// Merges the rows that are equal in some columns, and in a public class, and have the same number.
    pub(super) fn new(
        table: &Table,
        columns: &[&Column],
        class: &ClassSide<'_>,
        numbers: &[u32],
    ) -> Result<Self> {
        let known: Vec<&Column> =
            columns.iter().copied().chain(class.public.then_some(class.column)).collect();
        let by_column = group_rows(table.rows(), &known);
        let grouping =
            if numbers.is_empty() { by_column } else { group_numbers(&[&by_column.of_row, numbers]) };
        let first = grouping.first_rows();
        let individuals = row_weights(table).map(|_| grouping.sizes(table));
        let Grouping { of_row, .. } = grouping;
        let mut own: Vec<Column> = columns.iter().map(|column| column.select(&first)).collect();
        if !own.iter().any(|column| column.name() == class.column.name()) {
            own.push(class.column.select(&first));
        }
        Ok(Self { of_row, table: Table::new(own, People::Rows)?, first, individuals })
    }

    /// The individuals of some groups of merged rows.
    pub(super) fn populations(&self, table: &Table, group_of: &[u32], groups: usize) -> Vec<u64> {
        let Some(individuals) = &self.individuals else {
            return crate::group::sizes(&self.of_rows(group_of), groups, table);
        };
        let mut populations = vec![0; groups];
        let rows = group_of.iter().zip(individuals);
        rows.for_each(|(&group, individuals)| populations[group as usize] += individuals);
        populations
    }

    /// For each row of the table what its merged row has.
    pub(super) fn of_rows(&self, of_merged: &[u32]) -> Vec<u32> {
        self.of_row.iter().map(|&row| of_merged[row as usize]).collect()
    }
}
