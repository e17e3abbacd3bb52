//! The summary at the top of the report: what k costs.

use super::table::{Cell, Table, exposed};
use super::view::{NONE, View};
use crate::comparison::{About, Comparison, Point, Series};
use crate::words::{count, decimals, escape, percent};

/// The headline, four figures, and the most accurate method at each k.
pub(super) fn headline(view: &View<'_>) -> String {
    let Some(found) = Headline::new(view) else {
        return "<p class=\"lead\">No release was made at any k, so the cost of protection is unknown.</p>\n"
            .to_owned();
    };
    let about = &view.of.about;
    let sentence = if !view.of.beats_majority() {
        nothing_learned(view.of)
    } else if about.is_beaten_by(found.point.mean.accuracy) {
        found.sentence()
    } else {
        found.no_better(about)
    };
    format!(
        "<p class=\"lead\">{}</p>\n<p class=\"sub\">{}</p>\n{}{}",
        escape(&sentence),
        escape(&found.more()),
        found.tiles(view),
        glance(view)
    )
}

/// The headline if accuracies cannot show what protection costs.
fn nothing_learned(comparison: &Comparison) -> String {
    let has_level = comparison.series.iter().any(|series| series.method == NONE);
    let also = if has_level { ", not even without protection" } else { "" };
    format!(
        "No method predicts more rows correctly than always predicting the most frequent class value ({}){also}. This \
         comparison does not show what protection costs.",
        percent(comparison.about.majority)
    )
}

/// The result that the headline is about.
struct Headline<'a> {
    k: u64,
    series: &'a Series,
    point: &'a Point,
    /// The accuracy without protection, its standard deviation over folds, and the inducer.
    level: Option<(f64, f64, Option<&'a str>)>,
}

impl<'a> Headline<'a> {
    fn new(view: &View<'a>) -> Option<Self> {
        let k = view.shown()?;
        let chosen = view.of.chosen.as_ref().filter(|chosen| chosen.k == k);
        let chosen = chosen.and_then(|chosen| view.best_of(&chosen.method, k));
        let (series, point) = chosen.or_else(|| view.best(k))?;
        let level = view.unprotected(series.inducer.as_deref()).map(|level| {
            let accuracy = (level.point.mean.accuracy, level.point.deviation.accuracy);
            (accuracy.0, accuracy.1, level.series.inducer.as_deref())
        });
        Some(Self { k, series, point, level })
    }

    fn sentence(&self) -> String {
        let (k, method) = (count(self.k), &self.series.method);
        let Some((level, _, inducer)) = self.level else {
            return format!(
                "At k = {k}, {method} predicts {} of the test rows correctly.",
                percent(self.point.mean.accuracy)
            );
        };
        if let Some(cost) = cost(level - self.point.mean.accuracy) {
            return format!("At k = {k}, {method} {cost} compared with no protection.");
        }
        // Protection does not make anything more accurate: another learner is compared, or the folds vary.
        let other = inducer.map(|inducer| format!("{inducer} ")).unwrap_or_default();
        format!("At k = {k}, {method} is at least as accurate as {other}without protection.")
    }

    /// The sentence on a release from which nothing was learned, although something can be.
    fn no_better(&self, about: &About) -> String {
        format!(
            "At k = {}, {} predicts no more rows correctly than always predicting the most frequent class value ({}).",
            count(self.k),
            self.series.method,
            percent(about.majority)
        )
    }

    fn more(&self) -> String {
        let accuracy = percent(self.point.mean.accuracy);
        let mut text = match &self.series.inducer {
            Some(inducer) => format!(
                "Trained on the release of {}, {inducer} predicts {accuracy} of the test rows correctly",
                self.series.method
            ),
            None => format!(
                "The release of {} predicts {accuracy} of the test rows correctly",
                self.series.method
            ),
        };
        if let Some((level, deviation, inducer)) = self.level {
            let whose = inducer.map(|inducer| format!("{inducer} ")).unwrap_or_default();
            text += &format!("; {whose}trained on the unprotected table, {}", percent(level));
            let noise = deviation.max(self.point.deviation.accuracy);
            if noise > (level - self.point.mean.accuracy).abs() {
                text += &format!(
                    ". The difference is within the variation over folds, which is ± {} points",
                    decimals(noise * 100.0, 1)
                );
            }
        }
        text + "."
    }

    fn tiles(&self, view: &View<'_>) -> String {
        let mut tiles = Vec::new();
        if let Some((level, ..)) = self.level {
            tiles.push((percent(level), "accuracy without protection".to_owned()));
        }
        tiles.push((
            percent(self.point.mean.accuracy),
            format!("accuracy at k = {}, {}", count(self.k), self.series.method),
        ));
        if let Some(released) = view.released(&self.series.method, self.k) {
            tiles.push((count(released.k_held), "individuals in the smallest crowd".to_owned()));
            let share = released.exposed as f64 / released.individuals.max(1) as f64;
            let told =
                if released.exposed == 0 { String::new() } else { format!(", {} of all", percent(share)) };
            tiles.push((exposed(released), format!("individuals exposed to certain inference{told}")));
        }
        let tiles: String = tiles
            .iter()
            .map(|(figure, what)| format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(what), escape(figure)))
            .collect();
        format!("<dl class=\"tiles\">{tiles}</dl>\n")
    }
}

/// Points of accuracy lost, in words; `None` if some are gained.
fn cost(lost: f64) -> Option<String> {
    let points = (lost * 1000.0).round() / 10.0;
    let unit = if (points - 1.0).abs() < 1e-9 { "point" } else { "points" };
    if points.abs() < 0.05 {
        return Some("loses no accuracy".to_owned());
    }
    (points > 0.0).then(|| format!("loses {} {unit} of accuracy", decimals(points, 1)))
}

/// The most accurate method at each k, and its cost.
fn glance(view: &View<'_>) -> String {
    let rows: Vec<Vec<Cell>> = view.of.ks.iter().filter_map(|&k| row(view, k)).collect();
    let heads =
        ["k", "most accurate", "accuracy", "points lost", "individuals exposed"].map(str::to_owned).to_vec();
    let caption = "The most accurate method at each k".to_owned();
    Table { id: "glance", caption, heads, rows }.html()
        + "<p class=\"note\">Points are lost compared with the same learner without protection (with the best learner, for releases that are classifiers). \
           The most accurate method is chosen on the same test rows that measure it, so its accuracy is slightly optimistic.</p>\n"
}

fn row(view: &View<'_>, k: u64) -> Option<Vec<Cell>> {
    let (series, point) = view.best(k)?;
    let lost = view
        .unprotected(series.inducer.as_deref())
        .map(|level| (level.point.mean.accuracy - point.mean.accuracy) * 100.0);
    let with = series.inducer.as_ref().map(|inducer| format!(" with {inducer}")).unwrap_or_default();
    Some(vec![
        Cell::count(Some(k)),
        Cell::text(&format!("{}{with}", series.method)),
        Cell::spread(point.mean.accuracy, point.deviation.accuracy),
        Cell::number(lost, |lost| decimals(lost, 1)),
        Cell::exposed(view.released(&series.method, k)),
    ])
}
