//! Impurities: how mixed the classes of some rows are. Each is 0 for one class, concave, and multiplied by the number
//! of rows. Also the value of a split by them.

use crate::tree::gain;
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
        let terms = Terms::of(self);
        let sum = counts.iter().fold(0, |sum: u64, &n| sum.wrapping_add(terms.term(n)));
        terms.impurity(sum, counts.iter().sum())
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

/// One term for each class, the sum of which is an impurity. Terms are whole numbers: a sum has the same bits however
/// it came about, so it can be updated as rows change sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    criterion: Criterion,
    /// The terms of small counts.
    known: &'static [u64],
}

/// The number of counts whose terms are kept.
const KNOWN: u64 = 1 << 15;

/// What n·ln n is multiplied by: as much as fits for 2³² rows.
const LOG_SCALE: f64 = (1_u64 << 26) as f64;

/// What √n is multiplied by.
const ROOT_SCALE: f64 = (1_u64 << 32) as f64;

impl Terms {
    pub(super) fn of(criterion: Criterion) -> Self {
        static SQUARES: LazyLock<Vec<u64>> = LazyLock::new(|| (0..KNOWN).map(square).collect());
        static LOGS: LazyLock<Vec<u64>> = LazyLock::new(|| (0..KNOWN).map(log).collect());
        static ROOTS: LazyLock<Vec<u64>> = LazyLock::new(|| (0..KNOWN).map(root).collect());
        let known = match criterion {
            Criterion::Gini => &SQUARES,
            Criterion::Entropy | Criterion::Ratio => &LOGS,
            Criterion::Root => &ROOTS,
        };
        Self { criterion, known }
    }

    /// The term of a class of so many rows.
    #[inline]
    pub(super) fn term(self, n: u64) -> u64 {
        self.known.get(n as usize).copied().unwrap_or_else(|| match self.criterion {
            Criterion::Gini => square(n),
            Criterion::Entropy | Criterion::Ratio => log(n),
            Criterion::Root => root(n),
        })
    }

    /// The impurity of classes with this sum of terms and so many rows, times the rows.
    #[inline]
    pub(super) fn impurity(self, sum: u64, rows: u64) -> f64 {
        let total = rows as f64;
        match self.criterion {
            _ if rows == 0 => 0.0,
            Criterion::Gini => total - sum as f64 / total,
            // A class of all rows has the same term.
            Criterion::Entropy | Criterion::Ratio => {
                self.term(rows).wrapping_sub(sum).cast_signed() as f64 / (LOG_SCALE * LN_2)
            }
            Criterion::Root => (sum as f64 / ROOT_SCALE).powi(2) - total,
        }
    }
}

fn square(n: u64) -> u64 {
    n.wrapping_mul(n)
}

fn log(n: u64) -> u64 {
    (gain::n_ln_n(n) * LOG_SCALE).round() as u64
}

fn root(n: u64) -> u64 {
    ((n as f64).sqrt() * ROOT_SCALE).round() as u64
}

/// n·ln n, looked up where n is small.
fn n_ln_n(n: u64) -> f64 {
    static SMALL: LazyLock<Vec<f64>> = LazyLock::new(|| (0..1 << 14).map(gain::n_ln_n).collect());
    SMALL.get(n as usize).copied().unwrap_or_else(|| gain::n_ln_n(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The impurities by their definitions, from shares.
    fn by_definition(criterion: Criterion, counts: &[u64]) -> f64 {
        let total = counts.iter().sum::<u64>() as f64;
        let shares: Vec<f64> = counts.iter().map(|&n| n as f64 / total).collect();
        let pairs = |worth: fn(f64) -> f64| -> f64 {
            let of = |i: usize| (0..i).map(move |j| (i, j));
            (0..shares.len()).flat_map(of).map(|(i, j)| 2.0 * worth(shares[i] * shares[j])).sum()
        };
        let each = match criterion {
            Criterion::Gini => pairs(|product| product),
            Criterion::Root => pairs(f64::sqrt),
            Criterion::Entropy | Criterion::Ratio => {
                shares.iter().filter(|&&p| p > 0.0).map(|p| -p * p.log2()).sum()
            }
        };
        each * total
    }

    #[test]
    fn impurities_are_those_of_their_definitions() {
        let all: [&[u64]; 6] = [&[3, 4], &[0, 5], &[1, 2, 3], &[7, 0, 0, 0], &[40_000, 1, 70_000], &[5; 50]];
        for criterion in Criterion::ALL {
            for counts in all {
                let (found, defined) = (criterion.of(counts), by_definition(criterion, counts));
                assert!((found - defined).abs() <= 1e-6 * defined.max(1.0), "{criterion:?} {counts:?}");
            }
            assert!(criterion.of(&[0, 0, 0]).abs() <= 0.0, "{criterion:?}");
            assert!(criterion.of(&[0, 0, 9]).abs() <= 0.0, "{criterion:?}");
        }
    }
}
