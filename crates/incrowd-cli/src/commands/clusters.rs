//! `incrowd clusters`: clusters nobody can be linked through.

use super::exposure::Exposure;
use super::guarantee::guarantee;
use super::{figures, warn_left_out};
use crate::Outcome;
use crate::args::{ClusterMethodFlag, Clusters as Arguments, Common};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::files::Reading;
use incrowd::io::TableRead;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::io::release::{ModelRelease, Origin, Release, write_release};
use incrowd::io::write::refuse_existing;
use incrowd::mine::clusters::{CheckedClusterParams, ClusterParams, Method, Mined, Scaling, mine_clusters};
use incrowd::model::Model;
use incrowd::table::RowsLeftOut;
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// How the clusters were found.
    pub(crate) method: &'static str,
    /// What they were asked to guarantee.
    pub(crate) guarantee: Vec<String>,
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
    refuse_existing(&arguments.out, common.force)?;
    let policy = PolicyFile::read(&arguments.policy)?;
    let params = params(arguments, &policy, common.seed)?;
    let bar = Bar::new(common.quiet);
    let reading = Reading { threads: common.threads, progress: &bar };
    let TableRead { table, rows_left_out, .. } = reading.table(&arguments.data, &policy, Purpose::Source)?;
    warn_left_out(console, &rows_left_out);
    let mined = mine_clusters(&table, &policy.policy, &params, &bar)
        .map_err(|error| error.in_file(&arguments.data))?;
    mined.warnings.iter().for_each(|warning| console.warn(warning));
    let document = document(&params, &mined, rows_left_out, start);
    let shown = text::clusters::centroids(&mined.clusters);
    write_release(&arguments.out, &release(mined, &document)?, common.force)?;
    console.result(&document, || text::clusters::mined(&document, &shown, &arguments.out))?;
    Ok(Outcome::Done)
}

fn params(arguments: &Arguments, policy: &PolicyFile, seed: u64) -> Result<CheckedClusterParams> {
    let method = match arguments.method {
        ClusterMethodFlag::Mst => Method::Mst,
        ClusterMethodFlag::KMeans => Method::KMeans,
    };
    let guarantee = guarantee(&policy.policy.guarantee, &arguments.guarantee)?;
    let mut params = ClusterParams::new(method, guarantee);
    params.clusters = arguments.most;
    params.attributes.clone_from(&arguments.attributes);
    params.scaling = if arguments.no_scaling { Scaling::None } else { Scaling::Deviation };
    params.seed = seed;
    params.check()
}

fn document(
    params: &CheckedClusterParams,
    mined: &Mined,
    rows_left_out: RowsLeftOut,
    start: Instant,
) -> Document {
    let summary = &mined.summary;
    Document {
        method: params.method.name(),
        guarantee: mined.report.guarantee(),
        rows: summary.rows,
        rows_left_out,
        individuals: summary.individuals,
        clusters: summary.clusters,
        spans: summary.spans,
        k: summary.k,
        exposure: Exposure::of(&mined.report),
        inertia: summary.inertia,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// The release. Its figures leave the inertia out: it is a sum over private values to the last digit, and nothing reads it.
fn release(mined: Mined, document: &Document) -> Result<Release> {
    let origin = Origin {
        method: Some(document.method.to_owned()),
        guarantee: document.guarantee.clone(),
        measured: measured(document)?,
        ..Origin::default()
    };
    Ok(Release::Model(ModelRelease {
        model: Model::Clusters(mined.clusters),
        individuals: Some(document.individuals),
        origin,
    }))
}

fn measured(document: &Document) -> Result<Map<String, Value>> {
    figures(serde_json::json!({
        "clusters": document.clusters,
        "spans": document.spans,
        "k": document.k,
        "exposed": document.exposure.exposed,
        "at_most": document.exposure.at_most,
        "max_confidence": document.exposure.max_confidence,
    }))
}
