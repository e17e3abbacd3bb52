//! Groups in which everyone has the same values of the attributes that declared dependencies tie to private columns.
//!
//! An attacker knows these values, and so which private values of a group are possible for whom; only where a group
//! does not mix them does a dependency exclude nothing (docs/proofs.md, "Tables and dependencies"). Every group of a
//! draft is divided by them and shows them unchanged. What is left of groups whose parts break the guarantee becomes
//! one group for each combination of these values, without other public values; it takes in the smallest groups of the
//! same combination until it meets the guarantee. Rows that cannot be in such a group are not released. Without them
//! the shares of values in the whole table are others, so groups that are then too far from them are not released
//! either, until none is.
//!
//! Running time: linear in the rows, plus the checks of the parts, once for every time that groups are left out.

use super::cell::Cell;
use super::draft::{Draft, LOST};
use super::params::CheckedTableParams;
use super::parts::{Part, parts};
use super::task::Task;
use super::watch::Watch;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::span::tied_known;
use incrowd_core::{Error, Result};
use std::collections::BTreeMap;

/// The public attributes, by their place in the task, that must not be mixed in a group.
///
/// # Errors
/// When there are some and the table is to be closed: a row could then take cells that are not its own.
pub(super) fn tied(task: &Task<'_>, params: &CheckedTableParams) -> Result<Vec<usize>> {
    let attackers: Vec<Policy> = match params.sets.as_slice() {
        [] => vec![task.policy.clone()],
        sets => sets.iter().map(|set| task.policy.known_to(set)).collect(),
    };
    let has_column = |name: &&str| task.table.column(name).is_some();
    let private: Vec<&str> = task.policy.with_role(Role::Private).filter(has_column).collect();
    let names: Vec<String> = attackers.iter().flat_map(|policy| tied_known(policy, &private)).collect();
    let is_tied = |place: &usize| names.iter().any(|name| name == task.attributes[*place].column.name());
    let tied: Vec<usize> = (0..task.attributes.len()).filter(is_tied).collect();
    if let Some(&first) = tied.first().filter(|_| params.closed) {
        return Err(Error::input("a declared dependency ties private columns to this attribute, so a recoding of new rows cannot keep its values apart")
            .of_attribute(task.attributes[first].column.name())
            .help("leave out the private columns that depend on it, or make the table without a recoding for new rows"));
    }
    Ok(tied)
}

/// The draft with its groups divided by the values of the tied attributes, which they show.
pub(super) fn divide(task: &Task<'_>, watch: &Watch<'_>, draft: Draft, tied: &[usize]) -> Draft {
    if tied.is_empty() {
        return draft;
    }
    let mut pure = Draft::new(task.table.rows(), task.attributes.len());
    for (values, mut parts) in parts_by_values(task, &draft, tied) {
        let (mut kept, mut rest) = (Vec::new(), Vec::new());
        // The smallest at the end, to be taken first.
        parts.sort_by_key(|part| std::cmp::Reverse(part.rows.len()));
        for part in parts {
            let says_more = (0..).zip(&part.suppressed).any(|(place, &is)| !is && !tied.contains(&place));
            if says_more && watch.holds(&part.rows) { kept.push(part) } else { rest.extend(part.rows) }
        }
        while !watch.holds(&rest) {
            let Some(part) = kept.pop() else { break };
            rest.extend(part.rows);
        }
        kept.into_iter().for_each(|part| pure.add_rows(&part.rows, part.cells));
        if !rest.is_empty() && watch.holds(&rest) {
            pure.add_rows(&rest, with_values(vec![Cell::Any; task.attributes.len()], tied, &values));
        }
    }
    let mut pure = close_to_released(task, pure);
    pure.private = draft.private;
    pure
}

/// The draft without the groups that break the guarantee beside the other released rows. Every round but the last loses
/// a group.
pub(super) fn close_to_released(task: &Task<'_>, mut draft: Draft) -> Draft {
    while draft.group_of_row.contains(&LOST) {
        let watch = Watch::of_released(task, |row| draft.group_of_row[row] != LOST);
        let (kept, broken): (Vec<Part>, Vec<Part>) =
            parts(task, &draft).into_iter().partition(|part| watch.holds(&part.rows));
        if broken.is_empty() {
            break;
        }
        draft = Draft::new(task.table.rows(), task.attributes.len());
        kept.into_iter().for_each(|part| draft.add_rows(&part.rows, part.cells));
    }
    draft
}

/// The parts of a draft whose groups are divided by the values of the tied attributes, by these values.
fn parts_by_values(task: &Task<'_>, draft: &Draft, tied: &[usize]) -> BTreeMap<Vec<u32>, Vec<Part>> {
    let values = |row: u32| -> Vec<u32> {
        tied.iter().map(|&place| task.attributes[place].column.code(row as usize)).collect()
    };
    let mut rows: BTreeMap<(Vec<u32>, u32), Vec<u32>> = BTreeMap::new();
    for (row, &group) in (0_u32..).zip(&draft.group_of_row).filter(|&(_, &group)| group != LOST) {
        rows.entry((values(row), group)).or_default().push(row);
    }
    let mut divided = Draft::new(task.table.rows(), task.attributes.len());
    for ((values, group), rows) in rows {
        let of_group =
            draft.columns.iter().map(|column| column.cells[column.of_group[group as usize] as usize].clone());
        divided.add_rows(&rows, with_values(of_group.collect(), tied, &values));
    }
    let mut of_values: BTreeMap<Vec<u32>, Vec<Part>> = BTreeMap::new();
    for part in parts(task, &divided) {
        of_values.entry(values(part.rows[0])).or_default().push(part);
    }
    of_values
}

fn with_values(mut cells: Vec<Cell>, tied: &[usize], values: &[u32]) -> Vec<Cell> {
    tied.iter().zip(values).for_each(|(&place, &code)| cells[place] = Cell::Value(code));
    cells
}
