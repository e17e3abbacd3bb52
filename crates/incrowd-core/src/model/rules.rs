//! Sets of association rules over items of the form *attribute = value*.

use super::domain::{Domain, ModelAttribute, check_names};
use crate::error::{Error, Result};

/// The value of a product that is in a basket.
pub const PRESENT: &str = "yes";

/// The value of a product that is not in a basket.
pub const ABSENT: &str = "no";

/// An item: an attribute has a value. A product in a basket is an attribute with the values [`PRESENT`] and [`ABSENT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    /// Which of the attributes.
    pub attribute: usize,
    /// Which of its values.
    pub value: u32,
}

/// A rule: an individual with all of `antecedent` tends to have all of `consequent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The items on the left.
    pub antecedent: Vec<Item>,
    /// The items on the right.
    pub consequent: Vec<Item>,
    /// The number of individuals who have the left side, where released.
    pub antecedent_count: Option<u64>,
    /// The number of individuals who have both sides, where released.
    pub both_count: Option<u64>,
}

impl Rule {
    /// All items, left and right.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.antecedent.iter().chain(&self.consequent)
    }
}

/// The maximum number of rules in a release.
const MOST_RULES: usize = 1 << 16;

/// A set of rules, published together.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    attributes: Vec<ModelAttribute>,
    rules: Vec<Rule>,
}

impl Rules {
    /// A checked set of rules.
    ///
    /// # Errors
    /// When an attribute is not categorical, a rule names an item that is not listed, an attribute twice, has an empty
    /// consequent, or counts more individuals with both sides than with the left one; or when there are more than
    /// 65,536 rules.
    pub fn new(attributes: Vec<ModelAttribute>, rules: Vec<Rule>) -> Result<Self> {
        if rules.len() > MOST_RULES {
            return Err(
                Error::limit(format!("there are more than {MOST_RULES} rules")).help("release fewer rules")
            );
        }
        attributes.iter().try_for_each(ModelAttribute::check)?;
        check_names(attributes.iter().map(|attribute| attribute.name.as_str()))?;
        let rules = Self { attributes, rules };
        for (i, rule) in rules.rules.iter().enumerate() {
            rules.check_rule(rule).map_err(|what| Error::input(format!("rule {}: {what}", i + 1)))?;
        }
        Ok(rules)
    }

    /// The attributes of items.
    pub fn attributes(&self) -> &[ModelAttribute] {
        &self.attributes
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    fn check_rule(&self, rule: &Rule) -> std::result::Result<(), &'static str> {
        let mut attributes: Vec<usize> = rule.items().map(|item| item.attribute).collect();
        attributes.sort_unstable();
        if attributes.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("it contains an attribute twice");
        }
        if rule.consequent.is_empty() {
            return Err("it has no consequent");
        }
        if !rule.items().all(|item| self.knows(item)) {
            return Err("it has an item that is not listed");
        }
        match (rule.antecedent_count, rule.both_count) {
            (Some(left), Some(both)) if both > left => {
                Err("the support of both sides is larger than that of the left side")
            }
            _ => Ok(()),
        }
    }

    fn knows(&self, item: &Item) -> bool {
        match self.attributes.get(item.attribute).map(|attribute| &attribute.domain) {
            Some(Domain::Values(values)) => (item.value as usize) < values.len(),
            Some(Domain::Numbers { .. }) | None => false,
        }
    }
}
