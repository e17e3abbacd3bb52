//! Which values of an attribute an individual at a node can have, by the tests of that attribute on the path.

use super::split::Split;
use super::task::Attribute;
use incrowd_core::model;

/// The values of one attribute that lead to a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reach {
    /// Of names: whether each value of the domain does, and last whether missing values do.
    Names(Vec<bool>),
    /// Of numbers: those above `above` and up to `up_to`, and whether missing values do.
    Numbers {
        /// The lower end, not included.
        above: f64,
        /// The upper end, included.
        up_to: f64,
        /// Whether missing values do.
        missing: bool,
    },
}

impl Reach {
    /// Everything the attribute can be.
    pub(crate) fn whole(attribute: &Attribute<'_>) -> Self {
        let missing = attribute.model.missing;
        match &attribute.model.domain {
            model::Domain::Values(values) => {
                Self::Names(values.iter().map(|_| true).chain([missing]).collect())
            }
            model::Domain::Numbers { .. } => {
                Self::Numbers { above: f64::NEG_INFINITY, up_to: f64::INFINITY, missing }
            }
        }
    }

    /// Whether a value of the domain leads there; missing values come last.
    pub(crate) fn has_value(&self, place: usize) -> bool {
        match self {
            Self::Names(values) => values[place],
            Self::Numbers { missing, .. } => *missing,
        }
    }

    /// Whether a threshold leaves something on both sides.
    pub(crate) fn divided_by(&self, threshold: f64) -> bool {
        matches!(self, Self::Numbers { above, up_to, .. } if *above < threshold && threshold < *up_to)
    }

    /// What is left behind a branch of a split of this attribute.
    pub(crate) fn behind(&self, split: &Split, branch: u32) -> Self {
        match (self, &split.told) {
            (Self::Names(values), model::Split::Values(of_value)) => {
                let taken = of_value.iter().map(|own| own.unwrap_or(split.otherwise)).chain([split.missing]);
                Self::Names(values.iter().zip(taken).map(|(&can, taken)| can && taken == branch).collect())
            }
            (Self::Numbers { above, up_to, missing }, model::Split::Thresholds(thresholds)) => {
                let branch = branch as usize;
                let low = branch.checked_sub(1).map_or(f64::NEG_INFINITY, |i| thresholds[i]);
                let high = thresholds.get(branch).copied().unwrap_or(f64::INFINITY);
                let missing = *missing && split.missing as usize == branch;
                Self::Numbers { above: above.max(low), up_to: up_to.min(high), missing }
            }
            _ => self.clone(),
        }
    }
}
