//! Gradient boosting (Friedman 2001): each tree corrects what the trees before it leave to be explained.
//!
//! Two class values have one score, the log-odds of the second; more have a score each, corrected by one tree per
//! round and class value. Scores of leaves are rounded before the next tree is grown, so that a release predicts
//! exactly what was learned. Each tree may test a share of the features, drawn by its number: trees that differ more
//! err less together.

use super::features::Feature;
use super::grow::{Examples, Grown, Limits, UNIT, grow};
use incrowd_core::random::Random;
use rayon::prelude::*;
use std::sync::Arc;

/// The rounds without a lower loss after which no more are tried.
const PATIENCE: usize = 20;

/// The rounds without a tree after which no more are tried: another choice of features may still find one.
const IDLE: u32 = 8;

/// Rows, as they are learned from or tested on.
pub(crate) struct Rows {
    pub(crate) examples: Examples,
    pub(crate) class_of_row: Vec<u32>,
    /// What each row counts for.
    pub(crate) weight_of_row: Vec<f64>,
    pub(crate) classes: usize,
}

impl Rows {
    /// Some rows of a task.
    pub(crate) fn new(source: &Source<'_>, features: &[Arc<Feature>], rows: &[u32]) -> Self {
        let class_of_row = rows.iter().map(|&row| source.class_of_row[row as usize]).collect();
        let weight_of_row = rows.iter().map(|&row| source.weight_of_row[row as usize]).collect();
        let individuals = rows.iter().map(|&row| source.individuals_of_row[row as usize]).collect();
        let bins = features.iter().map(|feature| feature.select(rows)).collect();
        let examples = Examples { features: features.to_vec(), bins, individuals };
        Self { examples, class_of_row, weight_of_row, classes: source.classes }
    }

    /// The same with weights as if class values were equally frequent.
    pub(crate) fn balanced(mut self) -> Self {
        let mut sums = vec![0.0; self.classes];
        let weights = self.class_of_row.iter().zip(&self.weight_of_row);
        weights.for_each(|(&class, weight)| sums[class as usize] += weight);
        let all: f64 = sums.iter().sum();
        let factor = |class: u32| all / (sums[class as usize] * self.classes as f64);
        self.weight_of_row.iter_mut().zip(&self.class_of_row).for_each(|(w, &class)| *w *= factor(class));
        self
    }

    /// The same rows in an order of their own, by class and bins, equal ones merged: what it contains depends neither on
    /// the order of rows nor on which individuals are behind them.
    pub(crate) fn merged(&self) -> Self {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        let compare = |&a: &u32, &b: &u32| {
            let (a, b) = (a as usize, b as usize);
            let by_class = self.class_of_row[a].cmp(&self.class_of_row[b]);
            self.examples.bins.iter().fold(by_class, |order, bins| order.then_with(|| bins[a].cmp(&bins[b])))
        };
        order.par_sort_by(compare);
        let runs: Vec<&[u32]> = order.chunk_by(|a, b| compare(a, b).is_eq()).collect();
        let first: Vec<usize> = runs.iter().map(|run| run[0] as usize).collect();
        let weight = |run: &&[u32]| run.iter().map(|&row| self.weight_of_row[row as usize]).sum();
        let individuals = |run: &&[u32]| run.iter().map(|&row| self.examples.individuals[row as usize]).sum();
        let bins = |bins: &Vec<u8>| first.iter().map(|&row| bins[row]).collect();
        Self {
            examples: Examples {
                features: self.examples.features.clone(),
                bins: self.examples.bins.iter().map(bins).collect(),
                individuals: runs.iter().map(individuals).collect(),
            },
            class_of_row: first.iter().map(|&row| self.class_of_row[row]).collect(),
            weight_of_row: runs.iter().map(weight).collect(),
            classes: self.classes,
        }
    }

