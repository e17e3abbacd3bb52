//! Whether some methods are better than others, or only luckier.
//!
//! Methods are ranked block by block (a block is a data set, a fold or anything else all methods were tried on), and the average ranks are compared, as Demšar
//! has it: "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006). Ranks ask for nothing normal and are not moved by one block with
//! large differences.
//!
//! The tests take blocks for independent. Folds of one data set share rows, so with folds as blocks p-values come out too small; reports say so.

mod critical;
mod friedman;
mod holm;
mod ranks;
#[cfg(test)]
mod tests;

pub use critical::{bonferroni_dunn, nemenyi};
pub use friedman::{Friedman, friedman};
pub use holm::{Against, holm};
pub use ranks::{average_ranks, groups, ranks};
