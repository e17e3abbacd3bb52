//! Whether differences are significant: ranks of methods over folds.

use super::curves::figure;
use super::view::View;
use crate::comparison::Series;
use crate::plot::Differences;
use crate::significance::{Friedman, friedman, holm, nemenyi};
use crate::words::{counted, decimals, escape};

const LEVEL: f64 = 0.05;

/// One diagram per inducer, with the results of the tests.
pub(super) fn real(view: &View<'_>) -> String {
    let inducers: Vec<Option<&str>> = if view.inducers.is_empty() {
        vec![None]
    } else {
        view.inducers.iter().map(|inducer| Some(*inducer)).collect()
    };
    let found: String = inducers.iter().enumerate().map(|(i, inducer)| panel(view, *inducer, i)).collect();
    if found.is_empty() {
        return "<p class=\"note\">Ranks need two methods or more and two folds or more.</p>\n".to_owned();
    }
    format!(
        "<p>In every fold, methods are ranked by {}; 1 is the best. The difference between methods joined by a bar is not significant (Nemenyi's test at 0.05).</p>\n\
         <p class=\"caveat\"><strong>Caution:</strong> folds of one data set share rows, so they are not independent. The tests assume independence and find \
         differences too often. The results apply to this table only; a general comparison of methods needs several data sets.</p>\n\
         <div class=\"panels\">{found}</div>\n",
        if view.of.ks.len() > 1 { "the area under accuracy over k" } else { "accuracy" }
    )
}

/// The methods and their scores per fold. Methods without a result for every k and fold are left out.
fn blocks<'a>(view: &View<'a>, inducer: Option<&str>) -> (Vec<&'a Series>, Vec<Vec<f64>>) {
    let folds = view.of.about.folds as usize;
    let tried = |series: &&Series| values(view, series).len() == folds;
    let series: Vec<&Series> = view.protected(inducer).into_iter().filter(tried).collect();
    let columns: Vec<Vec<f64>> = series.iter().map(|series| values(view, series)).collect();
    let blocks = (0..folds).map(|fold| columns.iter().map(|column| column[fold]).collect()).collect();
    (series, blocks)
}

/// The scores of a method per fold: the area over k, or the accuracy if there is one k. Empty without a result for
/// every k.
fn values(view: &View<'_>, series: &Series) -> Vec<f64> {
    match (view.of.ks.as_slice(), series.points.as_slice()) {
        ([_], [point]) => point.folds.iter().map(|scores| scores.accuracy).collect(),
        (ks, points) if ks.len() == points.len() => series.areas.clone(),
        _ => Vec::new(),
    }
}

fn panel(view: &View<'_>, inducer: Option<&str>, i: usize) -> String {
    let (series, blocks) = blocks(view, inducer);
    if blocks.len() < 2 {
        return String::new();
    }
    let Ok(found) = friedman(&blocks) else { return String::new() };
    let name = inducer.unwrap_or("the release itself");
    let methods = series.iter().zip(&found.ranks);
    let plot = Differences {
        title: format!("Average ranks: {name}"),
        methods: methods
            .map(|(series, rank)| (series.method.clone(), view.style(&series.method), *rank))
            .collect(),
        difference: nemenyi(series.len(), blocks.len(), LEVEL),
    };
    let words = format!("<p class=\"note\">{}</p>", escape(&words(&series, &found)));
    figure(name, &(plot.svg(&format!("ranks-{i}")) + &words))
}

/// The results of the tests in words.
fn words(series: &[&Series], found: &Friedman) -> String {
    let chi = format!("Friedman χ² = {}, {}", decimals(found.chi_square, 2), p(found.p_chi_square));
    let f = if found.f.is_finite() { decimals(found.f, 2) } else { "∞".to_owned() };
    let best = (0..series.len())
        .fold(0, |best, other| if found.ranks[other] < found.ranks[best] { other } else { best });
    let worse: Vec<String> = holm(&found.ranks, found.blocks, best)
        .iter()
        .filter(|against| against.adjusted < LEVEL)
        .map(|against| format!("{} ({})", series[against.method].method, p(against.adjusted)))
        .collect();
    let worse = if worse.is_empty() { "none".to_owned() } else { worse.join(", ") };
    format!(
        "{}. {chi}; Iman and Davenport F = {f}, {}. Worse than {} by Holm's procedure: {worse}.",
        counted(found.blocks as u64, "fold"),
        p(found.p_f),
        series[best].method
    )
}

fn p(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {}", decimals(p, 3)) }
}
