//! The score of a division.

use super::super::params::Criterion;
use crate::tree::gain;
use incrowd_core::taxonomy::TaxonomyNode;
use std::cmp::Ordering;

/// A way to divide a part by one attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Division {
    pub(super) attribute: usize,
    pub(super) way: Way,
    /// What it is worth; the first figure that differs decides.
    pub(super) score: [f64; 3],
    /// Whether the second of two parts is set aside.
    pub(super) sets_aside: bool,
}

/// Which part each code goes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    /// Codes below this one, and the others.
    From(u32),
    /// This group of the taxonomy, and what is outside.
    Group(TaxonomyNode),
    /// These codes, ascending, and the others.
    Among(Vec<u32>),
    /// The groups below one, each in the part given, from the first child on.
    Children(TaxonomyNode, Vec<u32>),
}

/// The best divisions of an attribute, best first; of equally good ones those that came first.
pub(super) struct Shortlist {
    keep: usize,
    pub(super) best: Vec<Division>,
}

impl Shortlist {
    pub(super) fn new(keep: usize) -> Self {
        Self { keep, best: Vec::new() }
    }

    pub(super) fn propose(
        &mut self,
        attribute: usize,
        score: [f64; 3],
        sets_aside: bool,
        way: impl FnOnce() -> Way,
    ) {
        let place = self.best.partition_point(|other| compare(&score, &other.score).is_le());
        if place < self.keep {
            self.best.insert(place, Division { attribute, way: way(), score, sets_aside });
            self.best.truncate(self.keep);
        }
    }
}

/// How a score compares with another.
pub(super) fn compare(score: &[f64; 3], other: &[f64; 3]) -> Ordering {
    let orders = score.iter().zip(other).map(|(a, b)| a.total_cmp(b));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// A part as a criterion sees it: its weight and the loss of its cell.
pub(super) type Side = (u64, f64);

/// Scores the divisions of one part by one attribute.
pub(super) struct Judge {
    pub(super) criterion: Criterion,
    /// The whole part.
    pub(super) whole: Side,
    /// The number of classes.
    pub(super) classes: usize,
    /// No part may be lighter.
    pub(super) least: u64,
    /// Lighter parts may be set aside.
    pub(super) few: u64,
    /// What setting aside would cost a row.
    pub(super) price: f64,
}

impl Judge {
    /// The score of a division into these sides, with the weight of each class side by side where the criterion is
    /// gain.
    pub(super) fn score(&self, sides: &[Side], of_class: &[u64]) -> Option<[f64; 3]> {
        if sides.iter().any(|&(weight, _)| weight < self.least) {
            return None;
        }
        let (all, width) = self.whole;
        let largest = sides.iter().map(|&(weight, _)| weight).max().unwrap_or(0);
        // Two parts are worth most when they are halves, and all groups below more than two parts.
        let evenness = if sides.len() > 2 { 1.0 } else { 1.0 - largest as f64 / all as f64 };
        match self.criterion {
            Criterion::Width => Some([width, evenness, 0.0]),
            Criterion::Gain => {
                let counts = gain::Counts { all: of_class, classes: self.classes };
                Some([gain::information_gain(counts), width, evenness])
            }
            Criterion::Loss => {
                let after: f64 = sides.iter().map(|&(weight, loss)| weight as f64 * loss).sum();
                let fall = all as f64 * width - after;
                (fall > 0.0).then_some([fall, 0.0, 0.0])
            }
        }
    }

    /// The score of setting aside all but one side.
    pub(super) fn score_aside(&self, (weight, loss): Side) -> Option<[f64; 3]> {
        let (all, width) = self.whole;
        let aside = all - weight;
        if weight < self.least || aside == 0 || aside >= self.few {
            return None;
        }
        let fall = weight as f64 * (width - loss) - aside as f64 * self.price;
        (fall > 0.0).then_some([fall, 0.0, 0.0])
    }
}
