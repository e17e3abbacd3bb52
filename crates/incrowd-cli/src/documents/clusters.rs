//! The documents of `incrowd clusters`, and of `incrowd predict` and `incrowd show` with clusters.

use super::Exposure;
use incrowd::mine::clusters::{ClusterMethod, MinedClusters};
use incrowd::model::Clusters;
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, FiguresTogether, Loaded, RaisedK};
use serde::Serialize;
use std::time::Instant;

/// Mined clusters.
#[derive(Serialize)]
pub(crate) struct ClusterDocument {
    /// The method that found the clusters.
    pub(crate) method: &'static str,
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
    /// The k that was required and the larger one that a release of a ledger was mined under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raised_k: Option<RaisedK>,
    /// What the release reveals together with the earlier ones of its ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<FiguresTogether>,
    pub(crate) rows: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    pub(crate) individuals: u64,
    pub(crate) clusters: u64,
    pub(crate) spans: u64,
    pub(crate) k: u64,
    #[serde(flatten)]
    pub(crate) exposure: Exposure,
    /// The sum of squared scaled distances to the nearest centroid.
    pub(crate) inertia: f64,
    pub(crate) seconds: f64,
}

impl ClusterDocument {
    pub(crate) fn new(method: ClusterMethod, clusters: &Audited<MinedClusters>, start: Instant) -> Self {
        let summary = &clusters.summary;
        Self {
            method: method.name(),
            guarantee: clusters.guarantee().to_vec(),
            weakened: clusters.weakened().to_vec(),
            raised_k: clusters.raised_k(),
            together: clusters.together().cloned(),
            rows: summary.rows,
            rows_left_out: clusters.rows_left_out().clone(),
            individuals: summary.individuals,
            clusters: summary.clusters,
            spans: summary.spans,
            k: summary.k,
            exposure: Exposure::of(clusters.report()),
            inertia: summary.inertia,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

/// The clusters of new rows.
#[derive(Serialize)]
pub(crate) struct ClusterPredictions {
    /// The rows predicted.
    pub(crate) rows: u64,
    /// The rows left out because a value is missing, according to the policy.
    pub(crate) rows_left_out: RowsLeftOut,
    /// How many rows belong to each cluster.
    pub(crate) clusters: Vec<u64>,
    /// The sum of squared scaled distances to the nearest centroid.
    pub(crate) inertia: f64,
    /// The clusters of the first rows, counted from 1.
    pub(crate) first: Vec<u32>,
    pub(crate) seconds: f64,
}

/// Clusters from a file.
#[derive(Serialize)]
pub(crate) struct ShownClusters<'a> {
    clusters: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    /// Whether individuals have several rows: each counts in every cluster in which they have a row.
    several_rows: bool,
    axes: Vec<ShownAxis<'a>>,
    centroids: Vec<ShownCentroid<'a>>,
}

#[derive(Serialize)]
struct ShownAxis<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    values: &'a [String],
    scale: f64,
    /// Whether its numbers are days since 1970-01-01.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dates: bool,
}

#[derive(Serialize)]
struct ShownCentroid<'a> {
    center: &'a [f64],
    #[serde(skip_serializing_if = "Option::is_none")]
    population: Option<u64>,
}

impl<'a> ShownClusters<'a> {
    pub(crate) fn new(loaded: &Loaded, clusters: &'a Clusters) -> Self {
        Self {
            clusters: clusters.centroids().len(),
            individuals: loaded.individuals(),
            several_rows: loaded.has_several_rows(),
            axes: clusters
                .axes()
                .iter()
                .map(|axis| ShownAxis {
                    name: &axis.name,
                    values: axis.names(),
                    scale: axis.scale,
                    dates: axis.dates,
                })
                .collect(),
            centroids: clusters
                .centroids()
                .iter()
                .map(|c| ShownCentroid { center: &c.center, population: c.population })
                .collect(),
        }
    }
}
