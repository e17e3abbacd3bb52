//! Gradient boosting (Friedman 2001): each tree corrects what the trees before it leave to be explained.
//!
//! Two class values have one score, the log-odds of the second; more have a score each, corrected by one tree per
//! round and class value. Scores of leaves are rounded before the next tree is grown, so that a release predicts
//! exactly what was learned. Each tree may test a share of the features, drawn by its number: trees that differ more
//! err less together.

use super::grow::{Grown, Limits, Material, UNIT, for_leaves, grow};
use super::packed::{Lines, Packed, Packing};
use super::rows::Rows;
use incrowd_core::random::Random;
use rayon::prelude::*;
use std::sync::Arc;

/// The rounds without a lower loss after which no more are tried.
const PATIENCE: usize = 20;

/// The rounds without a tree after which no more are tried: another choice of features may still find one.
const IDLE: u32 = 8;

/// The fewest features that a tree may test, if there are as many: with one, trees could not describe how features act
/// together.
const FEWEST: usize = 2;

/// Rows that one thread works on in one go.
const BLOCK: usize = 1 << 14;

/// A tree with the score of each leaf.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scored {
    pub(crate) output: usize,
    pub(crate) nodes: Vec<Grown>,
    /// For each node its score; 0 at tests.
    pub(crate) scores: Vec<f64>,
}

/// What was learned.
pub(crate) struct Fitted {
    pub(crate) base: Vec<f64>,
    pub(crate) trees: Vec<Scored>,
    pub(crate) outcome: Outcome,
}

/// How rows are classified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The weight of the rows that are classified wrongly.
    pub(crate) wrong: u64,
    /// Whether all rows are classified alike.
    pub(crate) constant: bool,
}

impl Outcome {
    fn new(rows: &Rows, scores: &[f64]) -> Self {
        let outputs = rows.outputs();
        let label_of = |row: usize| label(&scores[row * outputs..(row + 1) * outputs]);
        let first = if rows.len() == 0 { 0 } else { label_of(0) };
        let of_row = |row: usize| {
            let label = label_of(row);
            (if label == rows.class_of_row[row] { 0 } else { rows.weight_of_row[row] }, label == first)
        };
        let together = |(wrong, same): (u64, bool), (own, alike): (u64, bool)| (wrong + own, same && alike);
        let (wrong, constant) = (0..rows.len()).into_par_iter().map(of_row).reduce(|| (0, true), together);
        Self { wrong, constant }
    }
}

/// How an ensemble is learned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) limits: Limits,
    /// How much of a tree's correction is added.
    pub(crate) learning_rate: f64,
    /// The share of the features that each tree may test.
    pub(crate) columns: f64,
    /// Whether leaves only vote.
    pub(crate) votes: bool,
    /// The decimal digits of a score.
    pub(crate) digits: u8,
    /// Whether class values count as if they were equally frequent.
    pub(crate) balanced: bool,
}

impl Plan {
    /// The score of a leaf with this correction. A vote weighs as much as a correction of 1; where the correction is below
    /// half of that weight, no vote is closer to it than any.
    fn score(&self, correction: f64) -> f64 {
        let own = self.learning_rate * correction;
        let vote = rounded(self.learning_rate, self.digits);
        match self.votes {
            false => rounded(own, self.digits),
            true if correction.abs() < vote / 2.0 => 0.0,
            true => vote.copysign(correction),
        }
    }
}

/// An ensemble that is being learned.
pub(crate) struct Boosting {
    rows: Arc<Rows>,
    lines: Arc<Lines>,
    packing: Packing,
    /// Whether each row is one individual.
    single: bool,
    held: Option<Arc<Rows>>,
    plan: Plan,
    base: Vec<f64>,
    trees: Vec<Scored>,
    scores: Vec<f64>,
    /// For each score those of the last round; kept because they take much memory.
    gradients: Vec<Vec<Packed>>,
    held_scores: Vec<f64>,
    /// For each number of rounds, from 0, the mean loss on the rows held out.
    losses: Vec<f64>,
    /// The same for the weight of those classified wrongly.
    wrong: Vec<f64>,
    rounds: u32,
    /// The rounds since the last tree.
    idle: u32,
}