    /// Deals the individuals of these rows to folds, one after the other. Returns those of all other folds, and those of
    /// this one.
    pub(crate) fn dealt(&self, folds: u64, fold: u64) -> (Self, Self) {
        let mut before = 0_u64;
        let held: Vec<u64> = self
            .weight_of_row
            .iter()
            .map(|&weight| {
                let up_to = |count: u64| (count + folds - 1 - fold) / folds;
                let from = before;
                before += weight as u64;
                up_to(before) - up_to(from)
            })
            .collect();
        let rest: Vec<u64> =
            self.weight_of_row.iter().zip(&held).map(|(&all, held)| all as u64 - held).collect();
        (self.weighted(&rest), self.weighted(&held))
    }

    /// The rows that have a weight, with it.
    pub(crate) fn weighted(&self, weights: &[u64]) -> Self {
        let rows: Vec<usize> = (0..self.len()).filter(|&row| weights[row] > 0).collect();
        let bins = |bins: &Vec<u8>| rows.iter().map(|&row| bins[row]).collect();
        Self {
            examples: Examples {
                features: self.examples.features.clone(),
                bins: self.examples.bins.iter().map(bins).collect(),
                individuals: rows.iter().map(|&row| weights[row] as i64 * UNIT as i64).collect(),
            },
            class_of_row: rows.iter().map(|&row| self.class_of_row[row]).collect(),
            weight_of_row: rows.iter().map(|&row| weights[row] as f64).collect(),
            classes: self.classes,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.class_of_row.len()
    }

    /// The number of scores.
    pub(crate) fn outputs(&self) -> usize {
        if self.classes == 2 { 1 } else { self.classes }
    }
}

/// All rows of a table: their classes, what they count for, and how many individuals they are, in units.
pub(crate) struct Source<'a> {
    pub(crate) class_of_row: &'a [u32],
    pub(crate) weight_of_row: Vec<f64>,
    pub(crate) individuals_of_row: Vec<i64>,
    pub(crate) classes: usize,
}

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
}

/// How an ensemble is learned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) limits: Limits,
    /// How much of a tree's correction is added.
    pub(crate) learning_rate: f64,
    /// The share of the features that each tree may test.
    pub(crate) columns: f64,
    /// The decimal digits of a score.
    pub(crate) digits: u8,
    /// Whether class values count as if they were equally frequent.
    pub(crate) balanced: bool,
}

