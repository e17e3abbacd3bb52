//! A release in the making: who is in which group, and the cells of each group.

use super::cell::Cell;
use super::task::{Attribute, Task};
use std::collections::HashMap;

/// A row that is not released.
pub(crate) const LOST: u32 = u32::MAX;

/// Rows in groups; every individual of a group gets the same cells.
pub(crate) struct Draft {
    /// The group of each row of the source, [`LOST`] if it is not released.
    pub(crate) group_of_row: Vec<u32>,
    /// The cells of the groups for each public attribute, in the order of the task.
    pub(crate) columns: Vec<Recoded>,
    /// The private attributes that are not released as they are, by the place of their column.
    pub(crate) private: Vec<(usize, Private)>,
    groups: u32,
}

/// An attribute as the groups show it.
#[derive(Default)]
pub(crate) struct Recoded {
    /// The different cells.
    pub(crate) cells: Vec<Cell>,
    /// The cell of each group.
    pub(crate) of_group: Vec<u32>,
    number: HashMap<Cell, u32>,
}

/// The treatment of a private attribute that is not released unchanged.
pub(crate) enum Private {
    /// It is not released.
    LeftOut,
    /// It is generalized row by row.
    Generalized {
        /// The different texts.
        texts: Vec<String>,
        /// The text of each row.
        of_row: Vec<u32>,
    },
}

impl Draft {
    /// No individual in a group yet.
    pub(crate) fn new(rows: usize, attributes: usize) -> Self {
        let columns = (0..attributes).map(|_| Recoded::default()).collect();
        Self { group_of_row: vec![LOST; rows], columns, private: Vec::new(), groups: 0 }
    }

    /// A new group whose cells these are, one per attribute.
    pub(crate) fn add_group(&mut self, cells: impl IntoIterator<Item = Cell>) -> u32 {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        self.groups += 1;
        self.groups - 1
    }

    /// A new group of these rows.
    pub(crate) fn add_rows(&mut self, rows: &[u32], cells: impl IntoIterator<Item = Cell>) {
        let group = self.add_group(cells);
        rows.iter().for_each(|&row| self.group_of_row[row as usize] = group);
    }

    /// The treatment of the private attribute at this place of the table, if it is not released unchanged.
    pub(crate) fn private(&self, place: usize) -> Option<&Private> {
        self.private.iter().find(|(other, _)| *other == place).map(|(_, private)| private)
    }

    /// Leaves out every private attribute that is not released unchanged.
    pub(crate) fn leave_out(&mut self) {
        self.private.iter_mut().for_each(|(_, private)| *private = Private::LeftOut);
    }

    /// What the different cells of each public attribute read.
    pub(crate) fn texts(&self, task: &Task<'_>) -> Vec<Vec<String>> {
        task.attributes.iter().zip(&self.columns).map(|(attribute, column)| column.texts(attribute)).collect()
    }

    /// The number of groups.
    pub(crate) fn groups(&self) -> usize {
        self.groups as usize
    }
}

impl Recoded {
    /// What the different cells read.
    pub(crate) fn texts(&self, attribute: &Attribute<'_>) -> Vec<String> {
        self.cells.iter().map(|cell| cell.text(attribute)).collect()
    }

    fn push(&mut self, cell: Cell) {
        let next = self.cells.len() as u32;
        let number = *self.number.entry(cell).or_insert_with_key(|cell| {
            self.cells.push(cell.clone());
            next
        });
        self.of_group.push(number);
    }
}
