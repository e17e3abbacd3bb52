//! Coded columns and counts as tables of weighted rows.

use crate::table::{Codes, Column, People, Table};
use crate::{Error, Result};

/// A table of columns with the values of others: for each row and column a code, and how many rows of the source each
/// row stands for.
///
/// # Errors
/// When the table would have too many rows.
pub(super) fn table(columns: Vec<(&Column, Vec<u32>)>, counts: &[u64]) -> Result<Table> {
    let rows = split(counts);
    let weights = rows.iter().map(|&(_, weight)| weight).collect();
    let of_column = |(column, codes): (&Column, Vec<u32>)| {
        let codes = rows.iter().map(|&(row, _)| codes[row]);
        Column::new(column.name(), column.values().clone(), Codes::collect(column.values().len() + 1, codes))
    };
    Table::new(columns.into_iter().map(of_column).collect::<Result<_>>()?, People::Weights(weights))
}

/// One column with the number of rows of each value.
///
/// # Errors
/// As [`table`].
pub(super) fn single(column: &Column, counts: &[u64]) -> Result<Table> {
    table(vec![(column, column.codes().iter().collect())], counts)
}

/// Rows with their weights. A count that is too large for a weight becomes several rows.
fn split(counts: &[u64]) -> Vec<(usize, u32)> {
    let most = u64::from(u32::MAX);
    let parts = |(row, &count): (usize, &u64)| {
        let whole = std::iter::repeat_n((row, u32::MAX), (count / most) as usize);
        whole.chain((count % most > 0).then_some((row, (count % most) as u32)))
    };
    counts.iter().enumerate().flat_map(parts).collect()
}

/// The error for a value that the dictionary of its column does not have.
pub(super) fn changed() -> Error {
    Error::input("the table changed while it was read: a value is new")
        .help("read a table or files that nothing writes to")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_become_weights() {
        let column = Column::from_texts("a", &[Some("x"), None]);
        let made = single(&column, &[3, u64::from(u32::MAX) + 2]).expect("valid");
        assert_eq!(made.rows(), 3);
        assert_eq!(made.individuals(), u64::from(u32::MAX) + 5);
        assert!(made.columns()[0].has_missing());
    }
}
