//! Figures as CSV.

use crate::comparison::Comparison;

/// Returns one line per method, inducer, k and fold, with folds counted from 1. The inducer is empty if the release is
/// a classifier, and k is empty for the unprotected table.
pub fn csv(comparison: &Comparison) -> String {
    let mut text = "method,inducer,k,fold,accuracy,balanced_accuracy,f1,auc\n".to_owned();
    for series in &comparison.series {
        for point in &series.points {
            for (fold, scores) in (1..).zip(&point.folds) {
                let cells = [
                    quoted(&series.method),
                    series.inducer.as_deref().map(quoted).unwrap_or_default(),
                    shown(point.k),
                    fold.to_string(),
                    scores.accuracy.to_string(),
                    scores.balanced_accuracy.to_string(),
                    scores.f1.to_string(),
                    scores.auc.to_string(),
                ];
                text += &cells.join(",");
                text.push('\n');
            }
        }
    }
    text
}

/// Returns one line per method and k: the release from all training rows.
pub fn releases_csv(comparison: &Comparison) -> String {
    let mut text = "method,k,k_held,rows,individuals,spans,exposed,at_most,max_confidence,suppressed,loss,cm,leaves,seconds,peak_bytes\n".to_owned();
    for released in &comparison.releases {
        let cells = [
            quoted(&released.method),
            released.k.to_string(),
            released.k_held.to_string(),
            released.rows.to_string(),
            released.individuals.to_string(),
            released.spans.to_string(),
            released.exposed.to_string(),
            released.at_most.to_string(),
            released.max_confidence.map_or_else(String::new, |share| share.to_string()),
            shown(released.suppressed),
            shown(released.loss),
            shown(released.cm),
            shown(released.leaves),
            released.seconds.to_string(),
            shown(released.peak_bytes),
        ];
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// A number, or an empty cell.
fn shown(number: Option<impl ToString>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// A name as a cell, in quotes if necessary.
fn quoted(name: &str) -> String {
    if name.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
