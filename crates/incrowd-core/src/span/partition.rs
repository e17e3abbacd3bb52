//! Spans of a table: rows with equal public values are one group (equivalence class), and each individual in it can
//! have any of its private values.

use super::possible::more_than_occur;
use super::relations::{tied_known, tied_private};
use super::{CellContents, Cells, Judgement, Linking, Sensitive, by_number, states_one_value};
use crate::error::{Error, Result};
use crate::group::{group_numbers, group_rows};
use crate::policy::{Policy, Role};
use crate::table::{Column, Kind, Table};
use crate::taxonomy::{ANY, MISSING};
use std::sync::Arc;

/// Groups the rows of a released table by their public values, unchanged.
///
/// Every private column of the policy that the table has is sensitive. Takes time linear in the cells.
///
/// # Errors
/// When the table lacks a public column, or no column of the table is public in the policy.
pub fn link_table<'a>(table: &'a Table, policy: &Policy) -> Result<Linking<'a>> {
    link_columns(table, policy, &[])
}

/// Links a table from which some columns are left out. An attacker still knows the attributes that follow from a public
/// attribute.
pub(crate) fn link_columns<'a>(
    table: &'a Table,
    policy: &Policy,
    left_out: &[String],
) -> Result<Linking<'a>> {
    let public = known_columns(table, policy, left_out);
    let is_left_out = |name: &str| left_out.iter().any(|other| other == name);
    for name in policy.with_role(Role::Public).filter(|name| !is_left_out(name)) {
        table.require(name)?;
    }
    if public.is_empty() {
        return Err(Error::input("no column of the table is public in the policy")
            .help("give the columns an attacker may know the role \"public\""));
    }
    let public_names: Vec<&str> = public.iter().map(|column| column.name()).collect();
    let grouping = group_rows(table.rows(), &public);
    let first: Arc<[u32]> = grouping.first_rows().into();
    let (columns, rows) = (public.clone(), Arc::clone(&first));
    // By value, column by column.
    let order = move |a: usize, b: usize| {
        let codes = |row: u32| columns.iter().map(move |column| column.code(row as usize));
        codes(rows[a]).cmp(codes(rows[b]))
    };
    let rule = move |span: usize| described_cells(&public, first[span] as usize);
    let sensitive = sensitive(table, policy, left_out, grouping.count as usize)?;
    refuse_hidden_ties(&public_names, table, policy, &sensitive)?;
    refuse_tied_sets(policy, &sensitive)?;
    Ok(Linking {
        spans: grouping.count as usize,
        span_of_row: grouping.of_row,
        // Without private columns, every individual of a group is the same to the table.
        single_bin: if sensitive.is_empty() { vec![true; grouping.count as usize] } else { Vec::new() },
        sensitive,
        joint: None,
        bins: None,
        derived: None,
        within: Vec::new(),
        first_trees: Vec::new(),
        rules: Box::new(rule),
        order: Box::new(order),
    })
}

/// The public cells of a row of a released table, in words. Rows of one group have the same.
pub fn described_cells(public: &[&Column], row: usize) -> String {
    let cell = |column: &&Column| {
        let code = column.code(row);
        let text =
            if code == column.missing_code() { "?".into() } else { column.values().text(code as usize) };
        (text != ANY).then(|| format!("{} = {text}", column.name()))
    };
    let told: Vec<String> = public.iter().filter_map(cell).collect();
    if told.is_empty() { "all public cells suppressed".to_owned() } else { told.join(", ") }
}

/// Links the source of a released table by the groups that its rows are in. What follows from dependencies is judged
/// only where the groups are of equal known values; otherwise requirements on values that dependencies tie are refused.
/// Groups are described by their released `cells`, never by the source, where each row has one individual's own values.
pub(crate) fn link_source_groups<'a>(
    table: &'a Table,
    policy: &Policy,
    group_of_row: &[u32],
    cells: &'a [String],
    private: &[String],
) -> Result<Linking<'a>> {
    if group_of_row.len() != table.rows() {
        return Err(Error::internal("a row of the source has no group in the released table"));
    }
    let grouping = group_numbers(&[group_of_row]);
    let is_private = |name: &&str| !private.iter().any(|other| other == name);
    let left_out: Vec<String> =
        policy.with_role(Role::Private).filter(is_private).map(str::to_owned).collect();
    let sensitive = sensitive(table, policy, &left_out, grouping.count as usize)?;
    let names: Vec<&str> = sensitive.iter().map(|sensitive| sensitive.name.as_str()).collect();
    if let Some(name) = tied_known(policy, &names).into_iter().next() {
        return Err(Error::input(
            "a declared dependency ties private columns of the table to this attribute, whose values the table does not show",
        )
        .of_attribute(name)
        .help("audit the table alone, or leave out the private columns that depend on it"));
    }
    let of_span: Vec<u32> = grouping.first_rows().iter().map(|&row| group_of_row[row as usize]).collect();
    let rule = move |span: usize| {
        cells.get(of_span[span] as usize).cloned().unwrap_or_else(|| "a group of the table".to_owned())
    };
    Ok(Linking {
        spans: grouping.count as usize,
        span_of_row: grouping.of_row,
        single_bin: if sensitive.is_empty() { vec![true; grouping.count as usize] } else { Vec::new() },
        sensitive: sensitive.into_iter().map(|one| Sensitive { said: None, ..one }).collect(),
        joint: None,
        bins: None,
        derived: None,
        within: Vec::new(),
        first_trees: Vec::new(),
        rules: Box::new(rule),
        order: by_number(),
    })
}

