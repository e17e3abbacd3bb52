//! The arguments of `incrowd clusters`.

use super::{GuaranteeFlags, MiningFiles, choice};
use clap::Args;
use incrowd::mine::clusters::ClusterMethod;

/// Find k-anonymous clusters.
///
/// The clusters are found under the guarantee, audited, and written only if the audit passes. Each individual belongs
/// to the cluster with the nearest centroid. No cluster has fewer than k individuals, unless --smallest-bin sets
/// another limit.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd clusters --data patients.csv --policy policy.toml --k 10 --out clusters.json\n  incrowd show clusters.json"
)]
pub(crate) struct Clusters {
    #[command(flatten)]
    pub(crate) files: MiningFiles,
    /// Clustering method.
    #[arg(long, value_name = "METHOD", value_parser = choice::<ClusterMethod>(), default_value_t = ClusterMethod::Mst)]
    pub(crate) method: ClusterMethod,
    /// Maximum number of clusters.
    #[arg(long = "clusters", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) most: u32,
    /// Attributes to cluster by. Without this flag, all public and private attributes except the class are used.
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',')]
    pub(crate) attributes: Vec<String>,
    /// Do not divide each attribute by its standard deviation.
    #[arg(long)]
    pub(crate) no_scaling: bool,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}
