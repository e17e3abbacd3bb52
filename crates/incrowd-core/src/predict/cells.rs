//! The columns that the cells of an ensemble define.

use super::steps::Steps;
use crate::error::{Error, Result};
use crate::model::{CellTree, CellValue, Domain, ModelAttribute, Node};
use crate::table::{Column, Table};
use rayon::prelude::*;

/// The cell of each row.
///
/// # Errors
/// When the table lacks a column that the tree of cells tests, or a row has a value for which a test has no branch.
pub fn cell_of_rows(table: &Table, cells: &CellTree) -> Result<Vec<u32>> {
    let steps = Steps::new(table, cells.tree())?;
    let cell = |row: usize| match &cells.tree().nodes()[steps.end(row) as usize] {
        Node::Leaf(leaf) => Ok(leaf.label),
        Node::Test(test) => {
            Err(super::ensemble::no_branch(row, &cells.tree().attributes()[test.attribute].name))
        }
    };
    (0..table.rows()).into_par_iter().with_min_len(1 << 10).map(cell).collect()
}

/// A table with the columns that cells define. Dates must be numbers of days already.
///
/// # Errors
/// As [`cell_of_rows`], and when the table has a column of such a name.
pub fn with_cells(table: &Table, cells: &CellTree) -> Result<Table> {
    let of_row = cell_of_rows(table, cells)?;
    let mut columns = table.columns().to_vec();
    for (place, attribute) in cells.attributes().iter().enumerate() {
        if table.column(&attribute.name).is_some() {
            return Err(Error::input(
                "the release defines this attribute, but the table has a column of this name",
            )
            .of_attribute(&attribute.name)
            .help("rename the column in the table and in the policy"));
        }
        columns.push(column(place, attribute, cells)?.select(&of_row));
    }
    Table::new(columns, table.people().clone())
}

/// The values of all cells.
fn column(place: usize, attribute: &ModelAttribute, cells: &CellTree) -> Result<Column> {
    let own = cells.values().iter().map(|values| values[place]);
    match &attribute.domain {
        Domain::Values(names) => {
            let name = |value| match value {
                CellValue::Name(place) => names.get(place as usize),
                CellValue::Number(_) => None,
            };
            Ok(Column::from_texts(&attribute.name, &own.map(name).collect::<Vec<_>>()))
        }
        Domain::Numbers { .. } => {
            let number = |value| match value {
                CellValue::Number(number) => Some(number),
                CellValue::Name(_) => None,
            };
            Column::from_numbers(&attribute.name, &own.map(number).collect::<Vec<_>>())
        }
    }
}
