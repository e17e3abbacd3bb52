//! The arguments of `incrowd demo`.

use clap::Args;
use std::path::PathBuf;

/// Demonstrate linking attacks and k-anonymous releases on built-in data.
///
/// Shows how identifying a clinic's table is, what a linking attack finds in it, and the audit of a release.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd demo --out clinic\n  incrowd audit clinic/tree.json --data clinic/patients.csv --policy clinic/policy.toml"
)]
pub(crate) struct Demo {
    /// Number of patients.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub(crate) patients: u32,
    /// Folder to write the clinic's table, its policy and the release to.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}
