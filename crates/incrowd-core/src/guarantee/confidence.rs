//! A cap on confidence: at most a given share of a span's individuals have the same private value.
//!
//! It limits what is true of a span, not what an attacker may believe about one individual after weighing all worlds
//! (docs/proofs.md); entropy l-diversity implies it only for two values. Closed under merging: a share of a union lies
//! between the shares of its parts.

use super::Histogram;
use crate::error::{Error, Result};
use std::fmt;

/// At most this share of a span's individuals have the same private value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    cap: f64,
}

/// The share of the individuals with the most frequent value.
pub fn measure(values: &Histogram<'_>) -> f64 {
    if values.individuals == 0 { 0.0 } else { values.highest() as f64 / values.individuals as f64 }
}

impl Confidence {
    pub(super) fn new(cap: f64) -> Result<Self> {
        if !(cap > 0.0 && cap <= 1.0) {
            return Err(Error::parameters("the cap on confidence must be above 0 and at most 1"));
        }
        Ok(Self { cap })
    }

    /// The highest share allowed.
    pub fn cap(self) -> f64 {
        self.cap
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values) <= self.cap
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "confidence <= {}", self.cap)
    }
}
