//! Tables of all figures.

use super::table::{Cell, Table};
use super::view::{NONE, View};
use crate::comparison::{MethodRelease, Point, Series};
use crate::plot::swatch;
use crate::words::{decimals, escape};

/// Areas under accuracy over k: one row per method, one column per inducer.
pub(super) fn areas(view: &View<'_>) -> String {
    let (Some(first), Some(last)) = (view.of.ks.first(), view.of.ks.last()) else { return String::new() };
    let range = last.saturating_sub(*first) as f64;
    if range <= 0.0 {
        return "<p class=\"note\">An area needs at least two values of k.</p>\n".to_owned();
    }
    let itself = view.of.series.iter().any(|series| series.inducer.is_none());
    let mut inducers: Vec<Option<&str>> = view.inducers.iter().map(|inducer| Some(*inducer)).collect();
    inducers.extend(itself.then_some(None));
    let heads = inducers.iter().map(|inducer| inducer.unwrap_or("no learner").to_owned());
    let rows = view.methods.iter().map(|method| {
        let cells = inducers.iter().map(|inducer| area(view, method, *inducer, range));
        std::iter::once(named(view, method)).chain(cells).collect()
    });
    let caption = format!(
        "Area under accuracy (in percent) over k from {first} to {last}; in brackets divided by the range"
    );
    Table {
        id: "areas",
        caption,
        heads: std::iter::once("method".to_owned()).chain(heads).collect(),
        rows: rows.collect(),
    }
    .html()
}

fn area(view: &View<'_>, method: &str, inducer: Option<&str>, range: f64) -> Cell {
    let all =
        || view.of.series.iter().filter(|series| series.inducer.as_deref() == inducer && whole(view, series));
    let own = all().find(|series| series.method == method).and_then(|series| series.area);
    let best = all().filter_map(|series| series.area).fold(f64::NEG_INFINITY, f64::max);
    Cell::number(own, |area| format!("{} ({} %)", decimals(area, 1), decimals(area / range, 1)))
        .strong(own.is_some_and(|own| own >= best))
}

/// Whether a series covers all k, so that areas have the same range.
fn whole(view: &View<'_>, series: &Series) -> bool {
    series.points.len() == view.of.ks.len()
}

/// A method with a sample of its line.
fn named(view: &View<'_>, method: &str) -> Cell {
    if method == NONE {
        return Cell::text("no protection");
    }
    Cell::html(format!("{} {}", swatch(view.style(method)), escape(method)))
}

/// The releases, with running time and memory. Rows are included if their number differs from that of individuals.
pub(super) fn releases(view: &View<'_>) -> String {
    let all = &view.of.releases;
    let rows = all.iter().any(|released| released.rows != released.individuals);
    let mut heads = vec!["method", "k", "k achieved", "individuals"];
    heads.extend(rows.then_some("rows"));
    heads.extend([
        "crowds",
        "exposed",
        "highest confidence",
        "suppressed",
        "loss",
        "CM",
        "leaves",
        "seconds",
        "memory",
    ]);
    Table {
        id: "releases",
        caption: "The releases of each method from all training rows".to_owned(),
        heads: heads.into_iter().map(str::to_owned).collect(),
        rows: all.iter().map(|released| release(view, released, rows)).collect(),
    }
    .html()
}

fn release(view: &View<'_>, released: &MethodRelease, rows: bool) -> Vec<Cell> {
    let mebibytes = released.peak_bytes.map(|bytes| bytes as f64 / f64::from(1 << 20));
    let mut cells = vec![
        named(view, &released.method),
        Cell::count(Some(released.k)),
        Cell::count(Some(released.k_held)),
        Cell::count(Some(released.individuals)),
    ];
    cells.extend(rows.then(|| Cell::count(Some(released.rows))));
    cells.extend([
        Cell::count(Some(released.spans)),
        Cell::exposed(Some(released)),
        Cell::share(released.max_confidence),
        Cell::share(released.suppressed),
        Cell::number(released.loss, |loss| decimals(loss, 3)),
        Cell::count(released.cm),
        Cell::count(released.leaves),
        Cell::number(Some(released.seconds), |seconds| decimals(seconds, 2)),
        Cell::number(mebibytes, |mebibytes| format!("{} MiB", decimals(mebibytes, 0))),
    ]);
    cells
}

/// All means, one row per method, inducer and k.
pub(super) fn results(view: &View<'_>) -> String {
    let heads = ["method", "learner", "k", "accuracy", "balanced", "F1", "AUC", "suppressed", "loss"];
    let rows =
        view.of.series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point)));
    let several = view.of.about.folds > 1;
    let folds = if several { ": means over folds ± standard deviations" } else { "" };
    Table {
        id: "results",
        caption: format!("All results{folds}"),
        heads: heads.map(str::to_owned).to_vec(),
        rows: rows.map(|(series, point)| result(view, series, point)).collect(),
    }
    .html()
}

fn result(view: &View<'_>, series: &Series, point: &Point) -> Vec<Cell> {
    let (mean, deviation) = (&point.mean, &point.deviation);
    vec![
        named(view, &series.method),
        Cell::text(series.inducer.as_deref().unwrap_or("no learner")),
        Cell::count(point.k),
        Cell::spread(mean.accuracy, deviation.accuracy),
        Cell::spread(mean.balanced_accuracy, deviation.balanced_accuracy),
        Cell::spread(mean.f1, deviation.f1),
        Cell::spread(mean.auc, deviation.auc),
        Cell::share(point.suppressed),
        Cell::number(point.loss, |loss| decimals(loss, 3)),
    ]
}
