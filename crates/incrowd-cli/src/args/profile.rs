//! The arguments of `incrowd profile`.

use super::LookFlags;
use clap::Args;
use std::path::PathBuf;

/// How identifying each column and combination of columns is, and what follows from what; writes a first policy.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd profile patients.csv --missing '?' --out policy.toml")]
pub(crate) struct Profile {
    /// The table: CSV, TSV, UCI .data, ARFF (also .gz), or Parquet.
    pub(crate) file: PathBuf,
    /// Write a first policy here, with a comment on every guess.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Read the table as this policy's [file] part says.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
    /// Call groups of fewer individuals than this few.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) few: u64,
}
