//! Information loss, exposure, sizes of crowds, and running times of releases.

use super::curves::figure;
use super::view::View;
use crate::comparison::MethodRelease;
use crate::plot::{AxisUnit, Bar, Bars, Line, Lines, MethodCrowds, PlotPoint, Spread};
use crate::words::count;

/// Information loss and suppressed cells over k.
pub(super) fn losses(view: &View<'_>) -> String {
    let plots = [
        over_k(view, "loss", "Information loss", |released| released.loss),
        over_k(view, "suppressed", "Suppressed cells", |released| released.suppressed),
    ];
    if plots.iter().all(String::is_empty) {
        return "<p class=\"note\">No method in this comparison releases a table, so no cells are generalized or suppressed.</p>\n".to_owned();
    }
    panels(&plots.concat())
}

/// Exposed individuals and the highest confidence over k.
pub(super) fn risks(view: &View<'_>) -> String {
    let exposed = |released: &MethodRelease| {
        (released.individuals > 0).then(|| released.exposed as f64 / released.individuals as f64)
    };
    let plots = [
        over_k(view, "exposed", "Individuals exposed to certain inference", exposed),
        over_k(view, "confidence", "Highest confidence in a value that the guarantee covers", |released| {
            released.max_confidence
        }),
    ];
    panels(&plots.concat())
}

/// A plot of a share over k, with an axis from zero. Empty if there are no figures.
fn over_k(view: &View<'_>, id: &str, title: &str, of: impl Fn(&MethodRelease) -> Option<f64>) -> String {
    let line = |method: &&str| {
        let released = view.of.releases.iter().filter(|released| released.method == **method);
        let points: Vec<PlotPoint> = released
            .filter_map(|released| Some(PlotPoint { k: released.k, number: of(released)?, error: None }))
            .collect();
        let name = (*method).to_owned();
        (!points.is_empty()).then(|| Line { name, style: view.style(method), points })
    };
    let lines: Vec<Line> = view.methods.iter().filter_map(line).collect();
    if lines.is_empty() {
        return String::new();
    }
    let plot = Lines {
        title: format!("{title} over k"),
        measure: title.to_owned(),
        unit: AxisUnit::Share,
        from_zero: true,
        reach: Vec::new(),
        ks: view.of.ks.clone(),
        lines,
        levels: Vec::new(),
    };
    figure(title, &plot.svg(id))
}

fn panels(figures: &str) -> String {
    format!("<div class=\"panels\">{figures}</div>\n")
}

/// The sizes of crowds at the main k of the report and at the largest k. The others are in a collapsed section.
pub(super) fn sizes(view: &View<'_>) -> String {
    let first = [view.shown(), view.of.ks.last().copied()];
    let (shown, rest): (Vec<u64>, Vec<u64>) = view.of.ks.iter().partition(|k| first.contains(&Some(**k)));
    let plots = |ks: &[u64]| ks.iter().map(|&k| spread(view, k)).collect::<String>();
    let more = match plots(&rest) {
        rest if rest.is_empty() => String::new(),
        rest => format!("<details><summary>Other k</summary>{}</details>\n", panels(&rest)),
    };
    panels(&plots(&shown)) + &more
}

fn spread(view: &View<'_>, k: u64) -> String {
    let row = |method: &&str| {
        let sizes = view.released(method, k)?.sizes.clone();
        Some(MethodCrowds { name: (*method).to_owned(), style: view.style(method), sizes })
    };
    let rows: Vec<MethodCrowds> = view.methods.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let title = format!("Crowds at k = {}", count(k));
    figure(&title, &Spread { title: title.clone(), k, rows }.svg(&format!("crowds-{k}")))
}

/// Running times at the main k of the report.
pub(super) fn seconds(view: &View<'_>) -> String {
    let Some(k) = view.shown() else { return String::new() };
    let bar = |method: &&str| {
        let number = view.released(method, k)?.seconds;
        Some(Bar { name: (*method).to_owned(), style: view.style(method), number })
    };
    let bars: Vec<Bar> = view.methods.iter().filter_map(bar).collect();
    if bars.is_empty() {
        return String::new();
    }
    let title = format!("Seconds at k = {}", count(k));
    let plot = Bars { title: title.clone(), unit: AxisUnit::Number, suffix: " s".to_owned(), bars };
    panels(&figure(&title, &plot.svg("seconds")))
}
