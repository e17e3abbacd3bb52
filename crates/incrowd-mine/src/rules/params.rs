//! Parameters of the rule miner: as given, and checked.

use incrowd_core::guarantee::Guarantee;
use incrowd_core::{Error, Result, choice};

/// The most items a rule may have.
const LONGEST: usize = 32;

/// What the items of a table's rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Items {
    /// Every value of a categorical or ordered column is an item: *attribute = value*.
    #[default]
    Values,
    /// A row is a basket: a column is a product, and only having it ([`PRESENT`](incrowd_core::model::PRESENT)) is an
    /// item.
    Baskets,
}

/// The measure of a rule's usefulness. Of equals, the one with more support, then the one with fewer items, then the
/// one whose items come first in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Usefulness {
    /// The excess of individuals with both sides over the number expected if the sides were independent.
    #[default]
    Leverage,
    /// The ratio of individuals with both sides to the number expected if the sides were independent.
    Lift,
    /// The number of individuals who have both sides.
    Support,
    /// The share of individuals with the left side who also have the right side.
    Confidence,
}

choice!(Usefulness, "measure" {
    Leverage => "leverage", "How many more individuals have both sides than expected by chance.";
    Lift => "lift", "The number of individuals who have both sides, divided by the number expected by chance.";
    Support => "support", "How many individuals have both sides.";
    Confidence => "confidence", "The share of individuals with the left side who also have the right side.";
});

/// Parameters of the miner of rules, as given. Only [checked](RuleParams::check) parameters can be mined with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RuleParams {
    /// What must hold for every span.
    pub guarantee: Guarantee,
    /// The least share of individuals that have all items of a rule.
    pub min_support: f64,
    /// The least share of those with the left side that have the right one too.
    pub min_confidence: f64,
    /// The most items of a rule, both sides together.
    pub max_length: usize,
    /// The most items of a right side.
    pub max_consequent: usize,
    /// The most frequent sets, and the most rules, that are examined.
    pub most: usize,
    /// Which rules take precedence where not all can be released.
    pub first: Usefulness,
    /// What the items of rows are.
    pub items: Items,
    /// Whether cells of fewer than k individuals may follow from several rules together. There is a warning then.
    pub keep_channels: bool,
}

impl RuleParams {
    /// The usual parameters under a guarantee: rules of up to 5 items with one on the right, at most a million of them.
    pub fn new(guarantee: Guarantee, min_support: f64, min_confidence: f64) -> Self {
        Self {
            guarantee,
            min_support,
            min_confidence,
            max_length: 5,
            max_consequent: 1,
            most: 1_000_000,
            first: Usefulness::default(),
            items: Items::default(),
            keep_channels: false,
        }
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// When nothing is to be guaranteed, or a parameter is out of its range.
    pub fn check(self) -> Result<CheckedRuleParams> {
        if self.guarantee.is_empty() {
            return Err(Error::parameters("no guarantee is given").help(
                "set k under [guarantee] in the policy, or give a k, such as 10; k = 1 guarantees nothing",
            ));
        }
        check_share(self.min_support, "support")?;
        check_share(self.min_confidence, "confidence")?;
        if !(2..=LONGEST).contains(&self.max_length) {
            return Err(Error::parameters(format!(
                "the maximum length of a rule must be from 2 to {LONGEST} items"
            ))
            .of_parameter("max_length"));
        }
        if self.max_consequent == 0 {
            return Err(Error::parameters(
                "the maximum number of items on the right side must be at least 1",
            ));
        }
        if self.most == 0 {
            return Err(Error::parameters("the maximum number of item sets must be at least 1"));
        }
        Ok(CheckedRuleParams(self))
    }
}

fn check_share(share: f64, of: &str) -> Result<()> {
    if share > 0.0 && share <= 1.0 {
        return Ok(());
    }
    Err(Error::parameters(format!("the minimum {of} must be above 0 and at most 1"))
        .help("give a share: 0.2 is one in five"))
}

/// Checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedRuleParams(RuleParams);

impl std::ops::Deref for CheckedRuleParams {
    type Target = RuleParams;

    fn deref(&self) -> &RuleParams {
        &self.0
    }
}
