//! Collects the trials into series over k.

use super::ComparedMethod;
use super::failures::Failure;
use super::tried::{Ask, Trial, TrialResult};
use incrowd_eval::comparison::{Point, Scores, Series};
use incrowd_eval::score::{area_over_k, mean_and_deviation, summary};

/// One line of a comparison: a method and an inducer, with the results per k and fold.
pub(super) struct Line {
    pub(super) method: Option<ComparedMethod>,
    pub(super) inducer: Option<String>,
    /// The results of each fold, per k (once without k if nothing is released).
    pub(super) tried: Vec<(Option<Ask>, Vec<TrialResult>)>,
}

impl Line {
    /// Returns the line as a series. A k at which a fold failed has no point, and a reason instead.
    pub(super) fn series(&self) -> (Series, Vec<Failure>) {
        let name = self.method.map_or("none", ComparedMethod::name).to_owned();
        let mut failures = Vec::new();
        let mut points = Vec::new();
        for (ask, found) in &self.tried {
            let tried: Vec<&Trial> = found.iter().flatten().collect();
            if let Some(why) = found.iter().find_map(|found| found.as_ref().err()) {
                failures.push(Failure {
                    method: name.clone(),
                    inducer: self.inducer.clone(),
                    k: ask.map(|ask| ask.k),
                    why: why.clone(),
                    breach: false,
                });
            } else {
                points.push(point(*ask, &tried));
            }
        }
        let folds = points.first().map_or(0, |point: &Point| point.folds.len());
        let area_of = |accuracy: &dyn Fn(&Point) -> f64| {
            let over: Vec<(u64, f64)> = points.iter().filter_map(|p| Some((p.k?, accuracy(p)))).collect();
            (over.len() == self.tried.len()).then(|| area_over_k(&over)).flatten()
        };
        let area = area_of(&|point| point.mean.accuracy);
        let areas = (0..folds).filter_map(|fold| area_of(&|point| point.folds[fold].accuracy)).collect();
        (Series { method: name, inducer: self.inducer.clone(), points, area, areas }, failures)
    }
}

fn point(ask: Option<Ask>, tried: &[&Trial]) -> Point {
    let folds: Vec<Scores> = tried.iter().map(|tried| tried.scores).collect();
    let mean_of = |of: &dyn Fn(&Trial) -> Option<f64>| {
        let all: Vec<f64> = tried.iter().filter_map(|tried| of(tried)).collect();
        (!all.is_empty()).then(|| mean_and_deviation(all.iter().copied()).0)
    };
    let (mean, deviation) = summary(&folds);
    Point {
        k: ask.map(|ask| ask.k),
        mean,
        deviation,
        suppressed: mean_of(&|tried| tried.suppressed),
        loss: mean_of(&|tried| tried.loss),
        folds,
    }
}
