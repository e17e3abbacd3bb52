//! Impurities: how mixed the classes of some rows are. Each is 0 for one class, concave, and taken times the number of rows.

use crate::tree::gain::total_entropy;

/// An impurity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Criterion {
    /// Gini's: Σ over pairs of classes of 2·p·q.
    Gini,
    /// Entropy (information gain).
    Entropy,
    /// Σ over pairs of classes of 2·√(p·q) (Kearns and Mansour 1996; Dietterich, Kearns, Mansour 1996): it rewards pure branches most.
    Root,
}

impl Criterion {
    /// In the order in which ties are settled.
    pub(super) const ALL: [Self; 3] = [Self::Gini, Self::Entropy, Self::Root];

    /// The impurity of counts by class, times their sum.
    pub(super) fn of(self, counts: &[u64]) -> f64 {
        let total = counts.iter().sum::<u64>() as f64;
        if total == 0.0 {
            return 0.0;
        }
        match self {
            Self::Gini => total - counts.iter().map(|&n| n as f64 * n as f64).sum::<f64>() / total,
            Self::Entropy => total_entropy(counts),
            Self::Root => counts.iter().map(|&n| (n as f64).sqrt()).sum::<f64>().powi(2) - total,
        }
    }
}
