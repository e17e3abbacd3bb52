//! Sets of association rules: the outcome of every rule.

use super::channels::{self, Set};
use super::enumerate;
use super::linked::{Linked, individuals};
use super::tree::argument;
use super::value::Value;
use crate::error::Result;
use crate::model::{Domain, Item, Rule, Rules};
use crate::policy::Policy;
use crate::table::{Column, Table};
use std::collections::BTreeSet;

/// Links every row of the table by the rules.
pub(super) fn link(table: &Table, policy: &Policy, rules: &Rules) -> Result<Linked> {
    let mut arguments = Vec::new();
    for (place, attribute) in rules.attributes().iter().enumerate() {
        let mut argument = argument(table, policy, attribute, &[])?;
        argument.spoken_of = rules.rules().iter().flat_map(Rule::items).any(|item| item.attribute == place);
        arguments.push(argument);
    }
    let known = arguments.iter().map(|argument| argument.known).collect::<Vec<_>>();
    let (arguments, relations) = enumerate::with_relations(table, policy, arguments)?;
    let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
    // What is said of known attributes alone is known.
    let told = |rule: &&Rule| rule.items().any(|item| !arguments[item.attribute].known);
    let outcome = |values: &[&Value]| {
        Some(rules.rules().iter().filter(told).map(|rule| outcome(rules, rule, &columns, values)).collect())
    };
    let linked = enumerate::link(table, &arguments, &relations, &outcome)?;
    Ok(Linked { cells: smallest_cells(table, rules, &known), ..linked })
}

/// 0: the antecedent is not met, 1: only it is, 2: all of the rule.
fn outcome(rules: &Rules, rule: &Rule, columns: &[&Column], values: &[&Value]) -> u32 {
    let all = |items: &[Item]| items.iter().all(|item| has(rules, columns, values, *item));
    match (all(&rule.antecedent), all(&rule.consequent)) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    }
}

/// The outcome of every rule for a row.
pub(super) fn outcomes(table: &Table, rules: &Rules, row: usize) -> Option<Vec<u32>> {
    let columns: Vec<&Column> =
        rules.attributes().iter().map(|attribute| table.column(&attribute.name)).collect::<Option<_>>()?;
    let values: Vec<Value> = columns.iter().map(|column| Value::of_row(column, row)).collect();
    let values: Vec<&Value> = values.iter().collect();
    Some(rules.rules().iter().map(|rule| outcome(rules, rule, &columns, &values)).collect())
}

/// For each row the most that the smallest cell is known to hold among those that it may be in and that hold somebody for certain, by ranges of
/// supports; `None` if no table with a row for everybody has such supports.
fn smallest_cells(table: &Table, rules: &Rules, known: &[bool]) -> Option<Vec<u64>> {
    let columns: Vec<&Column> =
        rules.attributes().iter().map(|attribute| table.column(&attribute.name)).collect::<Option<_>>()?;
    let items: Vec<Item> =
        rules.rules().iter().flat_map(Rule::items).copied().collect::<BTreeSet<_>>().into_iter().collect();
    let number = |item: &Item| items.iter().position(|other| other == item).unwrap_or(0) as u32;
    let row_has = |row: usize, item: u32| {
        let values: Vec<Value> = columns.iter().map(|column| Value::of_row(column, row)).collect();
        has(rules, &columns, &values.iter().collect::<Vec<_>>(), items[item as usize])
    };
    let support = |set: &Set| individuals(table, |row| set.iter().all(|&item| row_has(row, item)));
    let told = rules.rules().iter().filter(|rule| rule.items().any(|item| !known[item.attribute]));
    let published: Vec<Set> = told
        .flat_map(|rule| [rule.antecedent.iter().map(number).collect(), rule.items().map(number).collect()])
        .collect();
    let public: Set = (0..).zip(&items).filter(|(_, item)| known[item.attribute]).map(|(i, _)| i).collect();
    let ranges = channels::deduced(&published, &public, &support);
    if ranges.values().any(|(low, high)| low > high) {
        return None;
    }
    let mut smallest = vec![u64::MAX; table.rows()];
    for all in ranges.keys().filter(|all| !all.is_subset(&public)) {
        for present in channels::subsets(all) {
            let (low, high) = channels::cell(&ranges, &present, all);
            let fits = |row: usize| {
                all.intersection(&public).all(|&item| row_has(row, item) == present.contains(&item))
            };
            if low > 0 {
                (0..table.rows()).filter(|&row| fits(row)).for_each(|row| {
                    smallest[row] = smallest[row].min(high as u64);
                });
            }
        }
    }
    Some(smallest)
}

fn has(rules: &Rules, columns: &[&Column], values: &[&Value], item: Item) -> bool {
    match &rules.attributes()[item.attribute].domain {
        Domain::Values(names) => {
            let name = &names[item.value as usize];
            Value::of_name(columns[item.attribute], name) == *values[item.attribute]
        }
        Domain::Numbers { .. } => false,
    }
}
