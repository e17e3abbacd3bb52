//! What a release is worth: learners to try it with, protocols, measures, significance and a report.
//!
//! An [inducer] learns from a table, released or not, and is tried on people it has not seen. How far it gets, over k and over methods, is a
//! [`Comparison`](comparison::Comparison): what the report draws and the files hold. Nothing here makes a release or judges one; that is for the miners and the audit.

pub mod comparison;
pub mod folds;
pub mod inducer;
pub mod plot;
pub mod report;
pub mod score;
pub mod significance;
pub mod words;
