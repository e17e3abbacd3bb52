//! The rows of a draft that read alike in the release: to everyone else they are one group.

use super::cell::Cell;
use super::draft::{Draft, LOST, Recoded};
use super::task::Task;
use incrowd_core::taxonomy::ANY;
use std::collections::BTreeMap;

/// Rows that read alike in the release.
pub(super) struct Part {
    /// The cells that they show, one per attribute of the task.
    pub(super) cells: Vec<Cell>,
    /// Whether each of these cells is suppressed.
    pub(super) suppressed: Vec<bool>,
    /// The rows, ascending.
    pub(super) rows: Vec<u32>,
}

/// The parts of a draft, ordered by what they show.
pub(super) fn parts(task: &Task<'_>, draft: &Draft) -> Vec<Part> {
    let texts = draft.texts(task);
    let mut parts: BTreeMap<Vec<&str>, Part> = BTreeMap::new();
    for (row, &group) in (0_u32..).zip(&draft.group_of_row).filter(|&(_, &group)| group != LOST) {
        let of_group = |column: &Recoded| column.of_group[group as usize] as usize;
        let key = draft.columns.iter().zip(&texts).map(|(column, texts)| texts[of_group(column)].as_str());
        let key: Vec<&str> = key.collect();
        let suppressed = key.iter().map(|&text| text == ANY).collect();
        let cells = || draft.columns.iter().map(|column| column.cells[of_group(column)].clone()).collect();
        let part = parts.entry(key).or_insert_with(|| Part { cells: cells(), suppressed, rows: Vec::new() });
        part.rows.push(row);
    }
    parts.into_values().collect()
}
