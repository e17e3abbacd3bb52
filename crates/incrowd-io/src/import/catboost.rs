//! Ensembles of `CatBoost`, as its `save_model(format="json")` writes them.
//!
//! Trees are oblivious: all nodes of a level have the same test, whether a number of single precision is above a border,
//! and the answers are the bits of the leaf's number. Categories are tested by hashes and by statistics of the class,
//! which a file does not explain; such models are refused. The class is not named in the file; its values are numbered.

use super::binary::{Binary, Comparison};
use super::columns::{Columns, RawColumn};
use super::scored::{ScoredNodes, leaf, of_tree, unnamed_class};
use super::{Elsewhere, HELP};
use crate::bounds::check_columns;
use incrowd_core::model::{Combination, Ensemble, Link, Scoring, TieRule};
use incrowd_core::{Error, Result};
use serde::Deserialize;

#[derive(Deserialize)]
struct RawModel {
    features_info: RawFeatures,
    model_info: RawInfo,
    oblivious_trees: Option<Vec<RawTree>>,
    /// What all scores are multiplied by, and what is added to each.
    scale_and_bias: (f64, RawBias),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawBias {
    One(f64),
    Each(Vec<f64>),
}

#[derive(Deserialize)]
struct RawFeatures {
    #[serde(default)]
    float_features: Vec<RawFeature>,
}

#[derive(Deserialize)]
struct RawFeature {
    feature_index: usize,
    #[serde(default)]
    feature_id: String,
    nan_value_treatment: String,
    #[serde(default)]
    borders: Vec<f64>,
}

#[derive(Deserialize)]
struct RawInfo {
    params: RawParameters,
}

#[derive(Deserialize)]
struct RawParameters {
    loss_function: RawLoss,
}

#[derive(Deserialize)]
struct RawLoss {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct RawTree {
    /// The scores of each leaf, leaf after leaf.
    leaf_values: Vec<f64>,
    splits: Option<Vec<RawSplit>>,
}

#[derive(Deserialize)]
struct RawSplit {
    split_type: String,
    float_feature_index: Option<usize>,
    border: Option<f64>,
    /// The place of the test among the borders of all features. `CatBoost` goes by it.
    split_index: Option<i64>,
}

/// The names that only such a file has at its top level.
pub(super) const KEYS: [&str; 2] = ["features_info", "model_info"];

/// Reads an ensemble, and what else is known about it.
pub(super) fn read(text: &str) -> Result<(Ensemble, Elsewhere)> {
    let raw: RawModel =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    let Some(trees) = raw.oblivious_trees else {
        return Err(Error::input("a CatBoost model whose trees are not symmetric is not supported")
            .help("train the model with grow_policy=\"SymmetricTree\""));
    };
    let link = match raw.model_info.params.loss_function.kind.as_str() {
        "Logloss" | "CrossEntropy" => Link::Logistic,
        "MultiClass" => Link::Softmax,
        _ => {
            return Err(Error::input(
                "a CatBoost model with a loss function other than Logloss or MultiClass is not supported",
            )
            .help("train a classifier"));
        }
    };
    let (scale, base) = match raw.scale_and_bias {
        (scale, RawBias::One(bias)) => (scale, vec![bias]),
        (scale, RawBias::Each(base)) => (scale, base),
    };
    let outputs = base.len();
    if outputs == 0 || (link == Link::Logistic) != (outputs == 1) {
        return Err(fault("the bias does not have one number per score"));
    }
    let nodes = trees.iter().map(RawTree::nodes).fold(0, usize::saturating_add);
    Ensemble::check_size(trees.len(), nodes, outputs)?;
    let features = Features::new(raw.features_info.float_features)?;
    let (columns, mut cells) = (features.columns()?, 0);
    let member = |(number, tree): (usize, RawTree)| {
        tree.read(&features, outputs, scale)
            .and_then(|tree| tree.member(&columns, &mut cells))
            .map_err(of_tree(number))
    };
    let members = trees.into_iter().enumerate().map(member).collect::<Result<Vec<_>>>()?;
    let class = unnamed_class(&columns, outputs.max(2));
    let scoring = Scoring { combination: Combination::Sum, base, link, tie: TieRule::First };
    let ensemble = Ensemble::new(columns.attributes, class, members, scoring)?;
    Ok((ensemble, Elsewhere { unnamed_class: true, single_only: true, ..Elsewhere::default() }))
}

/// The numeric features.
struct Features {
    names: Vec<String>,
    /// The branch of missing numbers.
    missing: Vec<u32>,
    /// The borders of all features, one after the other, each with its feature.
    borders: Vec<(usize, f64)>,
}

impl Features {
    fn new(raw: Vec<RawFeature>) -> Result<Self> {
        check_columns(raw.len())?;
        let mut features = Self { names: Vec::new(), missing: Vec::new(), borders: Vec::new() };
        for (place, feature) in raw.into_iter().enumerate() {
            if feature.feature_index != place {
                return Err(fault("the numeric features are not listed in order"));
            }
            if feature.feature_id.is_empty() {
                return Err(Error::input("the file does not name the columns of the model")
                    .help("train the model on a data frame"));
            }
            // CatBoost counts the borders below a number.
            if !feature.borders.is_sorted_by(|one, next| one < next) {
                return Err(fault("the borders of a column do not ascend"));
            }
            features.borders.extend(feature.borders.into_iter().map(|border| (place, border)));
            features.names.push(feature.feature_id);
            features.missing.push(match feature.nan_value_treatment.as_str() {
                "AsIs" | "AsFalse" => 0,
                "AsTrue" => 1,
                _ => return Err(fault("the treatment of missing numbers is not known")),
            });
        }
        Ok(features)
    }

