//! What a release leaves possible although its guarantee holds: part of every summary.

use incrowd::audit::{ExposedTo, Report};
use serde::Serialize;

/// Who is exposed to what, and how sure an attacker can be.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Exposure {
    /// The individuals exposed to certain inference of some private attribute.
    pub(crate) exposed: u64,
    /// The same for each attribute, beside the share of its most frequent value in the whole table.
    pub(crate) exposed_to: Vec<ExposedTo>,
    /// The individuals for whom a value of some private attribute is ruled out, those exposed included.
    pub(crate) excluded: u64,
    /// Whether these numbers are upper bounds: individuals have several rows, or what is told in less detail is audited as if it were told whole.
    pub(crate) at_most: bool,
    /// The individuals whose groups over all of their rows no other individual has, where some individual has several rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alone_over_rows: Option<u64>,
    /// The population of the smallest bin, or of the smallest cell that can be worked out, where it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) smallest_bin: Option<u64>,
    /// The private values in print that too few individuals share and that the policy does not declare.
    pub(crate) rare_values: u64,
    /// The highest confidence in a private value; none where the release tells of no attribute the guarantee looks at.
    pub(crate) max_confidence: Option<f64>,
    /// The attributes it was measured for.
    pub(crate) confidence_of: Vec<String>,
}

impl Exposure {
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            exposed: report.exposed,
            exposed_to: report.exposed_to.clone(),
            excluded: report.excluded,
            at_most: report.at_most,
            alone_over_rows: report.alone_over_rows,
            smallest_bin: report.smallest_bin,
            rare_values: report.rare_values,
            max_confidence: report.max_confidence,
            confidence_of: report.confidence_of.clone(),
        }
    }
}
