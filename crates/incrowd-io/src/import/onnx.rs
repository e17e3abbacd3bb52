//! Trees in ONNX: a `TreeEnsembleClassifier` of one tree, and what makes its matrix from the model's inputs.
//!
//! Inputs of one column are columns of the table by their names. An input with several columns has no names for them, so the model's metadata must:
//! `incrowd.columns`, a list as in scikit-learn's JSON. The class's name is in no ONNX model either: `incrowd.class`.

mod features;
mod graph;

use super::HELP;
use super::binary::{self, Binary, Comparison};
use graph::{Graph, Operator};
use incrowd_core::model::{Class, Leaf, Told, Tree};
use incrowd_core::{Error, Result};
use std::collections::HashMap;

/// How a model begins: with the number of its format's version.
pub(super) const FIRST_BYTE: u8 = 0x08;

pub(super) fn read(bytes: &[u8]) -> Result<Tree> {
    let graph = Graph::parse(bytes).map_err(with_help)?;
    let ensemble = graph.ensemble().map_err(with_help)?;
    let class = Class { name: graph.class_name()?, values: labels(ensemble)? };
    let columns = features::columns(&graph, ensemble).map_err(with_help)?;
    let nodes = Nodes::new(ensemble, class.values.len()).map_err(with_help)?.all()?;
    binary::tree(columns, class, &nodes).map_err(with_help)
}

fn with_help(error: Error) -> Error {
    if error.help.is_some() { error } else { error.help(HELP) }
}

/// The class values.
fn labels(ensemble: &Operator) -> Result<Vec<String>> {
    let texts = ensemble.strings("classlabels_strings")?;
    let numbers = ensemble.ints("classlabels_int64s");
    let all = if texts.is_empty() { numbers.iter().map(ToString::to_string).collect() } else { texts };
    if all.is_empty() { Err(Error::new("the model names no class values").help(HELP)) } else { Ok(all) }
}

/// The nodes of an ensemble, attribute by attribute.
struct Nodes<'a> {
    ensemble: &'a Operator,
    features: &'a [i64],
    modes: Vec<String>,
    thresholds: Vec<f64>,
    yes: &'a [i64],
    no: &'a [i64],
    missing: &'a [i64],
    /// The place of each node by its number.
    place: HashMap<i64, usize>,
    /// The class each leaf predicts.
    label: HashMap<i64, u32>,
}

