//! The stored results of a comparison, with plausibility checks.
//!
//! A file may be damaged and still be readable. Impossible figures are computed again, since they would affect every
//! mean and plot.

use super::tried::Trial;
use incrowd_eval::comparison::{MethodRelease, Scores};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Tolerance for rounding.
const ROUNDING: f64 = 1e-6;

/// The maximum plausible time: thirty years in seconds.
const LONGEST: f64 = 1e9;

/// A finding that can be stored and used again.
pub(super) trait Finding: Serialize + DeserializeOwned {
    /// Whether the figures are possible.
    fn is_possible(&self) -> bool;
}

/// A result, or the reason why there is none.
impl<T: Finding, E: Serialize + DeserializeOwned> Finding for Result<T, E> {
    fn is_possible(&self) -> bool {
        self.as_ref().is_ok_and(Finding::is_possible) || self.is_err()
    }
}

impl Finding for Trial {
    fn is_possible(&self) -> bool {
        let Scores { accuracy, balanced_accuracy, f1, auc } = self.scores;
        let lost = self.suppressed.into_iter().chain(self.loss);
        [accuracy, balanced_accuracy, f1, auc].into_iter().chain(lost).all(is_share)
    }
}

impl Finding for MethodRelease {
    fn is_possible(&self) -> bool {
        let mut shares = self.suppressed.into_iter().chain(self.loss).chain(self.max_confidence);
        let in_spans = self.sizes.iter().try_fold(0_u64, |all, sizes| all.checked_add(sizes.individuals));
        shares.all(is_share)
            && (0.0..LONGEST).contains(&self.seconds)
            && self.sizes.iter().all(|sizes| sizes.from <= sizes.to)
            && in_spans.is_some()
    }
}

fn is_share(figure: f64) -> bool {
    (-ROUNDING..=1.0 + ROUNDING).contains(&figure)
}
