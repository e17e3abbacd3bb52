//! The document of `incrowd show` with an ensemble.

use super::tree::NodePlace;
use incrowd::model::{Combination, Ensemble, Link, ScoredTree};
use incrowd::show::{EnsembleOutline, LineContent, OutlineLine, TestedAttribute};
use serde::Serialize;

/// An ensemble from a file: its figures, its cells and its first trees.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<ShownCells<'a>>,
    first_trees: Vec<ShownTree<'a>>,
}

#[derive(Serialize)]
struct ShownCells<'a> {
    cells: u64,
    /// The attributes that divide them.
    divided_by: &'a [String],
    /// The attributes that they define.
    defined: &'a [String],
}

#[derive(Serialize)]
struct ShownTree<'a> {
    /// The score that leaves add to, counted from 0, if not to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u32>,
    /// The nodes from top to bottom.
    nodes: Vec<ScoredNode<'a>>,
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
            cells: outline.cells.as_ref().map(|cells| ShownCells {
                cells: cells.cells,
                divided_by: &cells.divided_by,
                defined: &cells.defined,
            }),
            first_trees: (outline.first.iter().zip(ensemble.trees()))
                .map(|(first, scored)| ShownTree {
                    output: first.output,
                    nodes: first.tree.lines.iter().map(|line| node(scored, line)).collect(),
                })
                .collect(),
        }
    }
}

fn node<'a>(scored: &'a ScoredTree, line: &'a OutlineLine) -> ScoredNode<'a> {
    let is_leaf = matches!(line.shown, LineContent::Leaf(_));
    let scores = is_leaf.then(|| scored.scores(line.node));
    ScoredNode { place: NodePlace::of(line), scores, leaves: line.outcome.leaves }
}
