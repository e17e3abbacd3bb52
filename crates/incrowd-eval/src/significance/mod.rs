//! Tests whether differences between methods are significant.
//!
//! Methods are ranked in each block (a data set, a fold or anything else that all methods were evaluated on), and the
//! average ranks are compared, following Demšar: "Statistical comparisons of classifiers over multiple data sets", JMLR
//! 7 (2006). Ranks do not need a normal distribution and are robust against a block with large differences.
//!
//! The tests assume independent blocks. Folds of one data set share rows, so with folds as blocks p-values are too
//! small; reports state this.

mod critical;
mod friedman;
mod holm;
mod ranks;
#[cfg(test)]
mod tests;

pub use critical::{bonferroni_dunn, nemenyi};
pub use friedman::{Friedman, friedman};
pub use holm::{ControlTest, holm};
pub use ranks::{average_ranks, groups, ranks};
