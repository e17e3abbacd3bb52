//! Divides the public attributes into cells: a tree of public tests that is grown as far as k allows.
//!
//! Each attribute has a *scale*: a point for each of its bins. The leaf and the test are divided next that decrease the
//! scatter of one attribute's points most. Points are the attribute's effects on the class ([`super::effects`]), or a
//! function of the public attributes alone ([`super::blind`]). In both cases the class of a single individual hardly
//! matters, so that many cells do not overfit, as the leaves of a tree grown for the class do.
//!
//! Ties: the leaf and the attribute that come first, the lowest threshold or the first set.

use super::features::{Feature, FeatureKind};
use super::grow::{Division, Grown, MANY, Sums, divide, starts};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// The points of an attribute's bins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scale {
    /// For each bin its coordinates, as many for each.
    Points(Vec<Vec<f64>>),
    /// Bins are all equally far from each other but for a weight of each; one bin is divided from all others.
    Names(Vec<f64>),
}

/// Whether some rows may be a cell.
pub(crate) type CellCheck<'a> = &'a dyn Fn(&[u32]) -> bool;

/// The rows that are divided.
pub(crate) struct Ground<'a> {
    pub(crate) features: &'a [Arc<Feature>],
    /// For each feature the bins of the rows.
    pub(crate) bins: &'a [Arc<Vec<u8>>],
    /// The number of individuals of each row.
    pub(crate) weights: &'a [u32],
    /// The class of each row if the attacker knows it: then k holds for each class value of a cell.
    pub(crate) known_class: Option<&'a [u32]>,
    pub(crate) classes: usize,
    /// Whether some rows may be a cell, if more than k is required. What may be one can be divided further, as all
    /// requirements are closed under merging.
    pub(crate) may_be_cell: Option<CellCheck<'a>>,
}

/// How far to divide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// The fewest individuals of a cell.
    pub(crate) k: u64,
    /// The most cells.
    pub(crate) cells: usize,
}

struct Open {
    gain: f64,
    node: usize,
    rows: Range<usize>,
    counts: Vec<u64>,
    division: Division,
    /// The features whose best divisions are not allowed.
    refused: Vec<usize>,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// Divides rows into cells: the nodes of a tree, parents before children.
pub(crate) fn cells(ground: &Ground<'_>, scales: &[Scale], size: Size) -> Vec<Grown> {
    let tested: Vec<usize> = (0..ground.features.len()).collect();
    let divider = Divider { ground, scales, size, starts: starts(ground.features, &tested) };
    let mut order: Vec<u32> = (0..ground.weights.len() as u32).collect();
    let mut nodes = vec![divider.leaf(&order)];
    let mut open = BinaryHeap::new();
    let whole = divider.count(&order);
    open.extend(divider.open(0, 0..order.len(), whole, Vec::new()));
    let (mut cells, mut behind) = (1, Vec::new());
    while cells < size.cells
        && let Some(parent) = open.pop()
    {
        let own = &mut order[parent.rows.clone()];
        let bins = &ground.bins[parent.division.feature];
        let middle = parent.rows.start + divide(own, bins, &parent.division.first, &mut behind);
        let parts = [parent.rows.start..middle, middle..parent.rows.end];
        if !parts.iter().all(|part| divider.may_be_cell(&order[part.clone()])) {
            let refused = [parent.refused, vec![parent.division.feature]].concat();
            open.extend(divider.open(parent.node, parent.rows, parent.counts, refused));
            continue;
        }
        let small = usize::from(parts[1].len() < parts[0].len());
        let of_small = divider.count(&order[parts[small].clone()]);
        let mut of_large = parent.counts;
        of_large.iter_mut().zip(&of_small).for_each(|(all, part)| *all -= part);
        let mut counts = [of_small, of_large];
        if small == 1 {
            counts.reverse();
        }
        let first = nodes.len();
        nodes[parent.node] = Grown::Test(parent.division, [first as u32, first as u32 + 1]);
        for (child, (rows, counts)) in parts.into_iter().zip(counts).enumerate() {
            nodes.push(divider.leaf(&order[rows.clone()]));
            open.extend(divider.open(first + child, rows, counts, Vec::new()));
        }
        cells += 1;
    }
    nodes
}

struct Divider<'a> {
    ground: &'a Ground<'a>,
    scales: &'a [Scale],
    size: Size,
    starts: Vec<usize>,
}

