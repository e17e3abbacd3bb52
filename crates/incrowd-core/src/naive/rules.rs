//! Sets of association rules: the outcome of every rule.

use super::enumerate;
use super::linked::Linked;
use super::tree::argument;
use super::value::Value;
use crate::error::Result;
use crate::model::{Domain, Item, Rule, Rules};
use crate::policy::Policy;
use crate::table::{Column, Table};

/// Links every row of the table by the rules.
pub(super) fn link(table: &Table, policy: &Policy, rules: &Rules) -> Result<Linked> {
    let mut arguments = Vec::new();
    for (place, attribute) in rules.attributes().iter().enumerate() {
        let mut argument = argument(table, policy, attribute, &[])?;
        argument.spoken_of = rules.rules().iter().flat_map(Rule::items).any(|item| item.attribute == place);
        arguments.push(argument);
    }
    let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
    let outcome = |values: &[&Value]| {
        let all = |items: &[Item]| items.iter().all(|item| has(rules, &columns, values, *item));
        let of_rule = |rule: &Rule| match (all(&rule.antecedent), all(&rule.consequent)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        Some(rules.rules().iter().map(of_rule).collect())
    };
    enumerate::link(table, &arguments, &outcome)
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
