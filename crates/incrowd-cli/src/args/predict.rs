//! The arguments of `incrowd predict`.

use super::LookFlags;
use clap::Args;
use std::path::PathBuf;

/// What a tree says of every row of a table: its label and, where the tree tells populations or shares, the share of each class value.
///
/// Of clusters, the number of the nearest centroid. If the table has the class of a tree, the error and a confusion matrix are reported. Without a policy, the columns the model rests on are read as it declares them.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd predict tree.json --data new.csv --out predictions.csv\n  incrowd predict tree.json --data test.csv --policy policy.toml --json"
)]
pub(crate) struct Predict {
    /// The tree or clusters: a release, or made elsewhere.
    pub(crate) model: PathBuf,
    /// The table to predict for.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Read the table as this policy says; rows with a missing value are left out if it says so.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    /// Write the label and the shares of every row here, as CSV.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
}
