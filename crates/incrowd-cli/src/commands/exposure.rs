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
    /// The highest confidence in a private value; none where the release tells of no attribute the guarantee looks at.
    pub(crate) max_confidence: Option<f64>,
    /// The attributes it was measured for.
    pub(crate) confidence_of: Vec<String>,
    /// Whether the numbers are upper bounds: individuals have several rows, or what is told in less detail is audited as if it were told whole.
    #[serde(skip)]
    pub(crate) is_bound: bool,
}

impl Exposure {
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            exposed: report.exposed,
            exposed_to: report.exposed_to.clone(),
            excluded: report.excluded,
            max_confidence: report.max_confidence,
            confidence_of: report.confidence_of.clone(),
            is_bound: report.at_most,
        }
    }
}
