//! Makes a draft agree with its recoding: every row takes the cells that the recoding gives it.
//!
//! Groups can overlap: a row may be covered by a more specific group than its own. Recoding the source's rows then
//! gives another table than the one that was audited, and what is learned from it would not be covered by the audit.
//! Here the rows take what the recoding gives them; groups that break the guarantee afterwards are dissolved, and their
//! rows take what the others give them, until none does. What the recoding gives depends on the groups, so that this is
//! repeated until no row changes. Rounds in which no group is dissolved are limited, so that it ends: at worst with all
//! rows in one group, which keeps the guarantee.

use super::cell::Cell;
use super::draft::{Draft, LOST};
use super::mend::one_group;
use super::params::TableMethod;
use super::recoding::legend;
use super::task::{Attribute, Task};
use super::watch::Watch;
use incrowd_core::Result;
use incrowd_core::group::group_rows;
use incrowd_core::progress::Progress;
use incrowd_core::recoding::Recoding;
use incrowd_core::table::{Column, People, Table};
use std::collections::HashMap;

/// Rounds in which rows may change without fewer groups.
const MOST_ROUNDS: u32 = 8;

pub(super) fn close(
    task: &Task<'_>,
    watch: &Watch<'_>,
    mut draft: Draft,
    method: TableMethod,
    progress: &dyn Progress,
) -> Result<Draft> {
    let private = std::mem::take(&mut draft.private);
    let (mut fewest, mut rounds) = (usize::MAX, 0);
    let mut closed = loop {
        progress.check()?;
        let (groups, agrees) = by_recoding(task, &draft, method, progress)?;
        let holds: Vec<bool> = groups.iter().map(|(rows, _)| watch.holds(rows)).collect();
        let is_safe = !holds.contains(&false);
        let mut next = Draft::new(task.table.rows(), task.attributes.len());
        for ((rows, cells), _) in groups.into_iter().zip(holds).filter(|(_, holds)| *holds) {
            next.add_rows(&rows, cells);
        }
        if is_safe && agrees {
            break next;
        }
        rounds = if next.groups() < fewest { 0 } else { rounds + 1 };
        // A recoding that does not depend on the groups gives the dissolved ones again.
        let is_stuck = if is_safe { rounds > MOST_ROUNDS } else { rounds > 0 };
        if next.groups() == 0 || is_stuck {
            break one_group(task, &next);
        }
        fewest = fewest.min(next.groups());
        draft = next;
    };
    closed.private = private;
    Ok(closed)
}

/// The rows of a group, and its cells.
type RecodedGroup = (Vec<u32>, Vec<Cell>);

/// The rows of each group by the recoding of a draft, with the cells of the group, and whether every row gets the cells
/// that it has in the draft.
fn by_recoding(
    task: &Task<'_>,
    draft: &Draft,
    method: TableMethod,
    progress: &dyn Progress,
) -> Result<(Vec<RecodedGroup>, bool)> {
    let texts = draft.texts(task);
    let column = |((attribute, column), texts): ((&Attribute<'_>, &super::draft::Recoded), &Vec<String>)| {
        let cells: Vec<Option<&String>> =
            column.of_group.iter().map(|&cell| texts.get(cell as usize)).collect();
        Column::from_texts(attribute.column.name(), &cells)
    };
    let released = task.attributes.iter().zip(&draft.columns).zip(&texts).map(column).collect();
    let released = Table::new(released, People::Rows)?;
    let recoding = Recoding::new(legend(task, draft, method), &released)?;
    let (recoded, _) = recoding.apply_counted(task.table, progress)?;
    let columns: Vec<&Column> =
        task.attributes.iter().map(|attribute| &recoded.columns()[attribute.place]).collect();
    let agrees = columns.iter().zip(&draft.columns).zip(&texts).all(|((column, own), texts)| {
        let text_of = |cell: u32| texts.get(cell as usize).map(String::as_str);
        let values = column.values();
        let recoded: Vec<_> = (0..values.len()).map(|code| values.text(code)).collect();
        draft.group_of_row.iter().enumerate().all(|(row, &group)| {
            let new = recoded.get(column.code(row) as usize).map(AsRef::as_ref);
            group != LOST && new.is_some() && text_of(own.of_group[group as usize]) == new
        })
    });
    let grouping = group_rows(recoded.rows(), &columns);
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); grouping.count as usize];
    (0..).zip(&grouping.of_row).for_each(|(row, &group)| rows[group as usize].push(row));
    // Where cells read alike, they are the same to everyone else.
    let of_text: Vec<HashMap<&str, &Cell>> = texts
        .iter()
        .zip(&draft.columns)
        .map(|(texts, column)| texts.iter().map(String::as_str).zip(&column.cells).collect())
        .collect();
    let cells = |row: u32| -> Vec<Cell> {
        let text = |column: &Column| column.values().text(column.code(row as usize) as usize).into_owned();
        let found = columns.iter().zip(&of_text).map(|(column, of_text)| {
            of_text.get(text(column).as_str()).map_or(Cell::Any, |&cell| cell.clone())
        });
        found.collect()
    };
    let mut groups: Vec<RecodedGroup> = rows.into_iter().map(|rows| (rows.clone(), cells(rows[0]))).collect();
    // Groups are numbered by what they show, so that the order of rows does not matter.
    groups.sort_by_cached_key(|(rows, _)| -> Vec<String> {
        columns
            .iter()
            .map(|column| column.values().text(column.code(rows[0] as usize) as usize).into_owned())
            .collect()
    });
    Ok((groups, agrees))
}
