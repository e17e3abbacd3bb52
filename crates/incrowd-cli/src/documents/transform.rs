//! The document of `incrowd transform`.

use incrowd::recoding::RecodingCounts;
use incrowd::table::RowsLeftOut;
use serde::Serialize;

/// Rows recoded like a released table.
#[derive(Serialize)]
pub(crate) struct TransformDocument {
    #[serde(flatten)]
    pub(crate) counts: RecodingCounts,
    /// The rows left out because a value is missing, according to the policy.
    pub(crate) rows_left_out: RowsLeftOut,
    /// The columns written.
    pub(crate) columns: Vec<String>,
    pub(crate) columns_left_out: Vec<String>,
    /// Always false: the rows are not a release.
    pub(crate) audited: bool,
    pub(crate) seconds: f64,
}
