//! Which release a report shows: a tree, at the largest k that costs little.

use super::source::Divided;
use super::tried::Ask;
use super::{CheckedCompareParams, Method, released};
use crate::Result;
use crate::eval::comparison::{Chosen, Series};
use crate::show;

/// So much accuracy may a larger k cost.
const LITTLE: f64 = 0.01;

/// The picture folds what lies deeper than so many tests.
const DEEPEST: usize = 5;

/// The first tree method's tree at the largest k that costs at most a point of accuracy against its best k; none where no tree was compared.
pub(super) fn choose(
    divided: &Divided<'_>,
    params: &CheckedCompareParams,
    series: &[Series],
) -> Result<Option<Chosen>> {
    let tree = params.methods.iter().find(|method| matches!(method, Method::Tree(_)));
    let Some(&method) = tree else { return Ok(None) };
    let Some(of_method) = series.iter().find(|series| series.method == method.name()) else {
        return Ok(None);
    };
    let accuracies = || of_method.points.iter().filter_map(|point| Some((point.k?, point.mean.accuracy)));
    let best = accuracies().map(|(_, accuracy)| accuracy).fold(0.0, f64::max);
    let Some((k, accuracy)) =
        accuracies().filter(|(_, accuracy)| *accuracy >= best - LITTLE).max_by_key(|&(k, _)| k)
    else {
        return Ok(None);
    };
    let mined = released::grow(divided, params, Ask { method, k })?;
    let why = format!(
        "the largest k at which {method} is within one point of its best accuracy ({:.1} % here, {:.1} % at best)",
        accuracy * 100.0,
        best * 100.0
    );
    let picture = show::svg(&show::Outline::new(&mined.tree, Some(DEEPEST)))?;
    Ok(Some(Chosen { method: method.name().to_owned(), k, why, svg: Some(picture) }))
}
