//! The arguments of `incrowd transform`.

use super::LookFlags;
use clap::Args;
use std::path::PathBuf;

/// Recode new rows like a released table.
///
/// Each row gets the public cells of the nearest group of the released table, so that a model trained on that table can
/// be applied to it. The released table must be in the same folder as its release file. With a policy, private columns
/// are kept unchanged; without one, only the recoded columns are kept. Identifiers and the subject are never kept. The
/// result is not a release: it is not audited, and nothing is guaranteed about it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd transform anon.json --data new.csv --policy policy.toml --out new-anon.csv"
)]
pub(crate) struct Transform {
    /// Release file of a table made by incrowd.
    pub(crate) release: PathBuf,
    /// Table of new rows.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Policy file that describes how to read the new rows and which of their columns are private.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "encoding", "skip_lines", "sheet", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    /// File to write the recoded rows to: .csv, .arff or .parquet.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Write representatives of the cells (means of numbers, most frequent categories), if the release file states them.
    #[arg(long)]
    pub(crate) representatives: bool,
    #[command(flatten)]
    pub(crate) look: LookFlags,
}
