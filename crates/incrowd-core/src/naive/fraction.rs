//! Exact fractions, so that ties are ties.

use std::cmp::Ordering;

/// A fraction in lowest terms; every operation is `None` when it does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction {
    over: i128,
    under: i128,
}

impl Fraction {
    pub(super) const ZERO: Self = Self { over: 0, under: 1 };

    /// `over / under`; `None` also when `under` is zero.
    pub(super) fn new(over: i128, under: i128) -> Option<Self> {
        let divisor = divisor(over, under)?;
        let sign = under.signum();
        Some(Self { over: over.checked_mul(sign)? / divisor, under: under.checked_mul(sign)? / divisor })
    }

    /// The nearest number, as precise as its two parts allow.
    pub(super) fn number(self) -> f64 {
        self.over as f64 / self.under as f64
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let left = self.over.checked_mul(other.under)?;
        let right = other.over.checked_mul(self.under)?;
        Self::new(left.checked_add(right)?, self.under.checked_mul(other.under)?)
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self { over: other.over.checked_neg()?, ..other })
    }

    pub(super) fn divided_by(self, other: Self) -> Option<Self> {
        Self::new(self.over.checked_mul(other.under)?, self.under.checked_mul(other.over)?)
    }

    pub(super) fn sign(self) -> Ordering {
        self.over.cmp(&0)
    }
}

/// The greatest common divisor, above zero; `None` when `under` is zero.
fn divisor(over: i128, under: i128) -> Option<i128> {
    let (mut a, mut b) = (over.checked_abs()?, under.checked_abs()?);
    if b == 0 {
        return None;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}
