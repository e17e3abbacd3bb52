//! Entropy l-diversity: the entropy of the private values in a span is at least log l (Machanavajjhala et al., 2007).
//!
//! With two values it caps the share of one value (l = 1.526 at 85 %); with more values the same l allows more (89 %
//! with three, 92.7 % with ten), so a cap must be required with [`confidence`](super::confidence) as well. Closed under
//! merging: entropy is concave.

use super::Histogram;
use crate::error::{Error, Result};
use std::fmt;

/// Two entropies closer than this are equal: a sum of logarithms in `f64` is not more precise.
const RESOLUTION: f64 = 1e-12;

/// Entropy of at least log l in every span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntropyL {
    l: f64,
}

/// The effective number of values, exp(entropy): m for m equally frequent ones.
pub fn measure(values: &Histogram<'_>) -> f64 {
    let highest = values.highest();
    if values.counts.iter().all(|(_, count)| count == highest) {
        return values.counts.occurring() as f64;
    }
    let total = values.total as f64;
    let sum: f64 = values.counts.iter().map(|(_, count)| count as f64 * (count as f64).ln()).sum();
    (total.ln() - sum / total).exp()
}

impl EntropyL {
    pub(super) fn new(l: f64) -> Result<Self> {
        if !(l.is_finite() && l >= 1.0) {
            return Err(Error::parameters("entropy l must be a number of at least 1"));
        }
        Ok(Self { l })
    }

    /// The smallest effective number of values allowed.
    pub fn l(self) -> f64 {
        self.l
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values).ln() >= self.l.ln() - RESOLUTION
    }
}

impl fmt::Display for EntropyL {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entropy l = {}", self.l)
    }
}
