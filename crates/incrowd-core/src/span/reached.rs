//! The non-empty bins of a decision tree, and the spans that contain them.

use super::BLOCK;
use super::allowance::Allowance;
use super::groups::Span;
use crate::error::Result;
use rayon::prelude::*;

/// For each span the bins it contains, of the non-empty ones (by leaf and class, ascending).
pub(super) fn reach(spans: &[Span], place: &[(u32, u32)]) -> Result<Vec<Vec<u32>>> {
    let allowance = Allowance::of_bins(
        "the groups that an attacker can tell apart have too many class values in leaves to be checked",
        "make a smaller tree",
    );
    let of_leaf = |leaf: u32| {
        let first = place.partition_point(|bin| bin.0 < leaf);
        place[first..].iter().zip(first as u32..).take_while(move |(bin, _)| bin.0 == leaf)
    };
    let of_span = |span: &Span| {
        let mut bins: Vec<u32> = if let Some(tied) = &span.tied {
            let at = |bin: &(u32, u32)| place.binary_search(bin).ok().map(|at| at as u32);
            tied.bins.iter().filter_map(at).collect()
        } else {
            let known = |bin: &(u32, u32)| span.class.is_none_or(|class| class == bin.1);
            let bins = span.leaves.iter().flat_map(|&leaf| of_leaf(leaf));
            bins.filter(|(bin, _)| known(bin)).map(|(_, at)| at).collect()
        };
        allowance.take(bins.len())?;
        bins.sort_unstable();
        Ok(bins)
    };
    spans.par_iter().map(of_span).collect()
}

/// 0 for each number below `count` that occurs, [`u32::MAX`] for the others.
pub(super) fn occurring(numbers: &[u32], count: usize) -> Vec<u32> {
    let none = || vec![u32::MAX; count];
    let note = |mut found: Vec<u32>, numbers: &[u32]| {
        numbers.iter().for_each(|&number| found[number as usize] = 0);
        found
    };
    let join = |a: Vec<u32>, b: Vec<u32>| a.into_iter().zip(b).map(|(a, b)| a.min(b)).collect();
    numbers.par_chunks(BLOCK).fold(none, note).reduce(none, join)
}
