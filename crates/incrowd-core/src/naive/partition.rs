//! Tables: a bin is a combination of private values within a group of equal public values.

use super::known::known;
use super::linked::{Attribute, Bin, Bins, CountedValues, Linked, View};
use super::relations::tied;
use super::said::{self, Sets};
use super::value::Value;
use crate::error::{Error, Result};
use crate::policy::{Dependency, Policy, Role};
use crate::span::states_one_value;
use crate::table::{Column, Kind, Table};
use std::collections::BTreeSet;

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
        return Err(Error::input("no column of the table is public"));
    }
    let names: BTreeSet<&str> = private.iter().map(|column| column.name()).collect();
    for name in tied(policy, &names).into_iter().flatten().filter(|name| known.contains(name)) {
        let is_value = |row: usize, column: &Column| match Value::of_row(column, row) {
            Value::Text(text) => policy.attribute(name).is_some_and(|a| states_one_value(a, &text)),
            _ => true,
        };
        let column = public.iter().find(|column| column.name() == name);
        if !column.is_some_and(|column| (0..table.rows()).all(|row| is_value(row, column))) {
            return Err(Error::input("private values depend on what the table does not show"));
        }
    }
    for column in &private {
        let names = |dependency: &Dependency| {
            dependency.to == column.name() || dependency.from.iter().any(|name| name == column.name())
        };
        if policy.dependencies.iter().any(names) && said::sets(column, policy)?.is_some() {
            return Err(Error::input("what a private cell can be depends on other cells"));
        }
    }
    let codes = |columns: &[&Column], row: usize| columns.iter().map(|c| c.code(row)).collect::<Bin>();
    let bins: Vec<Bin> =
        (0..table.rows()).map(|row| [codes(&public, row), codes(&private, row)].concat()).collect();
    let same_group = |a: &Bin, b: &Bin| a[..public.len()] == b[..public.len()];
    let span = |bin| bins.iter().filter(|other| same_group(bin, other)).cloned().collect::<Bins>();
    let spans: Vec<Bins> = bins.iter().map(span).collect();
    let told = private.iter().enumerate();
    let attributes = told.map(|(i, column)| attribute(policy, column, public.len() + i, &spans));
    let attributes = attributes.collect::<Result<_>>()?;
    let single_bin = vec![private.is_empty(); table.rows()];
    Ok(Linked { cells: None, overlapping: false, single_bin, spans, bins, attributes })
}

/// Every group distinguishes all values of a private column.
fn attribute(policy: &Policy, column: &Column, place: usize, spans: &[Bins]) -> Result<Attribute> {
    let views = match said::sets(column, policy)? {
        Some(sets) => spans.iter().map(|span| view_of_sets(column, &sets, place, span)).collect(),
        None => plain_views(policy, column, place, spans),
    };
    Ok(Attribute {
        name: column.name().to_owned(),
        about: vec![column.name().to_owned()],
        is_class: policy.class.as_deref() == Some(column.name()),
        ordered: column.kind() != Kind::Categorical,
        views,
    })
}

/// What a group reveals about a column whose cells are sets of values: being in a bin leaves the values of its cell.
/// Cells that overlap, step by step, are counted as one.
fn view_of_sets(column: &Column, sets: &Sets, place: usize, span: &Bins) -> View {
    let code = |row: usize| column.code(row) as usize;
    let set = |own: usize| (0..column.len()).find(|&row| code(row) == own).map(|row| &sets.of_row[row]);
    let overlap = |a: usize, b: usize| set(a).zip(set(b)).is_some_and(|(a, b)| !a.is_disjoint(b));
    let with = |value: usize| {
        let leaves = |bin: &&Bin| set(bin[place] as usize).is_some_and(|set| set.contains(&value));
        span.iter().filter(leaves).cloned().collect()
    };
    let codes: BTreeSet<usize> = span.iter().map(|bin| bin[place] as usize).collect();
    let class = |own: usize| {
        let mut class = BTreeSet::from([own]);
        while let Some(&next) =
            codes.iter().find(|&&other| !class.contains(&other) && class.iter().any(|&c| overlap(c, other)))
        {
            class.insert(next);
        }
        class.first().copied().unwrap_or(own)
    };
    let all: BTreeSet<usize> = (0..column.len()).map(code).collect();
    let blurred = all.iter().any(|&a| all.iter().any(|&b| a != b && overlap(a, b)));
    let counted = |own: usize| if codes.contains(&own) { class(own) } else { own };
    View {
        told: (0..sets.values).map(with).collect(),
        of_value: (0..sets.values).collect(),
        possible: (0..sets.values).map(|value| sets.domain.contains(&value)).collect(),
        open: false,
        of_row: (0..column.len()).map(|row| counted(code(row))).collect(),
        counted: CountedValues { values: column.code_count(), blurred },
        tells: sets.domain.len() > 1,
        measured: true,
        reach: Vec::new(),
    }
}

fn plain_views(policy: &Policy, column: &Column, place: usize, spans: &[Bins]) -> Vec<View> {
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
            counted: CountedValues::apart(column.code_count()),
            tells,
            measured: true,
            reach: Vec::new(),
        }
    };
    spans.iter().map(view).collect()
}

/// Whether the policy declares a value that the column does not have.
fn more_is_declared(policy: &Policy, column: &Column) -> bool {
    let cells: Vec<Value> = (0..column.len()).map(|row| Value::of_row(column, row)).collect();
    policy.attribute(column.name()).is_some_and(|declared| match declared.range {
        Some((low, high)) if column.kind() == Kind::Numeric && declared.whole => {
            let whole = std::iter::successors(Some(low.ceil()), |x| Some(x + 1.0)).take_while(|&x| x <= high);
            whole.take(cells.len() + 1).any(|x| !cells.contains(&Value::Number(x)))
        }
        Some((low, high)) if column.kind() == Kind::Numeric => {
            [low, high, low.midpoint(high)].into_iter().any(|x| !cells.contains(&Value::Number(x)))
        }
        _ if column.kind() == Kind::Numeric => false,
        _ => declared.values.iter().any(|name| !cells.contains(&Value::Text(name.clone()))),
    })
}
