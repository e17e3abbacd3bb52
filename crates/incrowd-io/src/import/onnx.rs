//! Trees in ONNX: a `TreeEnsembleClassifier` of one tree, and the operators that make its matrix from the model's
//! inputs.
//!
//! Inputs of one column are columns of the table by their names. An input with several columns has no names for them,
//! so the model's metadata must: `incrowd.columns`, a list as in scikit-learn's JSON. An ONNX model does not name the
//! class either: `incrowd.class`. Labels are those that onnxruntime gives (`labels`), and nothing may change them
//! behind the tree (`behind`).

mod behind;
mod features;
mod graph;
mod labels;

use super::HELP;
use super::binary::{self, Binary, Comparison};
use graph::{Graph, Operator};
use incrowd_core::model::{Class, Leaf, LeafContents, Tree};
use incrowd_core::{Error, Result};
use labels::labels_of_leaves;
use std::collections::HashMap;

/// How a model begins: with the number of its format's version.
pub(super) const FIRST_BYTE: u8 = 0x08;

/// The tree of a model, and the columns that it takes as whole numbers.
pub(super) fn read(bytes: &[u8]) -> Result<(Tree, Vec<String>)> {
    let graph = Graph::parse(bytes).map_err(with_help)?;
    let ensemble = graph.ensemble().map_err(with_help)?;
    let class = Class { name: graph.class_name()?, values: labels(ensemble)? };
    let (columns, before, whole) = features::columns(&graph, ensemble).map_err(with_help)?;
    behind::check(&graph, ensemble, &before).map_err(with_help)?;
    let nodes = Nodes::new(ensemble, class.values.len()).map_err(with_help)?.all()?;
    let tree = binary::tree(columns, class, &nodes).map_err(with_help)?;
    Ok((tree, whole))
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
        let trees = [ensemble.ints("nodes_treeids"), ensemble.ints("class_treeids")].concat();
        if trees.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::input(
                "the model is an ensemble of several trees; only a single tree is supported",
            ));
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
            label: labels_of_leaves(ensemble, classes, ids)?,
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
            return Err(Error::input("the attributes of the model's nodes are inconsistent"));
        }
        Ok(nodes)
    }

    /// All nodes; the first is the root.
    fn all(&self) -> Result<Vec<Binary>> {
        let ids = self.ensemble.ints("nodes_nodeids");
        let node = |place: usize| {
            self.node(place, ids[place])
                .map_err(|error| with_help(error.about(format_args!("node {}", ids[place]))))
        };
        // onnxruntime begins with the first node; that it is not another node's branch is checked with the tree.
        (0..ids.len()).map(node).collect()
    }

    fn node(&self, place: usize, id: i64) -> Result<Binary> {
        let (strict, turned) = match self.modes[place].as_str() {
            "LEAF" => {
                let label = self.label.get(&id).copied();
                let label = label.ok_or_else(|| Error::input("the leaf has no weights"))?;
                return Ok(Binary::Leaf(Leaf { label, told: LeafContents::Nothing }));
            }
            "BRANCH_LEQ" => (false, false),
            "BRANCH_LT" => (true, false),
            "BRANCH_GT" => (false, true),
            "BRANCH_GTE" => (true, true),
            _ => return Err(Error::input("a test that is not <=, <, > or >= is not supported")),
        };
        let goal = |id: i64| {
            self.place.get(&id).copied().ok_or_else(|| Error::input("it leads to a node that does not exist"))
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