/// Fails where a declared dependency ties a private column to a known attribute of which the table does not show the
/// values. The attacker knows them, and so which private values of a group are possible for whom; from the table that
/// cannot be told.
fn refuse_hidden_ties(shown: &[&str], table: &Table, policy: &Policy, sensitive: &[Sensitive]) -> Result<()> {
    let private: Vec<&str> = sensitive.iter().map(|sensitive| sensitive.name.as_str()).collect();
    for name in tied_known(policy, &private) {
        let column = table.column(&name).filter(|_| shown.contains(&name.as_str()));
        let shows = |missing: bool| {
            column.zip(policy.attribute(&name)).is_some_and(|(column, attribute)| {
                let is_value = |text: &str| states_one_value(attribute, text) || (missing && text == MISSING);
                column.values().texts().is_none_or(|texts| texts.iter().all(is_value))
            })
        };
        if !shows(false) && shows(true) {
            // A missing cell may hide a value that the attacker knows.
            return Err(Error::input(
                "a declared dependency ties private columns to this attribute, some cells of which are missing in the \
                 table, so it is unknown which private values are possible for whom",
            )
            .of_attribute(name)
            .help("leave out the rows with a missing value (missing-rows = \"drop\"), or leave out the private columns that depend on the attribute"));
        }
        if !shows(false) {
            return Err(Error::input(
                "a declared dependency ties private columns to this attribute, whose values the table does not show, so \
                 it is unknown which private values are possible for whom",
            )
            .of_attribute(name)
            .help("release the attribute's values unchanged, leave out the private columns that depend on it, or release a model instead"));
        }
    }
    Ok(())
}

/// Fails where a declared dependency names a private column whose cells are not all values: which of the values of a
/// cell are possible then depends on other cells.
fn refuse_tied_sets(policy: &Policy, sensitive: &[Sensitive]) -> Result<()> {
    let is_tied = |name: &str| {
        let known = policy.known();
        let names = |dependency: &crate::policy::Dependency| {
            dependency.from.iter().chain([&dependency.to]).any(|other| other == name)
        };
        policy.dependencies.iter().any(names) && !known.iter().any(|other| other == name)
    };
    let has_sets = |one: &&Sensitive| {
        let has_set = |said: &CellContents| !(0..one.cells as u32).all(|cell| said.only(cell).is_some());
        one.said.as_deref().is_some_and(has_set)
    };
    match sensitive.iter().filter(has_sets).find(|one| is_tied(&one.name)) {
        None => Ok(()),
        Some(one) => Err(Error::input(
            "a declared dependency names this private column, and some of its cells are not values, so it is unknown \
             which of their values are possible",
        )
        .of_attribute(&one.name)
        .help("release the column's values unchanged, or leave out the columns that the dependency ties")),
    }
}

/// The columns of the table that an attacker knows, without those left out. A dependency may lead to an identifier or
/// an ignored column; those play no part.
pub(crate) fn known_columns<'a>(table: &'a Table, policy: &Policy, left_out: &[String]) -> Vec<&'a Column> {
    let known = policy.knowledge();
    let plays = |column: &&Column| plays(policy, left_out, column.name());
    table
        .columns()
        .iter()
        .filter(plays)
        .filter(|column| known.knows(column.name()).unwrap_or(false))
        .collect()
}

fn plays(policy: &Policy, left_out: &[String], name: &str) -> bool {
    let role = policy.attribute(name).map(|attribute| attribute.role);
    matches!(role, Some(Role::Public | Role::Private)) && !left_out.iter().any(|other| other == name)
}

fn sensitive(table: &Table, policy: &Policy, left_out: &[String], groups: usize) -> Result<Vec<Sensitive>> {
    let known = policy.knowledge();
    let private = |name: &str| plays(policy, left_out, name) && !known.knows(name).unwrap_or(false);
    let own: Vec<&str> = table.columns().iter().map(Column::name).filter(|name| private(name)).collect();
    // What is left out of a table, or not in it, can be inferred from what it is tied to.
    let tied = tied_private(policy, &own);
    let columns = table.columns().iter().enumerate().filter(|(_, column)| private(column.name()));
    // Also if the table itself has the column and its release does not: nobody sees its values.
    let is_absent = |name: &&String| !own.contains(&name.as_str());
    let absent = tied.iter().filter(is_absent).map(|name| Ok(absent(name, table, groups)));
    columns
        .map(|(index, column)| {
            let cell_of_code = (0..=column.missing_code()).collect();
            let source = Cells::Column { column: index, cell_of_code };
            Ok(Sensitive {
                is_class: policy.class.as_deref() == Some(column.name()),
                ordered: column.kind() != Kind::Categorical,
                open: more_than_occur(column, policy),
                said: CellContents::of(column, policy)?.map(Box::new),
                ..Sensitive::plain(column.name(), source, column.code_count())
            })
        })
        .chain(absent)
        .collect()
}

/// A private attribute that the table does not contain: every individual may be exposed to it.
fn absent(name: &str, table: &Table, groups: usize) -> Sensitive {
    let codes = table.columns().first().map_or(1, |column| column.missing_code() as usize + 1);
    let source = Cells::Column { column: 0, cell_of_code: vec![0; codes] };
    Sensitive {
        telling_of_span: vec![Sensitive::SILENT; groups],
        judged: Judgement::Absent,
        ..Sensitive::plain(name, source, 1)
    }
}
