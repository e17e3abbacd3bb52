//! Cells of an ensemble, row by row: the attributes they define become columns that everyone knows.

use super::known::knows;
use super::tree::leaf;
use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{CellTree, CellValue, Domain, Model, Node};
use crate::policy::{Attribute, Policy, Role};
use crate::table::{Column, Table};

/// The table and the policy with what the cells of a model define.
pub(super) fn with_cells(table: &Table, policy: &Policy, model: &Model) -> Result<(Table, Policy)> {
    let (mut columns, mut policy) = (table.columns().to_vec(), policy.clone());
    let Model::Ensemble(ensemble) = model else { return Ok((table.clone(), policy)) };
    let Some(cells) = ensemble.cells() else { return Ok((table.clone(), policy)) };
    for node in cells.tree().nodes() {
        let Node::Test(test) = node else { continue };
        if !knows(&policy, &cells.tree().attributes()[test.attribute].name)? {
            return Err(Error::input("cells test a private attribute"));
        }
    }
    let cell_of_row = (0..table.rows()).map(|row| cell(table, cells, row)).collect::<Result<Vec<usize>>>()?;
    for (place, attribute) in cells.attributes().iter().enumerate() {
        if table.column(&attribute.name).is_some() || policy.attribute(&attribute.name).is_some() {
            return Err(Error::input("two attributes of one name"));
        }
        let values: Vec<CellValue> = cell_of_row.iter().map(|&cell| cells.values()[cell][place]).collect();
        columns.push(column(&attribute.name, &attribute.domain, &values)?);
        policy.attributes.push(Attribute::new(&attribute.name, Role::Public));
    }
    Ok((Table::new(columns, table.people().clone())?, policy))
}

/// The cell of a row. Columns that no test of the tree of cells needs may be absent.
fn cell(table: &Table, cells: &CellTree, row: usize) -> Result<usize> {
    let tree = cells.tree();
    let Some(any) = table.columns().first() else { return Err(Error::input("no columns")) };
    let columns: Vec<&Column> =
        tree.attributes().iter().map(|attribute| table.column(&attribute.name).unwrap_or(any)).collect();
    let values: Vec<Value> = columns.iter().map(|column| Value::of_row(column, row)).collect();
    let found = leaf(tree, &columns, &values.iter().collect::<Vec<_>>());
    match found.map(|node| &tree.nodes()[node as usize]) {
        Some(Node::Leaf(leaf)) => Ok(leaf.label as usize),
        _ => Err(Error::input("a row is in no cell")),
    }
}

fn column(name: &str, domain: &Domain, values: &[CellValue]) -> Result<Column> {
    let number = |value: &CellValue| match value {
        CellValue::Number(number) => Some(*number),
        CellValue::Name(_) => None,
    };
    let text = |value: &CellValue| match (value, domain) {
        (CellValue::Name(place), Domain::Values(names)) => Some(names[*place as usize].clone()),
        _ => None,
    };
    match domain {
        Domain::Values(_) => Ok(Column::from_texts(name, &values.iter().map(text).collect::<Vec<_>>())),
        Domain::Numbers { .. } => Column::from_numbers(name, &values.iter().map(number).collect::<Vec<_>>()),
    }
}
