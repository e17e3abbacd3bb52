//! The files of a mining command.

use clap::Args;
use std::path::PathBuf;

/// What a mining command reads and writes.
#[derive(Debug, Args)]
pub(crate) struct MiningFiles {
    /// Read this table (CSV, UCI .data, ARFF or Parquet; rules also read baskets).
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Read the policy from here: roles, taxonomies, the class and the guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Write the release here; a table as .csv, .arff or .parquet.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}
