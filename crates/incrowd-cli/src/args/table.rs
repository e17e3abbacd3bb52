//! The arguments of `incrowd table`.

use super::{GuaranteeFlags, MethodFlag};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// A table that others can mine: public cells are generalized, suppressed or exchanged until every group of equal ones keeps the guarantee; private
/// columns stay as they are. Written only if the audit of the written file passes, with a small release file (.json) beside it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd table --data patients.csv --policy policy.toml --k 10 --out anon.csv --report\n  incrowd audit anon.json --policy policy.toml --k 10"
)]
pub(crate) struct Table {
    /// The table to release.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// The policy: who knows what, the class, taxonomies, and the guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Write the table here: .csv, .arff or .parquet.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How the table is made.
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = TableMethodFlag::Best)]
    pub(crate) method: TableMethodFlag,
    /// Report every measure of what the table lost.
    #[arg(long)]
    pub(crate) report: bool,
    /// spans: how the tree is grown.
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = MethodFlag::Best)]
    pub(crate) tree: MethodFlag,
    /// kactus2: swap if at most this share of k is lacking.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    pub(crate) swapping: f64,
    /// kactus2: as the paper prints it, faults and all; refused where it is unsafe.
    #[arg(long)]
    pub(crate) as_printed: bool,
    /// aggregate: noise as a share of an attribute's standard deviation.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) noise: f64,
    /// aggregate: what the numbers of a group become.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = AverageFlag::Mean)]
    pub(crate) average: AverageFlag,
    /// aggregate: what the names of a group become.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = CommonFlag::Frequent)]
    pub(crate) common: CommonFlag,
    /// mondrian: what it divides by.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CriterionFlag::Loss)]
    pub(crate) criterion: CriterionFlag,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TableMethodFlag {
    /// Class-aware groups and cuts, chosen by measurement.
    Best,
    /// What a tree under the guarantee tells, as a table.
    Spans,
    /// Suppression along a classification tree.
    Kactus,
    /// The same with swapping and chosen records.
    Kactus2,
    /// A tree on noisy numbers; groups show means and most frequent values.
    Aggregate,
    /// Top-down specialization: one cut through each taxonomy.
    Tds,
    /// Top-down refinement: the same, with suppressed values.
    Tdr,
    /// Multidimensional partitioning.
    Mondrian,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum AverageFlag {
    /// Their mean.
    Mean,
    /// Their median.
    Median,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CommonFlag {
    /// The most frequent.
    Frequent,
    /// Their lowest common ancestor in the taxonomy.
    Ancestor,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CriterionFlag {
    /// The widest range, at the median.
    Width,
    /// The highest information gain about the class.
    Gain,
    /// The largest fall of the loss metric.
    Loss,
}
