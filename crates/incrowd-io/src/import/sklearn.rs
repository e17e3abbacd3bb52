//! Trees of scikit-learn, written as JSON by the snippet in `docs/foreign-models.md`.
//!
//! scikit-learn rounds features to single precision and compares them with thresholds of double precision; so does the
//! tree that is read.

use super::HELP;
use super::binary::{self, Binary, Comparison};
use super::columns::{Columns, RawColumn};
use crate::bounds::Scalar;
use incrowd_core::model::{Class, Leaf, Tree};
use incrowd_core::{Error, Result};
use serde::Deserialize;

pub(super) const FORMAT: &str = "scikit-learn-tree";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTree {
    #[serde(rename = "format")]
    _format: String,
    version: u32,
    class: RawClass,
    columns: Vec<RawColumn>,
    /// The node for yes, negative for a leaf.
    left: Vec<i64>,
    right: Vec<i64>,
    feature: Vec<i64>,
    threshold: Vec<f64>,
    /// The place of the class value each node predicts.
    label: Vec<u32>,
    /// The population of each class value at each node.
    counts: Option<Vec<Vec<u64>>>,
    /// Whether a missing number goes left.
    missing_left: Option<Vec<bool>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawClass {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// The format that the JSON declares.
pub(super) fn format(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Header {
        format: Option<Scalar>,
    }
    let header: Header = serde_json::from_str(text).ok()?;
    match header.format {
        Some(Scalar::Text(format)) => Some(format),
        _ => None,
    }
}

pub(super) fn read(text: &str) -> Result<Tree> {
    let raw: RawTree =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    if raw.version != 1 {
        return Err(
            Error::input("this version of the format is not supported").help("version 1 is supported")
        );
    }
    let count = raw.left.len();
    let lengths = [raw.right.len(), raw.feature.len(), raw.threshold.len(), raw.label.len()];
    let more = [raw.counts.as_ref().map(Vec::len), raw.missing_left.as_ref().map(Vec::len)];
    if lengths.iter().chain(more.iter().flatten()).any(|&length| length != count) {
        return Err(Error::input("its lists do not all have one entry per node").help(HELP));
    }
    let nodes = (0..count).map(|node| raw.node(node)).collect::<Result<Vec<_>>>()?;
    let class = Class { name: raw.class.name, values: raw.class.values };
    binary::tree(Columns::new(raw.columns, true)?, class, &nodes)
}

impl RawTree {
    fn node(&self, node: usize) -> Result<Binary> {
        let place = |number: i64| usize::try_from(number).ok();
        let goals = (place(self.left[node]), place(self.right[node]));
        let goals = match goals {
            (None, None) => {
                let counts = self.counts.as_ref().map(|counts| counts[node].clone());
                return Ok(Binary::Leaf(Leaf { label: self.label[node], told: counts.into() }));
            }
            (Some(left), Some(right)) => [left, right],
            _ => return Err(Error::input(format!("node {node} has only one branch")).help(HELP)),
        };
        let missing = self.missing_left.as_ref().map(|left| u32::from(!left[node]));
        let feature = place(self.feature[node]).unwrap_or(usize::MAX);
        Ok(Binary::Test(Comparison {
            feature,
            threshold: self.threshold[node],
            strict: false,
            goals,
            missing,
            codes: None,
        }))
    }
}
