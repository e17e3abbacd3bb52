//! The document of `incrowd show` with an ensemble.

use super::tree::NodePlace;
use incrowd::model::{Combination, Ensemble, Link};
use incrowd::show::{EnsembleOutline, LineContent, OutlineLine, TestedAttribute};
use serde::Serialize;

/// An ensemble from a file: its figures and its first tree.
#[derive(Serialize)]
pub(crate) struct ShownEnsemble<'a> {
    trees: u64,
    /// The leaves of all trees.
    leaves: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    class: &'a str,
    classes: &'a [String],
    combination: &'static str,
    link: &'static str,
    attributes: &'a [TestedAttribute],
    /// The nodes of the first tree from top to bottom.
    first_tree: Vec<ScoredNode<'a>>,
}

#[derive(Serialize)]
struct ScoredNode<'a> {
    #[serde(flatten)]
    place: NodePlace<'a>,
    /// The scores of a leaf.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a [f64]>,
    /// The number of leaves below it.
    leaves: u32,
}

impl<'a> ShownEnsemble<'a> {
    pub(crate) fn new(
        ensemble: &'a Ensemble,
        outline: &'a EnsembleOutline,
        individuals: Option<u64>,
    ) -> Self {
        Self {
            trees: outline.trees,
            leaves: outline.leaves,
            individuals,
            class: &ensemble.class().name,
            classes: &ensemble.class().values,
            combination: match ensemble.scoring().combination {
                Combination::Sum => "sum",
                Combination::Mean => "mean",
            },
            link: match ensemble.scoring().link {
                Link::Identity => "identity",
                Link::Logistic => "logistic",
                Link::Softmax => "softmax",
            },
            attributes: &outline.attributes,
            first_tree: outline.first.lines.iter().map(|line| node(ensemble, line)).collect(),
        }
    }
}

fn node<'a>(ensemble: &'a Ensemble, line: &'a OutlineLine) -> ScoredNode<'a> {
    let is_leaf = matches!(line.shown, LineContent::Leaf(_));
    let scores = is_leaf.then(|| ensemble.trees()[0].scores(line.node));
    ScoredNode { place: NodePlace::of(line), scores, leaves: line.outcome.leaves }
}
