//! The loss function, its gradient and its second derivatives.

use super::design::Design;
use crate::inducer::additive::softmax;
use rayon::prelude::*;
use std::ops::Range;

/// The number of rows in a block. Blocks are summed in order.
const BLOCK: usize = 1 << 12;

/// The maximum number of blocks for second derivatives, since each block has a matrix.
const MOST_MATRICES: usize = 8;

/// A loss and its gradient.
type Slope = (f64, Vec<f64>);

/// Minus the log-likelihood and the ridge.
pub(super) struct Loss<'a> {
    pub(super) design: &'a Design,
    /// The ridge of each coefficient of a class.
    ridge: Vec<f64>,
    /// The number of classes with coefficients: all that occur except the last.
    free: usize,
}

impl<'a> Loss<'a> {
    pub(super) fn new(design: &'a Design, ridge: f64) -> Self {
        let ridge = design.variances.iter().map(|variance| ridge * variance).collect();
        Self { design, ridge, free: design.present.len() - 1 }
    }

    /// The number of coefficients.
    pub(super) fn len(&self) -> usize {
        self.free * self.design.width
    }

    /// The starting point: the class frequencies, and no effects.
    pub(super) fn start(&self) -> Vec<f64> {
        let mut sizes = vec![1.0; self.free + 1];
        for counts in self.design.counts.chunks_exact(self.free + 1) {
            sizes.iter_mut().zip(counts).for_each(|(size, n)| *size += n);
        }
        let mut coefficients = vec![0.0; self.len()];
        for (class, own) in coefficients.chunks_exact_mut(self.design.width).enumerate() {
            own[0] = (sizes[class] / sizes[self.free]).ln();
        }
        coefficients
    }

    /// The loss.
    pub(super) fn value(&self, at: &[f64]) -> f64 {
        let blocks = self.blocks(usize::MAX);
        let sums: Vec<f64> = blocks.into_par_iter().map(|rows| self.value_of(at, rows)).collect();
        sums.iter().sum::<f64>() + self.penalty(at)
    }

    /// The loss and its gradient.
    pub(super) fn gradient(&self, at: &[f64]) -> Slope {
        let blocks = self.blocks(usize::MAX);
        let parts: Vec<Slope> = blocks.into_par_iter().map(|rows| self.gradient_of(at, rows, None)).collect();
        self.summed(at, parts)
    }

    /// The gradient and the second derivatives, as a square matrix with only the upper triangle filled.
    pub(super) fn curvature(&self, at: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.len() * self.len();
        let parts: Vec<(Slope, Vec<f64>)> = self
            .blocks(MOST_MATRICES)
            .into_par_iter()
            .map(|rows| {
                let mut matrix = vec![0.0; size];
                (self.gradient_of(at, rows, Some(&mut matrix)), matrix)
            })
            .collect();
        let (gradients, matrices): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut matrix = vec![0.0; size];
        matrices.iter().for_each(|part| add(&mut matrix, part));
        for place in 0..self.len() {
            matrix[place * self.len() + place] += 2.0 * self.ridge[place % self.design.width];
        }
        (self.summed(at, gradients).1, matrix)
    }

    /// The diagonal of the second derivatives, with a small addition for the coefficients of rare categories.
    pub(super) fn diagonal(&self, at: &[f64]) -> Vec<f64> {
        let mut diagonal = vec![1e-6; self.len()];
        let mut row = Row::new(self.design, self.free);
        for index in 0..self.design.rows() {
            row.read(self.design, index, at);
            let own = diagonal.chunks_exact_mut(self.design.width).zip(&row.shares);
            for (own, share) in own {
                let weight = row.weight * share * (1.0 - share);
                row.filled.iter().for_each(|&(place, x)| own[place] += weight * x * x);
            }
        }
        diagonal.iter_mut().enumerate().for_each(|(i, x)| *x += 2.0 * self.ridge[i % self.design.width]);
        diagonal
    }

    fn summed(&self, at: &[f64], parts: Vec<Slope>) -> Slope {
        let mut gradient: Vec<f64> =
            at.iter().enumerate().map(|(i, x)| 2.0 * self.ridge[i % self.design.width] * x).collect();
        let mut sum = 0.0;
        for (value, part) in parts {
            sum += value;
            add(&mut gradient, &part);
        }
        (sum + self.penalty(at), gradient)
    }

