//! Learners to evaluate releases with.
//!
//! They learn from the cells of a table: categories (an interval or `*` is a category like any other) and numbers. They
//! predict for another table with the same columns. Its codes may differ, so classifiers identify values by their text.
//!
//! | inducer | categories | numbers | missing | unseen categories |
//! | --- | --- | --- | --- | --- |
//! | [`NaiveBayes`] | frequencies with Laplace's correction | a normal distribution | left out | left out |
//! | [`Logistic`] | one effect per category | a slope | mean, most frequent category | no effect |
//!
//! Trees and rules are learned by `incrowd-mine`. The crate `incrowd` has all of them by name.

mod additive;
mod bind;
mod logistic;
mod naive_bayes;
#[cfg(test)]
mod tests;

pub use bind::{Bound, MAX_CLASSES};
pub use logistic::Logistic;
pub use naive_bayes::NaiveBayes;

use incrowd_core::Result;
use incrowd_core::table::Table;

/// A learning task: a class and the columns to predict it from.
#[derive(Debug, Clone, Copy)]
pub struct Examples<'a> {
    /// The table; rows without a class are not used.
    pub table: &'a Table,
    /// The column to predict.
    pub class: &'a str,
    /// The columns to predict it from, in the order in which ties are decided.
    pub inputs: &'a [String],
}

/// A learner.
pub trait Inducer: Sync {
    /// Returns the name, as in flags and reports.
    fn name(&self) -> &'static str;

    /// Learns from examples.
    ///
    /// # Errors
    /// When a column is missing, no row has a class, or the class is numeric with too many values.
    fn learn(&self, examples: Examples<'_>) -> Result<Box<dyn Classifier>>;
}

/// A learned classifier.
pub trait Classifier: Send + Sync {
    /// Returns the classes as text, in the order of the training table's values.
    fn classes(&self) -> &[String];

    /// Returns the share of each class for each row, row by row: `rows × classes` numbers. Those of a row add up to 1.
    ///
    /// # Errors
    /// When a column is missing or has another kind than in the training table.
    fn shares(&self, table: &Table) -> Result<Vec<f64>>;
}
