//! Whether methods differ at all: Friedman's test, and Iman and Davenport's, which is less conservative.

use super::ranks::{average_ranks, methods, ranks};
use incrowd_core::Result;
use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// The results of the tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Friedman {
    /// The number of blocks.
    pub blocks: usize,
    /// The average rank of each method; 1 is the best.
    pub ranks: Vec<f64>,
    /// Friedman's statistic as defined by Demšar, without a correction for ties.
    pub chi_square: f64,
    /// Its p-value (chi-square with one degree of freedom less than methods).
    pub p_chi_square: f64,
    /// The statistic corrected for ties, as in statistics packages; equal if there are no ties.
    pub chi_square_corrected: f64,
    /// Its p-value.
    pub p_corrected: f64,
    /// Iman and Davenport's statistic, from the uncorrected one; infinite if all blocks agree.
    pub f: f64,
    /// Its p-value.
    pub p_f: f64,
}

/// Runs Friedman's test over blocks with one number per method, the larger the better.
///
/// # Errors
/// Without a block, with fewer than two methods, or a number is missing.
pub fn friedman(blocks: &[Vec<f64>]) -> Result<Friedman> {
    let (n, k) = (blocks.len() as f64, methods(blocks)? as f64);
    let average = average_ranks(blocks)?;
    let squares: f64 = average.iter().map(|rank| (rank - f64::midpoint(k, 1.0)).powi(2)).sum();
    let chi_square = 12.0 * n / (k * (k + 1.0)) * squares;
    let untied = 1.0 - blocks.iter().map(|block| ties(&ranks(block))).sum::<f64>() / (n * k * (k * k - 1.0));
    // If all methods are tied in every block, nothing differs.
    let corrected = if untied > 0.0 { chi_square / untied } else { 0.0 };
    let rest = n * (k - 1.0) - chi_square;
    // If all blocks agree, the remainder is zero up to rounding.
    let f = if rest > 1e-9 { (n - 1.0) * chi_square / rest } else { f64::INFINITY };
    Ok(Friedman {
        blocks: blocks.len(),
        ranks: average,
        chi_square,
        p_chi_square: beyond_chi_square(chi_square, k - 1.0),
        chi_square_corrected: corrected,
        p_corrected: beyond_chi_square(corrected, k - 1.0),
        f,
        p_f: beyond_f(f, k - 1.0, (k - 1.0) * (n - 1.0)),
    })
}

/// The sum of t³ − t over groups of t tied ranks.
fn ties(ranks: &[f64]) -> f64 {
    let mut ranks = ranks.to_vec();
    ranks.sort_by(f64::total_cmp);
    let tied = ranks.chunk_by(|one, other| one.total_cmp(other).is_eq());
    tied.map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64).sum()
}

fn beyond_chi_square(x: f64, freedom: f64) -> f64 {
    ChiSquared::new(freedom).map_or(1.0, |distribution| distribution.sf(x))
}

/// With one block the second degree of freedom is missing, so the p-value is 1.
fn beyond_f(x: f64, above: f64, below: f64) -> f64 {
    match FisherSnedecor::new(above, below) {
        Ok(_) if x.is_infinite() => 0.0,
        Ok(distribution) => distribution.sf(x),
        Err(_) => 1.0,
    }
}
