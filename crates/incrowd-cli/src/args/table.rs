//! The arguments of `incrowd table`.

use super::{GuaranteeFlags, MiningFiles, choice};
use clap::Args;
use incrowd::mine::table::{Average, Common, Criterion, Method};
use incrowd::mine::tree;

/// A table that others can mine: public cells are generalized, suppressed or exchanged until every group of equal ones keeps the guarantee; private
/// columns stay as they are. Written only if the audit of the written file passes, with a small release file (.json) beside it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd table --data patients.csv --policy policy.toml --k 10 --out anon.csv --report\n  incrowd audit anon.json --policy policy.toml --k 10"
)]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// How the table is made.
    #[arg(long, value_name = "METHOD", value_parser = choice::<Method>(), default_value_t = Method::Best)]
    pub(crate) method: Method,
    /// Report every measure of what the table lost.
    #[arg(long)]
    pub(crate) report: bool,
    /// spans: how the tree is grown.
    #[arg(long, value_name = "METHOD", value_parser = choice::<tree::Method>(), default_value_t = tree::Method::Best)]
    pub(crate) tree: tree::Method,
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
    #[arg(long, value_name = "HOW", value_parser = choice::<Average>(), default_value_t = Average::Mean)]
    pub(crate) average: Average,
    /// aggregate: what the names of a group become.
    #[arg(long, value_name = "HOW", value_parser = choice::<Common>(), default_value_t = Common::Frequent)]
    pub(crate) common: Common,
    /// mondrian: what it divides by.
    #[arg(long, value_name = "WHAT", value_parser = choice::<Criterion>(), default_value_t = Criterion::Loss)]
    pub(crate) criterion: Criterion,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
