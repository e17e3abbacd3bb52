//! The arguments of `incrowd clusters`.

use super::{GuaranteeFlags, MiningFiles, choice};
use clap::Args;
use incrowd::mine::clusters::Method;

/// Clusters nobody can be linked through: found under the guarantee, audited, and written only if the audit passes.
///
/// Everybody belongs to the nearest centroid. No cluster has fewer than k individuals, unless --smallest-bin says otherwise.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd clusters --data patients.csv --policy policy.toml --k 10 --out clusters.json\n  incrowd show clusters.json"
)]
pub(crate) struct Clusters {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// How the clusters are found.
    #[arg(long, value_name = "METHOD", value_parser = choice::<Method>(), default_value_t = Method::Mst)]
    pub(crate) method: Method,
    /// The most clusters.
    #[arg(long = "clusters", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) most: u32,
    /// Cluster by these attributes; by all public and private ones except the class if not given.
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',')]
    pub(crate) attributes: Vec<String>,
    /// Take the attributes as they are, instead of dividing each by its standard deviation.
    #[arg(long)]
    pub(crate) no_scaling: bool,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