/// An ensemble that is being learned.
pub(crate) struct Boosting {
    rows: Rows,
    held: Option<Rows>,
    plan: Plan,
    base: Vec<f64>,
    trees: Vec<Scored>,
    scores: Vec<f64>,
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
        let base = base(&rows, plan.digits);
        let scores = base.repeat(rows.len());
        let held_scores = held.as_ref().map_or_else(Vec::new, |held| base.repeat(held.len()));
        let losses = held.iter().map(|held| loss(held, &held_scores)).collect();
        let wrong = held.iter().map(|held| wrong(held, &held_scores)).collect();
        let trees = Vec::new();
        Self { rows, held, plan, base, trees, scores, held_scores, losses, wrong, rounds: 0, idle: 0 }
    }

    /// Learns until there are this many rounds. With rows held out, it stops early.
    pub(crate) fn advance(&mut self, rounds: u32) {
        while self.rounds < rounds && self.idle < IDLE && lowest(&self.losses) + PATIENCE >= self.losses.len()
        {
            self.round();
        }
    }

    /// For each number of rounds, from 0, the mean loss on the rows held out.
    pub(crate) fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// The weight of the rows held out that are classified wrongly after some rounds.
    pub(crate) fn wrong(&self, rounds: usize) -> f64 {
        self.wrong.get(rounds).or(self.wrong.last()).copied().unwrap_or(0.0)
    }

    /// What was learned.
    pub(crate) fn fitted(self) -> Fitted {
        Fitted { base: self.base, trees: self.trees }
    }

    fn round(&mut self) {
        let before = self.trees.len();
        let outputs = self.rows.outputs();
        let gradients: Vec<Vec<(i64, i64)>> =
            (0..outputs).map(|output| gradients(&self.rows, &self.scores, output)).collect();
        for (output, gradients) in gradients.iter().enumerate() {
            self.add_tree(output, gradients);
        }
        self.rounds += 1;
        self.idle = if self.trees.len() == before { self.idle + 1 } else { 0 };
        if let Some(held) = &self.held {
            self.losses.push(loss(held, &self.held_scores));
            self.wrong.push(wrong(held, &self.held_scores));
        }
    }

    fn add_tree(&mut self, output: usize, gradients: &[(i64, i64)]) {
        let outputs = self.rows.outputs();
        let tested = self.tested(output);
        let (nodes, leaf_of_row) = grow(&self.rows.examples, gradients, self.plan.limits, &tested);
        if nodes.len() == 1 {
            return;
        }
        let of_node = |node: &Grown| match node {
            Grown::Leaf(sums) => rounded(self.plan.learning_rate * sums.correction(), self.plan.digits),
            Grown::Test(..) => 0.0,
        };
        let own: Vec<f64> = nodes.iter().map(of_node).collect();
        for (row, &leaf) in leaf_of_row.iter().enumerate() {
            self.scores[row * outputs + output] += own[leaf as usize];
        }
        let tree = Scored { output, nodes, scores: own };
        if let Some(held) = &self.held {
            for row in 0..held.len() {
                self.held_scores[row * outputs + output] += tree.scores[tree.leaf(&held.examples, row)];
            }
        }
        self.trees.push(tree);
    }

    /// The features that the next tree may test: a share of them, drawn by the number of the tree.
    fn tested(&self, output: usize) -> Vec<usize> {
        let all = self.rows.examples.features.len();
        let count = ((all as f64 * self.plan.columns).ceil() as usize).clamp(1, all.max(1));
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

impl Scored {
    fn leaf(&self, examples: &Examples, row: usize) -> usize {
        let mut node = 0;
        while let Grown::Test(division, children) = &self.nodes[node] {
            let bin = examples.bins[division.feature][row];
            node = children[usize::from(!division.first[bin as usize])] as usize;
        }
        node
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
    let mut sums = vec![0.5; rows.classes];
    rows.class_of_row
        .iter()
        .zip(&rows.weight_of_row)
        .for_each(|(&class, weight)| sums[class as usize] += weight);
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

/// The first and second derivative of the loss by a score, in units.
fn gradients(rows: &Rows, scores: &[f64], output: usize) -> Vec<(i64, i64)> {
    let outputs = rows.outputs();
    let of_row = |row: usize| {
        let share = share(&scores[row * outputs..(row + 1) * outputs], output);
        let positive = if outputs == 1 { 1 } else { output as u32 };
        let is_positive = f64::from(u8::from(rows.class_of_row[row] == positive));
        let unit = UNIT * rows.weight_of_row[row];
        (whole((share - is_positive) * unit), whole(share * (1.0 - share) * unit))
    };
    (0..rows.len()).map(of_row).collect()
}

/// The nearest whole number, halves away from zero.
#[inline]
fn whole(number: f64) -> i64 {
    (number + 0.5_f64.copysign(number)) as i64
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
        sum -= rows.weight_of_row[row] * share.max(1e-12).ln();
        all += rows.weight_of_row[row];
    }
    sum / f64::max(all, 1e-12)
}

/// The weight of the rows that are classified wrongly.
fn wrong(rows: &Rows, scores: &[f64]) -> f64 {
    let outputs = rows.outputs();
    let label = |row: usize| match &scores[row * outputs..(row + 1) * outputs] {
        [score] => u32::from(*score > 0.0),
        // The first of several.
        own => (0..own.len()).rev().max_by(|&a, &b| own[a].total_cmp(&own[b])).unwrap_or(0) as u32,
    };
    let is_wrong = |&row: &usize| label(row) != rows.class_of_row[row];
    (0..rows.len()).filter(is_wrong).map(|row| rows.weight_of_row[row]).sum()
}
