//! Ranks of methods.

use incrowd_core::{Error, Result};

/// Returns the rank of each number, 1 for the largest. Equal numbers get the mean of their ranks.
pub fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    // Adding zero turns -0 into 0.
    order.sort_by(|&one, &other| (numbers[other] + 0.0).total_cmp(&(numbers[one] + 0.0)));
    let mut ranks = vec![0.0; numbers.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&one, &other| (numbers[one] + 0.0).total_cmp(&(numbers[other] + 0.0)).is_eq())
    {
        let rank = before as f64 + f64::midpoint(tied.len() as f64, 1.0);
        tied.iter().for_each(|&method| ranks[method] = rank);
        before += tied.len();
    }
    ranks
}

/// Returns the mean rank of each method over blocks with one number per method, the larger the better.
///
/// # Errors
/// Without a block, with fewer than two methods, or a number is missing.
pub fn average_ranks(blocks: &[Vec<f64>]) -> Result<Vec<f64>> {
    let methods = methods(blocks)?;
    let mut sums = vec![0.0; methods];
    for block in blocks {
        sums.iter_mut().zip(ranks(block)).for_each(|(sum, rank)| *sum += rank);
    }
    Ok(sums.into_iter().map(|sum| sum / blocks.len() as f64).collect())
}

/// The number of methods, the same in all blocks.
pub(super) fn methods(blocks: &[Vec<f64>]) -> Result<usize> {
    let methods = blocks.first().map_or(0, Vec::len);
    if methods < 2 {
        return Err(Error::input("nothing to compare").help("compare two methods or more"));
    }
    if blocks.iter().any(|block| block.len() != methods || block.iter().any(|number| !number.is_finite())) {
        return Err(Error::input("a method has no result for some block")
            .help("compare methods over blocks for which all of them have results"));
    }
    Ok(methods)
}

/// Returns the largest groups of methods whose average ranks are all within a critical difference, as indices in the
/// order of ranks. Single methods are not a group.
pub fn groups(ranks: &[f64], difference: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by(|&one, &other| ranks[one].total_cmp(&ranks[other]));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut reached = 0;
    for first in 0..order.len() {
        let within = |&&method: &&usize| ranks[method] - ranks[order[first]] <= difference;
        let last = first + order[first..].iter().take_while(within).count();
        if last > reached && last - first > 1 {
            groups.push(order[first..last].to_vec());
        }
        reached = reached.max(last);
    }
    groups
}