impl Boosting {
    /// An ensemble without trees.
    pub(crate) fn new(rows: Rows, held: Option<Rows>, plan: Plan) -> Self {
        let weighted = |rows: Rows| if plan.balanced { rows.balanced() } else { rows };
        let (rows, held) = (weighted(rows), held.map(weighted));
        let (lines, packing, single) = (Lines::new(&rows.examples), packing(&rows), are_single(&rows));
        let held = held.map(Arc::new);
        Self::begun(Arc::new(rows), Arc::new(lines), (packing, single), held, plan)
    }

    /// An ensemble without trees for the same rows, to be learned in another way: with other leaves or another learning
    /// rate.
    pub(crate) fn again(&self, plan: Plan) -> Self {
        let (rows, lines, held) = (self.rows.clone(), self.lines.clone(), self.held.clone());
        Self::begun(rows, lines, (self.packing, self.single), held, plan)
    }

    fn begun(
        rows: Arc<Rows>,
        lines: Arc<Lines>,
        (packing, single): (Packing, bool),
        held: Option<Arc<Rows>>,
        plan: Plan,
    ) -> Self {
        let base = base(&rows, plan.digits);
        let scores = base.repeat(rows.len());
        let held_scores = held.as_ref().map_or_else(Vec::new, |held| base.repeat(held.len()));
        let losses = held.iter().map(|held| loss(held, &held_scores)).collect();
        let wrong = held.iter().map(|held| wrong(held, &held_scores)).collect();
        Self {
            lines,
            packing,
            single,
            rows,
            held,
            plan,
            base,
            trees: Vec::new(),
            scores,
            gradients: Vec::new(),
            held_scores,
            losses,
            wrong,
            rounds: 0,
            idle: 0,
        }
    }

    /// Learns until there are this many rounds. With rows held out, it stops early.
    pub(crate) fn advance(&mut self, rounds: u32) {
        while self.goes_on(rounds) {
            self.round();
        }
    }

    /// Learns on as with [`advance`](Self::advance), while a loss below the lowest of another ensemble is in reach.
    /// Returns whether it was reached.
    pub(crate) fn gets_below(&mut self, other: &Self, rounds: u32) -> bool {
        while self.goes_on(rounds) && self.may_get_below(other, rounds) {
            self.round();
        }
        self.lowest_loss() < other.lowest_loss()
    }

    fn goes_on(&self, rounds: u32) -> bool {
        self.rounds < rounds && self.idle < IDLE && lowest(&self.losses) + PATIENCE >= self.losses.len()
    }

    /// Whether the lowest loss is below that of another ensemble after as many rounds, twice as many with half the
    /// learning rate; or would get below the lowest one if it went on to fall as fast as in the last rounds. Losses fall
    /// more and more slowly, but for chance.
    fn may_get_below(&self, other: &Self, rounds: u32) -> bool {
        let Some(before) = self.losses.len().checked_sub(PATIENCE).filter(|&before| before > 0) else {
            return true;
        };
        let lowest_of = |losses: &[f64]| losses.iter().copied().fold(f64::INFINITY, f64::min);
        let as_far = f64::from(self.rounds) * self.plan.learning_rate / other.plan.learning_rate;
        let last = self.lowest_loss();
        let fallen = (lowest_of(&self.losses[..before]) - last) / PATIENCE as f64;
        let expected = last - fallen * f64::from(rounds - self.rounds);
        last < lowest_of(&other.losses[..other.losses.len().min(as_far as usize + 1)])
            || expected < other.lowest_loss()
    }

    /// The lowest mean loss on the rows held out.
    pub(crate) fn lowest_loss(&self) -> f64 {
        self.losses.get(lowest(&self.losses)).copied().unwrap_or(f64::INFINITY)
    }

    /// For each number of rounds, from 0, the mean loss on the rows held out.
    pub(crate) fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// The weight of the rows held out that are classified wrongly after some rounds.
    pub(crate) fn wrong(&self, rounds: usize) -> f64 {
        self.wrong.get(rounds).or(self.wrong.last()).copied().unwrap_or(0.0)
    }

