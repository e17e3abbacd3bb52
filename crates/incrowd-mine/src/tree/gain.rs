//! Information gain, from counts by branch and class.
//!
//! Everything is a sum of n·ln n over integer counts in a fixed order, so equal counts give equal bits.

use std::f64::consts::LN_2;
use std::sync::LazyLock;

/// Counts by branch and class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts<'a> {
    /// Branch by branch, class by class.
    pub(crate) all: &'a [u64],
    /// The number of classes.
    pub(crate) classes: usize,
}

impl<'a> Counts<'a> {
    /// The counts of each branch by class.
    pub(crate) fn branches(self) -> impl Iterator<Item = &'a [u64]> {
        self.all.chunks_exact(self.classes)
    }

    /// The rows of each branch.
    pub(crate) fn sizes(self) -> impl Iterator<Item = u64> {
        self.branches().map(|counts| counts.iter().sum())
    }

    /// The counts of all branches together, by class.
    pub(crate) fn together(self) -> Vec<u64> {
        let mut together = vec![0; self.classes];
        for counts in self.branches() {
            together.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        together
    }

    /// The branch with most rows, the first of several.
    pub(crate) fn largest(self) -> u32 {
        let (mut best, mut most) = (0, 0);
        for (branch, size) in (0..).zip(self.sizes()) {
            if size > most {
                (best, most) = (branch, size);
            }
        }
        best
    }
}

/// n·ln n, and 0 for 0.
pub(crate) fn n_ln_n(n: u64) -> f64 {
    static KNOWN: LazyLock<Vec<f64>> = LazyLock::new(|| (0..1 << 15).map(compute_n_ln_n).collect());
    KNOWN.get(n as usize).copied().unwrap_or_else(|| compute_n_ln_n(n))
}

fn compute_n_ln_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

/// The class entropy of counts times their sum, in bits.
pub(crate) fn total_entropy(counts: &[u64]) -> f64 {
    let sum: f64 = counts.iter().map(|&n| n_ln_n(n)).sum();
    (n_ln_n(counts.iter().sum()) - sum) / LN_2
}

/// The information gain of a split, in bits per row; exactly 0 iff the class is spread alike in all branches.
pub(crate) fn information_gain(counts: Counts<'_>) -> f64 {
    let together = counts.together();
    let total: u64 = together.iter().sum();
    if total == 0 || spread_alike(counts, &together, total) {
        return 0.0;
    }
    let rest: f64 = counts.branches().map(total_entropy).sum();
    // Rounding must not hide a gain there is.
    ((total_entropy(&together) - rest) / total as f64).max(f64::MIN_POSITIVE)
}

/// Whether every branch has every class in the same proportion, by integers.
fn spread_alike(counts: Counts<'_>, together: &[u64], total: u64) -> bool {
    counts.branches().all(|branch| {
        let size = u128::from(branch.iter().sum::<u64>());
        branch
            .iter()
            .zip(together)
            .all(|(&n, &all)| u128::from(n) * u128::from(total) == size * u128::from(all))
    })
}
