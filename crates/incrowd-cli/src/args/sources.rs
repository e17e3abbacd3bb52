//! The files of a mining command.

use clap::Args;
use std::path::PathBuf;

/// The files that a mining command reads and writes.
#[derive(Debug, Args)]
pub(crate) struct MiningFiles {
    /// Table to read: CSV, UCI .data, ARFF or Parquet. Rules can also be mined from baskets.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Policy file: roles, taxonomies, class and guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// File to write the release to. For a table, it must end in .csv, .arff or .parquet.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}
