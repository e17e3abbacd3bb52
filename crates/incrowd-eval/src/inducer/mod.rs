//! Learners to try releases with.
//!
//! What is learned from are cells as they stand in a table: names (an interval or `*` is a name like any other) and numbers. What is predicted for are the
//! cells of another table with the same columns; its codes may differ, so classifiers know values by what they say.
//!
//! | inducer | names | numbers | missing | unseen names |
//! | --- | --- | --- | --- | --- |
//! | [`NaiveBayes`] | frequencies with Laplace's correction | a normal distribution | left out | left out |
//! | [`Logistic`] | an effect each | a slope | mean, most frequent name | no effect |
//!
//! Trees and rules are learned by `incrowd-mine`; the crate `incrowd` has all of them by name.

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

/// What is to be learned: a class from the other columns.
#[derive(Debug, Clone, Copy)]
pub struct Examples<'a> {
    /// The table; rows without a class are not learned from.
    pub table: &'a Table,
    /// The column to predict.
    pub class: &'a str,
    /// The columns to predict it from, in the order in which ties are decided.
    pub inputs: &'a [String],
}

/// Something that learns.
pub trait Inducer: Sync {
    /// Its name, as flags and reports have it.
    fn name(&self) -> &'static str;

    /// Learns from examples.
    ///
    /// # Errors
    /// When a column is not there, nobody has a class, or the class is numeric with too many values to be one.
    fn learn(&self, examples: Examples<'_>) -> Result<Box<dyn Classifier>>;
}

/// What was learned.
pub trait Classifier: Send + Sync {
    /// The classes it tells apart, as text, in the order of the training table's values.
    fn classes(&self) -> &[String];

    /// For each row the share of each class, row by row: `rows × classes` numbers, those of a row adding up to 1.
    ///
    /// # Errors
    /// When a column is not there or has other values than it can be asked about.
    fn shares(&self, table: &Table) -> Result<Vec<f64>>;
}
