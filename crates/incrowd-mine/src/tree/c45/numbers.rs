//! The best threshold of a numeric attribute that breaks nothing.

use super::choice::{CLOSE, Way, gain_from, ratio};
use crate::tree::gain::{Counts, total_entropy};
use crate::tree::grower::Grower;
use crate::tree::histogram::{Histogram, with_branches};
use crate::tree::split::{Split, threshold_behind, threshold_between};
use crate::tree::task::{AttributeTests, Numbers};
use crate::tree::watch::SafeCuts;
use std::iter;

/// Values that are not further apart than this are not distinguished.
const APART: f64 = 1e-5;

/// A place to cut: between two neighbouring values of the node.
struct Place {
    cut: Cut,
    gain: f64,
}

/// Where exactly, by the ranks of numbers that occur in the table.
#[derive(Clone, Copy)]
enum Cut {
    /// Between a number and the next.
    Behind(usize),
    /// Anywhere between two.
    Between(usize, usize),
}

impl Cut {
    /// The threshold; none if no number lies between.
    fn threshold(self, numbers: &Numbers) -> Option<f64> {
        match self {
            Self::Behind(rank) => threshold_behind(&numbers.values, rank, numbers.dates),
            Self::Between(low, high) => threshold_between(&numbers.values, low, high, numbers.dates),
        }
    }
}

/// The best way to cut an attribute.
pub(super) fn best(
    grower: &Grower<'_>,
    min_rows: u64,
    node: u32,
    index: usize,
    rows: &Histogram,
) -> Option<Way> {
    let search = ThresholdSearch::new(grower, min_rows, node, index, rows)?;
    let mut places = search.places();
    let (mut check, mut split) = (None, Split::blank());
    loop {
        let chosen = best_place(&places)?;
        let penalty = (places.len() as f64).log2() / search.total as f64;
        let gain = places[chosen].gain - penalty;
        if gain <= CLOSE {
            return None;
        }
        let attribute = &grower.task.attributes[index];
        let threshold = places[chosen].cut.threshold(search.numbers);
        let Some(threshold) = threshold.filter(|&threshold| search.numbers.may_cut(threshold)) else {
            places.remove(chosen);
            continue;
        };
        split.set_threshold(index, attribute, threshold, rows);
        let mut is_broken = || {
            let check =
                check.get_or_insert_with(|| grower.check(node, index, rows, grower.smallest_first(node)));
            check.is_broken_by(&split)
        };
        if search.safe.is_some() || !is_broken() {
            let classes = search.classes;
            let ratio = with_branches(iter::once(rows), &split, |all| ratio(Counts { all, classes }, gain));
            return Some(Way { split, level: 0, gain, ratio });
        }
        places.remove(chosen);
    }
}

/// The first place that no other is clearly better than.
fn best_place(places: &[Place]) -> Option<usize> {
    let (mut best, mut highest) = (None, 0.0);
    for (i, place) in places.iter().enumerate() {
        if place.gain - highest > CLOSE {
            (best, highest) = (Some(i), place.gain);
        }
    }
    best
}

struct ThresholdSearch<'a> {
    known: bool,
    numbers: &'a Numbers,
    /// The codes with numbers that occur at the node, ascending, and their counts by class.
    cells: Vec<(u32, &'a [u64])>,
    /// The counts of missing values, if any.
    missing: Option<&'a [u64]>,
    /// The class entropy of all rows times their number.
    entropy: f64,
    classes: usize,
    total: u64,
    /// The fewest rows on either side.
    fewest: f64,
    /// The safe thresholds, where they are known beforehand.
    safe: Option<SafeCuts>,
}

