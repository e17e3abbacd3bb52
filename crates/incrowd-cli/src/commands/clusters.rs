//! `incrowd clusters`: finds k-anonymous clusters.

use super::exposure::Exposure;
use super::mining;
use crate::Outcome;
use crate::args::{Clusters as Arguments, Common};
use crate::console::Console;
use crate::text;
use incrowd::mine::clusters::{Method, MinedClusters, Scaling};
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, Result};
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// The method that found the clusters.
    pub(crate) method: &'static str,
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
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

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let clusters = data
        .clusters()
        .request(arguments.guarantee.request())
        .method(arguments.method)
        .clusters(arguments.most)
        .attributes(arguments.attributes.clone())
        .seed(common.seed)
        .with(|params| params.scaling = scaling(arguments))
        .mine()?;
    mining::warn(&clusters, console);
    clusters.write_as(&arguments.files.out, mining::existing(common))?;
    let document = document(arguments.method, &clusters, start);
    let shown = text::clusters::centroids(&clusters.clusters);
    console.result(&document, || text::clusters::mined(&document, &shown, &arguments.files.out))?;
    Ok(Outcome::Done)
}

fn scaling(arguments: &Arguments) -> Scaling {
    if arguments.no_scaling { Scaling::None } else { Scaling::Deviation }
}

fn document(method: Method, clusters: &Audited<MinedClusters>, start: Instant) -> Document {
    let summary = &clusters.summary;
    Document {
        method: method.name(),
        guarantee: clusters.guarantee().to_vec(),
        weakened: clusters.weakened().to_vec(),
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
