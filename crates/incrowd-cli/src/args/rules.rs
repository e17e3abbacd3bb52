//! The arguments of `incrowd rules`.

use super::sources::helped;
use super::{GuaranteeFlags, MiningFiles, choice, share};
use clap::Args;
use incrowd::mine::rules::Usefulness;

/// Find k-anonymous association rules.
///
/// Finds the most useful rules that together satisfy the guarantee, audits them, and writes them only if the audit
/// passes. Rules that are left out are reported with the reason and never written.
///
/// With an items section in the policy, each line of the file is a basket: items separated by commas, or by
/// spaces in a .dat file. Otherwise the data are a table, and its values are the items.
///
/// If no rule satisfies the guarantee, the exit status is 1.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    mut_args(|flag| helped(flag, "data", "Table or baskets to read: CSV, TSV, UCI .data, ARFF, JSON lines (all also .gz or .zip), Parquet, Excel (.xlsx) or FIMI .dat; - for standard input. Can be given several times, and can be a pattern such as 'visits-*.csv': files of the same form are read as one")),
    after_help = "Examples:\n  incrowd rules --data groceries.csv --policy policy.toml --k 50 --min-support 0.01 --min-confidence 0.3 --out rules.json\n  incrowd show rules.json"
)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// Minimum share of individuals who have all items of a rule.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) min_support: f64,
    /// Minimum share of the individuals with a rule's left side who also have its right side.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) min_confidence: f64,
    /// Maximum number of items in a rule.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) max_length: usize,
    /// Maximum number of items on the right side of a rule.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) max_consequent: usize,
    /// Measure that decides which rules to prefer if not all of them can be released.
    #[arg(long, value_name = "MEASURE", value_parser = choice::<Usefulness>(), default_value_t = Usefulness::Leverage)]
    pub(crate) first: Usefulness,
    /// Maximum number of item sets, and of rules, to consider.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) most: usize,
    /// Release rules even if together they reveal groups of fewer than k individuals, and only warn.
    #[arg(long)]
    pub(crate) keep_channels: bool,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
