//! Reports on clusters: mined ones, their centroids, and predictions.

use super::{Grid, bar, claim, clean, count, counted};
use crate::console::{FAINT, STRONG, paint};
use crate::documents::{ClusterDocument, ClusterPredictions};
use incrowd::model::{Axis, Centroid, Clusters};
use incrowd::show::{OF_CENTROIDS, SEVERAL_ROWS_OF_CLUSTERS};
use incrowd::table::Date;
use std::path::Path;

/// The maximum number of attributes of a centroid that are displayed.
const AXES: usize = 8;
/// The width of the bar of a population.
const BAR: usize = 16;
/// The maximum length of a name.
const NAME: usize = 20;

/// The summary of mined clusters.
pub(crate) fn mined(document: &ClusterDocument, centroids: &str, out: &Path) -> String {
    let mut grid = Grid::new(&["", ""]);
    grid.line(["method", document.method]);
    grid.line([
        "individuals",
        &format!("{} in {}", count(document.individuals), counted(document.rows, "row")),
    ]);
    claim::left_out(&mut grid, &document.rows_left_out);
    grid.line(["clusters", &count(document.clusters)]);
    claim::k(&mut grid, document.k, document.spans, &document.guarantee);
    claim::ledger(&mut grid, document.raised_k, document.together.as_ref());
    grid.line(["inertia", &format!("{:.4e}", document.inertia)]);
    claim::figures(&mut grid, &document.exposure);
    format!(
        "{} {}\nthe clusters passed their audit; written to {}\n\n{}{}\n{centroids}",
        claim::family("clusters"),
        claim::holds(&document.guarantee, document.individuals, &document.exposure),
        out.display(),
        grid.render(),
        claim::exposed_to(&document.exposure, document.individuals)
    )
}

/// The centroids and their populations, one line per centroid.
pub(crate) fn centroids(clusters: &Clusters, several_rows: bool) -> String {
    let shown = &clusters.axes()[..clusters.axes().len().min(AXES)];
    let headings: Vec<String> = shown
        .iter()
        .map(
            |axis| {
                if axis.names().is_empty() { format!(">{}", short(&axis.name)) } else { short(&axis.name) }
            },
        )
        .collect();
    let mut all = vec![">cluster", ">individuals", ""];
    all.extend(headings.iter().map(String::as_str));
    let mut grid = Grid::new(&all);
    let largest = clusters.centroids().iter().filter_map(|c| c.population).max().unwrap_or(0).max(1);
    for (i, centroid) in (1..).zip(clusters.centroids()) {
        let population = centroid.population.map(count).unwrap_or_default();
        let chart = centroid.population.map(|n| bar(n as f64 / largest as f64, BAR)).unwrap_or_default();
        let cells = coordinates(clusters.axes(), centroid).into_iter().take(AXES);
        grid.line([count(i), population, paint(FAINT, chart)].into_iter().chain(cells));
    }
    let left = clusters.axes().len() - shown.len();
    let more =
        if left > 0 { format!("  and {}\n", counted(left as u64, "more attribute")) } else { String::new() };
    let mut text = grid.render() + &more;
    let notes = [Some(OF_CENTROIDS), several_rows.then_some(SEVERAL_ROWS_OF_CLUSTERS)];
    for note in notes.into_iter().flatten() {
        text += &format!("  {}\n", paint(FAINT, note));
    }
    text
}

/// The coordinates of a centroid: per axis a number, or the value with the largest share, if any share is released.
fn coordinates(axes: &[Axis], centroid: &Centroid) -> Vec<String> {
    let mut rest = centroid.center.as_slice();
    let of_axis = |axis: &Axis| {
        let (own, others) = rest.split_at(axis.width());
        rest = others;
        let best = (0..own.len()).rev().max_by(|&i, &j| own[i].total_cmp(&own[j])).unwrap_or(0);
        match axis.names().get(best) {
            Some(_) if own[best] <= 0.0 => "various".to_owned(),
            Some(name) => format!("{} {:.0} %", short(name), own[best] * 100.0),
            None if axis.dates => Date::text_of_days(own[0]),
            None => own[0].to_string(),
        }
    };
    axes.iter().map(of_axis).collect()
}

/// The predicted clusters.
pub(crate) fn predicted(document: &ClusterPredictions, with_rows: bool) -> String {
    let mut text = format!("{} {}\n", paint(STRONG, "predicted"), counted(document.rows, "row"));
    let mut grid = Grid::new(&[">cluster", ">rows", ""]);
    let largest = document.clusters.iter().max().copied().unwrap_or(0).max(1);
    for (i, &rows) in (1..).zip(&document.clusters) {
        let chart = bar(rows as f64 / largest as f64, BAR);
        grid.line([count(i), count(rows), paint(FAINT, chart)]);
    }
    text += &grid.render();
    if with_rows {
        let first: Vec<String> = document.first.iter().map(ToString::to_string).collect();
        text += &format!("  first rows: {}; --out FILE writes all rows\n", first.join(", "));
    }
    text
}

fn short(name: &str) -> String {
    let name = clean(name);
    if name.chars().count() <= NAME {
        return name;
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}