impl Divider<'_> {
    /// The class values that are told apart.
    fn groups(&self) -> usize {
        if self.ground.known_class.is_some() { self.ground.classes.max(1) } else { 1 }
    }

    /// A leaf with the number of its individuals.
    fn leaf(&self, rows: &[u32]) -> Grown {
        let individuals = rows.iter().map(|&row| i64::from(self.ground.weights[row as usize])).sum();
        Grown::Leaf(Sums { individuals, ..Sums::default() })
    }

    /// The individuals of some rows, by feature, bin and known class value.
    fn count(&self, rows: &[u32]) -> Vec<u64> {
        let Ground { bins, weights, known_class, .. } = *self.ground;
        let (groups, starts) = (self.groups(), &self.starts[..]);
        let of_block = |rows: &[u32]| {
            let mut counts = vec![0; starts[starts.len() - 1] * groups];
            for (bins, &start) in bins.iter().zip(starts) {
                for &row in rows {
                    let group = known_class.map_or(0, |class| class[row as usize] as usize);
                    let bin = start + bins[row as usize] as usize;
                    counts[bin * groups + group] += u64::from(weights[row as usize]);
                }
            }
            counts
        };
        if rows.len() < MANY {
            return of_block(rows);
        }
        let together = |mut all: Vec<u64>, other: Vec<u64>| {
            all.iter_mut().zip(&other).for_each(|(all, own)| *all += own);
            all
        };
        rows.par_chunks(MANY).map(of_block).reduce_with(together).unwrap_or_default()
    }

    fn may_be_cell(&self, rows: &[u32]) -> bool {
        self.ground.may_be_cell.is_none_or(|may_be_cell| may_be_cell(rows))
    }

    /// A node with its best division by a feature that is not refused.
    fn open(&self, node: usize, rows: Range<usize>, counts: Vec<u64>, refused: Vec<usize>) -> Option<Open> {
        let groups = self.groups();
        let mut best: Option<(f64, Division)> = None;
        let scales = self.scales.iter().enumerate().filter(|(feature, _)| !refused.contains(feature));
        for (feature, scale) in scales {
            let own = &counts[self.starts[feature] * groups..self.starts[feature + 1] * groups];
            let search = Search { counts: own, groups, k: self.size.k };
            let found = match (scale, &self.ground.features[feature].kind) {
                (Scale::Names(weights), _) => search.by_name(weights),
                (Scale::Points(points), FeatureKind::Numbers { thresholds, missing }) => {
                    search.by_threshold(points, thresholds.len(), *missing)
                }
                (Scale::Points(points), FeatureKind::Names { .. }) => search.by_set(points),
            };
            if let Some((gain, first)) = found
                && gain > 1e-9
                && best.as_ref().is_none_or(|best| gain > best.0)
            {
                best = Some((gain, Division { feature, first }));
            }
        }
        best.map(|(gain, division)| Open { gain, node, rows, counts, division, refused })
    }
}

/// Looks for the best division by one feature.
struct Search<'a> {
    /// The individuals by bin and known class value.
    counts: &'a [u64],
    groups: usize,
    k: u64,
}

/// The individuals of some bins, by known class value, and the sum of their points.
#[derive(Clone)]
struct Part {
    of_group: Vec<u64>,
    sum: Vec<f64>,
}

impl Part {
    fn individuals(&self) -> u64 {
        self.of_group.iter().sum()
    }

    /// Whether k holds: no individual of a class value, or enough.
    fn is_crowd(&self, k: u64) -> bool {
        self.individuals() >= k && self.of_group.iter().all(|&n| n == 0 || n >= k)
    }

    /// The squared length of the sum for each individual: the more of it, the less scatter.
    fn length(&self) -> f64 {
        let squares: f64 = self.sum.iter().map(|sum| sum * sum).sum();
        squares / self.individuals().max(1) as f64
    }
}

