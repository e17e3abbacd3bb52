//! Trees in ONNX: a `TreeEnsembleClassifier` of one tree or of several (`scored`), and the operators that make its matrix
//! from the model's inputs.
//!
//! Inputs of one column are columns of the table by their names. An input with several columns has no names for them,
//! so the model's metadata must: `incrowd.columns`, a list as in scikit-learn's JSON. An ONNX model does not name the
//! class either: `incrowd.class`. Labels are those that onnxruntime gives (`labels`), and nothing may change them
//! behind the tree (`behind`).

mod behind;
mod features;
mod graph;
mod labels;
mod scored;

use super::HELP;
use super::binary::{self, Binary, Comparison};
use graph::{Graph, Operator};
use incrowd_core::model::{Class, Leaf, LeafContents, Model};
use incrowd_core::{Error, Result};
use labels::labels_of_leaves;
use std::collections::HashMap;

/// How a model begins: with the number of its format's version.
pub(super) const FIRST_BYTE: u8 = 0x08;

/// The tree or the ensemble of a model, and the columns that it takes as whole numbers.
pub(super) fn read(bytes: &[u8]) -> Result<(Model, Vec<String>)> {
    let graph = Graph::parse(bytes).map_err(with_help)?;
    let ensemble = graph.ensemble().map_err(with_help)?;
    let class = Class { name: graph.class_name()?, values: labels(ensemble)? };
    let (columns, before, whole) = features::columns(&graph, ensemble).map_err(with_help)?;
    behind::check(&graph, ensemble, &before).map_err(with_help)?;
    let nodes = Nodes::new(ensemble).map_err(with_help)?;
    let model = if scored::is_one(ensemble) {
        scored::read(ensemble, &nodes, columns, class).map(Model::Ensemble)
    } else {
        let labels = labels_of_leaves(ensemble, class.values.len(), nodes.ids).map_err(with_help)?;
        let leaf = |place: usize| {
            let label = labels.get(&nodes.ids[place]).copied();
            let label = label.ok_or_else(|| Error::input("the leaf has no weights"))?;
            Ok(Leaf { label, told: LeafContents::Nothing })
        };
        let all =
            (0..nodes.ids.len()).map(|place| nodes.node(place, 0, &leaf)).collect::<Result<Vec<_>>>()?;
        binary::tree(columns, class, &all).map(Model::Tree)
    };
    Ok((model.map_err(with_help)?, whole))
}

fn with_help(error: Error) -> Error {
    if error.help.is_some() { error } else { error.help(HELP) }
}

/// The class values.
fn labels(ensemble: &Operator) -> Result<Vec<String>> {
    let texts = ensemble.strings("classlabels_strings")?;
    let numbers = ensemble.ints("classlabels_int64s");
    let all = if texts.is_empty() { numbers.iter().map(ToString::to_string).collect() } else { texts };
    if all.len() < 2 {
        return Err(Error::input("the model names fewer than two class values").help(HELP));
    }
    Ok(all)
}

/// The nodes of all trees, attribute by attribute.
struct Nodes<'a> {
    /// The number of each node within its tree.
    ids: &'a [i64],
    /// The tree of each node.
    trees: &'a [i64],
    features: &'a [i64],
    modes: Vec<String>,
    thresholds: Vec<f64>,
    yes: &'a [i64],
    no: &'a [i64],
    missing: &'a [i64],
    /// The place of each node by its tree and its number.
    place: HashMap<(i64, i64), usize>,
}

impl<'a> Nodes<'a> {
    fn new(ensemble: &'a Operator) -> Result<Self> {
        let (ids, trees) = (ensemble.ints("nodes_nodeids"), ensemble.ints("nodes_treeids"));
        let nodes = Self {
            ids,
            trees,
            features: ensemble.ints("nodes_featureids"),
            modes: ensemble.strings("nodes_modes")?,
            thresholds: ensemble.numbers("nodes_values"),
            yes: ensemble.ints("nodes_truenodeids"),
            no: ensemble.ints("nodes_falsenodeids"),
            missing: ensemble.ints("nodes_missing_value_tracks_true"),
            place: trees.iter().copied().zip(ids.iter().copied()).zip(0..).collect(),
        };
        let count = ids.len();
        let lengths = [
            nodes.trees.len(),
            nodes.features.len(),
            nodes.modes.len(),
            nodes.thresholds.len(),
            nodes.yes.len(),
            nodes.no.len(),
        ];
        let odd = !nodes.missing.is_empty() && nodes.missing.len() != count;
        if odd || nodes.place.len() != count || lengths.iter().any(|&length| length != count) {
            return Err(Error::input("the attributes of the model's nodes are inconsistent"));
        }
        Ok(nodes)
    }

    /// A node; its branches are counted from `first`, the place of the root of its tree. onnxruntime begins with the
    /// first node; that it is not another node's branch is checked with the tree.
    fn node(&self, place: usize, first: usize, leaf: &dyn Fn(usize) -> Result<Leaf>) -> Result<Binary> {
        self.read_node(place, first, leaf)
            .map_err(|error| with_help(error.about(format_args!("node {}", self.ids[place]))))
    }

    fn read_node(&self, place: usize, first: usize, leaf: &dyn Fn(usize) -> Result<Leaf>) -> Result<Binary> {
        let (strict, turned) = match self.modes[place].as_str() {
            "LEAF" => return leaf(place).map(Binary::Leaf),
            "BRANCH_LEQ" => (false, false),
            "BRANCH_LT" => (true, false),
            "BRANCH_GT" => (false, true),
            "BRANCH_GTE" => (true, true),
            _ => return Err(Error::input("a test that is not <=, <, > or >= is not supported")),
        };
        let goal = |id: i64| {
            let goal = self.place.get(&(self.trees[place], id)).and_then(|goal| goal.checked_sub(first));
            goal.ok_or_else(|| Error::input("it leads to a node that does not exist"))
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
            codes: None,
        }))
    }
}
