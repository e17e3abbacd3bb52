//! The arguments of `incrowd profile`.

use super::{LookFlags, choice};
use clap::Args;
use incrowd::guarantee::Preset;
use std::path::PathBuf;

/// Measure how identifying the columns of a table and their combinations are, and write a first policy.
///
/// Also finds columns whose values follow from other columns (functional dependencies).
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd profile patients.csv --missing '?' --out policy.toml")]
pub(crate) struct Profile {
    /// Table or baskets to read: CSV, TSV, UCI .data, ARFF, JSON lines (all also .gz or .zip), Parquet or Excel (.xlsx);
    /// - for standard input; a pattern such as 'visits-*.csv' for several files with the same columns.
    pub(crate) file: PathBuf,
    /// File to write a first policy to, with a comment on every guess.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Policy file whose [file] section describes how to read the table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "encoding", "skip_lines", "sheet", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    /// List the columns that a guideline restricts, as far as their names show (hipaa-safe-harbor).
    #[arg(long, value_name = "NAME", value_parser = choice::<Preset>())]
    pub(crate) preset: Option<Preset>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
    /// Report groups of fewer than N individuals as small.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) few: u64,
}
