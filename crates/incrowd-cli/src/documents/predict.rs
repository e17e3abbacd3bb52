//! The document of `incrowd predict` with a tree.

use incrowd::predict::{Evaluation, UnseenValues};
use incrowd::table::RowsLeftOut;
use serde::Serialize;

/// The predictions for new rows, and their error.
#[derive(Serialize)]
pub(crate) struct PredictionDocument {
    /// The rows predicted.
    pub(crate) rows: u64,
    /// The rows left out because a value is missing, according to the policy.
    pub(crate) rows_left_out: RowsLeftOut,
    /// How many rows have a value that the model does not know, by attribute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unseen: Vec<UnseenValues>,
    /// The share of rows predicted wrongly, if the table has the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy: Option<f64>,
    /// The class values, in the order of the confusion matrix and of shares.
    pub(crate) classes: Vec<String>,
    /// The rows evaluated, and the confusion matrix: for each actual class how often each class was predicted.
    #[serde(flatten)]
    pub(crate) evaluation: Option<Evaluation>,
    /// Whether the individuals that the tree was made from have several rows: a share is then one of counts, in which
    /// an individual counts once for every class value they have in the leaf.
    pub(crate) several_rows: bool,
    /// The first rows.
    pub(crate) first: Vec<RowPrediction>,
    pub(crate) seconds: f64,
}

/// The prediction for a row.
#[derive(Serialize)]
pub(crate) struct RowPrediction {
    pub(crate) prediction: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shares: Option<Vec<f64>>,
}
