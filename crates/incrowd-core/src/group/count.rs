//! Counting rows by a number that each of them has.

use crate::table::{Column, People, Table};
use crate::with_codes;
use rayon::prelude::*;

/// Rows counted in one go.
const BLOCK: usize = 1 << 18;

/// How many rows (with their weights, unless there are none) have each number below `size`; numbers from there on are
/// left out.
pub(crate) fn count_by(
    rows: usize,
    weights: &[u32],
    size: usize,
    number: impl Fn(usize) -> usize + Sync,
) -> Vec<u64> {
    // A table of counts that is large against the rows is not worth having several times.
    let block = BLOCK.max(size.saturating_mul(4));
    let none = || vec![0_u64; size];
    let count = |mut counts: Vec<u64>, place: usize| {
        for row in place * block..rows.min((place + 1) * block) {
            if let Some(count) = counts.get_mut(number(row)) {
                *count += weights.get(row).map_or(1, |&weight| u64::from(weight));
            }
        }
        counts
    };
    let add = |a: Vec<u64>, b: Vec<u64>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    let blocks = (0..rows.div_ceil(block)).into_par_iter();
    blocks.fold(none, count).reduce_with(add).unwrap_or_else(none)
}

/// How much each row counts, nothing where all count once; none where individuals have several rows.
pub(crate) fn row_weights(table: &Table) -> Option<&[u32]> {
    match table.people() {
        People::Rows => Some(&[]),
        People::Weights(weights) => Some(weights),
        People::Subjects { .. } => None,
    }
}

/// The number of individuals who have each code of a column; none where individuals have several rows.
pub(crate) fn code_sizes(table: &Table, column: &Column) -> Option<Vec<u64>> {
    let weights = row_weights(table)?;
    Some(with_codes!(column.codes(), codes => {
        count_by(codes.len(), weights, column.code_count(), |row| codes[row] as usize)
    }))
}
