//! Rows, as they are learned from or tested on.

use super::features::Feature;
use super::grow::{Examples, UNIT};
use crate::sample::Part;
use rayon::prelude::*;
use std::sync::Arc;

/// All rows of a table: their classes, their weights, and how many individuals they are, in units.
pub(crate) struct Source {
    pub(crate) class_of_row: Arc<Vec<u32>>,
    pub(crate) weight_of_row: Arc<Vec<u64>>,
    pub(crate) individuals_of_row: Arc<Vec<i64>>,
    pub(crate) classes: usize,
}

/// Rows, as they are learned from or tested on.
pub(crate) struct Rows {
    pub(crate) examples: Examples,
    pub(crate) class_of_row: Arc<Vec<u32>>,
    /// How often each row counts.
    pub(crate) weight_of_row: Arc<Vec<u64>>,
    /// What a row of each class value counts for.
    pub(crate) factor_of_class: Vec<f64>,
}

impl Rows {
    /// Some rows of a task, or all.
    pub(crate) fn new(source: &Source, features: &[Arc<Feature>], part: Option<&Part>) -> Self {
        let own = features.to_vec();
        let factor_of_class = vec![1.0; source.classes];
        let Some(part) = part else {
            let bins = features.iter().map(|feature| feature.bins.clone()).collect();
            return Self {
                examples: Examples { features: own, bins, individuals: source.individuals_of_row.clone() },
                class_of_row: source.class_of_row.clone(),
                weight_of_row: source.weight_of_row.clone(),
                factor_of_class,
            };
        };
        let rows = || part.rows.iter().map(|&row| row as usize);
        let (weights, individuals) = match &part.weights {
            Some(weights) => (
                weights.iter().map(|&weight| u64::from(weight)).collect(),
                weights.iter().map(|&weight| i64::from(weight) * UNIT as i64).collect(),
            ),
            None => (
                rows().map(|row| source.weight_of_row[row]).collect(),
                rows().map(|row| source.individuals_of_row[row]).collect(),
            ),
        };
        let bins = features.iter().map(|feature| feature.select(&part.rows)).collect();
        Self {
            examples: Examples { features: own, bins, individuals: Arc::new(individuals) },
            class_of_row: Arc::new(rows().map(|row| source.class_of_row[row]).collect()),
            weight_of_row: Arc::new(weights),
            factor_of_class,
        }
    }

    /// The same with factors as if class values were equally frequent.
    pub(crate) fn balanced(mut self) -> Self {
        let classes = self.factor_of_class.len();
        let mut sums = vec![0_u64; classes];
        let weights = self.class_of_row.iter().zip(self.weight_of_row.iter());
        weights.for_each(|(&class, weight)| sums[class as usize] += weight);
        let all: u64 = sums.iter().sum();
        // A class value without rows has no use for its factor.
        let factor = |&sum: &u64| if sum == 0 { 1.0 } else { all as f64 / (sum * classes as u64) as f64 };
        self.factor_of_class = sums.iter().map(factor).collect();
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
        let weights: Vec<u64> =
            runs.iter().map(|run| run.iter().map(|&row| self.weight_of_row[row as usize]).sum()).collect();
        let individuals = |run: &&[u32]| run.iter().map(|&row| self.examples.individuals[row as usize]).sum();
        self.picked(&first, weights, runs.iter().map(individuals).collect())
    }

    /// Deals the individuals of these rows to folds, one after the other. Returns those of all other folds, and those of
    /// this one.
    pub(crate) fn dealt(&self, folds: u64, fold: u64) -> (Self, Self) {
        let mut deal = Deal { folds, dealt: 0 };
        let held: Vec<u64> = self.weight_of_row.iter().map(|&weight| deal.next(weight)(fold)).collect();
        let rest: Vec<u64> = self.weight_of_row.iter().zip(&held).map(|(&all, held)| all - held).collect();
        (self.weighted(&rest), self.weighted(&held))
    }

    /// The rows that have a weight, with it.
    pub(crate) fn weighted(&self, weights: &[u64]) -> Self {
        let rows: Vec<usize> = (0..self.len()).filter(|&row| weights[row] > 0).collect();
        let individuals = rows.iter().map(|&row| weights[row] as i64 * UNIT as i64).collect();
        self.picked(&rows, rows.iter().map(|&row| weights[row]).collect(), individuals)
    }

    fn picked(&self, rows: &[usize], weights: Vec<u64>, individuals: Vec<i64>) -> Self {
        let bins = |bins: &Arc<Vec<u8>>| Arc::new(rows.iter().map(|&row| bins[row]).collect());
        Self {
            examples: Examples {
                features: self.examples.features.clone(),
                bins: self.examples.bins.iter().map(bins).collect(),
                individuals: Arc::new(individuals),
            },
            class_of_row: Arc::new(rows.iter().map(|&row| self.class_of_row[row]).collect()),
            weight_of_row: Arc::new(weights),
            factor_of_class: self.factor_of_class.clone(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.class_of_row.len()
    }

    /// The number of scores.
    pub(crate) fn outputs(&self) -> usize {
        let classes = self.factor_of_class.len();
        if classes == 2 { 1 } else { classes }
    }

    /// What a row counts for.
    pub(crate) fn worth(&self, row: usize) -> f64 {
        self.weight_of_row[row] as f64 * self.factor_of_class[self.class_of_row[row] as usize]
    }
}

/// Deals individuals to folds, one after the other.
pub(crate) struct Deal {
    pub(crate) folds: u64,
    pub(crate) dealt: u64,
}

impl Deal {
    /// Deals the next individuals: how many of them each fold gets.
    pub(crate) fn next(&mut self, individuals: u64) -> impl Fn(u64) -> u64 + use<> {
        let (folds, from) = (self.folds, self.dealt);
        self.dealt += individuals;
        let before = self.dealt;
        move |fold| {
            let up_to = |count: u64| (count + folds - 1 - fold) / folds;
            up_to(before) - up_to(from)
        }
    }
}
