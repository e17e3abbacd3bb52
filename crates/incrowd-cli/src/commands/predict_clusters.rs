//! `incrowd predict` with clusters: whose centroid is the nearest.

use crate::Outcome;
use crate::args::{Common, Predict};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::io::{Maker, cluster_plan, read_table, write_cluster_numbers};
use incrowd::model::Clusters;
use incrowd::predict::nearest_centroids;
use incrowd::table::RowsLeftOut;
use serde::Serialize;
use std::time::Instant;

/// How many rows are shown.
const SHOWN: usize = 10;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// The rows predicted.
    pub(crate) rows: u64,
    /// The rows left out because a value is missing, as the policy says.
    rows_left_out: RowsLeftOut,
    /// How many rows belong to each cluster.
    pub(crate) clusters: Vec<u64>,
    /// The sum of squared scaled distances to the nearest centroid.
    inertia: f64,
    /// The clusters of the first rows, counted from 1.
    pub(crate) first: Vec<u32>,
    seconds: f64,
}

pub(crate) fn run(
    clusters: &Clusters,
    maker: &Maker,
    arguments: &Predict,
    common: &Common,
    console: &Console,
) -> Result<Outcome> {
    let start = Instant::now();
    let plan = match &arguments.policy {
        Some(policy) => PolicyFile::read(policy)?.read_plan(Purpose::Source),
        None => arguments.look.plan(),
    };
    let plan = cluster_plan(clusters, maker, plan).map_err(|error| error.in_file(&arguments.model))?;
    let read = read_table(&arguments.data, &plan, common.threads, &Bar::new(common.quiet))
        .map_err(|error| super::predict::with_flags(error, arguments))?;
    let predicted =
        nearest_centroids(&read.table, clusters).map_err(|error| error.in_file(&arguments.data))?;
    if let Some(out) = &arguments.out {
        write_cluster_numbers(out, &predicted.cluster_of_row, common.force)?;
    }
    let mut counts = vec![0; clusters.centroids().len()];
    predicted.cluster_of_row.iter().for_each(|&cluster| counts[cluster as usize] += 1);
    let document = Document {
        rows: predicted.cluster_of_row.len() as u64,
        rows_left_out: read.rows_left_out,
        clusters: counts,
        inertia: predicted.inertia,
        first: predicted.cluster_of_row.iter().take(SHOWN).map(|cluster| cluster + 1).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    console.result(&document, || text::clusters::predicted(&document, arguments.out.is_none()))?;
    if document.rows_left_out.total > 0 {
        console.warn(&format!("{} are left out, as the policy says", document.rows_left_out));
    }
    if let Some(out) = &arguments.out {
        console.note(&format!("the clusters are in {}", out.display()));
    }
    Ok(Outcome::Done)
}
