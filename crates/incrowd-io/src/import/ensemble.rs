//! Ensembles of trees (forests, gradient boosting), written as JSON by the functions in `docs/foreign-models.md`.
//!
//! A test sends numbers up to its threshold to the left (`strict`: below it), or the codes it lists. Features are
//! compared as numbers of double precision, or rounded to single precision first.

use super::HELP;
use super::binary::{Binary, Comparison};
use super::columns::{Columns, RawColumn};
use super::scored::{ScoredNodes, leaf, of_tree};
use super::sklearn::RawClass;
use crate::release::scoring::{RawCombination, RawLink, RawTie};
use incrowd_core::model::{Class, Ensemble, Scoring};
use incrowd_core::{Error, Result};
use serde::Deserialize;

pub(super) const FORMAT: &str = "tree-ensemble";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEnsemble {
    #[serde(rename = "format")]
    _format: String,
    version: u32,
    class: RawClass,
    columns: Vec<RawColumn>,
    /// Whether numbers are rounded to single precision before they are compared.
    precision: RawPrecision,
    /// Whether a number equal to the threshold goes right.
    #[serde(default)]
    strict: bool,
    combination: RawCombination,
    link: RawLink,
    #[serde(default)]
    ties: RawTie,
    base: Vec<f64>,
    trees: Vec<RawTree>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum RawPrecision {
    Single,
    Double,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTree {
    /// The score that leaves add to; without it they have one number for each score.
    output: Option<u32>,
    /// The node for yes, negative for a leaf.
    left: Vec<i64>,
    right: Vec<i64>,
    feature: Vec<i64>,
    threshold: Vec<f64>,
    /// The numbers of each node; those of tests are not used.
    scores: Vec<Vec<f64>>,
    /// Whether a missing number goes left.
    missing_left: Option<Vec<bool>>,
    /// For tests that list codes: those that go left.
    codes: Option<Vec<Option<Vec<f64>>>>,
}

/// Reads an ensemble, and whether it rounds numbers to single precision.
pub(super) fn read(text: &str) -> Result<(Ensemble, bool)> {
    let raw: RawEnsemble =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    if raw.version != 1 {
        return Err(Error::input("this version of the format is not supported").help("version 1 is"));
    }
    let single = raw.precision == RawPrecision::Single;
    let nodes = raw.trees.iter().map(|tree| tree.left.len()).sum();
    Ensemble::check_size(raw.trees.len(), nodes, raw.base.len())?;
    let (columns, mut cells) = (Columns::new(raw.columns, single)?, 0);
    let member = |(number, tree): (usize, RawTree)| {
        tree.nodes(raw.strict).and_then(|tree| tree.member(&columns, &mut cells)).map_err(of_tree(number))
    };
    let members = raw.trees.into_iter().enumerate().map(member).collect::<Result<Vec<_>>>()?;
    let scoring = Scoring {
        combination: raw.combination.into(),
        base: raw.base,
        link: raw.link.into(),
        tie: raw.ties.into(),
    };
    let class = Class { name: raw.class.name, values: raw.class.values };
    Ok((Ensemble::new(columns.attributes, class, members, scoring)?, single))
}

impl RawTree {
    fn nodes(self, strict: bool) -> Result<ScoredNodes> {
        let count = self.left.len();
        let lengths = [self.right.len(), self.feature.len(), self.threshold.len(), self.scores.len()];
        let more = [self.missing_left.as_ref().map(Vec::len), self.codes.as_ref().map(Vec::len)];
        if lengths.iter().chain(more.iter().flatten()).any(|&length| length != count) {
            return Err(Error::input("its lists do not all have one entry per node").help(HELP));
        }
        let nodes = (0..count).map(|node| self.node(node, strict)).collect::<Result<_>>()?;
        Ok(ScoredNodes { nodes, scores: self.scores, output: self.output })
    }

    fn node(&self, node: usize, strict: bool) -> Result<Binary> {
        let place = |number: i64| usize::try_from(number).ok();
        let goals = match (place(self.left[node]), place(self.right[node])) {
            (None, None) => return Ok(leaf()),
            (Some(left), Some(right)) => [left, right],
            _ => return Err(Error::input(format!("node {node} has only one branch")).help(HELP)),
        };
        Ok(Binary::Test(Comparison {
            feature: place(self.feature[node]).unwrap_or(usize::MAX),
            threshold: self.threshold[node],
            strict,
            goals,
            missing: self.missing_left.as_ref().map(|left| u32::from(!left[node])),
            codes: self.codes.as_ref().and_then(|codes| codes[node].clone()).map(ascending),
        }))
    }
}

fn ascending(mut codes: Vec<f64>) -> Vec<f64> {
    // Negative zero is zero.
    codes.iter_mut().for_each(|code| *code += 0.0);
    codes.sort_unstable_by(f64::total_cmp);
    codes
}