    fn penalty(&self, at: &[f64]) -> f64 {
        at.iter().enumerate().map(|(i, x)| self.ridge[i % self.design.width] * x * x).sum()
    }

    fn blocks(&self, most: usize) -> Vec<Range<usize>> {
        let rows = self.design.rows();
        let size = BLOCK.max(rows.div_ceil(most));
        (0..rows.div_ceil(size)).map(|block| block * size..rows.min((block + 1) * size)).collect()
    }

    fn value_of(&self, at: &[f64], rows: Range<usize>) -> f64 {
        let mut row = Row::new(self.design, self.free);
        let mut sum = 0.0;
        for index in rows {
            row.read(self.design, index, at);
            sum += row.loss(self.design, index);
        }
        sum
    }

    /// The loss and the gradient of some rows. Their second derivatives are added to a matrix.
    fn gradient_of(&self, at: &[f64], rows: Range<usize>, mut matrix: Option<&mut [f64]>) -> Slope {
        let mut row = Row::new(self.design, self.free);
        let (mut sum, mut gradient) = (0.0, vec![0.0; self.len()]);
        for index in rows {
            row.read(self.design, index, at);
            sum += row.loss(self.design, index);
            let counts = &self.design.counts[index * (self.free + 1)..];
            for (class, own) in gradient.chunks_exact_mut(self.design.width).enumerate() {
                let off = row.weight * row.shares[class] - counts[class];
                row.filled.iter().for_each(|&(place, x)| own[place] += off * x);
            }
            if let Some(matrix) = &mut matrix {
                self.add_curvature(&row, matrix);
            }
        }
        (sum, gradient)
    }

    fn add_curvature(&self, row: &Row, matrix: &mut [f64]) {
        let (len, width) = (self.len(), self.design.width);
        for one in 0..self.free {
            for other in one..self.free {
                let own = if one == other { 1.0 } else { 0.0 };
                let weight = row.weight * row.shares[one] * (own - row.shares[other]);
                for (i, &(place, x)) in row.filled.iter().enumerate() {
                    let line = &mut matrix[(one * width + place) * len + other * width..][..width];
                    let from = if one == other { i } else { 0 };
                    let weight = weight * x;
                    row.filled[from..].iter().for_each(|&(place, x)| line[place] += weight * x);
                }
            }
        }
    }
}

/// A row, with the shares of the classes at some coefficients.
struct Row {
    /// The nonzero entries, by ascending index.
    filled: Vec<(usize, f64)>,
    shares: Vec<f64>,
    /// The logarithm of each class's share, up to a common constant.
    scores: Vec<f64>,
    weight: f64,
}

impl Row {
    fn new(design: &Design, free: usize) -> Self {
        let filled = vec![(0, 1.0); 1 + design.numbers + design.names];
        Self { filled, shares: vec![0.0; free + 1], scores: vec![0.0; free + 1], weight: 0.0 }
    }

    fn read(&mut self, design: &Design, index: usize, at: &[f64]) {
        let cells = &design.cells[index * design.numbers..][..design.numbers];
        let places = &design.places[index * design.names..][..design.names];
        let numbers = cells.iter().enumerate().map(|(i, &x)| (i + 1, x));
        let names = places.iter().map(|&place| (place as usize, 1.0));
        self.filled[1..].iter_mut().zip(numbers.chain(names)).for_each(|(slot, filled)| *slot = filled);
        for (score, own) in self.scores.iter_mut().zip(at.chunks_exact(design.width)) {
            *score = self.filled.iter().map(|&(place, x)| own[place] * x).sum();
        }
        self.shares.copy_from_slice(&self.scores);
        softmax(&mut self.shares);
        self.weight = design.counts[index * self.shares.len()..][..self.shares.len()].iter().sum();
    }

    fn loss(&self, design: &Design, index: usize) -> f64 {
        let counts = &design.counts[index * self.shares.len()..][..self.shares.len()];
        let highest = self.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.scores.iter().map(|score| (score - highest).exp()).sum();
        let whole = highest + sum.ln();
        counts.iter().zip(&self.scores).filter(|(n, _)| **n > 0.0).map(|(n, score)| n * (whole - score)).sum()
    }
}

fn add(sums: &mut [f64], part: &[f64]) {
    sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
}
