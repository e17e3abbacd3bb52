//! The arguments of `incrowd table`.

use super::sources::helped;
use super::{GuaranteeFlags, MiningFiles, choice, share};
use clap::Args;
use incrowd::mine::Structure;
use incrowd::mine::table::{Average, Common, Criterion, TableMethod};
use incrowd::mine::tree;
use std::path::PathBuf;

/// Make a k-anonymous table that others can mine.
///
/// Public cells (quasi-identifiers) are generalized, suppressed or swapped until every group of rows with equal public
/// cells (equivalence class) satisfies the guarantee. Private columns do not change (except with --method spans). The
/// table and a small release file (.json) next to it are kept only if the audit of the written table passes.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    mut_args(|flag| helped(flag, "out", "Table to write; it must end in .csv, .arff or .parquet")),
    after_help = "Examples:\n  incrowd table --data patients.csv --policy policy.toml --k 10 --out anon.csv --measures\n  incrowd audit anon.json --policy policy.toml --k 10"
)]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// Anonymization method.
    #[arg(long, value_name = "METHOD", value_parser = choice::<TableMethod>(), default_value_t = TableMethod::Best)]
    pub(crate) method: TableMethod,
    /// Report all measures of information loss.
    #[arg(long)]
    pub(crate) measures: bool,
    /// Also write a data dictionary of the released table: its columns, how cells are written and what they cover. The
    /// file must end in .md or .json.
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,
    /// Make the table agree with its recoding: `incrowd transform` gives the rows of the data exactly their released
    /// cells. Such a table can be audited together with other releases. Groups that overlap may be merged.
    #[arg(long)]
    pub(crate) closed: bool,
    /// Only with spans: method that grows the tree.
    #[arg(long, value_name = "METHOD", value_parser = choice::<tree::TreeMethod>(), default_value_t = tree::TreeMethod::Best)]
    pub(crate) tree: tree::TreeMethod,
    /// Only with kactus2: swap values if a leaf is short of k by at most this share of k.
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = share)]
    pub(crate) swapping: f64,
    /// Only with kactus2: follow the paper exactly, including its errors. Tables that fail the audit are refused.
    #[arg(long)]
    pub(crate) as_printed: bool,
    /// Only with aggregate: noise as a share of an attribute's standard deviation.
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share)]
    pub(crate) noise: f64,
    /// Only with aggregate: value that replaces the numbers of a group.
    #[arg(long, value_name = "HOW", value_parser = choice::<Average>(), default_value_t = Average::Mean)]
    pub(crate) average: Average,
    /// Only with aggregate: value that replaces the categories of a group.
    #[arg(long, value_name = "HOW", value_parser = choice::<Common>(), default_value_t = Common::Frequent)]
    pub(crate) common: Common,
    /// Only with mondrian: criterion for choosing splits.
    #[arg(long, value_name = "WHAT", value_parser = choice::<Criterion>(), default_value_t = Criterion::Loss)]
    pub(crate) criterion: Criterion,
    /// Only with mondrian: what the groups may depend on.
    #[arg(long, value_name = "STRUCTURE", value_parser = choice::<Structure>(), default_value_t = Structure::Free)]
    pub(crate) structure: Structure,
    /// Only with finest: rounds of improvement. More rounds take longer and lose less information.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) rounds: u32,
    /// Only with mondrian and finest: leave out at most this share of the individuals (0 to 0.5, such as 1%) if that
    /// lowers the loss of the rest.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub(crate) max_suppressed: f64,
    /// State representatives of each group's cells in the release file: means of numbers, most frequent categories.
    /// Rows get the cells that `incrowd transform` would give them.
    #[arg(long)]
    pub(crate) representatives: bool,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
