//! The summary of a comparison.

use super::{Grid, clean, count, counted, percent};
use crate::console::{FAINT, STRONG, paint};
use incrowd::eval::comparison::{Comparison, Series};
use std::path::Path;

pub(crate) fn render(comparison: &Comparison, report: &Path) -> String {
    let about = &comparison.about;
    format!(
        "{}: accuracy by k, {} of {}; {}\nalways predicting the most frequent value of {}: {}{}\n\n{}\n{}\nReport: \
         {} (for the table's owner only: together, the releases reveal more than any single one)\n",
        paint(STRONG, "comparison"),
        counted(about.rows, "row"),
        clean(&about.data),
        about.protocol,
        clean(&about.class),
        percent(about.majority),
        if comparison.beats_majority() { "" } else { NOTHING_LEARNED },
        accuracies(comparison),
        releases(comparison),
        report.display()
    )
}

const NOTHING_LEARNED: &str = " (no method is better, so the comparison does not show what protection costs)";

fn accuracies(comparison: &Comparison) -> String {
    let ks: Vec<String> = comparison.ks.iter().map(|k| format!("k = {k}")).collect();
    let area = (comparison.ks.len() > 1).then(|| "area under accuracy over k".to_owned());
    let head: Vec<String> =
        ["method", "learner"].into_iter().map(str::to_owned).chain(ks).chain(area.clone()).collect();
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for series in &comparison.series {
        let learner = series.inducer.clone().unwrap_or_else(|| "itself".to_owned());
        let of_k = comparison.ks.iter().map(|&k| accuracy(series, k));
        let area = area.iter().map(|_| series.area.map_or_else(String::new, |area| format!("{area:.1}")));
        grid.line([series.method.clone(), learner].into_iter().chain(of_k).chain(area));
    }
    let mut text = grid.render();
    if area.is_some() {
        text += &format!("  {}\n", paint(FAINT, AREA));
    }
    text
}

/// What the last column is.
const AREA: &str =
    "the area adds up percent over the range of k: it only compares methods over the same values of k";

/// The accuracy at a k. The accuracy without protection has no k, and is the same for every k.
fn accuracy(series: &Series, k: u64) -> String {
    let point = series.points.iter().find(|point| point.k.is_none_or(|of| of == k));
    point.map_or_else(|| "-".to_owned(), |point| percent(point.mean.accuracy))
}

fn releases(comparison: &Comparison) -> String {
    let head = [
        "release of all rows",
        "k required",
        "k achieved",
        "groups",
        "exposed",
        "confidence",
        "loss",
        "seconds",
    ];
    let mut grid = Grid::new(&head);
    for released in &comparison.releases {
        grid.line([
            released.method.clone(),
            count(released.k),
            count(released.k_held),
            count(released.spans),
            if released.at_most && released.exposed > 0 {
                format!("at most {}", count(released.exposed))
            } else {
                count(released.exposed)
            },
            released.max_confidence.map_or_else(|| "-".to_owned(), percent),
            released.loss.map_or_else(String::new, |loss| format!("{loss:.3}")),
            format!("{:.2}", released.seconds),
        ]);
    }
    grid.render()
}
