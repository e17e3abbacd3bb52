//! The arguments of `incrowd tree`.

use super::{GuaranteeFlags, MiningFiles, choice};
use clap::{Args, ValueEnum};
use incrowd::mine::tree::TreeMethod;

/// Train a k-anonymous decision tree.
///
/// The tree is grown under the guarantee, audited, and written only if the audit passes.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd tree --data patients.csv --policy policy.toml --k 10 --out tree.json\n  incrowd show tree.json"
)]
pub(crate) struct Tree {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// Method that grows the tree.
    #[arg(long, value_name = "METHOD", value_parser = choice::<TreeMethod>(), default_value_t = TreeMethod::Best)]
    pub(crate) method: TreeMethod,
    /// Only with best: maximum number of leaves before pruning.
    #[arg(long, value_name = "N", default_value_t = 255, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_leaves: u32,
    /// Only with kadet-c45: do not prune.
    #[arg(long)]
    pub(crate) no_prune: bool,
    /// Only with best: choose nothing by cross-validation. Splits are by entropy, and only subtrees that save no error are cut off. Needed for a table in a database, whose rows stay there.
    #[arg(long)]
    pub(crate) no_sample: bool,
    /// What the release states about the individuals in a leaf. The audit always assumes that counts are released.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = DetailFlag::Counts)]
    pub(crate) detail: DetailFlag,
    /// Only with --detail shares: number of decimal digits. The default is 2 (whole percent).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=9))]
    pub(crate) digits: Option<u8>,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DetailFlag {
    /// The number of individuals of each class value, and the label.
    Counts,
    /// The share of each class value, rounded, and the label.
    Shares,
    /// The label only.
    Labels,
}
