//! The arguments of `incrowd rules`.

use super::{GuaranteeFlags, MiningFiles, choice};
use clap::Args;
use incrowd::mine::rules::Usefulness;

/// Association rules nobody can be linked through: the most useful ones that keep the guarantee together, audited, and written only if the audit passes.
///
/// The data are baskets (one a line, items divided by commas, or by blanks in a .dat file) if the policy has a section items, and a table otherwise, whose items are its values.
/// Which rules are left out, and why, is said here and never written. Exit status 1: no rule keeps the guarantee.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd rules --data groceries.csv --policy policy.toml --k 50 --min-support 0.01 --min-confidence 0.3 --out rules.json\n  incrowd show rules.json"
)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// The least share of individuals that have all items of a rule.
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_support: f64,
    /// The least share of those with the left side that have the right one too.
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_confidence: f64,
    /// The most items of a rule.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) max_length: usize,
    /// The most items of a right side.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) max_consequent: usize,
    /// Which rules go first where not all can be released.
    #[arg(long, value_name = "MEASURE", value_parser = choice::<Usefulness>(), default_value_t = Usefulness::Leverage)]
    pub(crate) first: Usefulness,
    /// The most sets of items, and the most rules, that are looked at.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) most: usize,
    /// Release rules from which together sets of fewer than k people follow, and only warn of them.
    #[arg(long)]
    pub(crate) keep_channels: bool,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
