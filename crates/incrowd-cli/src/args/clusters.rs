//! The arguments of `incrowd clusters`.

use super::GuaranteeFlags;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Clusters nobody can be linked through: found under the guarantee, audited, and written only if the audit passes.
///
/// Everybody belongs to the nearest centroid. No cluster has fewer than k individuals, unless --smallest-bin says otherwise.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd clusters --data patients.csv --policy policy.toml --k 10 --out clusters.json\n  incrowd show clusters.json"
)]
pub(crate) struct Clusters {
    /// The table to find clusters in.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// The policy: who knows what, ranges of private numbers, and the guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Write the release here.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How the clusters are found.
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = ClusterMethodFlag::Mst)]
    pub(crate) method: ClusterMethodFlag,
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

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ClusterMethodFlag {
    /// The longest edges of a minimum spanning tree are cut while the guarantee holds.
    Mst,
    /// Lloyd's iterations, clusters merged until the guarantee holds.
    KMeans,
}