    /// What was learned, and how well it classifies the rows that it was learned from.
    pub(crate) fn fitted(self) -> Fitted {
        let outcome = Outcome::new(&self.rows, &self.scores);
        Fitted { base: self.base, trees: self.trees, outcome }
    }

    fn round(&mut self) {
        let before = self.trees.len();
        let mut all = std::mem::take(&mut self.gradients);
        all.resize_with(self.rows.outputs(), || vec![Packed::default(); self.rows.len()]);
        for (output, own) in all.iter_mut().enumerate() {
            set_gradients(own, (&self.rows, self.packing, self.single), &self.scores, output);
        }
        for (output, own) in all.iter().enumerate() {
            self.add_tree(output, own);
        }
        self.gradients = all;
        self.rounds += 1;
        self.idle = if self.trees.len() == before { self.idle + 1 } else { 0 };
        if let Some(held) = &self.held {
            self.losses.push(loss(held, &self.held_scores));
            self.wrong.push(wrong(held, &self.held_scores));
        }
    }

    fn add_tree(&mut self, output: usize, gradients: &[Packed]) {
        let outputs = self.rows.outputs();
        let tested = self.tested(output);
        let (examples, lines, packing) = (&self.rows.examples, &self.lines, self.packing);
        let material = Material { examples, lines, gradients, packing };
        let (nodes, ends) = grow(&material, self.plan.limits, &tested);
        if nodes.len() == 1 {
            return;
        }
        let of_node = |node: &Grown| match node {
            Grown::Leaf(sums) => self.plan.score(sums.correction()),
            Grown::Test(..) => 0.0,
        };
        let own: Vec<f64> = nodes.iter().map(of_node).collect();
        self.scores.par_chunks_mut(BLOCK * outputs).enumerate().for_each(|(block, scores)| {
            let first = block * BLOCK;
            ends.among(first..first + scores.len() / outputs, |leaf, rows| {
                let score = own[leaf];
                rows.iter().for_each(|&row| scores[(row as usize - first) * outputs + output] += score);
            });
        });
        let tree = Scored { output, nodes, scores: own };
        if let Some(held) = &self.held {
            let scores = &mut self.held_scores;
            for_leaves(&tree.nodes, &held.examples, held.len(), |leaf, row| {
                scores[row as usize * outputs + output] += tree.scores[leaf];
            });
        }
        self.trees.push(tree);
    }

    /// The features that the next tree may test: a share of them, drawn by the number of the tree.
    fn tested(&self, output: usize) -> Vec<usize> {
        let all = self.rows.examples.features.len();
        let count = ((all as f64 * self.plan.columns).ceil() as usize).clamp(FEWEST, all.max(FEWEST));
        let mut places: Vec<usize> = (0..all).collect();
        let mut random = Random::of(u64::from(self.rounds), output as u64);
        for place in 0..count.min(all) {
            let other = place + random.below((all - place) as u32) as usize;
            places.swap(place, other);
        }
        places.truncate(count);
        places.sort_unstable();
        places
    }
}

/// The place of the lowest loss, the first of several.
pub(crate) fn lowest(losses: &[f64]) -> usize {
    (0..losses.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b])).unwrap_or(0)
}

/// A score with few digits.
pub(crate) fn rounded(score: f64, digits: u8) -> f64 {
    let unit = 10_f64.powi(i32::from(digits));
    // Adding zero makes negative zero positive.
    (score * unit).round() / unit + 0.0
}

/// The scores that fit all rows best without a test.
fn base(rows: &Rows, digits: u8) -> Vec<f64> {
    let mut sums = vec![0_u64; rows.factor_of_class.len()];
    let weights = rows.class_of_row.iter().zip(rows.weight_of_row.iter());
    weights.for_each(|(&class, weight)| sums[class as usize] += weight);
    let sums: Vec<f64> =
        sums.iter().zip(&rows.factor_of_class).map(|(&sum, factor)| 0.5 + sum as f64 * factor).collect();
    let all: f64 = sums.iter().sum();
    if rows.outputs() == 1 {
        return vec![rounded((sums.get(1).copied().unwrap_or(0.5) / sums[0]).ln(), digits)];
    }
    sums.iter().map(|sum| rounded((sum / all).ln(), digits)).collect()
}

