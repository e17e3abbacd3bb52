//! The scores of an ensemble as they are written, before anything is checked. The comments here become the schema's
//! descriptions.

use super::object::Object;
use super::raw::RawTest;
use incrowd_core::model::{Combination, Link, Scoring, TieRule};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use schemars::JsonSchema;

/// How scores become predictions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "scoring"))]
pub(super) struct RawScoring {
    /// How the scores of the trees become one.
    pub(super) combination: RawCombination,
    /// How combined scores become a share of each class value.
    pub(super) link: RawLink,
    /// Which class value is predicted if several have the highest score.
    #[serde(default, skip_serializing_if = "RawTie::is_first")]
    pub(super) ties: RawTie,
    /// What is added to each combined score: one number if the link is logistic, else one for each class value.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) base: Vec<f64>,
}

/// How the scores of trees become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "combination"))]
pub(crate) enum RawCombination {
    /// They are added up.
    Sum,
    /// They are averaged.
    Mean,
}

/// How combined scores become shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "link"))]
pub(crate) enum RawLink {
    /// The scores are the shares.
    Identity,
    /// The score is the log-odds of the second of two class values.
    Logistic,
    /// The shares are proportional to the exponentials of the scores.
    Softmax,
}

/// Which class value is predicted if several have the highest score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "ties"))]
pub(crate) enum RawTie {
    /// The first of them.
    #[default]
    First,
    /// The last of them.
    Last,
}

/// Converts an enum of the file to one of the model and back.
macro_rules! same {
    ($raw:ident, $model:ident: $($variant:ident),*) => {
        impl From<$raw> for $model {
            fn from(raw: $raw) -> Self {
                match raw {
                    $($raw::$variant => Self::$variant,)*
                }
            }
        }

        impl From<$model> for $raw {
            fn from(model: $model) -> Self {
                match model {
                    $($model::$variant => Self::$variant,)*
                }
            }
        }
    };
}

same!(RawCombination, Combination: Sum, Mean);
same!(RawLink, Link: Identity, Logistic, Softmax);
same!(RawTie, TieRule: First, Last);

impl From<RawScoring> for Scoring {
    fn from(raw: RawScoring) -> Self {
        let RawScoring { combination, link, ties, base } = raw;
        Self { combination: combination.into(), base, link: link.into(), tie: ties.into() }
    }
}

impl From<&Scoring> for RawScoring {
    fn from(scoring: &Scoring) -> Self {
        let Scoring { combination, base, link, tie } = scoring;
        let base = base.clone();
        Self { combination: (*combination).into(), link: (*link).into(), ties: (*tie).into(), base }
    }
}

impl RawTie {
    // Serde passes a reference.
    #[expect(clippy::trivially_copy_pass_by_ref)]
    fn is_first(&self) -> bool {
        *self == Self::First
    }
}

/// A tree of an ensemble.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "scored-tree"))]
pub(super) struct RawScoredTree {
    /// The place of the score that its leaves add to, counted from 0; absent if leaves have a number for each score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<u32>,
    /// The nodes by number; 0 is the root. A child comes after its parent and has no other.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) nodes: Vec<RawScoredNode>,
}

/// A test, or the scores of a leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "scored-node"))]
pub(super) enum RawScoredNode {
    Test(Object<RawTest>),
    /// The numbers that a leaf adds: one if the tree has an output, else one for each score.
    Scores(Vec<f64>),
}
