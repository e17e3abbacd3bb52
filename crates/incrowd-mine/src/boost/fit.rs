//! Gradient boosting (Friedman 2001): each tree corrects what the trees before it leave to be explained.
//!
//! Two class values have one score, the log-odds of the second; more have a score each, corrected by one tree per
//! round and class value. Scores of leaves are rounded before the next tree is grown, so that a release predicts
//! exactly what was learned.

use super::features::Feature;
use super::grow::{Examples, Grown, Limits, UNIT, grow};
use super::params::CheckedBoostParams;

/// The rounds without a lower loss after which no more are tried.
const PATIENCE: usize = 20;

/// Rows, as they are learned from or tested on.
pub(crate) struct Rows<'a> {
    pub(crate) examples: Examples<'a>,
    pub(crate) class_of_row: Vec<u32>,
    /// What each row counts for.
    pub(crate) weight_of_row: Vec<f64>,
    pub(crate) classes: usize,
}

impl<'a> Rows<'a> {
    /// Some rows of a task.
    pub(crate) fn new(source: &Source<'_>, features: &'a [Feature], rows: &[u32], balanced: bool) -> Self {
        let of_rows = |all: &[f64]| -> Vec<f64> { rows.iter().map(|&row| all[row as usize]).collect() };
        let class_of_row: Vec<u32> = rows.iter().map(|&row| source.class_of_row[row as usize]).collect();
        let mut weight_of_row = of_rows(&source.weight_of_row);
        if balanced {
            let mut sums = vec![0.0; source.classes];
            class_of_row
                .iter()
                .zip(&weight_of_row)
                .for_each(|(&class, weight)| sums[class as usize] += weight);
            let all: f64 = sums.iter().sum();
            let factor = |class: u32| all / (sums[class as usize] * source.classes as f64);
            weight_of_row.iter_mut().zip(&class_of_row).for_each(|(w, &class)| *w *= factor(class));
        }
        let individuals = rows.iter().map(|&row| source.individuals_of_row[row as usize]).collect();
        let bins = features.iter().map(|feature| feature.select(rows)).collect();
        let examples = Examples { features, bins, individuals };
        Self { examples, class_of_row, weight_of_row, classes: source.classes }
    }

    fn len(&self) -> usize {
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
    /// For each number of rounds, from 0, the mean loss on the rows held out.
    pub(crate) losses: Vec<f64>,
}

/// Learns for some rounds from `rows`. With rows held out, it stops early.
pub(crate) fn fit(
    rows: &Rows<'_>,
    rounds: u32,
    params: &CheckedBoostParams,
    held: Option<&Rows<'_>>,
) -> Fitted {
    let limits = Limits { leaves: params.leaves as usize, individuals: params.smallest_leaf() };
    let outputs = rows.outputs();
    let base = base(rows, params.digits);
    let mut scores = base.repeat(rows.len());
    let mut held_scores = held.map(|held| base.repeat(held.len()));
    let mut losses: Vec<f64> =
        held.iter().zip(&held_scores).map(|(held, scores)| loss(held, scores)).collect();
    let mut trees: Vec<Scored> = Vec::new();
    for _ in 0..rounds {
        let before = trees.len();
        let gradients: Vec<Vec<(i64, i64)>> =
            (0..outputs).map(|output| gradients(rows, &scores, output)).collect();
        for (output, gradients) in gradients.iter().enumerate() {
            let (nodes, leaf_of_row) = grow(&rows.examples, gradients, limits);
            if nodes.len() == 1 {
                continue;
            }
            let of_node = |node: &Grown| match node {
                Grown::Leaf(sums) => rounded(params.learning_rate * sums.correction(), params.digits),
                Grown::Test(..) => 0.0,
            };
            let own: Vec<f64> = nodes.iter().map(of_node).collect();
            for (row, &leaf) in leaf_of_row.iter().enumerate() {
                scores[row * outputs + output] += own[leaf as usize];
            }
            let tree = Scored { output, nodes, scores: own };
            if let (Some(held), Some(scores)) = (held, &mut held_scores) {
                for row in 0..held.len() {
                    scores[row * outputs + output] += tree.scores[tree.leaf(&held.examples, row)];
                }
            }
            trees.push(tree);
        }
        if trees.len() == before {
            break;
        }
        if let (Some(held), Some(scores)) = (held, &held_scores) {
            losses.push(loss(held, scores));
            if lowest(&losses) + PATIENCE < losses.len() {
                break;
            }
        }
    }
    Fitted { base, trees, losses }
}

impl Scored {
    fn leaf(&self, examples: &Examples<'_>, row: usize) -> usize {
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
fn base(rows: &Rows<'_>, digits: u8) -> Vec<f64> {
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
fn gradients(rows: &Rows<'_>, scores: &[f64], output: usize) -> Vec<(i64, i64)> {
    let outputs = rows.outputs();
    let of_row = |row: usize| {
        let share = share(&scores[row * outputs..(row + 1) * outputs], output);
        let positive = if outputs == 1 { 1 } else { output as u32 };
        let is_positive = f64::from(u8::from(rows.class_of_row[row] == positive));
        let unit = UNIT * rows.weight_of_row[row];
        (((share - is_positive) * unit).round() as i64, (share * (1.0 - share) * unit).round() as i64)
    };
    (0..rows.len()).map(of_row).collect()
}

/// The mean negative log-likelihood.
fn loss(rows: &Rows<'_>, scores: &[f64]) -> f64 {
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
