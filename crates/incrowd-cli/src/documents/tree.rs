//! The documents of `incrowd tree`, and of `incrowd show` with a tree.

use super::Exposure;
use incrowd::mine::tree::{MinedTree, TreeMethod};
use incrowd::model::{Detail, Shares};
use incrowd::show::{LineContent, Outline, OutlineLine};
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, FiguresTogether, RaisedK};
use serde::Serialize;
use std::time::Instant;

/// A mined tree.
#[derive(Serialize)]
pub(crate) struct TreeDocument {
    /// The method that grew the tree.
    pub(crate) method: &'static str,
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
    /// The k that was required and the larger one that a release of a ledger was mined under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raised_k: Option<RaisedK>,
    /// What the release reveals together with the earlier ones of its ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<FiguresTogether>,
    /// What its leaves contain.
    pub(crate) detail: Detail,
    pub(crate) rows: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    pub(crate) individuals: u64,
    pub(crate) leaves: u64,
    pub(crate) spans: u64,
    pub(crate) k: u64,
    pub(crate) cm: u64,
    #[serde(flatten)]
    pub(crate) exposure: Exposure,
    /// The share of the training rows it classifies wrongly.
    pub(crate) error: f64,
    pub(crate) seconds: f64,
}

impl TreeDocument {
    pub(crate) fn new(method: TreeMethod, detail: Detail, tree: &Audited<MinedTree>, start: Instant) -> Self {
        let summary = &tree.summary;
        Self {
            method: method.name(),
            guarantee: tree.guarantee().to_vec(),
            weakened: tree.weakened().to_vec(),
            raised_k: tree.raised_k(),
            together: tree.together().cloned(),
            detail,
            rows: summary.rows,
            rows_left_out: tree.rows_left_out().clone(),
            individuals: summary.individuals,
            leaves: summary.leaves,
            spans: summary.spans,
            k: summary.k,
            cm: summary.cm,
            exposure: Exposure::of(tree.report()),
            error: summary.error,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

/// A tree from a file: its figures and its nodes from top to bottom.
#[derive(Serialize)]
pub(crate) struct ShownTree<'a> {
    leaves: u32,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    /// Whether individuals have several rows: each counts once for every leaf and class value they have.
    several_rows: bool,
    detail: Detail,
    class: &'a str,
    classes: &'a [String],
    nodes: Vec<ShownNode<'a>>,
}

/// Where a node is, and what it tests.
#[derive(Serialize)]
pub(super) struct NodePlace<'a> {
    node: u32,
    depth: usize,
    branch: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'a str>,
}

impl<'a> NodePlace<'a> {
    pub(super) fn of(line: &'a OutlineLine) -> Self {
        let attribute = match &line.shown {
            LineContent::Test(name) => Some(name.as_str()),
            LineContent::Leaf(_) | LineContent::Folded(_) => None,
        };
        Self { node: line.node, depth: line.depth, branch: &line.branch, attribute }
    }
}

#[derive(Serialize)]
struct ShownNode<'a> {
    #[serde(flatten)]
    place: NodePlace<'a>,
    prediction: &'a str,
    leaves: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<&'a [u64]>,
    /// The rounded shares, if the release contains these instead of counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<Vec<f64>>,
}

impl<'a> ShownTree<'a> {
    pub(crate) fn new(outline: &'a Outline) -> Self {
        Self {
            leaves: outline.leaves,
            depth: outline.depth,
            individuals: outline.individuals,
            several_rows: outline.several_rows,
            detail: outline.detail,
            class: &outline.class,
            classes: &outline.values,
            nodes: outline.lines.iter().map(|line| node(outline, line)).collect(),
        }
    }
}

fn node<'a>(outline: &'a Outline, line: &'a OutlineLine) -> ShownNode<'a> {
    ShownNode {
        place: NodePlace::of(line),
        prediction: &outline.values[line.outcome.label as usize],
        leaves: line.outcome.leaves,
        counts: line.outcome.counts(),
        shares: line.outcome.told.shares().map(Shares::numbers),
    }
}
