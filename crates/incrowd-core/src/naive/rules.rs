//! Sets of association rules: the outcome of every rule.

use super::baskets::Baskets;
use super::channels::Set;
use super::enumerate::{self, Mention};
use super::known::knows;
use super::linked::{Linked, individuals};
use super::relations::{possible, tied};
use super::tree::argument;
use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{Domain, Item, Rule, Rules};
use crate::policy::Policy;
use crate::table::{Column, Table};
use std::collections::BTreeSet;

/// Links every row of the table by the rules.
pub(super) fn link(table: &Table, policy: &Policy, rules: &Rules) -> Result<Linked> {
    let mut arguments = Vec::new();
    for (place, attribute) in rules.attributes().iter().enumerate() {
        let mut argument = argument(table, policy, attribute, &[])?;
        let is_contained = rules.rules().iter().flat_map(Rule::items).any(|item| item.attribute == place);
        argument.mention = Mention::of(is_contained);
        arguments.push(argument);
    }
    let (arguments, relations) = enumerate::with_relations(table, policy, arguments)?;
    let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
    // A statement about known attributes alone is known.
    let told = |rule: &&Rule| rule.items().any(|item| !arguments[item.attribute].known);
    let outcome = |values: &[&Value]| {
        Some(rules.rules().iter().filter(told).map(|rule| outcome(rules, rule, &columns, values)).collect())
    };
    enumerate::link(table, &arguments, &relations, &outcome)
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

/// The outcome of every rule that is not about known attributes alone.
pub(super) fn told_outcomes(
    rules: &Rules,
    columns: &[&Column],
    values: &[&Value],
    is_known: &dyn Fn(usize) -> bool,
) -> Vec<u32> {
    let told = |rule: &&Rule| rule.items().any(|item| !is_known(item.attribute));
    rules.rules().iter().filter(told).map(|rule| outcome(rules, rule, columns, values)).collect()
}

/// The outcome of every rule for a row.
pub(super) fn outcomes(table: &Table, rules: &Rules, row: usize) -> Option<Vec<u32>> {
    let columns: Vec<&Column> =
        rules.attributes().iter().map(|attribute| table.column(&attribute.name)).collect::<Option<_>>()?;
    let values: Vec<Value> = columns.iter().map(|column| Value::of_row(column, row)).collect();
    let values: Vec<&Value> = values.iter().collect();
    Some(rules.rules().iter().map(|rule| outcome(rules, rule, &columns, &values)).collect())
}

/// For each row the most individuals in the smallest of the cells that it may be in, of those that have between one
/// individual and `limit`, that one excluded, in every world: every way to give each individual, whose public items are
/// known, private values such that all published supports come out. Cells are made of the items of all rules, also of
/// those that have only public items.
pub(super) fn smallest_cells(table: &Table, policy: &Policy, rules: &Rules, limit: u64) -> Result<Vec<u64>> {
    if (0..table.rows()).any(|row| individuals(table, |other| other <= row) <= row as u64) {
        return Err(Error::input("supports do not add up where individuals have several rows"));
    }
    let mut columns = Vec::new();
    let mut known = Vec::new();
    for attribute in rules.attributes() {
        columns.push(table.require(&attribute.name)?);
        known.push(knows(policy, &attribute.name)?);
    }
    let items = rules.rules().iter().flat_map(Rule::items).copied();
    let items: Vec<Item> = items.collect::<BTreeSet<_>>().into_iter().collect();
    let number = |item: &Item| items.iter().position(|other| other == item).unwrap_or(0) as u32;
    let row_has = |row: usize, item: u32| {
        let values: Vec<Value> = columns.iter().map(|column| Value::of_row(column, row)).collect();
        has(rules, &columns, &values.iter().collect::<Vec<_>>(), items[item as usize])
    };
    let mask = |row: usize| (0..items.len() as u32).filter(|&i| row_has(row, i)).map(|i| 1 << i).sum::<u32>();
    let mut values = Vec::new();
    for attribute in rules.attributes() {
        let argument = argument(table, policy, attribute, &[])?;
        // Who has what of a known attribute is known, so that it does not matter whether all of its values are items.
        values.push(if argument.known { usize::MAX } else { argument.values().len() });
    }
    let (tied, possible) = tied_items(table, policy, rules, &items)?;
    // Kinds of individuals for whom different values are possible can be distinguished: each is an item that everyone
    // can see.
    let kinds: Vec<&BTreeSet<u32>> = possible.iter().collect::<BTreeSet<_>>().into_iter().collect();
    let kinds = if kinds.len() > 1 { kinds } else { Vec::new() };
    let kind = |row: usize| -> u32 {
        let own = kinds.iter().position(|kind| **kind == possible[row]);
        own.map_or(0, |own| 1 << (items.len() + own))
    };
    let all_items = items.iter().map(|item| (item.attribute, values[item.attribute]));
    let case = Baskets {
        truth: (0..table.rows()).map(|row| (mask(row) | kind(row), u64::from(table.weight(row)))).collect(),
        tied,
        possible: possible.clone(),
        public: (0..items.len() + kinds.len())
            .filter(|&i| items.get(i).is_none_or(|item| known[item.attribute]))
            .map(|i| 1 << i)
            .sum(),
        attributes: all_items.chain(kinds.iter().map(|_| (usize::MAX, kinds.len()))).collect(),
        published: (rules.rules().iter())
            .flat_map(|rule| {
                [rule.antecedent.iter().map(number).collect(), rule.items().map(number).collect::<Set>()]
            })
            .map(|set: Set| set.iter().map(|item| 1 << item).sum())
            .collect(),
    };
    let small = case.small_cells(limit)?;
    let smallest = |row: usize| {
        let baskets = case.baskets_of((mask(row) | kind(row)) & case.public, &possible[row]);
        let fits =
            |&&(present, all, _): &&(u32, u32, u64)| baskets.iter().any(|basket| basket & all == present);
        small.iter().filter(fits).map(|(_, _, most)| *most).min().unwrap_or(u64::MAX)
    };
    Ok((0..table.rows()).map(smallest).collect())
}

/// The items of attributes that declared dependencies tie together, and for each row which of them its individual can
/// have.
fn tied_items(
    table: &Table,
    policy: &Policy,
    rules: &Rules,
    items: &[Item],
) -> Result<(u32, Vec<BTreeSet<u32>>)> {
    let name = |item: &Item| rules.attributes()[item.attribute].name.as_str();
    let relations = tied(policy, &items.iter().map(name).collect());
    let mut mask = 0;
    for (place, item) in items.iter().enumerate() {
        let is_tied = relations.iter().any(|relation| relation.contains(name(item)));
        if is_tied && !knows(policy, name(item))? {
            mask |= 1 << place;
        }
    }
    let mut of_row = Vec::new();
    for row in 0..table.rows() {
        let mut own = BTreeSet::new();
        for chosen in possible(table, policy, &relations, row)? {
            let has = |place: &usize| {
                let Domain::Values(names) = &rules.attributes()[items[*place].attribute].domain else {
                    return false;
                };
                let column = table.column(name(&items[*place]));
                column.is_some_and(|column| {
                    let value = Value::of_name(column, &names[items[*place].value as usize]);
                    chosen.get(name(&items[*place])) == Some(&value)
                })
            };
            let tied = (0..items.len()).filter(|place| mask >> place & 1 == 1).filter(has);
            own.insert(tied.map(|place| 1 << place).sum());
        }
        of_row.push(own);
    }
    Ok((mask, of_row))
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