impl Search<'_> {
    fn bins(&self) -> usize {
        self.counts.len() / self.groups
    }

    fn part(&self, bins: impl Iterator<Item = usize>, points: &[Vec<f64>]) -> Part {
        let width = points.first().map_or(0, Vec::len);
        let mut part = Part { of_group: vec![0; self.groups], sum: vec![0.0; width] };
        bins.for_each(|bin| self.add(&mut part, bin, points));
        part
    }

    fn add(&self, part: &mut Part, bin: usize, points: &[Vec<f64>]) {
        let own = &self.counts[bin * self.groups..(bin + 1) * self.groups];
        part.of_group.iter_mut().zip(own).for_each(|(sum, n)| *sum += n);
        let all = own.iter().sum::<u64>() as f64;
        part.sum.iter_mut().zip(&points[bin]).for_each(|(sum, at)| *sum += all * at);
    }

    /// How much the scatter decreases, if both parts are crowds.
    fn gain(&self, all: &Part, first: &Part) -> Option<f64> {
        let rest = Part {
            of_group: all.of_group.iter().zip(&first.of_group).map(|(all, part)| all - part).collect(),
            sum: all.sum.iter().zip(&first.sum).map(|(all, part)| all - part).collect(),
        };
        let allowed = first.is_crowd(self.k) && rest.is_crowd(self.k);
        allowed.then(|| first.length() + rest.length() - all.length())
    }

    /// Numbers stay in their order. Missing values go to the side where they decrease the scatter more.
    fn by_threshold(
        &self,
        points: &[Vec<f64>],
        thresholds: usize,
        missing: Option<u8>,
    ) -> Option<(f64, Vec<bool>)> {
        let all = self.part(0..self.bins(), points);
        let missing = missing.map(usize::from);
        let mut best: Option<(f64, usize, bool)> = None;
        for takes_missing in [false, true].into_iter().take(1 + usize::from(missing.is_some())) {
            let mut first = self.part(missing.filter(|_| takes_missing).into_iter(), points);
            for last in 0..thresholds {
                if self.is_empty(last) {
                    continue;
                }
                self.add(&mut first, last, points);
                if let Some(gain) = self.gain(&all, &first)
                    && best.is_none_or(|best| gain > best.0)
                {
                    best = Some((gain, last, takes_missing));
                }
            }
        }
        let (gain, last, takes_missing) = best?;
        let is_first = |bin: usize| if missing == Some(bin) { takes_missing } else { bin <= last };
        Some((gain, (0..self.bins()).map(is_first).collect()))
    }

    fn is_empty(&self, bin: usize) -> bool {
        self.counts[bin * self.groups..(bin + 1) * self.groups].iter().all(|&n| n == 0)
    }

    /// Names in the order of a coordinate are divided into two sets, the best of all such divisions.
    fn by_set(&self, points: &[Vec<f64>]) -> Option<(f64, Vec<bool>)> {
        let present: Vec<usize> = (0..self.bins()).filter(|&bin| !self.is_empty(bin)).collect();
        let all = self.part(present.iter().copied(), points);
        let mut best: Option<(f64, Vec<usize>)> = None;
        for axis in 0..all.sum.len() {
            let mut order = present.clone();
            order.sort_by(|&a, &b| points[a][axis].total_cmp(&points[b][axis]).then(a.cmp(&b)));
            let mut first = self.part(std::iter::empty(), points);
            for (place, &bin) in order.iter().enumerate() {
                self.add(&mut first, bin, points);
                if let Some(gain) = self.gain(&all, &first)
                    && best.as_ref().is_none_or(|best| gain > best.0)
                {
                    best = Some((gain, order[..=place].to_vec()));
                }
            }
        }
        let (gain, own) = best?;
        let mut first = vec![false; self.bins()];
        own.iter().for_each(|&bin| first[bin] = true);
        Some((gain, first))
    }

    /// One name is divided from all others.
    fn by_name(&self, weights: &[f64]) -> Option<(f64, Vec<bool>)> {
        let nothing = vec![Vec::new(); self.bins()];
        let all = self.part(0..self.bins(), &nothing);
        let of_bin: Vec<f64> = (0..self.bins())
            .map(|bin| self.counts[bin * self.groups..(bin + 1) * self.groups].iter().sum::<u64>() as f64)
            .collect();
        let total: f64 = of_bin.iter().sum();
        let squares = |of_bin: &[f64]| -> f64 { of_bin.iter().zip(weights).map(|(n, w)| w * n * n).sum() };
        let whole = squares(&of_bin);
        let mut best: Option<(f64, usize)> = None;
        for bin in (0..self.bins()).filter(|&bin| !self.is_empty(bin)) {
            let own = self.part([bin].into_iter(), &nothing);
            if self.gain(&all, &own).is_none() {
                continue;
            }
            let square = weights[bin] * of_bin[bin] * of_bin[bin];
            let gain = square / of_bin[bin] + (whole - square) / (total - of_bin[bin]) - whole / total;
            if best.is_none_or(|best| gain > best.0) {
                best = Some((gain, bin));
            }
        }
        let (gain, own) = best?;
        Some((gain, (0..self.bins()).map(|bin| bin == own).collect()))
    }
}
