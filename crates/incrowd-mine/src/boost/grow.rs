//! One tree of an ensemble, grown leaf by leaf where the loss decreases most (`LightGBM`: Ke and others, NIPS 2017).
//!
//! Gradients are whole numbers (multiples of 2⁻²⁰), so sums are exact: they depend neither on the order of rows nor on
//! threads, and the histogram of a larger child is the parent's less the smaller one's.
//!
//! Ties: the leaf and the feature that come first, the lowest threshold or the first set.

use super::features::{Feature, FeatureKind};
use rayon::prelude::*;

/// One, as a gradient or a number of individuals.
pub(crate) const UNIT: f64 = 1_048_576.0;

/// What is added to the curvature of categories: sets are chosen after looking at the gradients.
const CATEGORY_CURVATURE: f64 = 10.0;

/// Sums over some rows, in units.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    pub(crate) gradient: i64,
    pub(crate) curvature: i64,
    pub(crate) individuals: i64,
}

impl Sums {
    fn add(&mut self, other: Self) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.individuals += other.individuals;
    }

    fn less(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            curvature: self.curvature - other.curvature,
            individuals: self.individuals - other.individuals,
        }
    }

    fn gain(self, extra: f64) -> f64 {
        let gradient = self.gradient as f64 / UNIT;
        gradient * gradient / (self.curvature as f64 / UNIT + extra)
    }

    /// The correction that decreases the loss most.
    pub(crate) fn correction(self) -> f64 {
        -(self.gradient as f64) / (self.curvature as f64 + UNIT)
    }
}

/// The rows to learn from, with their features.
pub(crate) struct Examples<'a> {
    pub(crate) features: &'a [Feature],
    /// For each feature the bins of the rows.
    pub(crate) bins: Vec<Vec<u8>>,
    /// For each row the individuals it counts for, in units.
    pub(crate) individuals: Vec<i64>,
}

/// How trees are grown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) leaves: usize,
    /// The fewest individuals of a leaf.
    pub(crate) individuals: u64,
}

/// A division of a leaf in two.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Division {
    pub(crate) feature: usize,
    /// Whether each bin goes to the first child.
    pub(crate) first: Vec<bool>,
}

/// A node: a division and its children, or a leaf.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Grown {
    Test(Division, [u32; 2]),
    Leaf(Sums),
}

struct Open {
    node: usize,
    rows: Vec<u32>,
    sums: Sums,
    histogram: Vec<Sums>,
    best: Option<(f64, Division)>,
}

/// Grows a tree. Returns its nodes, parents before children, and the leaf of each row.
pub(crate) fn grow(
    examples: &Examples<'_>,
    gradients: &[(i64, i64)],
    limits: Limits,
) -> (Vec<Grown>, Vec<u32>) {
    let starts = starts(examples.features);
    let all: Vec<u32> = (0..gradients.len() as u32).collect();
    let sums = total(examples, gradients, &all);
    let mut nodes = vec![Grown::Leaf(sums)];
    let histogram = histogram(examples, gradients, &all, &starts);
    let best = best(examples.features, &histogram, &starts, sums, limits);
    let mut open = vec![Open { node: 0, rows: all, sums, histogram, best }];
    while open.len() < limits.leaves {
        let gain = |open: &Open| open.best.as_ref().map_or(0.0, |best| best.0);
        // The first of several with the highest gain.
        let chosen = (0..open.len()).rev().max_by(|&a, &b| gain(&open[a]).total_cmp(&gain(&open[b])));
        let Some(chosen) = chosen.filter(|&place| open[place].best.is_some()) else { break };
        let parent = open.remove(chosen);
        let Some((_, division)) = parent.best else { break };
        let bins = &examples.bins[division.feature];
        let (first, second): (Vec<u32>, Vec<u32>) =
            parent.rows.iter().partition(|&&row| division.first[bins[row as usize] as usize]);
        let children = [nodes.len() as u32, nodes.len() as u32 + 1];
        nodes[parent.node] = Grown::Test(division, children);
        let is_first_smaller = first.len() <= second.len();
        let (small, large) = if is_first_smaller { (first, second) } else { (second, first) };
        let of_small = self::histogram(examples, gradients, &small, &starts);
        let of_large: Vec<Sums> =
            parent.histogram.iter().zip(&of_small).map(|(all, part)| all.less(*part)).collect();
        let small_sums = total(examples, gradients, &small);
        let large_sums = parent.sums.less(small_sums);
        let mut made = [(small, of_small, small_sums), (large, of_large, large_sums)];
        if !is_first_smaller {
            made.reverse();
        }
        for (child, (rows, histogram, sums)) in children.into_iter().zip(made) {
            nodes.push(Grown::Leaf(sums));
            let best = self::best(examples.features, &histogram, &starts, sums, limits);
            open.push(Open { node: child as usize, rows, sums, histogram, best });
        }
    }
    let mut leaf_of_row = vec![0; gradients.len()];
    for leaf in &open {
        leaf.rows.iter().for_each(|&row| leaf_of_row[row as usize] = leaf.node as u32);
    }
    (nodes, leaf_of_row)
}

