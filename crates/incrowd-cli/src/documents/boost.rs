//! The document of `incrowd boost`.

use super::Exposure;
use incrowd::mine::boost::{BoostSummary, MinedEnsemble, ScoreDetail};
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, FiguresTogether, RaisedK};
use serde::Serialize;
use std::time::Instant;

/// Boosted trees.
#[derive(Serialize)]
pub(crate) struct BoostDocument {
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
    pub(crate) rows: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    pub(crate) individuals: u64,
    /// The number of cells of public attributes.
    pub(crate) cells: u64,
    /// The number of rounds, chosen by cross-validation.
    pub(crate) rounds: u32,
    /// The most leaves of a tree, given or chosen by cross-validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_leaves: Option<u32>,
    /// The share of the features that each tree may test, given or chosen by cross-validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) columns: Option<f64>,
    /// The share of a tree's correction that is added, given or chosen by cross-validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) learning_rate: Option<f64>,
    /// What leaves state.
    pub(crate) detail: &'static str,
    pub(crate) trees: u64,
    pub(crate) leaves: u64,
    pub(crate) spans: u64,
    pub(crate) k: u64,
    #[serde(flatten)]
    pub(crate) exposure: Exposure,
    /// The share of the training rows it classifies wrongly.
    pub(crate) error: f64,
    /// The share that is wrong if the most frequent class value is always predicted.
    pub(crate) most_frequent_error: f64,
    pub(crate) seconds: f64,
}

impl BoostDocument {
    pub(crate) fn new(detail: ScoreDetail, ensemble: &Audited<MinedEnsemble>, start: Instant) -> Self {
        let summary = &ensemble.summary;
        let &BoostSummary { rows, individuals, cells, rounds, trees, leaves, spans, k, error, .. } = summary;
        Self {
            guarantee: ensemble.guarantee().to_vec(),
            weakened: ensemble.weakened().to_vec(),
            raised_k: ensemble.raised_k(),
            together: ensemble.together().cloned(),
            rows,
            rows_left_out: ensemble.rows_left_out().clone(),
            individuals,
            cells,
            rounds,
            max_leaves: summary.max_leaves,
            columns: summary.columns,
            learning_rate: summary.learning_rate,
            detail: detail.name(),
            trees,
            leaves,
            spans,
            k,
            exposure: Exposure::of(ensemble.report()),
            error,
            most_frequent_error: summary.most_frequent_error,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}
