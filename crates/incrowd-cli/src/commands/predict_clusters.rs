//! `incrowd predict` with clusters: the nearest centroid of each row.

use crate::Outcome;
use crate::args::{Common, Predict};
use crate::console::Console;
use crate::documents::ClusterPredictions;
use crate::text;
use incrowd::io::write_cluster_numbers;
use incrowd::{Loaded, PredictionResult, Result};
use std::time::Instant;

/// The maximum number of displayed rows.
const SHOWN: usize = 10;

pub(crate) fn run(
    loaded: &Loaded,
    arguments: &Predict,
    common: &Common,
    console: &Console,
) -> Result<Outcome> {
    let start = Instant::now();
    let PredictionResult { predictions: predicted, rows_left_out, left_out_at, .. } =
        super::predict::job(loaded, arguments, common)?
            .clusters()
            .map_err(|error| super::predict::with_flags(error, arguments))?;
    if let Some(out) = &arguments.out {
        write_cluster_numbers(out, &predicted.cluster_of_row, &left_out_at, common.force)?;
    }
    let mut counts = vec![0; loaded.clusters().map_or(0, |clusters| clusters.centroids().len())];
    predicted.cluster_of_row.iter().for_each(|&cluster| counts[cluster as usize] += 1);
    let document = ClusterPredictions {
        rows: predicted.cluster_of_row.len() as u64,
        rows_left_out,
        clusters: counts,
        inertia: predicted.inertia,
        first: predicted.cluster_of_row.iter().take(SHOWN).map(|cluster| cluster + 1).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    console.result(&document, || text::clusters::predicted(&document, arguments.out.is_none()))?;
    if let Some(warning) = document.rows_left_out.by_policy() {
        console.warn(&warning);
    }
    if let Some(out) = &arguments.out {
        console.note(&format!("clusters written to {}", out.display()));
    }
    Ok(Outcome::Done)
}
