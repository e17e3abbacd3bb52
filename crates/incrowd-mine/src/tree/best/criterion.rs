//! Impurities: how mixed the classes of some rows are. Each is 0 for one class, concave, and multiplied by the number
//! of rows. Also the value of a split by them.

use crate::tree::gain::{self, total_entropy};
use std::f64::consts::LN_2;
use std::sync::LazyLock;

/// An impurity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Criterion {
    /// Gini's: Σ over pairs of classes of 2·p·q.
    Gini,
    /// Entropy (information gain).
    Entropy,
    /// Σ over pairs of classes of 2·√(p·q) (Kearns and Mansour 1996; Dietterich, Kearns, Mansour 1996): it rewards pure
    /// branches most.
    Root,
    /// Entropy, its fall divided by how evenly a split divides the rows (Quinlan's gain ratio): it takes small pure
    /// branches first, which later splits could not.
    Ratio,
}

impl Criterion {
    /// In the order in which ties are settled.
    pub(super) const ALL: [Self; 4] = [Self::Gini, Self::Entropy, Self::Root, Self::Ratio];

    /// The worth of a split that leaves this impurity of `whole`, with these numbers of rows left and right.
    #[inline]
    pub(super) fn worth(self, whole: f64, leaves: f64, rows: [u64; 2]) -> f64 {
        let fall = whole - leaves;
        if self != Self::Ratio {
            return fall;
        }
        let all = (rows[0] + rows[1]) as f64;
        // The rows are kept as a factor, so that of two leaves the one that matters more is split first.
        fall * all / Self::Entropy.of_two(rows).max(f64::MIN_POSITIVE)
    }

    /// The impurity of counts by class, times their sum.
    pub(super) fn of(self, counts: &[u64]) -> f64 {
        if let &[a, b] = counts {
            return self.of_two([a, b]);
        }
        let total = counts.iter().sum::<u64>() as f64;
        if total == 0.0 {
            return 0.0;
        }
        match self {
            Self::Gini => total - counts.iter().map(|&n| n as f64 * n as f64).sum::<f64>() / total,
            Self::Entropy | Self::Ratio => total_entropy(counts),
            Self::Root => counts.iter().map(|&n| (n as f64).sqrt()).sum::<f64>().powi(2) - total,
        }
    }

    /// The same for two classes.
    #[inline]
    pub(super) fn of_two(self, [a, b]: [u64; 2]) -> f64 {
        if a == 0 || b == 0 {
            return 0.0;
        }
        let (x, y) = (a as f64, b as f64);
        match self {
            Self::Gini => 2.0 * x * y / (x + y),
            Self::Entropy | Self::Ratio => (n_ln_n(a + b) - n_ln_n(a) - n_ln_n(b)) / LN_2,
            Self::Root => 2.0 * (x * y).sqrt(),
        }
    }
}

/// n·ln n, looked up where n is small.
fn n_ln_n(n: u64) -> f64 {
    static SMALL: LazyLock<Vec<f64>> = LazyLock::new(|| (0..1 << 14).map(gain::n_ln_n).collect());
    SMALL.get(n as usize).copied().unwrap_or_else(|| gain::n_ln_n(n))
}