/// Where the bins of each feature begin, and the number of all bins.
fn starts(features: &[Feature]) -> Vec<usize> {
    let mut starts = vec![0];
    for feature in features {
        starts.push(starts[starts.len() - 1] + feature.count);
    }
    starts
}

fn total(examples: &Examples<'_>, gradients: &[(i64, i64)], rows: &[u32]) -> Sums {
    let mut sums = Sums::default();
    for &row in rows {
        sums.add(of_row(examples, gradients, row as usize));
    }
    sums
}

fn of_row(examples: &Examples<'_>, gradients: &[(i64, i64)], row: usize) -> Sums {
    let (gradient, curvature) = gradients[row];
    Sums { gradient, curvature, individuals: examples.individuals[row] }
}

/// Rows from which on features are counted by several threads.
const MANY: usize = 1 << 15;

fn histogram(examples: &Examples<'_>, gradients: &[(i64, i64)], rows: &[u32], starts: &[usize]) -> Vec<Sums> {
    let of_rows: Vec<Sums> = rows.iter().map(|&row| of_row(examples, gradients, row as usize)).collect();
    let of_feature = |feature: usize| {
        let mut sums = vec![Sums::default(); starts[feature + 1] - starts[feature]];
        let bins = &examples.bins[feature];
        for (&row, own) in rows.iter().zip(&of_rows) {
            sums[bins[row as usize] as usize].add(*own);
        }
        sums
    };
    let features = 0..examples.features.len();
    if rows.len() < MANY {
        return features.flat_map(of_feature).collect();
    }
    let parts: Vec<Vec<Sums>> = features.into_par_iter().map(of_feature).collect();
    parts.concat()
}

fn best(
    features: &[Feature],
    histogram: &[Sums],
    starts: &[usize],
    sums: Sums,
    limits: Limits,
) -> Option<(f64, Division)> {
    let least = (limits.individuals as f64 * UNIT) as i64;
    if sums.individuals < 2 * least {
        return None;
    }
    let mut best: Option<(f64, Division)> = None;
    for (place, feature) in features.iter().enumerate() {
        let bins = &histogram[starts[place]..starts[place + 1]];
        let search = Search { bins, sums, least };
        let found = match &feature.kind {
            FeatureKind::Numbers { thresholds, missing } => search.by_threshold(thresholds.len(), *missing),
            FeatureKind::Names { .. } => search.by_set(),
        };
        if let Some((gain, first)) = found
            && gain > 1e-9
            && best.as_ref().is_none_or(|best| gain > best.0)
        {
            best = Some((gain, Division { feature: place, first }));
        }
    }
    best
}

struct Search<'a> {
    bins: &'a [Sums],
    sums: Sums,
    least: i64,
}

impl Search<'_> {
    fn gain(&self, first: Sums, extra: f64) -> Option<f64> {
        let second = self.sums.less(first);
        let small = (UNIT * 1e-3) as i64;
        let allowed = first.individuals.min(second.individuals) >= self.least
            && first.curvature.min(second.curvature) >= small;
        allowed.then(|| first.gain(extra) + second.gain(extra) - self.sums.gain(extra))
    }

    /// Missing values go to the side where they decrease the loss more.
    fn by_threshold(&self, thresholds: usize, missing: Option<u8>) -> Option<(f64, Vec<bool>)> {
        let of_missing = missing.map(|bin| self.bins[bin as usize]);
        let mut best: Option<(f64, usize, bool)> = None;
        let mut sums = Sums::default();
        for last in 0..thresholds {
            sums.add(self.bins[last]);
            let mut with = sums;
            with.add(of_missing.unwrap_or_default());
            let sides = [(sums, false), (with, true)];
            for (first, takes_missing) in sides.into_iter().take(1 + usize::from(missing.is_some())) {
                if let Some(gain) = self.gain(first, 1.0)
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
            (0..self.bins.len()).filter(|&bin| self.bins[bin].individuals > 0).collect();
        let ratio = |bin: usize| {
            let sums = self.bins[bin];
            sums.gradient as f64 / (sums.curvature as f64 + CATEGORY_CURVATURE * UNIT)
        };
        order.sort_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(a.cmp(&b)));
        let mut best: Option<(f64, usize)> = None;
        let mut sums = Sums::default();
        for (place, &bin) in order.iter().enumerate().take(order.len().saturating_sub(1)) {
            sums.add(self.bins[bin]);
            if let Some(gain) = self.gain(sums, CATEGORY_CURVATURE)
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
