//! Declared dependencies that involve something the attacker does not know: only combinations that occur in the table
//! are possible.

use super::known::known;
use super::value::Value;
use crate::error::Result;
use crate::policy::Policy;
use crate::table::{Column, Table};
use std::collections::{BTreeMap, BTreeSet};

/// The attributes of every relation that is tied to one of these private attributes, directly or through others.
pub(super) fn tied<'p>(policy: &'p Policy, names: &BTreeSet<&str>) -> Vec<BTreeSet<&'p str>> {
    let known = known(policy);
    let all: Vec<BTreeSet<&str>> = policy
        .dependencies
        .iter()
        .map(|d| d.from.iter().chain([&d.to]).map(String::as_str).collect::<BTreeSet<_>>())
        .filter(|relation| !relation.is_subset(&known))
        .collect();
    let mut reached: BTreeSet<&str> = names.iter().copied().filter(|name| !known.contains(name)).collect();
    // Each round that is not the last adds an attribute, so there are enough rounds.
    for _ in &policy.attributes {
        for relation in all.iter().filter(|relation| !relation.is_disjoint(&reached)).collect::<Vec<_>>() {
            reached.extend(relation.iter().filter(|name| !known.contains(*name)));
        }
    }
    all.into_iter().filter(|relation| !relation.is_disjoint(&reached)).collect()
}

/// The columns that relations name and a model does not, each with whether the attacker knows it.
pub(super) fn others<'a>(
    table: &'a Table,
    policy: &Policy,
    relations: &[BTreeSet<&str>],
    own: &BTreeSet<&str>,
) -> Result<Vec<(&'a Column, bool)>> {
    let known = known(policy);
    let names: BTreeSet<&str> =
        relations.iter().flatten().copied().filter(|name| !own.contains(name)).collect();
    names.into_iter().map(|name| Ok((table.require(name)?, known.contains(name)))).collect()
}

/// All values that the private attributes of relations can have together, for someone who is known as the individual of
/// `row` is: with what is known, every relation has a combination that occurs.
pub(super) fn possible<'p>(
    table: &Table,
    policy: &Policy,
    relations: &[BTreeSet<&'p str>],
    row: usize,
) -> Result<Vec<BTreeMap<&'p str, Value>>> {
    let known = known(policy);
    let mut all: Vec<BTreeMap<&str, Value>> = vec![BTreeMap::new()];
    for &name in relations.iter().flatten().collect::<BTreeSet<_>>() {
        let column = table.require(name)?;
        let mut values: Vec<Value> = Vec::new();
        for other in 0..table.rows() {
            let value = Value::of_row(column, other);
            if (!known.contains(name) || other == row) && !values.contains(&value) {
                values.push(value);
            }
        }
        let with = |start: &BTreeMap<&'p str, Value>, value: &Value| {
            let mut start = start.clone();
            start.insert(name, value.clone());
            start
        };
        all = all.iter().flat_map(|start| values.iter().map(move |value| with(start, value))).collect();
    }
    for relation in relations {
        let mut columns = Vec::new();
        for &name in relation {
            columns.push((name, table.require(name)?));
        }
        let occurs = |chosen: &BTreeMap<&str, Value>| {
            let agrees =
                |row| columns.iter().all(|(name, column)| chosen[name] == Value::of_row(column, row));
            (0..table.rows()).any(agrees)
        };
        all.retain(occurs);
    }
    Ok(all)
}
