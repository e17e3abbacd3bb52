//! The documents of `--json`: what each command gives out. Texts are rendered from the same documents.

mod boost;
mod clusters;
mod data;
mod demo;
mod ensemble;
mod exposure;
mod predict;
mod rules;
mod table;
mod transform;
mod tree;

pub(crate) use boost::BoostDocument;
pub(crate) use clusters::{ClusterDocument, ClusterPredictions, ShownClusters};
pub(crate) use data::{DataSetEntry, DataSetFile, DataSetFiles};
pub(crate) use demo::{ClusterStory, Story};
pub(crate) use ensemble::ShownEnsemble;
pub(crate) use exposure::Exposure;
pub(crate) use predict::{PredictionDocument, RowPrediction};
pub(crate) use rules::{MinedRuleDocument, RulesDocument, ShownRules};
pub(crate) use table::TableDocument;
pub(crate) use transform::TransformDocument;
pub(crate) use tree::{ShownTree, TreeDocument};

use serde::Serialize;
use std::time::Instant;

/// A result of the library, and how long it took.
#[derive(Serialize)]
pub(crate) struct Timed<'a, T> {
    #[serde(flatten)]
    result: &'a T,
    seconds: f64,
}

impl<'a, T> Timed<'a, T> {
    pub(crate) fn new(result: &'a T, start: Instant) -> Self {
        Self { result, seconds: start.elapsed().as_secs_f64() }
    }
}

/// An exported tree.
#[derive(Serialize)]
pub(crate) struct ExportDocument {
    /// The exported text, unless it was written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    pub(crate) bytes: usize,
}
