//! Evaluates releases: learners, protocols, measures, significance tests and a report.
//!
//! An [inducer] learns from a table, released or not, and is evaluated on individuals that are not in it. The results
//! over k and over methods are a [`Comparison`](comparison::Comparison), the content of the report and of the files.
//! Making and auditing releases is the task of other crates.

pub mod comparison;
pub mod folds;
pub mod inducer;
pub mod plot;
pub mod report;
pub mod score;
pub mod significance;
pub mod words;
