//! Foreign association rules, whatever their file format: items by name, and the supports stated for each rule.

use hashbrown::{HashMap, HashSet};
use incrowd_core::model::{ABSENT, Domain, Item, ModelAttribute, PRESENT, Rule, Rules};
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};

/// A rule as stated in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct StatedRule {
    pub(super) antecedent: Vec<String>,
    pub(super) consequent: Vec<String>,
    /// The number of individuals who have both sides, where the file states it as a whole number.
    pub(super) count: Option<u64>,
    /// Whether the file also states how many have the right side: directly or by a measure, such as lift, that depends
    /// on it.
    pub(super) tells_consequent: bool,
}

/// Rules over items as the products of baskets. A right side whose support is stated becomes a separate rule without a
/// left side.
pub(super) fn rules(told: &[StatedRule]) -> Result<Rules> {
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

/// Rules made by other programs as rules over the columns of a table. An item is called `column=value`, or by the name
/// of a column that shows who has it.
///
/// # Errors
/// When an item is not a column or a value of one.
pub fn rules_over_table(rules: &Rules, table: &Table) -> Result<Rules> {
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

/// The column and the value of an item: at any `=` of its name, if that leaves no doubt.
fn split<'t>(name: &str, table: &'t Table) -> Result<(&'t Column, u32)> {
    if let Some(column) = table.column(name) {
        let value = present(column).map_err(|error| error.of_attribute(name))?;
        return Ok((column, value));
    }
    let at = |(place, _): (usize, &str)| {
        let column = table.column(name[..place].trim())?;
        Some((column, column.values().find(&name[place + 1..])?))
    };
    let mut found = name.match_indices('=').filter_map(at);
    let error = match (found.next(), found.next()) {
        (Some(only), None) => return Ok(only),
        (Some(_), Some(_)) => Error::input("the item matches values of two columns").help(
            "give one of the columns another name, in the table and in the rules, so that `column=value` is unambiguous",
        ),
        (None, _) => Error::input("the item is neither a column of the table nor `column=value`")
            .help("audit the rules with the table they were made from, with the same spelling of values; for baskets, the policy needs [items]"),
    };
    Err(error.of_attribute(name))
}

/// How a column marks that an item is present or absent.
const YES_AND_NO: [(&str, &str); 7] = [
    (PRESENT, ABSENT),
    ("True", "False"),
    ("TRUE", "FALSE"),
    ("true", "false"),
    ("T", "F"),
    ("1", "0"),
    ("1.0", "0.0"),
];

/// The value of a column, itself an item, that marks the item as present.
fn present(column: &Column) -> Result<u32> {
    let values = column.values();
    let all: Vec<_> = (0..values.len()).map(|code| values.text(code)).collect();
    let pair = YES_AND_NO.iter().find(|(yes, no)| all.iter().all(|text| text == yes || text == no));
    pair.and_then(|(yes, _)| values.find(yes)).ok_or_else(|| {
        Error::input("the item is a column whose values do not show who has the item")
            .help("the column of an item must have two values: yes and no, True and False, or 1 and 0")
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
