//! Chooses the release that a report displays: a tree at the largest k that costs little accuracy.

use super::data::Divided;
use super::tried::Ask;
use super::{CheckedCompareParams, ComparedMethod, released};
use crate::Result;
use crate::progress::Unreported;
use crate::show;
use incrowd_eval::comparison::{ChosenRelease, MethodRelease, Series};

/// The maximum loss of accuracy for a larger k.
const LITTLE: f64 = 0.01;

/// The depth below which the picture folds subtrees.
const DEEPEST: usize = 5;

/// The tree of the most accurate tree method (the first on ties), at the largest k that costs at most one point of
/// accuracy compared with its best k. `None` if no tree was compared, or none could be made from all training rows.
pub(super) fn choose(
    divided: &Divided<'_>,
    params: &CheckedCompareParams,
    series: &[Series],
    releases: &[MethodRelease],
    progress: Unreported<'_>,
) -> Result<Option<ChosenRelease>> {
    let Some((method, of_method)) = most_accurate(params, series) else { return Ok(None) };
    let is_made =
        |k: u64| releases.iter().any(|released| released.method == method.name() && released.k == k);
    let made = || of_method.points.iter().filter(|point| point.k.is_some_and(is_made));
    let accuracies = || made().filter_map(|point| Some((point.k?, point.mean.accuracy)));
    let best = accuracies().map(|(_, accuracy)| accuracy).fold(0.0, f64::max);
    let cheap = accuracies().filter(|(_, accuracy)| *accuracy >= best - LITTLE);
    let Some((k, accuracy)) = cheap.max_by_key(|&(k, _)| k) else { return Ok(None) };
    let mined = released::grow(divided, params, Ask { method, k }, progress)?;
    let why = format!(
        "the largest k at which {method} is within one point of its best accuracy ({:.1} % here, {:.1} % at best)",
        accuracy * 100.0,
        best * 100.0
    );
    let picture = show::svg(&show::Outline::new(&mined.tree, Some(DEEPEST)))?;
    Ok(Some(ChosenRelease { method: method.name().to_owned(), k, why, svg: Some(picture) }))
}

/// The tree method with the highest mean accuracy over all k, among the methods with the fewest failures.
fn most_accurate<'s>(
    params: &CheckedCompareParams,
    series: &'s [Series],
) -> Option<(ComparedMethod, &'s Series)> {
    let mut best: Option<((usize, f64), ComparedMethod, &Series)> = None;
    for &method in params.methods.iter().filter(|method| matches!(method, ComparedMethod::Tree(_))) {
        let of_method = series.iter().find(|series| series.method == method.name());
        for series in of_method.into_iter().filter(|series| !series.points.is_empty()) {
            let sum: f64 = series.points.iter().map(|point| point.mean.accuracy).sum();
            let worth = (series.points.len(), sum / series.points.len() as f64);
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, method, series));
            }
        }
    }
    best.map(|(_, method, series)| (method, series))
}
