//! The private values that a release prints, one after the other.

use super::linked::individuals;
use super::said;
use crate::model::{ABSENT, Domain, Model, Node, PRESENT, Rule, Split};
use crate::policy::{Policy, Role};
use crate::span::in_days;
use crate::table::{Column, Table};
use crate::taxonomy::TaxonomySpec;
use std::collections::BTreeSet;

/// How many printed private values someone has, fewer individuals than required, and the policy does not declare.
/// `None` is a table as is.
pub fn rare_values(table: &Table, policy: &Policy, model: Option<&Model>, required: u64) -> u64 {
    match model.map(|model| in_days(table, policy, model)) {
        Some(Ok((table, policy))) => count_rare(&table, &policy, model, required),
        _ => count_rare(table, policy, model, required),
    }
}

fn count_rare(table: &Table, policy: &Policy, model: Option<&Model>, required: u64) -> u64 {
    let spelled = if model.is_none() { said::plain(table, policy).ok() } else { None };
    let table = spelled.as_ref().unwrap_or(table);
    let count = |name: &str, names: &[String], numbers: &[f64], thresholds: &[f64]| {
        let Some(column) = table.column(name) else { return 0 };
        let is_private = policy.attribute(name).is_some_and(|a| a.role == Role::Private);
        if !is_private || policy.known().iter().any(|known| known == name) {
            return 0;
        }
        let rare = |holders: u64| (1..required).contains(&holders);
        let of_names = names
            .iter()
            .filter(|value| rare(holders(table, column, value)) && !declared(policy, name, value));
        let range = policy.attribute(name).and_then(|attribute| attribute.range);
        let is_end = |number: f64| range.is_some_and(|(low, high)| is(number, low) || is(number, high));
        let of_numbers =
            numbers.iter().filter(|&&n| rare(holding(table, column, |own| is(own, n))) && !is_end(n));
        let of_thresholds = thresholds.iter().filter(|&&t| {
            rare(holding(table, column, |own| is(own, t)))
                || rare(holding(table, column, |own| own <= t))
                || rare(holding(table, column, |own| own > t))
        });
        (of_names.count() + of_numbers.count() + of_thresholds.count()) as u64
    };
    let of_domain = |name: &str, domain: &Domain, thresholds: &[f64]| match domain {
        Domain::Values(names) => count(name, names, &[], &[]),
        Domain::Numbers { low, high } => count(name, &[], &[*low, *high], thresholds),
    };
    match model {
        None => {
            let undeclared = |column: &Column| -> Vec<String> {
                texts(column).into_iter().filter(|cell| !is_harmless(policy, column, cell)).collect()
            };
            table.columns().iter().map(|column| count(column.name(), &undeclared(column), &[], &[])).sum()
        }
        Some(Model::Clusters(clusters)) => {
            clusters.axes().iter().map(|axis| of_domain(&axis.name, &axis.domain, &[])).sum()
        }
        Some(model @ (Model::Tree(_) | Model::Ensemble(_))) => {
            let trees = model.trees();
            let Some(tree) = trees.first() else { return 0 };
            let thresholds = |place: usize| {
                let own = trees.iter().flat_map(|tree| tree.nodes()).filter_map(|node| match node {
                    Node::Test(test) if test.attribute == place => match &test.split {
                        Split::Thresholds(own) => Some(own.clone()),
                        Split::Values(_) => None,
                    },
                    _ => None,
                });
                let mut own: Vec<f64> = own.flatten().collect();
                own.sort_by(f64::total_cmp);
                own.dedup();
                own
            };
            let tested = (0..).zip(tree.attributes());
            let tested = tested.map(|(place, own)| of_domain(&own.name, &own.domain, &thresholds(place)));
            count(&tree.class().name, &tree.class().values, &[], &[]) + tested.sum::<u64>()
        }
        Some(Model::Rules(rules)) => {
            let named: BTreeSet<(usize, u32)> =
                rules.rules().iter().flat_map(Rule::items).map(|item| (item.attribute, item.value)).collect();
            let of_attribute = |(place, own): (usize, &crate::model::ModelAttribute)| match &own.domain {
                Domain::Values(names) if names.iter().eq([ABSENT, PRESENT]) => {
                    let used = (0..).zip(names).filter(|&(value, _)| named.contains(&(place, value)));
                    count(&own.name, &used.map(|(_, name)| name.clone()).collect::<Vec<_>>(), &[], &[])
                }
                domain => of_domain(&own.name, domain, &[]),
            };
            rules.attributes().iter().enumerate().map(of_attribute).sum()
        }
    }
}

/// Whether a cell of a table states nothing, or only what the policy does: a number of the declared range, or one of
/// several declared values.
fn is_harmless(policy: &Policy, column: &Column, cell: &str) -> bool {
    if cell == "*" || cell == "?" || cell.is_empty() {
        return true;
    }
    let attribute = policy.attribute(column.name());
    let range = attribute.and_then(|attribute| attribute.range);
    let is_in_range = |text: &str| {
        let number = text.parse::<f64>();
        number.is_ok_and(|number| range.is_some_and(|(low, high)| low <= number && number <= high))
    };
    let is_interval =
        range.is_some() && attribute.is_some_and(|own| super::said::bounds(own, cell).is_some());
    if is_in_range(cell) || is_interval {
        return true;
    }
    let Some(attribute) = attribute else { return false };
    let is_harmless = |part: &String| {
        let says_nothing = ["*", "?", "other values"].contains(&part.as_str());
        // Of declared values, a masked code can only be some.
        let is_masked = !attribute.values.is_empty() && said::masked(attribute, part).is_some();
        says_nothing || is_in_range(part) || declared(policy, column.name(), part) || is_masked
    };
    cell != "other values" && said::parts(attribute, cell).iter().all(is_harmless)
}

/// Whether two numbers are equal; both zeros are.
fn is(one: f64, other: f64) -> bool {
    (one + 0.0).total_cmp(&(other + 0.0)).is_eq()
}

fn texts(column: &Column) -> Vec<String> {
    (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect()
}

fn holders(table: &Table, column: &Column, value: &str) -> u64 {
    let is_it = |row: usize| {
        let code = column.code(row) as usize;
        code < column.values().len() && column.values().text(code) == value
    };
    individuals(table, is_it)
}

fn holding(table: &Table, column: &Column, is_it: impl Fn(f64) -> bool) -> u64 {
    let Some(numbers) = column.values().numbers() else { return 0 };
    individuals(table, |row| numbers.get(column.code(row) as usize).is_some_and(|&own| is_it(own)))
}

fn declared(policy: &Policy, name: &str, value: &str) -> bool {
    let Some(attribute) = policy.attribute(name) else { return false };
    let in_taxonomy = match &attribute.taxonomy {
        Some(TaxonomySpec::Tree(tree)) => tree.values().any(|other| other == value),
        _ => false,
    };
    in_taxonomy || attribute.values.iter().any(|other| other == value)
}
