//! The possible splits of a node, and its choice among them.

use super::numbers;
use crate::tree::gain::{Counts, n_ln_n, total_entropy};
use crate::tree::grower::Grower;
use crate::tree::histogram::{Histogram, with_branches};
use crate::tree::split::Split;
use crate::tree::task::AttributeTests;
use rayon::prelude::*;
use std::f64::consts::LN_2;

/// Gains and ratios closer than this are equal.
pub(super) const CLOSE: f64 = 1e-6;

/// How far below the mean a gain may be.
const BELOW_MEAN: f64 = 1e-3;

/// Names with at least this share of the rows as values stay out of the mean.
const MANY_VALUES: f64 = 0.3;

/// A possible split by an attribute.
pub(super) struct Way {
    pub(super) split: Split,
    /// The generalization of names: 0 is none.
    pub(super) level: usize,
    pub(super) gain: f64,
    pub(super) ratio: f64,
}

/// The possible splits of a node.
pub(in crate::tree) struct Choices {
    node: u32,
    min_rows: u64,
    /// For each attribute its best way, if it has one.
    ways: Vec<Option<Way>>,
    /// Which attributes count for the mean gain.
    in_mean: Vec<bool>,
    /// When the ways of numeric attributes were last known to be safe: see `Spans::changes` and `Spans::reveals`.
    seen: (u32, u32),
}

impl Choices {
    /// The split of a node where nothing is required of the tree; none for a leaf.
    pub(in crate::tree) fn split(grower: &Grower<'_>, min_rows: u64, node: u32) -> Option<Split> {
        let mut choices = Self::of(grower, min_rows, node)?;
        let best = choices.best()?;
        choices.ways[best].take().map(|way| way.split)
    }

    /// The possible splits of a node; none if it has too few rows or one class.
    pub(super) fn of(grower: &Grower<'_>, min_rows: u64, node: u32) -> Option<Self> {
        let too_small = grower.node(node).size() < 2 * min_rows;
        (!too_small && !grower.node(node).is_pure() && grower.is_known(node))
            .then(|| Self::new(grower, min_rows, node))
    }

    /// Looks at every attribute.
    fn new(grower: &Grower<'_>, min_rows: u64, node: u32) -> Self {
        let attributes = 0..grower.task.attributes.len();
        let look = |index: usize| {
            let rows = grower.histogram(node, index);
            way(grower, min_rows, node, index, 0, &rows)
        };
        // A task for another thread is worth it only from some thousand rows on.
        let ways = if grower.node(node).rows.len() < 4096 {
            attributes.map(look).collect()
        } else {
            attributes.into_par_iter().map(look).collect()
        };
        let seen = (grower.spans.changes(node), grower.spans.reveals(node));
        Self { node, min_rows, ways, in_mean: in_mean(grower), seen }
    }

    /// The attribute the node chooses.
    pub(super) fn best(&self) -> Option<usize> {
        let valid = || self.ways.iter().enumerate().filter_map(|(i, way)| Some((i, way.as_ref()?)));
        let (mut sum, mut count) = (0.0, 0);
        for (_, way) in valid().filter(|&(i, _)| self.in_mean[i]) {
            sum += way.gain;
            count += 1;
        }
        if count == 0 {
            return None;
        }
        let mean = sum / f64::from(count);
        let (mut best, mut highest) = (None, 0.0);
        for (index, way) in valid().filter(|(_, way)| way.gain >= mean - BELOW_MEAN) {
            if way.ratio - highest > CLOSE {
                (best, highest) = (Some(index), way.ratio);
            }
        }
        best
    }

    /// The gain ratio of what the node chooses.
    pub(super) fn best_ratio(&self) -> Option<f64> {
        self.best().and_then(|index| self.ways[index].as_ref()).map(|way| way.ratio)
    }

    /// The split by an attribute if it breaks nothing now; otherwise the attribute is replaced by what comes next for
    /// it.
    pub(super) fn take_safe(&mut self, grower: &Grower<'_>, index: usize) -> Option<Split> {
        let way = self.ways[index].take()?;
        let rows = grower.histogram(self.node, index);
        let is_numeric = matches!(grower.task.attributes[index].kind, AttributeTests::Numbers(_));
        let spans = &grower.spans;
        let is_as_seen = (spans.changes(self.node), spans.reveals(self.node)) == self.seen;
        let known_safe = is_numeric && is_as_seen && !grower.task.careful;
        if known_safe || !grower.would_breach(self.node, &way.split, &rows) {
            return Some(way.split);
        }
        let level = if is_numeric { 0 } else { way.level + 1 };
        // What was just refused is not tried again, so that every step makes progress.
        let next = self::way(grower, self.min_rows, self.node, index, level, &rows);
        self.ways[index] = next.filter(|next| next.split != way.split);
        None
    }
}

/// Which attributes count for the mean gain: not names with very many values, unless there is nothing else.
fn in_mean(grower: &Grower<'_>) -> Vec<bool> {
    let many = MANY_VALUES * grower.everyone as f64;
    let few_values: Vec<bool> = grower
        .task
        .attributes
        .iter()
        .map(|attribute| match &attribute.kind {
            AttributeTests::Numbers(_) => true,
            AttributeTests::Names(levels) => {
                let values = levels.first().map_or(0, |level| level.of_value.len() - 1);
                many - values as f64 > CLOSE
            }
        })
        .collect();
    if few_values.contains(&true) { few_values } else { vec![true; few_values.len()] }
}

/// The best way to split a node by an attribute, names at a level or the next at which they gain.
fn way(
    grower: &Grower<'_>,
    min_rows: u64,
    node: u32,
    index: usize,
    level: usize,
    rows: &Histogram,
) -> Option<Way> {
    let attribute = &grower.task.attributes[index];
    match &attribute.kind {
        AttributeTests::Numbers(_) => numbers::best(grower, min_rows, node, index, rows),
        AttributeTests::Names(levels) => (level..levels.len()).find_map(|level| {
            let reach = grower.reach_of(node, index);
            let split = Split::by_level(index, attribute, &levels[level], reach, rows);
            let (held, gain, ratio) = with_branches(std::iter::once(rows), &split, |all| {
                let counts = Counts { all, classes: grower.task.class.count };
                let gain = gain(counts);
                (counts.sizes().filter(|&size| size >= min_rows).count(), gain, ratio(counts, gain))
            });
            (held > 1).then_some(Way { split, level, gain, ratio })
        }),
    }
}

/// The information gain of a split, in bits per row.
fn gain(counts: Counts<'_>) -> f64 {
    let together = counts.together();
    let total: u64 = together.iter().sum();
    let rest: f64 = counts.branches().map(total_entropy).sum();
    gain_from(total_entropy(&together), rest, total)
}

/// The same from the entropies before and behind the split, each times its rows.
pub(super) fn gain_from(before: f64, behind: f64, total: u64) -> f64 {
    let gain = before - behind;
    if gain.abs() < CLOSE { 0.0 } else { gain / total as f64 }
}

/// A gain divided by the information of the split itself.
pub(super) fn ratio(counts: Counts<'_>, gain: f64) -> f64 {
    let total: u64 = counts.sizes().sum();
    let told = (n_ln_n(total) - counts.sizes().map(n_ln_n).sum::<f64>()) / LN_2;
    if told.abs() < CLOSE { 0.0 } else { gain / (told / total as f64) }
}
