//! The arguments of `incrowd audit`.

use super::GuaranteeFlags;
use clap::Args;
use std::path::PathBuf;

/// Is this release, or this table, safe? Who is exposed, and how?
///
/// Exit status 0: the guarantee holds; 1: breach; 2: it could not be checked. Without a k in the policy or here, the largest k that holds is reported.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd audit tree.json --data patients.csv --policy policy.toml --k 10\n  incrowd audit --table released.csv --policy policy.toml --k 5 --distinct-l 2 --json"
)]
pub(crate) struct Audit {
    /// The release file: a tree, clusters, rules, or the sidecar of a table; or a model made elsewhere (trees of scikit-learn as JSON, PMML, ONNX; rules of arules and mlxtend).
    #[arg(required_unless_present = "table", conflicts_with = "table")]
    pub(crate) release: Option<PathBuf>,
    /// The table, or the baskets, the release was made from.
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub(crate) data: Option<PathBuf>,
    /// Audit this table, whoever made it, as it stands.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// --table: audit as if these columns were left out. The policy's subject column still tells individuals apart.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', requires = "table")]
    pub(crate) without: Vec<String>,
    /// The policy: who knows what, and the guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
