//! Solving by Cholesky's decomposition.

use rayon::prelude::*;

/// The minimum pivot, as a share of its diagonal entry. The categories of an attribute add up to the intercept, so that
/// only the ridge keeps the matrix regular. A pivot lost in rounding must not cause a long step along coefficients that
/// change no share.
const LEAST: f64 = 1e-13;

/// The number of entries from which lines below a pivot are updated in parallel.
const PARALLEL: usize = 1 << 14;

/// Solves `matrix · x = right` for a symmetric matrix, given by the upper triangle of each line. The matrix is
/// overwritten.
pub(super) fn solve(matrix: &mut [f64], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let diagonal: Vec<f64> = (0..size).map(|i| matrix[i * size + i]).collect();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut((pivot + 1) * size);
        let line = &mut above[pivot * size..];
        line[pivot] = line[pivot].max(diagonal[pivot] * LEAST).max(f64::MIN_POSITIVE);
        let root = line[pivot].sqrt();
        line[pivot..].iter_mut().for_each(|x| *x /= root);
        let line = &line[..];
        let update = |(below, lower): (usize, &mut [f64])| {
            let factor = line[pivot + 1 + below];
            if factor != 0.0 {
                let from = pivot + 1 + below;
                lower[from..].iter_mut().zip(&line[from..]).for_each(|(x, above)| *x -= factor * above);
            }
        };
        let left = size - pivot - 1;
        if left * left > PARALLEL {
            below.par_chunks_exact_mut(size).with_min_len(16).enumerate().for_each(update);
        } else {
            below.chunks_exact_mut(size).enumerate().for_each(update);
        }
    }
    let mut x = right.to_vec();
    for i in 0..size {
        x[i] /= matrix[i * size + i];
        let known = x[i];
        let line = &matrix[i * size + i + 1..(i + 1) * size];
        x[i + 1..].iter_mut().zip(line).for_each(|(x, entry)| *x -= entry * known);
    }
    for i in (0..size).rev() {
        let line = &matrix[i * size + i + 1..(i + 1) * size];
        let rest: f64 = line.iter().zip(&x[i + 1..]).map(|(entry, x)| entry * x).sum();
        x[i] = (x[i] - rest) / matrix[i * size + i];
    }
    x
}
