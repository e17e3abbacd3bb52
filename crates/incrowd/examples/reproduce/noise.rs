//! The noise paper's two tables.

use crate::Places;
use crate::kactus::comparison;
use crate::markdown::{beside, head, percent, table};
use crate::published::NOISE;
use crate::sets::{self, Set};
use incrowd::Result;
use incrowd::eval::comparison::{Comparison, Point};
use incrowd::eval::folds::Protocol;

pub(crate) fn section(places: &Places) -> Result<String> {
    let mut accuracy = Vec::new();
    let mut loss = Vec::new();
    for set in sets::three() {
        let methods = ["aggregate", "kactus", "best-table", "best"];
        let found = comparison(places, &set, "noise", &methods, &["c45"], Protocol::KFold { folds: 10 })?;
        let Some((_, accuracies, losses)) = NOISE.iter().find(|(name, ..)| *name == set.name) else {
            continue;
        };
        for (name, method) in
            [("aggregate", "aggregate"), ("best table", "best-table"), ("best tree", "best")]
        {
            let is_theirs = method == "aggregate";
            accuracy.push(line(&set, name, &found, method, is_theirs.then_some((accuracies, 2)), |point| {
                Some(percent(point.mean.accuracy))
            }));
            if method != "best" {
                loss.push(line(&set, name, &found, method, is_theirs.then_some((losses, 3)), |point| {
                    point.loss.map(|loss| format!("{loss:.3}"))
                }));
            }
        }
    }
    let names = head(&["", "k = 2", "4", "6", "8", "10"]);
    Ok(format!(
        "{}\nAccuracy, %:\n\n{}\nLoss a public cell:\n\n{}",
        include_str!("noise.md"),
        table(&names, &accuracy),
        table(&names, &loss)
    ))
}

fn line(
    set: &Set,
    name: &str,
    found: &Comparison,
    method: &str,
    published: Option<(&[f64; 5], usize)>,
    figure: impl Fn(&Point) -> Option<String>,
) -> Vec<String> {
    let series = found.series.iter().find(|series| series.method == method);
    let measured = |k: u64| {
        let point = series?.points.iter().find(|point| point.k == Some(k))?;
        figure(point)
    };
    let cells = set.ks.iter().enumerate().map(|(i, &k)| match published {
        Some((figures, digits)) => beside(Some(format!("{:.digits$}", figures[i])), measured(k)),
        None => measured(k).unwrap_or_else(|| "–".to_owned()),
    });
    std::iter::once(format!("{}, {name}", set.title)).chain(cells).collect()
}
