//! The arguments of `incrowd predict`.

use super::LookFlags;
use clap::Args;
use std::path::PathBuf;

/// Apply a tree, an ensemble (boosted trees or a forest) or clusters to the rows of a table.
///
/// A tree predicts the label of every row and, if its leaves contain counts or shares, the share of each class value.
/// An ensemble predicts both. Clusters predict the number of the nearest centroid. If the table contains the class
/// attribute, the error and a confusion matrix are reported. Without a policy, the columns that the model uses are read
/// with the kinds that it declares.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd predict tree.json --data new.csv --out predictions.csv\n  incrowd predict tree.json --data test.csv --policy policy.toml --json"
)]
pub(crate) struct Predict {
    /// Tree, ensemble or clusters: a release, or a model from another program.
    pub(crate) model: PathBuf,
    /// Table to predict for.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Policy file that describes how to read the table, and whether to leave out rows with a missing value.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "encoding", "skip_lines", "sheet", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    /// CSV file to write the label and the shares of every row to.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
}
