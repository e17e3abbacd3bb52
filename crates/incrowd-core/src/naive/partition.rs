//! Tables as they stand: a bin is a combination of private values within a group of equal public values.

use super::known::known;
use super::linked::{Attribute, Bin, Bins, Linked, View};
use super::value::Value;
use crate::error::{Error, Result};
use crate::policy::{Policy, Role};
use crate::table::{Column, Kind, Table};

/// Links every row of the table with the rows of the same public values.
pub(super) fn link(table: &Table, policy: &Policy) -> Result<Linked> {
    let known = known(policy);
    for name in policy.with_role(Role::Public) {
        table.require(name)?;
    }
    let has_role =
        |column: &Column, role: Role| policy.attribute(column.name()).is_some_and(|a| a.role == role);
    let follows = |column: &Column| known.contains(column.name());
    let is_known = |column: &&Column| {
        has_role(column, Role::Public) || (has_role(column, Role::Private) && follows(column))
    };
    let is_private = |column: &&Column| has_role(column, Role::Private) && !follows(column);
    let public: Vec<&Column> = table.columns().iter().filter(is_known).collect();
    let private: Vec<&Column> = table.columns().iter().filter(is_private).collect();
    if public.is_empty() {
        return Err(Error::new("no column of the table is public"));
    }
    let codes = |columns: &[&Column], row: usize| columns.iter().map(|c| c.code(row)).collect::<Bin>();
    let bins: Vec<Bin> =
        (0..table.rows()).map(|row| [codes(&public, row), codes(&private, row)].concat()).collect();
    let same_group = |a: &Bin, b: &Bin| a[..public.len()] == b[..public.len()];
    let span = |bin| bins.iter().filter(|other| same_group(bin, other)).cloned().collect::<Bins>();
    let spans: Vec<Bins> = bins.iter().map(span).collect();
    let told = private.iter().enumerate();
    let attributes = told.map(|(i, column)| attribute(policy, column, public.len() + i, &spans)).collect();
    Ok(Linked { cells: None, single_bin: vec![private.is_empty(); table.rows()], spans, bins, attributes })
}

/// Every group tells the values of a private column as they are.
fn attribute(policy: &Policy, column: &Column, place: usize, spans: &[Bins]) -> Attribute {
    let of_row: Vec<usize> = (0..column.len()).map(|row| column.code(row) as usize).collect();
    let tells = column.code_count() > 1 || more_is_declared(policy, column);
    let view = |span: &Bins| {
        let with = |value: usize| span.iter().filter(|bin| bin[place] as usize == value).cloned().collect();
        View {
            told: (0..column.code_count()).map(with).collect(),
            of_value: (0..column.code_count()).collect(),
            possible: vec![true; column.code_count()],
            open: more_is_declared(policy, column),
            of_row: of_row.clone(),
            tells,
            measured: true,
            reach: Vec::new(),
        }
    };
    Attribute {
        name: column.name().to_owned(),
        about: vec![column.name().to_owned()],
        is_class: policy.class.as_deref() == Some(column.name()),
        ordered: column.kind() != Kind::Categorical,
        views: spans.iter().map(view).collect(),
    }
}

/// Whether the policy declares a value that the column does not have.
fn more_is_declared(policy: &Policy, column: &Column) -> bool {
    let cells: Vec<Value> = (0..column.len()).map(|row| Value::of_row(column, row)).collect();
    policy.attribute(column.name()).is_some_and(|declared| match declared.range {
        Some((low, high)) if column.kind() == Kind::Numeric => {
            [low, high, low.midpoint(high)].into_iter().any(|x| !cells.contains(&Value::Number(x)))
        }
        _ if column.kind() == Kind::Numeric => false,
        _ => declared.values.iter().any(|name| !cells.contains(&Value::Text(name.clone()))),
    })
}
