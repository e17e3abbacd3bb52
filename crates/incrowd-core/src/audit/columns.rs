//! Columns that are released with a table but that the guarantee does not cover.
//!
//! An identifier or the subject column in a released table identifies its individuals, whatever their groups look like:
//! this is a breach. Columns that the policy ignores or does not list are not judged; the number of individuals that
//! each of them singles out shows how serious this is.

use super::{ReleasedTable, Report};
use crate::group::{Grouping, are_nearly_all};
use crate::guarantee::Guarantee;
use crate::policy::{Policy, Role};
use crate::span::is_recoded_cell;
use crate::table::{Column, People, Table};
use crate::words::all;
use serde::Serialize;

/// A column that identifies individuals and must not be in a released table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnBreach {
    /// The column.
    pub column: String,
    /// Its role in the policy.
    pub role: Naming,
}

/// How a column identifies individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Naming {
    /// It is an identifier in the policy.
    Identifier,
    /// It is the subject column, which identifies individuals.
    Subject,
}

/// A released column that the audit does not judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotJudged {
    /// The column.
    pub column: String,
    /// Why it is not judged.
    pub why: Unjudged,
    /// The number of different values; `None` if it could not be read.
    pub values: Option<u64>,
    /// The number of individuals with a value that no other individual has; `None` if the column could not be read.
    pub singled_out: Option<u64>,
}

/// Why a column is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Unjudged {
    /// The policy ignores it.
    Ignored,
    /// The policy does not list it.
    Unlisted,
}

/// The columns among these names that must not be released.
pub(super) fn breaches<'a>(names: impl Iterator<Item = &'a str>, policy: &Policy) -> Vec<ColumnBreach> {
    let breach = |name: &'a str| {
        let role = match policy.attribute(name).map(|attribute| attribute.role) {
            _ if policy.subject.as_deref() == Some(name) => Naming::Subject,
            Some(Role::Identifier) => Naming::Identifier,
            _ => return None,
        };
        Some(ColumnBreach { column: name.to_owned(), role })
    };
    names.filter_map(breach).collect()
}

/// The columns among these names that are released and not judged.
pub(super) fn not_judged<'a>(
    names: impl Iterator<Item = &'a str>,
    table: &Table,
    policy: &Policy,
) -> Vec<NotJudged> {
    let one = |name: &'a str| {
        if policy.subject.as_deref() == Some(name) {
            return None;
        }
        let why = match policy.attribute(name) {
            None => Unjudged::Unlisted,
            Some(attribute) if attribute.role == Role::Ignored && !attribute.harmless => Unjudged::Ignored,
            Some(_) => return None,
        };
        let counted = table.column(name).map(|column| single_out(table, column));
        Some(NotJudged {
            column: name.to_owned(),
            why,
            values: counted.map(|(values, _)| values),
            singled_out: counted.map(|(_, singled_out)| singled_out),
        })
    };
    names.filter_map(one).collect()
}

/// Warnings about private columns with one value, which no requirement can hide: where nothing else is possible,
/// no individual counts as exposed to it.
pub(super) fn constant<'a>(
    names: impl Iterator<Item = &'a str>,
    table: &Table,
    policy: &Policy,
) -> Vec<String> {
    let is_constant = |name: &str| {
        let (Some(attribute), Some(column)) = (policy.attribute(name), table.column(name)) else {
            return false;
        };
        let may_differ = attribute.values.len() > 1 || attribute.range.is_some();
        let values = column.values();
        let says_one =
            || values.len() == 1 && !column.has_missing() && !is_recoded_cell(attribute, &values.text(0));
        attribute.role == Role::Private && !may_differ && table.individuals() > 1 && says_one()
    };
    let warning = |name: &str| {
        format!(
            "all individuals have the same value of `{name}`, so anyone who reads the table knows it; if other values are \
             possible, declare them in the policy (`values`), so that individuals count as exposed"
        )
    };
    names.filter(|name| is_constant(name)).map(warning).collect()
}

/// The warning about private columns that limits on single values apply to although nearly all of their values differ:
/// such a limit then holds in any group, and says nothing about values that are close to each other.
pub(super) fn nearly_all_different(
    report: &Report,
    released: &ReleasedTable<'_>,
    guarantee: &Guarantee,
) -> Option<String> {
    if guarantee.compares_with_table() {
        return None;
    }
    let limit = guarantee.requirements().iter().find(|requirement| requirement.looks_at_values())?;
    let differs = |name: &&String| {
        released.table.column(name).is_some_and(|column| {
            let (values, _) = single_out(released.table, column);
            are_nearly_all(values - u64::from(column.has_missing()), report.individuals)
        })
    };
    let names: Vec<String> =
        report.confidence_of.iter().filter(differs).map(|name| format!("`{name}`")).collect();
    let (has, columns) = if names.len() == 1 { ("has", "the column") } else { ("have", "the columns") };
    (!names.is_empty()).then(|| {
        format!(
            "{} {has} nearly as many different values as there are individuals, so a limit on single values ({limit}) \
             does not protect them: round the values, or remove {columns}",
            all(&names)
        )
    })
}

/// The number of values of a column that occur, and of individuals with a value that no other individual has.
fn single_out(table: &Table, column: &Column) -> (u64, u64) {
    let count = column.missing_code() + 1;
    let sizes = Grouping { of_row: column.codes().iter().collect(), count }.sizes(table);
    let values = sizes.iter().filter(|&&size| size > 0).count() as u64;
    let alone = sizes.iter().filter(|&&size| size == 1).count() as u64;
    let People::Subjects { of_row, count } = table.people() else { return (values, alone) };
    // One individual may have several values of their own.
    let mut singled_out = vec![false; *count as usize];
    for (code, &subject) in column.codes().iter().zip(of_row) {
        singled_out[subject as usize] |= sizes[code as usize] == 1;
    }
    (values, singled_out.iter().filter(|&&alone| alone).count() as u64)
}
