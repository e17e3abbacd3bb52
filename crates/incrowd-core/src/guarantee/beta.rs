//! Basic beta-likeness: no private value's share in a span exceeds its share in the whole table by more than beta times
//! the latter (Cao and Karras, 2012). Closed under merging: a share of a union lies between the shares of its parts.

use super::Histogram;
use crate::error::{Error, Result};
use std::fmt;

/// The share of a value in a span exceeds its share in the whole table by at most this factor of the latter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beta {
    beta: f64,
}

/// The largest relative growth (q − p)/p of a value's share from the whole table, p, to the span, q; 0 if none grew.
pub fn measure(values: &Histogram<'_>) -> f64 {
    let growth = |(value, count): (u32, u64)| {
        let here = u128::from(count) * u128::from(values.whole.total());
        let expected = u128::from(values.total) * u128::from(values.whole.count(value));
        if here > expected { (here - expected) as f64 / expected as f64 } else { 0.0 }
    };
    values.counts.iter().map(growth).fold(0.0, f64::max)
}

impl Beta {
    pub(super) fn new(beta: f64) -> Result<Self> {
        if !(beta.is_finite() && beta > 0.0) {
            return Err(Error::parameters("beta must be a number above 0"));
        }
        Ok(Self { beta })
    }

    /// The highest growth allowed.
    pub fn beta(self) -> f64 {
        self.beta
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values) <= self.beta
    }
}

impl fmt::Display for Beta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "beta = {}", self.beta)
    }
}