    fn columns(&self) -> Result<Columns> {
        Columns::new(self.names.iter().cloned().map(RawColumn::numeric).collect(), true)
    }
}

impl RawTree {
    fn depth(&self) -> usize {
        self.splits.as_ref().map_or(0, Vec::len)
    }

    /// The number of nodes; too many to count for a tree that is too deep.
    fn nodes(&self) -> usize {
        1_usize.checked_shl(self.depth() as u32 + 1).map_or(usize::MAX, |double| double.saturating_sub(1))
    }

    /// The nodes level by level. The place of a node within its level has the answers to the tests above it as bits.
    fn read(self, features: &Features, outputs: usize, scale: f64) -> Result<ScoredNodes> {
        let (depth, count) = (self.depth(), self.nodes());
        if self.leaf_values.len() != (1 << depth) * outputs {
            return Err(fault("it does not have one score per leaf"));
        }
        let mut nodes = Vec::with_capacity(count);
        for (level, split) in self.splits.iter().flatten().enumerate() {
            let (feature, border) = split.feature(features)?;
            for place in 0..1 << level {
                let first = (2 << level) - 1 + place;
                nodes.push(Binary::Test(Comparison {
                    feature,
                    threshold: border,
                    strict: false,
                    goals: [first, first + (1 << level)],
                    missing: Some(features.missing[feature]),
                    codes: None,
                }));
            }
        }
        let mut scores = vec![Vec::new(); nodes.len()];
        for own in self.leaf_values.chunks(outputs) {
            nodes.push(leaf());
            scores.push(own.iter().map(|value| value * scale).collect());
        }
        let output = (outputs == 1).then_some(0);
        Ok(ScoredNodes { nodes, scores, output })
    }
}

impl RawSplit {
    /// The feature and its border.
    fn feature(&self, features: &Features) -> Result<(usize, f64)> {
        match (self.split_type.as_str(), self.float_feature_index, self.border) {
            ("FloatFeature", Some(feature), Some(border)) if feature < features.names.len() => {
                let place = self.split_index.and_then(|place| usize::try_from(place).ok());
                let listed = place.and_then(|place| features.borders.get(place));
                if listed != Some(&(feature, border)) {
                    return Err(fault("the index of a test is not that of its border"));
                }
                Ok((feature, border))
            }
            ("FloatFeature", ..) => Err(fault("a test names a column that is not listed")),
            _ => Err(Error::input(
                "tests of categories are not supported: CatBoost's file has only their hashes and statistics",
            )
            .help("train the model on numbers, such as one column of 0 and 1 per category")),
        }
    }
}

fn fault(what: impl Into<String>) -> Error {
    Error::input(what.into()).help(HELP)
}
