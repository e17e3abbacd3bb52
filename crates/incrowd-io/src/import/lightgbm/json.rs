//! Ensembles of `LightGBM`, as its `dump_model` returns them, written as JSON.

use super::super::binary::{Binary, Comparison};
use super::super::scored::{ScoredNodes, leaf, of_tree, unnamed_class};
use super::super::{Elsewhere, HELP};
use super::columns::{Category, Features};
use super::{Shape, VERSIONS, fault, scoring, unsupported_version, zero_as_missing};
use crate::bounds::check_cells;
use incrowd_core::Result;
use incrowd_core::model::Ensemble;
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct RawDump {
    version: String,
    num_class: usize,
    num_tree_per_iteration: usize,
    max_feature_idx: usize,
    #[serde(default)]
    objective: String,
    #[serde(default)]
    average_output: bool,
    feature_names: Vec<String>,
    #[serde(default)]
    feature_infos: HashMap<String, RawInfo>,
    tree_info: Vec<RawTree>,
    pandas_categorical: Option<Vec<Vec<Category>>>,
}

/// What is known about a column: its codes, or its smallest and largest number.
#[derive(Deserialize)]
struct RawInfo {
    #[serde(default)]
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct RawTree {
    tree_structure: RawNode,
}

/// A test or a leaf, by the keys that it has. The file is nested no deeper than JSON may be.
#[derive(Deserialize)]
struct RawNode {
    split_feature: Option<usize>,
    threshold: Option<RawThreshold>,
    decision_type: Option<String>,
    #[serde(default)]
    default_left: bool,
    missing_type: Option<String>,
    left_child: Option<Box<RawNode>>,
    right_child: Option<Box<RawNode>>,
    leaf_value: Option<f64>,
    leaf_coeff: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawThreshold {
    Number(f64),
    /// Codes, separated by `||`.
    Codes(String),
}

/// The names that only such a file has at its top level.
pub(in crate::import) const KEYS: [&str; 2] = ["tree_info", "num_tree_per_iteration"];

/// Reads an ensemble, and what else is known about it.
pub(in crate::import) fn read(text: &str) -> Result<(Ensemble, Elsewhere)> {
    let raw: RawDump =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    if !VERSIONS.contains(&raw.version.as_str()) {
        return Err(unsupported_version());
    }
    let count = raw.tree_info.len();
    let shape = Shape::new(&raw.objective, raw.num_class, raw.num_tree_per_iteration, count)?;
    let infos: Vec<&str> = raw.feature_names.iter().map(|name| info(raw.feature_infos.get(name))).collect();
    if Some(raw.feature_names.len()) != raw.max_feature_idx.checked_add(1) {
        return Err(fault("`feature_names` does not have one entry per column"));
    }
    let names = raw.feature_names.iter().map(String::as_str);
    let features = Features::new(names.zip(infos), raw.pandas_categorical.unwrap_or_default())?;
    let (columns, mut reading) = (features.columns()?, Reading { features: &features, codes: 0, nodes: 0 });
    let (mut members, mut cells) = (Vec::with_capacity(count), 0);
    for (number, tree) in raw.tree_info.into_iter().enumerate() {
        let output = (shape.outputs > 1).then_some((number % shape.outputs) as u32);
        let nodes = reading.tree(tree.tree_structure);
        Ensemble::check_size(count, reading.nodes, shape.outputs)?;
        let member = nodes
            .and_then(|(nodes, scores)| ScoredNodes { nodes, scores, output }.member(&columns, &mut cells));
        members.push(member.map_err(of_tree(number))?);
    }
    let class = unnamed_class(&columns, shape.classes);
    let ensemble =
        Ensemble::new(columns.attributes, class, members, scoring(shape.outputs, raw.average_output))?;
    let extremes = features.with_extremes();
    Ok((ensemble, Elsewhere { unnamed_class: true, extremes, ..Elsewhere::default() }))
}

/// The information on a column as the text format has it.
fn info(info: Option<&RawInfo>) -> &'static str {
    match info {
        None => "none",
        Some(info) if info.values.is_empty() => "[",
        Some(_) => "codes",
    }
}

/// Trees being read.
struct Reading<'a> {
    features: &'a Features,
    /// The codes that tests could list.
    codes: usize,
    nodes: usize,
}

impl Reading<'_> {
    /// The nodes of a tree, and the scores of each.
    fn tree(&mut self, root: RawNode) -> Result<(Vec<Binary>, Vec<Vec<f64>>)> {
        let (mut nodes, mut scores) = (Vec::new(), Vec::new());
        let mut waiting = std::collections::VecDeque::from([root]);
        let mut next = 1;
        while let Some(mut node) = waiting.pop_front() {
            if node.leaf_coeff.is_some() {
                return Err(super::linear_leaves());
            }
            let (made, score) = match (node.split_feature, node.left_child.take(), node.right_child.take()) {
                (None, None, None) => {
                    let value = node.leaf_value.ok_or_else(|| fault("a leaf has no score"))?;
                    (leaf(), vec![value])
                }
                (Some(feature), Some(left), Some(right)) => {
                    let test = self.test(&node, feature, [next, next + 1])?;
                    next += 2;
                    waiting.extend([*left, *right]);
                    (Binary::Test(test), Vec::new())
                }
                _ => return Err(fault("a node is neither a test nor a leaf")),
            };
            nodes.push(made);
            scores.push(score);
        }
        self.nodes = self.nodes.saturating_add(nodes.len());
        Ok((nodes, scores))
    }

    fn test(&mut self, node: &RawNode, feature: usize, goals: [usize; 2]) -> Result<Comparison> {
        match (node.decision_type.as_deref(), &node.threshold) {
            (Some("=="), Some(codes)) => {
                let categories = self.features.categories(feature)?;
                self.codes = self.codes.saturating_add(categories);
                check_cells(self.codes)?;
                let codes = Some(listed(codes, categories)?);
                // Missing categories are in no set.
                Ok(Comparison { feature, threshold: 0.0, strict: false, goals, missing: Some(1), codes })
            }
            (Some("<="), &Some(RawThreshold::Number(threshold))) => {
                let is_left = match node.missing_type.as_deref() {
                    // If a column had no missing numbers, they are taken for 0.
                    Some("None") => 0.0 <= threshold,
                    Some("NaN") => node.default_left,
                    _ => return Err(zero_as_missing()),
                };
                let missing = Some(u32::from(!is_left));
                Ok(Comparison { feature, threshold, strict: false, goals, missing, codes: None })
            }
            _ => Err(fault("a test is neither a comparison nor a set of categories")),
        }
    }
}

/// The codes of a set, ascending, without those that no category has.
fn listed(codes: &RawThreshold, categories: usize) -> Result<Vec<f64>> {
    let mut all = match codes {
        RawThreshold::Number(code) => vec![*code],
        RawThreshold::Codes(text) => text
            .split("||")
            .map(|code| code.parse::<u32>().map(f64::from))
            .collect::<std::result::Result<_, _>>()
            .map_err(|_| fault("a test lists something that is not a category"))?,
    };
    all.retain(|&code| code < categories as f64);
    all.sort_unstable_by(f64::total_cmp);
    Ok(all)
}
