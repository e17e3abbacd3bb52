//! The arguments of `incrowd boost`.

use super::{GuaranteeFlags, MiningFiles, choice, share};
use clap::Args;
use incrowd::mine::Structure;
use incrowd::mine::boost::ScoreDetail;

/// Train k-anonymous boosted trees.
///
/// Public attributes are recoded into cells under the guarantee; gradient boosting then learns from the cells and the
/// private attributes. How fine the cells are, how large the trees, the learning rate and the number of rounds are
/// chosen by cross-validation. The ensemble is audited, and written only if the audit passes.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd boost --data patients.csv --policy policy.toml --k 10 --out boosted.json\n  incrowd predict boosted.json --data new.csv"
)]
pub(crate) struct Boost {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// Maximum number of rounds.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) rounds: u32,
    /// Maximum number of leaves per tree. Default: 8, 15 or 31, chosen by cross-validation.
    #[arg(long, value_name = "N")]
    pub(crate) leaves: Option<u32>,
    /// Share of a tree's correction that is added. Default: 0.1 or 0.05, chosen by cross-validation.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) learning_rate: Option<f64>,
    /// Share of the features that each tree may test. Default: 0.5 or 0.3, chosen by cross-validation.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) columns: Option<f64>,
    /// Smallest number of individuals per leaf. Default: k or 20, whichever is smaller.
    #[arg(long, value_name = "N")]
    pub(crate) min_leaf: Option<u64>,
    /// What the release states about a leaf.
    #[arg(long, value_name = "WHAT", value_parser = choice::<ScoreDetail>(), default_value_t = ScoreDetail::Scores)]
    pub(crate) detail: ScoreDetail,
    /// Only with --detail scores: number of decimal digits of a score, from 1 to 9. The default is 6.
    #[arg(long, value_name = "N")]
    pub(crate) digits: Option<u8>,
    /// Weight class values as if they were equally frequent.
    #[arg(long)]
    pub(crate) balanced: bool,
    /// What the cells of public attributes may depend on.
    #[arg(long, value_name = "STRUCTURE", value_parser = choice::<Structure>(), default_value_t = Structure::Free)]
    pub(crate) structure: Structure,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
