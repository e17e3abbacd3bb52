//! The document of `incrowd table`.

use super::Exposure;
use incrowd::mine::table::{Measures, MinedTable, TableMethod};
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, FiguresTogether, RaisedK};
use serde::Serialize;
use std::time::Instant;

/// A released table.
#[derive(Serialize)]
pub(crate) struct TableDocument {
    /// The method that made the table.
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
    pub(crate) rows: u64,
    pub(crate) rows_lost: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    pub(crate) individuals: u64,
    pub(crate) k: u64,
    pub(crate) spans: u64,
    #[serde(flatten)]
    pub(crate) exposure: Exposure,
    pub(crate) suppressed: f64,
    pub(crate) swapped: f64,
    /// The loss metric; null for tables of means, for which it is not defined.
    pub(crate) loss: Option<f64>,
    pub(crate) cm: Option<u64>,
    /// All measures, with `--measures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) report: Option<Measures>,
    pub(crate) seconds: f64,
}

impl TableDocument {
    pub(crate) fn new(method: TableMethod, table: &Audited<MinedTable>, start: Instant) -> Self {
        let summary = &table.summary;
        Self {
            method: method.name(),
            guarantee: table.guarantee().to_vec(),
            weakened: table.weakened().to_vec(),
            raised_k: table.raised_k(),
            together: table.together().cloned(),
            rows: summary.rows,
            rows_lost: summary.rows_lost,
            rows_left_out: table.rows_left_out().clone(),
            individuals: table.table.individuals(),
            k: summary.k,
            spans: summary.groups,
            exposure: Exposure::of(table.report()),
            suppressed: summary.suppressed,
            swapped: summary.swapped,
            loss: summary.loss,
            cm: summary.cm,
            report: None,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}