impl<'a> Nodes<'a> {
    fn new(ensemble: &'a Operator, classes: usize) -> Result<Self> {
        if ensemble.ints("nodes_treeids").windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::new("the model is an ensemble of several trees, and one tree is understood"));
        }
        let ids = ensemble.ints("nodes_nodeids");
        let place: HashMap<i64, usize> = ids.iter().copied().zip(0..).collect();
        let nodes = Self {
            ensemble,
            features: ensemble.ints("nodes_featureids"),
            modes: ensemble.strings("nodes_modes")?,
            thresholds: ensemble.numbers("nodes_values"),
            yes: ensemble.ints("nodes_truenodeids"),
            no: ensemble.ints("nodes_falsenodeids"),
            missing: ensemble.ints("nodes_missing_value_tracks_true"),
            label: labels_of_leaves(ensemble, classes)?,
            place,
        };
        let count = ids.len();
        let lengths = [
            nodes.features.len(),
            nodes.modes.len(),
            nodes.thresholds.len(),
            nodes.yes.len(),
            nodes.no.len(),
        ];
        let odd = !nodes.missing.is_empty() && nodes.missing.len() != count;
        if odd || nodes.place.len() != count || lengths.iter().any(|&length| length != count) {
            return Err(Error::new("the attributes of the model's nodes do not fit together"));
        }
        Ok(nodes)
    }

    /// All nodes, the root first.
    fn all(&self) -> Result<Vec<Binary>> {
        let ids = self.ensemble.ints("nodes_nodeids");
        let node = |place: usize| {
            self.node(place, ids[place])
                .map_err(|error| with_help(error.about(format_args!("node {}", ids[place]))))
        };
        let mut nodes = (0..ids.len()).map(node).collect::<Result<Vec<_>>>()?;
        let root = self.root();
        nodes.swap(0, root);
        // The first node and the root have changed places.
        let moved = |goal: usize| {
            if goal == root {
                0
            } else if goal == 0 {
                root
            } else {
                goal
            }
        };
        for node in &mut nodes {
            if let Binary::Test(comparison) = node {
                comparison.goals = comparison.goals.map(moved);
            }
        }
        Ok(nodes)
    }

    /// The node that is no other node's branch.
    fn root(&self) -> usize {
        let mut is_goal = vec![false; self.modes.len()];
        for (place, mode) in self.modes.iter().enumerate() {
            for goal in [self.yes[place], self.no[place]] {
                if let (Some(&goal), true) = (self.place.get(&goal), mode != "LEAF") {
                    is_goal[goal] = true;
                }
            }
        }
        is_goal.iter().position(|is_goal| !is_goal).unwrap_or(0)
    }

    fn node(&self, place: usize, id: i64) -> Result<Binary> {
        let (strict, turned) = match self.modes[place].as_str() {
            "LEAF" => {
                let label = self.label.get(&id).copied().unwrap_or(0);
                return Ok(Binary::Leaf(Leaf { label, told: Told::Nothing }));
            }
            "BRANCH_LEQ" => (false, false),
            "BRANCH_LT" => (true, false),
            "BRANCH_GT" => (false, true),
            "BRANCH_GTE" => (true, true),
            _ => return Err(Error::new("a test that is not <=, <, > or >= is not understood")),
        };
        let goal = |id: i64| {
            self.place.get(&id).copied().ok_or_else(|| Error::new("it leads to a node that is not there"))
        };
        let (yes, no) = (goal(self.yes[place])?, goal(self.no[place])?);
        let missing_is_true = self.missing.get(place).is_some_and(|&tracks| tracks != 0);
        let goals = if turned { [no, yes] } else { [yes, no] };
        Ok(Binary::Test(Comparison {
            feature: usize::try_from(self.features[place]).unwrap_or(usize::MAX),
            threshold: self.thresholds[place],
            strict,
            goals,
            missing: Some(u32::from(missing_is_true == turned)),
        }))
    }
}

/// The class of each leaf: the one with most weight, the first of them on a tie.
fn labels_of_leaves(ensemble: &Operator, classes: usize) -> Result<HashMap<i64, u32>> {
    let (nodes, ids) = (ensemble.ints("class_nodeids"), ensemble.ints("class_ids"));
    let weights = ensemble.numbers("class_weights");
    if nodes.len() != ids.len() || nodes.len() != weights.len() {
        return Err(Error::new("the attributes of the model's leaves do not fit together"));
    }
    if ensemble.numbers("base_values").iter().any(|&value| value != 0.0) {
        return Err(Error::new("weights that all leaves have in common (base_values) are not understood"));
    }
    if classes == 2 && ids.iter().all(|&id| id == ids[0]) {
        return one_sided(ensemble, nodes, &weights);
    }
    let mut sums: HashMap<i64, Vec<f64>> = HashMap::new();
    for ((&node, &id), &weight) in nodes.iter().zip(ids).zip(&weights) {
        let class = usize::try_from(id).ok().filter(|&class| class < classes);
        let class = class.ok_or_else(|| Error::new("a leaf speaks of a class value that is not listed"))?;
        sums.entry(node).or_insert_with(|| vec![0.0; classes])[class] += weight;
    }
    let first_highest = |sums: &Vec<f64>| {
        (0..sums.len()).fold(0, |best, class| if sums[class] > sums[best] { class } else { best })
    };
    Ok(sums.iter().map(|(&node, sums)| (node, first_highest(sums) as u32)).collect())
}

/// Two classes with one weight a leaf: it is the share of the second class, whatever number it has, and is compared with one half.
fn one_sided(ensemble: &Operator, nodes: &[i64], weights: &[f64]) -> Result<HashMap<i64, u32>> {
    let plain = ensemble.strings("post_transform")?.first().is_none_or(|transform| transform == "NONE");
    if !plain || weights.iter().any(|&weight| weight < 0.0) {
        return Err(Error::new("weights for one of two classes are understood only as shares"));
    }
    let mut sums: HashMap<i64, f64> = HashMap::new();
    nodes.iter().zip(weights).for_each(|(&node, &weight)| *sums.entry(node).or_default() += weight);
    Ok(sums.into_iter().map(|(node, sum)| (node, u32::from(sum > 0.5))).collect())
}
