//! The alpha of (alpha,k)-anonymity: no private value makes up more than a share alpha of a span (Wong, Li, Fu, Wang,
//! 2006). The k is [a separate requirement](super::k).
//!
//! It differs from [the cap on confidence](super::confidence) only where individuals have several values: alpha is a
//! share of the values, the cap a share of the individuals. Closed under merging, for the same reason.

use super::Histogram;
use crate::error::{Error, Result};
use std::fmt;

/// No private value above this share of a span's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alpha {
    alpha: f64,
}

/// The share of the most frequent value.
pub fn measure(values: &Histogram<'_>) -> f64 {
    if values.total == 0 { 0.0 } else { values.highest() as f64 / values.total as f64 }
}

impl Alpha {
    pub(super) fn new(alpha: f64) -> Result<Self> {
        if !(alpha > 0.0 && alpha <= 1.0) {
            return Err(Error::parameters("alpha must be above 0 and at most 1"));
        }
        Ok(Self { alpha })
    }

    /// The highest share allowed.
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values) <= self.alpha
    }
}

impl fmt::Display for Alpha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alpha = {}", self.alpha)
    }
}
