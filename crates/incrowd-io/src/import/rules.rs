//! Association rules made elsewhere, whatever their file: items by name, and which supports are told of each rule.

use hashbrown::{HashMap, HashSet};
use incrowd_core::model::{ABSENT, Domain, Item, ModelAttribute, PRESENT, Rule, Rules};
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};

/// A rule as a file tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Told {
    pub(super) antecedent: Vec<String>,
    pub(super) consequent: Vec<String>,
    /// How many have both sides, where the file says it as a whole number.
    pub(super) count: Option<u64>,
    /// Whether the file tells how many have the right side too: by itself or by a measure, such as lift, that rests on it.
    pub(super) tells_consequent: bool,
}

/// Rules over items as the products of baskets. A right side whose support is told becomes a rule of its own, without a left side.
pub(super) fn rules(told: &[Told]) -> Result<Rules> {
    let mut names: Vec<&String> =
        told.iter().flat_map(|rule| rule.antecedent.iter().chain(&rule.consequent)).collect();
    names.sort_unstable();
    names.dedup();
    let place: HashMap<&String, usize> =
        names.iter().enumerate().map(|(place, name)| (*name, place)).collect();
    let items = |side: &[String]| side.iter().map(|name| Item { attribute: place[name], value: 1 }).collect();
    let mut rules = Vec::new();
    let mut alone = HashSet::new();
    for rule in told {
        let (antecedent, consequent): (Vec<Item>, Vec<Item>) =
            (items(&rule.antecedent), items(&rule.consequent));
        if rule.tells_consequent && !antecedent.is_empty() && alone.insert(consequent.clone()) {
            let (antecedent, consequent) = (Vec::new(), consequent.clone());
            rules.push(Rule { antecedent, consequent, antecedent_count: None, both_count: None });
        }
        rules.push(Rule { antecedent, consequent, antecedent_count: None, both_count: rule.count });
    }
    let attribute = |name: &&String| ModelAttribute::categorical(name, [ABSENT, PRESENT]);
    Rules::new(names.iter().map(attribute).collect(), rules)
}

/// Rules whose items are called `attribute=value` as rules over the columns of a table. What a column is called goes before; rules that speak of columns
/// already stay as they are.
///
/// # Errors
/// When an item is no column, or no value of one.
pub fn rules_over_table(rules: &Rules, table: &Table) -> Result<Rules> {
    if rules.attributes().iter().all(|attribute| table.column(&attribute.name).is_some()) {
        return Ok(rules.clone());
    }
    let mut attributes: Vec<ModelAttribute> = Vec::new();
    let mut items: Vec<Item> = Vec::new();
    for attribute in rules.attributes() {
        let (column, value) = split(&attribute.name, table)?;
        let place = attributes.iter().position(|other| other.name == column.name()).unwrap_or_else(|| {
            attributes.push(domain(column));
            attributes.len() - 1
        });
        items.push(Item { attribute: place, value });
    }
    let moved = |side: &[Item]| -> Vec<Item> { side.iter().map(|item| items[item.attribute]).collect() };
    let rule = |rule: &Rule| Rule {
        antecedent: moved(&rule.antecedent),
        consequent: moved(&rule.consequent),
        ..rule.clone()
    };
    Rules::new(attributes, rules.rules().iter().map(rule).collect())
}

/// Whether a name is that of an item of a table: `column=value`.
pub fn is_item_of_table(name: &str, table: &Table) -> bool {
    split(name, table).is_ok()
}

/// The column and the value that an item speaks of: at any `=` of its name.
fn split<'t>(name: &str, table: &'t Table) -> Result<(&'t Column, u32)> {
    let at = |(place, _): (usize, &str)| {
        let column = table.column(name[..place].trim())?;
        Some((column, column.values().find(name[place + 1..].trim())?))
    };
    name.match_indices('=').find_map(at).ok_or_else(|| {
        Error::new("the item is neither a column of the table nor `column=value`")
            .of_attribute(name)
            .help("audit the rules with the table they were made from; for baskets, the policy needs [items]")
    })
}

fn domain(column: &Column) -> ModelAttribute {
    let values = (0..column.values().len()).map(|code| column.values().text(code).into_owned());
    let mut attribute = ModelAttribute::categorical(column.name(), values);
    if let Domain::Values(values) = &attribute.domain
        && values.is_empty()
    {
        attribute.domain = Domain::Values(vec![PRESENT.to_owned()]);
    }
    attribute.missing = column.has_missing();
    attribute
}