/// The share of the class value of an output, given the scores of a row.
fn share(scores: &[f64], output: usize) -> f64 {
    if let [score] = scores {
        return 1.0 / (1.0 + (-score).exp());
    }
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers = scores.iter().map(|score| (score - highest).exp());
    (scores[output] - highest).exp() / powers.sum::<f64>()
}

/// Room for the gradients of some rows: the curvature of a row is at most a quarter of its worth, and rounded.
fn packing(rows: &Rows) -> Packing {
    let most = |row: usize| 0.25 * UNIT * rows.worth(row) + rows.weight_of_row[row] as f64;
    Packing::new((0..rows.len()).map(most).sum(), &rows.examples.individuals)
}

/// Whether each row is one individual.
fn are_single(rows: &Rows) -> bool {
    let is_one = |(&weight, &individuals): (&u64, &i64)| weight == 1 && individuals == UNIT as i64;
    rows.weight_of_row.par_iter().zip(rows.examples.individuals.par_iter()).all(is_one)
}

/// Sets the first and second derivative of the loss by a score, in units. A row of weight w has w times those of a row
/// of weight 1, to the unit, so that equal rows can be merged.
fn set_gradients(
    gradients: &mut [Packed],
    (rows, packing, single): (&Rows, Packing, bool),
    scores: &[f64],
    output: usize,
) {
    let outputs = rows.outputs();
    let positive = if outputs == 1 { 1 } else { output as u32 };
    let of_row = |row: usize| {
        let share = share(&scores[row * outputs..(row + 1) * outputs], output);
        let class = rows.class_of_row[row];
        let is_positive = f64::from(u8::from(class == positive));
        let unit = UNIT * rows.factor_of_class[class as usize];
        // Weights are read only where there are any: this takes as long as memory does.
        let (weight, individuals) = if single {
            (1, UNIT as i64)
        } else {
            (rows.weight_of_row[row] as i64, rows.examples.individuals[row])
        };
        let gradient = weight * whole((share - is_positive) * unit);
        let curvature = weight * whole(share * (1.0 - share) * unit);
        packing.pack(gradient, curvature, individuals)
    };
    gradients.par_chunks_mut(BLOCK).enumerate().for_each(|(block, gradients)| {
        let first = block * BLOCK;
        gradients.iter_mut().enumerate().for_each(|(place, own)| *own = of_row(first + place));
    });
}

/// The nearest whole number, of two the even one; numbers are below 2⁵⁰. The sum with one and a half times 2⁵² has the
/// whole number in its lowest bits, which is faster than a conversion that checks the range.
#[inline]
fn whole(number: f64) -> i64 {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    (number + ROUND).to_bits() as i64 - ROUND.to_bits() as i64
}

/// The mean negative log-likelihood.
fn loss(rows: &Rows, scores: &[f64]) -> f64 {
    let outputs = rows.outputs();
    let (mut sum, mut all) = (0.0, 0.0);
    for row in 0..rows.len() {
        let own = &scores[row * outputs..(row + 1) * outputs];
        let class = rows.class_of_row[row] as usize;
        let share = match outputs {
            1 if class == 1 => share(own, 0),
            1 => 1.0 - share(own, 0),
            _ => share(own, class),
        };
        sum -= rows.worth(row) * share.max(1e-12).ln();
        all += rows.worth(row);
    }
    sum / f64::max(all, 1e-12)
}

/// The weight of the rows that are classified wrongly.
fn wrong(rows: &Rows, scores: &[f64]) -> f64 {
    let outputs = rows.outputs();
    let is_wrong =
        |&row: &usize| label(&scores[row * outputs..(row + 1) * outputs]) != rows.class_of_row[row];
    (0..rows.len()).filter(is_wrong).map(|row| rows.worth(row)).sum()
}

/// The class value that scores predict.
fn label(scores: &[f64]) -> u32 {
    match scores {
        [score] => u32::from(*score > 0.0),
        // The first of several.
        own => (0..own.len()).rev().max_by(|&a, &b| own[a].total_cmp(&own[b])).unwrap_or(0) as u32,
    }
}