impl<'a> ThresholdSearch<'a> {
    /// None where there are too few rows to cut.
    fn new(
        grower: &'a Grower<'_>,
        min_rows: u64,
        node: u32,
        index: usize,
        rows: &'a Histogram,
    ) -> Option<Self> {
        let attribute = &grower.task.attributes[index];
        let AttributeTests::Numbers(numbers) = &attribute.kind else { return None };
        let missing_code = attribute.column.missing_code();
        let (missing, cells): (Vec<_>, Vec<_>) = rows.iter().partition(|&(code, _)| code == missing_code);
        let classes = grower.task.class.count;
        let size = |cells: &[(u32, &[u64])]| cells.iter().map(|(_, n)| n.iter().sum::<u64>()).sum::<u64>();
        let known_rows = size(&cells);
        let least = min_rows as f64;
        let fewest = (0.1 * known_rows as f64 / classes as f64).max(least).min(25.0_f64.max(least));
        if 2.0 * fewest - known_rows as f64 > CLOSE {
            return None;
        }
        let mut together = vec![0; classes];
        rows.iter().for_each(|(_, counts)| add(&mut together, counts));
        Some(Self {
            known: attribute.known,
            entropy: total_entropy(&together),
            numbers,
            missing: missing.first().map(|&(_, counts)| counts),
            total: known_rows + size(&missing),
            cells,
            classes,
            fewest,
            safe: grower.safe_cuts(node, index, rows),
        })
    }

    /// All places with enough rows on both sides whose threshold is safe, as far as that is known.
    fn places(&self) -> Vec<Place> {
        let mut counts = vec![0; 2 * self.classes];
        self.cells.iter().for_each(|(_, n)| add(&mut counts[self.classes..], n));
        let mut places = Vec::new();
        for pair in self.cells.windows(2) {
            let (low, high) = counts.split_at_mut(self.classes);
            low.iter_mut().zip(high).zip(pair[0].1).for_each(|((low, high), n)| {
                *low += n;
                *high -= n;
            });
            let side = |side: &[u64]| side.iter().sum::<u64>() as f64;
            let (low, high) = counts.split_at(self.classes);
            if self.fewest - side(low) > CLOSE || self.fewest - side(high) > CLOSE {
                continue;
            }
            if let Some(cut) = self.cut(pair[0].0, pair[1].0) {
                places.push(Place { cut, gain: self.gain(&counts) });
            }
        }
        places
    }

    /// The gain of a cut with these counts; missing values go where most rows go.
    fn gain(&self, counts: &[u64]) -> f64 {
        let Some(missing) = self.missing else { return self.gain_of(counts) };
        let mut counts = counts.to_vec();
        let from = Counts { all: &counts, classes: self.classes }.largest() as usize * self.classes;
        add(&mut counts[from..from + self.classes], missing);
        self.gain_of(&counts)
    }

    fn gain_of(&self, counts: &[u64]) -> f64 {
        let (low, high) = counts.split_at(self.classes);
        gain_from(self.entropy, total_entropy(low) + total_entropy(high), self.total)
    }

    /// A cut between two neighbouring values of the node that breaks nothing, as far as that is known.
    fn cut(&self, low: u32, high: u32) -> Option<Cut> {
        let Numbers { values, codes, .. } = self.numbers;
        let (first, last) = (self.numbers.rank(low), self.numbers.rank(high));
        if values[first] + APART >= values[last] {
            return None;
        }
        if !self.known {
            return Some(Cut::Between(first, last));
        }
        // The last value of the table up to the middle: other values of the table may lie between the node's two.
        let middle = f64::midpoint(values[first], values[last]);
        let up_to_middle = values[first..last].partition_point(|&value| value - middle < CLOSE);
        let usual = first + up_to_middle.max(1) - 1;
        let is_safe = |rank: usize| self.safe.as_ref().is_none_or(|safe| safe.behind(codes[rank]));
        if self.safe.as_ref().is_none_or(|safe| safe.alike_between(low, high)) {
            return is_safe(usual).then_some(Cut::Behind(usual));
        }
        let beside = |distance: usize| [usual.checked_sub(distance), Some(usual + distance)];
        let mut outwards = (0..last - first).flat_map(beside).flatten();
        outwards.find(|&rank| (first..last).contains(&rank) && is_safe(rank)).map(Cut::Behind)
    }
}

fn add(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
}
