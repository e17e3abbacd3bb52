//! The best division of a leaf: a threshold of numbers or a set of names.

use super::features::{Feature, FeatureKind};
use super::grow::{Division, Histogram, Limits, Sums, UNIT};
use super::packed::{Packed, Packing};
use std::sync::Arc;

/// What is added to the curvature of categories: sets are chosen after looking at the gradients.
const CATEGORY_CURVATURE: f64 = 10.0;

/// The division that decreases the loss most, if any does.
pub(crate) fn best(
    features: &[Arc<Feature>],
    tested: &[usize],
    histogram: &Histogram<'_>,
    sums: Packed,
    limits: Limits,
) -> Option<(f64, Division)> {
    let Histogram { packing, bins, starts } = *histogram;
    let sums = packing.sums(sums);
    let least = (limits.individuals as f64 * UNIT) as i64;
    if sums.individuals < 2 * least {
        return None;
    }
    let mut best: Option<(f64, Division)> = None;
    for (place, &feature) in tested.iter().enumerate() {
        let bins = &bins[starts[place]..starts[place + 1]];
        let search = Search { packing, bins, sums, least };
        let found = match &features[feature].kind {
            FeatureKind::Numbers { thresholds, missing } => search.by_threshold(thresholds.len(), *missing),
            FeatureKind::Names { .. } => search.by_set(),
        };
        if let Some((gain, first)) = found
            && gain > 1e-9
            && best.as_ref().is_none_or(|best| gain > best.0)
        {
            best = Some((gain, Division { feature, first }));
        }
    }
    best
}

struct Search<'a> {
    packing: Packing,
    bins: &'a [Packed],
    sums: Sums,
    least: i64,
}

impl Search<'_> {
    #[inline]
    fn sums_of(&self, bin: usize) -> Sums {
        self.packing.sums(self.bins[bin])
    }

    /// The gain of a division, given that of all rows together.
    #[inline]
    fn gain(&self, first: Sums, extra: f64, whole: f64) -> Option<f64> {
        let second = self.sums.less(first);
        let small = (UNIT * 1e-3) as i64;
        let allowed = first.individuals.min(second.individuals) >= self.least
            && first.curvature.min(second.curvature) >= small;
        allowed.then(|| first.gain(extra) + second.gain(extra) - whole)
    }

    /// Missing values go to the side where they decrease the loss more.
    fn by_threshold(&self, thresholds: usize, missing: Option<u8>) -> Option<(f64, Vec<bool>)> {
        let of_missing = missing.map(|bin| self.sums_of(usize::from(bin)));
        let mut best: Option<(f64, usize, bool)> = None;
        let (mut sums, whole) = (Sums::default(), self.sums.gain(1.0));
        for last in 0..thresholds {
            // The threshold before an empty bin divides in the same way, and comes first.
            if last > 0 && self.bins[last].is_empty() {
                continue;
            }
            sums.add(self.sums_of(last));
            let mut with = sums;
            with.add(of_missing.unwrap_or_default());
            let sides = [(sums, false), (with, true)];
            for (first, takes_missing) in sides.into_iter().take(1 + usize::from(missing.is_some())) {
                if let Some(gain) = self.gain(first, 1.0, whole)
                    && best.is_none_or(|best| gain > best.0)
                {
                    best = Some((gain, last, takes_missing));
                }
            }
        }
        let (gain, last, takes_missing) = best?;
        let is_first = |bin: usize| {
            if missing.is_some_and(|missing| missing as usize == bin) { takes_missing } else { bin <= last }
        };
        Some((gain, (0..self.bins.len()).map(is_first).collect()))
    }

    /// Bins sorted by their corrections are divided into two sets, the best of all such divisions.
    fn by_set(&self) -> Option<(f64, Vec<bool>)> {
        let mut order: Vec<usize> =
            (0..self.bins.len()).filter(|&bin| self.sums_of(bin).individuals > 0).collect();
        let ratio = |bin: usize| {
            let sums = self.sums_of(bin);
            sums.gradient as f64 / (sums.curvature as f64 + CATEGORY_CURVATURE * UNIT)
        };
        order.sort_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(a.cmp(&b)));
        let mut best: Option<(f64, usize)> = None;
        let (mut sums, whole) = (Sums::default(), self.sums.gain(CATEGORY_CURVATURE));
        for (place, &bin) in order.iter().enumerate().take(order.len().saturating_sub(1)) {
            sums.add(self.sums_of(bin));
            if let Some(gain) = self.gain(sums, CATEGORY_CURVATURE, whole)
                && best.is_none_or(|best| gain > best.0)
            {
                best = Some((gain, place));
            }
        }
        let (gain, last) = best?;
        let mut first = vec![false; self.bins.len()];
        order[..=last].iter().for_each(|&bin| first[bin] = true);
        Some((gain, first))
    }
}
