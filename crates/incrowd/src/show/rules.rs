//! Association rules, one line per rule, with the measures that follow from the release.

use crate::model::{ABSENT, Domain, Item, ModelAttribute, PRESENT, Rule, Rules};
use std::collections::HashMap;

/// A displayed rule.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleLine {
    /// The items on the left.
    pub antecedent: Vec<String>,
    /// The items on the right.
    pub consequent: Vec<String>,
    /// The number of individuals with both sides, if released.
    pub count: Option<u64>,
    /// The share of individuals with both sides, if it follows from the release.
    pub support: Option<f64>,
    /// The share of individuals with the left side that also have the right side, if it follows from the release.
    pub confidence: Option<f64>,
    /// The number of individuals with both sides, divided by the number expected if the sides were independent, if it
    /// follows from the release.
    pub lift: Option<f64>,
}

/// Returns all rules by descending confidence, then by descending support. Ties keep their order.
pub fn rule_lines(rules: &Rules, individuals: Option<u64>) -> Vec<RuleLine> {
    let mut known: HashMap<Vec<Item>, u64> = HashMap::new();
    known.extend(individuals.map(|all| (Vec::new(), all)));
    for rule in rules.rules() {
        known.extend(rule.antecedent_count.map(|count| (sorted(rule.antecedent.iter()), count)));
        known.extend(rule.both_count.map(|count| (sorted(rule.items()), count)));
    }
    let products = are_products(rules);
    let names = |items: &[Item]| items.iter().map(|item| name(rules, item, products)).collect();
    let line = |rule: &Rule| {
        let of = |items: Vec<Item>| known.get(&items).map(|&count| count as f64);
        let share = |part: Option<f64>, whole: Option<f64>| Some(part? / whole.filter(|&whole| whole > 0.0)?);
        let (all, both) = (of(Vec::new()), of(sorted(rule.items())));
        let confidence = share(both, of(sorted(rule.antecedent.iter())));
        RuleLine {
            antecedent: names(&rule.antecedent),
            consequent: names(&rule.consequent),
            count: rule.both_count,
            support: share(both, all),
            confidence,
            lift: share(confidence, share(of(sorted(rule.consequent.iter())), all)),
        }
    };
    let mut lines: Vec<RuleLine> = rules.rules().iter().map(line).collect();
    let key = |share: Option<f64>| share.unwrap_or(-1.0);
    lines.sort_by(|a, b| key(b.confidence).total_cmp(&key(a.confidence)).then_with(|| b.count.cmp(&a.count)));
    lines
}

fn sorted<'i>(items: impl Iterator<Item = &'i Item>) -> Vec<Item> {
    let mut items: Vec<Item> = items.copied().collect();
    items.sort_unstable();
    items
}

/// Whether the items are products of baskets: rules state which of them are there, and never which are not.
fn are_products(rules: &Rules) -> bool {
    let is_product = |attribute: &ModelAttribute| match &attribute.domain {
        Domain::Values(values) => values.iter().all(|value| value == PRESENT || value == ABSENT),
        Domain::Numbers { .. } => false,
    };
    let is_there = |item: &Item| value(rules, item) == Some(PRESENT);
    rules.attributes().iter().all(is_product) && rules.rules().iter().flat_map(Rule::items).all(is_there)
}

/// The text of an item: the name of a product, otherwise *attribute = value*.
fn name(rules: &Rules, item: &Item, products: bool) -> String {
    let attribute = &rules.attributes()[item.attribute];
    match value(rules, item).filter(|_| !products) {
        Some(value) => format!("{} = {value}", attribute.name),
        None => attribute.name.clone(),
    }
}

fn value<'r>(rules: &'r Rules, item: &Item) -> Option<&'r str> {
    match &rules.attributes()[item.attribute].domain {
        Domain::Values(values) => values.get(item.value as usize).map(String::as_str),
        Domain::Numbers { .. } => None,
    }
}
