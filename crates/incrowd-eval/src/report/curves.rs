//! Scores over k, one panel per inducer.

use super::view::{MEASURES, Measure, View};
use crate::comparison::Series;
use crate::plot::{AxisUnit, Baseline, Line, Lines, PlotPoint};
use crate::words::escape;

/// The panels of all measures. Those of the first are displayed, and a switch displays the others.
pub(super) fn curves(view: &View<'_>) -> String {
    let inputs: String = MEASURES
        .iter()
        .enumerate()
        .map(|(i, measure)| {
            let checked = if i == 0 { " checked" } else { "" };
            format!(
                "<label><input type=\"radio\" name=\"measure\" value=\"{}\"{checked}><span>{}</span></label>",
                measure.key, measure.name
            )
        })
        .collect();
    let panels: String =
        MEASURES.iter().enumerate().map(|(i, measure)| panels(view, measure, i == 0)).collect();
    format!("<fieldset class=\"switch\"><legend>Measure</legend>{inputs}</fieldset>\n{panels}")
}

/// The panels of a measure, all with the same scale.
fn panels(view: &View<'_>, measure: &Measure, shown: bool) -> String {
    let mut plots: Vec<(String, Lines)> = Vec::new();
    if view.inducers.is_empty() {
        plots.push(("the release itself".to_owned(), lines(view, measure, None)));
    }
    plots.extend(
        view.inducers.iter().map(|inducer| ((*inducer).to_owned(), lines(view, measure, Some(inducer)))),
    );
    let reach: Vec<f64> = plots.iter().flat_map(|(_, lines)| lines.numbers().collect::<Vec<_>>()).collect();
    plots.iter_mut().for_each(|(_, lines)| lines.reach.clone_from(&reach));
    let zero = plots.iter().all(|(_, lines)| lines.is_from_zero());
    let figures: String = plots
        .iter()
        .enumerate()
        .map(|(i, (name, lines))| figure(name, &lines.svg(&format!("{}-{i}", measure.key))))
        .collect();
    let hidden = if shown { "" } else { " hidden" };
    let note = if zero { "" } else { "<p class=\"note\">The vertical axis does not start at zero.</p>" };
    format!(
        "<div data-measure=\"{}\"{hidden}><div class=\"panels\">{figures}</div>{note}</div>\n",
        measure.key
    )
}

/// A plot under its name.
pub(super) fn figure(name: &str, svg: &str) -> String {
    format!("<figure><figcaption>{}</figcaption>{svg}</figure>", escape(name))
}

fn lines(view: &View<'_>, measure: &Measure, inducer: Option<&str>) -> Lines {
    let level = view
        .unprotected(inducer)
        .map(|level| Baseline { name: "no protection".to_owned(), number: (measure.of)(&level.point.mean) });
    let series = view.protected(inducer);
    let whose = inducer.unwrap_or("the release itself");
    Lines {
        title: format!("{} over k: {whose}", measure.name),
        measure: measure.name.to_owned(),
        unit: AxisUnit::Share,
        from_zero: false,
        reach: Vec::new(),
        ks: view.of.ks.clone(),
        lines: series.into_iter().map(|series| line(view, measure, series)).collect(),
        levels: level.into_iter().collect(),
    }
}

fn line(view: &View<'_>, measure: &Measure, series: &Series) -> Line {
    let points = series.points.iter().filter_map(|point| {
        let error = (point.folds.len() > 1).then(|| (measure.of)(&point.deviation));
        Some(PlotPoint { k: point.k?, number: (measure.of)(&point.mean), error })
    });
    Line { name: series.method.clone(), style: view.style(&series.method), points: points.collect() }
}
