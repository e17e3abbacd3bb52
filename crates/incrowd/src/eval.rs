//! Learners to test releases with, cross-validation, scores, significance and reports.

pub use incrowd_eval::{comparison, folds, inducer, plot, report, score, significance};
