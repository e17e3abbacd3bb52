//! Whether a released table can have been made from the data that are given as its source.
//!
//! incrowd leaves private cells as they are (unless a release generalizes them, which its recoding states) and adds no
//! rows. So a table that incrowd made has no more rows than its source, and no private value in more rows.

use super::change::ReadRelease;
use crate::Result;
use incrowd_core::Error;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::span::is_recoded_cell;
use incrowd_core::table::{Column, Kind, Table};
use incrowd_core::words::{count, counted};
use std::collections::HashMap;

/// Fails if a table that incrowd released was not made from these data. Tables of other origin are not judged: other
/// programs may change private values.
pub(super) fn check(source: &Table, released: &ReadRelease, policy: &Policy) -> Result<()> {
    let (Some(stated), table) = (&released.stated, &released.read.table) else { return Ok(()) };
    let (before, after) = (rows(source), rows(table));
    if after > before {
        let why = format!("they have {}, the released table has {}", counted(before, "row"), count(after));
        return Err(other_data(&why));
    }
    let legends = stated.recoding.iter().flat_map(|recoding| &recoding.attributes);
    let generalized: Vec<&str> = legends.map(|own| own.name.as_str()).collect();
    for attribute in policy.attributes.iter().filter(|own| own.role == Role::Private) {
        let both = source.column(&attribute.name).zip(table.column(&attribute.name));
        let Some((before, after)) = both.filter(|_| !generalized.contains(&attribute.name.as_str())) else {
            continue;
        };
        if is_comparable(before, after, attribute) && has_more((source, before), (table, after)) {
            let why = "some values of this attribute are in more rows of the released table than of the data";
            return Err(other_data(why).of_attribute(&attribute.name));
        }
    }
    Ok(())
}

fn other_data(why: &str) -> Error {
    Error::input(format!("the released table was not made from these data under this policy: {why}"))
        .help("give the data and the policy that the table was made from")
}

fn rows(table: &Table) -> u64 {
    (0..table.rows()).map(|row| u64::from(table.weight(row))).sum()
}

/// Whether equal values of both columns have equal texts.
fn is_comparable(before: &Column, after: &Column, attribute: &Attribute) -> bool {
    let is_plain = |column: &Column| {
        let values = column.values();
        values.numbers().is_some()
            || (0..values.len()).all(|code| !is_recoded_cell(attribute, &values.text(code)))
    };
    let is_date = attribute.kind == Some(Kind::Date) || before.is_in_days() || after.is_in_days();
    !is_date && before.kind() == after.kind() && is_plain(after)
}

/// Whether some value is in more rows after than before.
fn has_more(before: (&Table, &Column), after: (&Table, &Column)) -> bool {
    let before = counts(before);
    counts(after).iter().any(|(value, rows)| before.get(value).is_none_or(|most| rows > most))
}

/// The rows of each value that some row has.
fn counts((table, column): (&Table, &Column)) -> HashMap<String, u64> {
    let mut by_code = vec![0; column.values().len() + 1];
    for (row, code) in column.codes().iter().enumerate() {
        by_code[code as usize] += u64::from(table.weight(row));
    }
    let mut counts = HashMap::new();
    for (code, &rows) in by_code[..column.values().len()].iter().enumerate().filter(|&(_, &rows)| rows > 0) {
        *counts.entry(column.values().text(code).trim().to_owned()).or_insert(0) += rows;
    }
    counts
}
