//! Association rules in release files.

use super::attributes::{self, Lookup, Populations, at};
use super::item::RawItem;
use super::object::Object;
use super::raw::{RawRule, RawRules};
use super::{ModelRelease, Release};
use incrowd_core::model::{Domain, Item, Model, Rule, Rules};
use incrowd_core::{Error, Result};

pub(super) fn read(mut raw: RawRules) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    let attributes = attributes::read(raw.attributes)?;
    let lookup = Lookup::new(&attributes);
    let mut rules = Vec::with_capacity(raw.rules.len());
    for (i, Object(rule)) in raw.rules.into_iter().enumerate() {
        let read = read_rule(&lookup, &rule, individuals);
        rules.push(read.map_err(|error| at(format_args!("rule {}", i + 1), error))?);
    }
    let model = Model::Rules(Rules::new(attributes, rules)?);
    Ok(Release::Model(ModelRelease { model, individuals, origin }))
}

pub(super) fn write(rules: &Rules, release: &ModelRelease) -> RawRules {
    RawRules::new(
        release.individuals,
        &release.origin,
        attributes::write(rules.attributes()),
        rules.rules().iter().map(|rule| write_rule(rules, rule)).collect(),
    )
}

fn read_rule(lookup: &Lookup<'_>, rule: &RawRule, individuals: Option<u64>) -> Result<Rule> {
    // Rules overlap, so their counts are compared with the individuals one by one.
    let counts = rule.antecedent.iter().chain(&rule.both);
    counts.copied().try_for_each(|count| Populations::new(individuals).add(count))?;
    Ok(Rule {
        antecedent: read_items(lookup, &rule.left, "if")?,
        consequent: read_items(lookup, &rule.right, "then")?,
        antecedent_count: rule.antecedent,
        both_count: rule.both,
    })
}

fn read_items(lookup: &Lookup<'_>, items: &[RawItem], side: &str) -> Result<Vec<Item>> {
    let read = |(i, item): (usize, &RawItem)| {
        let found = read_item(lookup, item);
        found.map_err(|error| at(format_args!("item {} of \"{side}\"", i + 1), error))
    };
    items.iter().enumerate().map(read).collect()
}

fn read_item(lookup: &Lookup<'_>, item: &RawItem) -> Result<Item> {
    let attribute = lookup.attribute(&item.attribute)?;
    let value = lookup.value(attribute, &item.value).ok_or_else(|| {
        Error::input("it is not a value of the attribute")
            .of_attribute(&item.attribute)
            .help("list it with the attribute")
    })?;
    Ok(Item { attribute, value })
}

fn write_rule(rules: &Rules, rule: &Rule) -> Object<RawRule> {
    let items = |items: &[Item]| items.iter().filter_map(|item| write_item(rules, item)).collect();
    Object(RawRule {
        left: items(&rule.antecedent),
        right: items(&rule.consequent),
        antecedent: rule.antecedent_count,
        both: rule.both_count,
    })
}

/// Checked rules have no items of numeric attributes.
fn write_item(rules: &Rules, item: &Item) -> Option<RawItem> {
    let attribute = &rules.attributes()[item.attribute];
    let Domain::Values(values) = &attribute.domain else { return None };
    Some(RawItem { attribute: attribute.name.clone(), value: values[item.value as usize].clone() })
}
