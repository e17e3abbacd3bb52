//! Predictions of a model for new rows. Trees: rows to nodes, nodes to a label and to shares of the class values.
//! Ensembles: rows to the leaves of all trees, their scores to a label and shares. Clusters: rows to the nearest
//! centroid.
//!
//! # Rule
//! A row follows the tests from the root. A value that a test does not list, and a missing one, takes the test's branch
//! for other values (`otherwise`). If a test has no such branch, the row stops there, and the tree predicts as if
//! everything below were one leaf: the most frequent class value in the populations below or, if these are not released
//! or are zero, the label that most leaves below have. Ties go to the class value listed first.
//!
//! A leaf predicts its label, whatever else it contains; its shares are its populations divided by their sum, or the
//! rounded shares that it contains instead.
//!
//! # Running time
//! A row takes one lookup or one binary search per test on its path. Codes of numeric columns ascend with their
//! numbers, so thresholds become codes and no table of all numbers is needed for a test. Rows are processed in blocks
//! of a fixed size; the result does not depend on threads.

mod calibration;
mod cells;
mod clusters;
mod ensemble;
mod evaluate;
mod outcome;
mod steps;
#[cfg(test)]
mod tests;
mod unseen;

pub use crate::recoding::UnseenValues;
pub use calibration::{Calibration, calibration};
pub use cells::{cell_of_rows, with_cells};
pub use clusters::{ClusterPredictions, nearest_centroids};
pub use ensemble::{EnsemblePredictions, predict_scores};
pub use evaluate::{Evaluation, evaluate, evaluate_labels};
pub use outcome::{Outcome, outcomes};
pub use unseen::unseen_values;

use crate::error::Result;
use crate::model::Tree;
use crate::span::table_in_days;
use crate::table::Table;
use rayon::prelude::*;
use steps::Steps;

/// Rows are worked on in blocks of this many, whatever the number of threads.
const BLOCK: usize = 1 << 16;

/// The node of each row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The node each row ends in: a leaf, or the test it stops at.
    pub node_of_row: Vec<u32>,
    /// What the tree predicts at each node.
    pub outcomes: Vec<Outcome>,
}

impl Predictions {
    /// What the tree predicts for a row.
    pub fn of(&self, row: usize) -> &Outcome {
        &self.outcomes[self.node_of_row[row] as usize]
    }
}

/// Predicts the class of every row. Columns that the tree does not test are not read.
///
/// # Errors
/// When the table lacks a column the tree tests, or a column that is numeric in the tree is not numeric in the table.
pub fn predict(table: &Table, tree: &Tree) -> Result<Predictions> {
    let table = &table_in_days(table, &tree.dates())?;
    let steps = Steps::new(table, tree)?;
    let mut node_of_row = vec![0; table.rows()];
    node_of_row.par_chunks_mut(BLOCK).enumerate().for_each(|(block, nodes)| {
        for (node, row) in nodes.iter_mut().zip(block * BLOCK..) {
            *node = steps.end(row);
        }
    });
    Ok(Predictions { node_of_row, outcomes: outcomes(tree) })
}
