//! What a release of a ledger reveals together with the others.

use super::LedgerRequest;
use super::earlier::find;
use incrowd_core::Result;
use incrowd_core::audit::JointReport;
use incrowd_io::ledger::LedgerFile;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What someone who has several releases of one table finds: the figures of their joint audit. Exposure is an upper
/// bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FiguresTogether {
    /// The number of releases.
    pub releases: u64,
    /// Whether every requirement holds for all of them together.
    pub holds: bool,
    /// The largest k that holds.
    pub k: u64,
    /// The number of joint spans.
    pub spans: u64,
    /// The individuals with a private value that can be inferred with certainty, at most; none if individuals have
    /// several rows: what their rows reveal together over several releases is not derived.
    pub exposed: Option<u64>,
    /// At least so many have such a value: by one of the releases alone.
    pub exposed_at_least: u64,
    /// The highest confidence in a private value, over the attributes that the guarantee covers; none if it covers none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_confidence: Option<f64>,
}

impl FiguresTogether {
    pub(crate) fn of(report: &JointReport) -> Self {
        let together = &report.together;
        Self {
            releases: report.releases.len() as u64,
            holds: report.holds,
            k: together.k,
            spans: together.spans,
            exposed: (together.exposed == 0 || !together.has_several_rows()).then_some(together.exposed),
            exposed_at_least: together.surely_exposed(),
            max_confidence: together.max_confidence,
        }
    }
}

/// The release files of a ledger, where they were recorded.
///
/// # Errors
/// When one of them is missing or is another one.
pub(crate) fn files_of_ledger(path: &Path) -> Result<Vec<PathBuf>> {
    let ledger = LedgerFile::read(path, || Ok(()))?;
    let request = LedgerRequest { path: path.to_owned(), moved: Vec::new() };
    ledger.records.iter().map(|record| find(&request, record)).collect()
}
