//! Distinct l-diversity: at least l different private values among a span's individuals
//! (Machanavajjhala et al., 2007). Closed under merging: a union has the values of both.

use super::Histogram;
use crate::error::{Error, Result};
use std::fmt;

/// At least l different private values in every span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistinctL {
    l: u32,
}

/// The number of different values.
pub fn measure(values: &Histogram<'_>) -> u64 {
    values.counts.occurring() as u64
}

impl DistinctL {
    pub(super) fn new(l: u32) -> Result<Self> {
        if l == 0 {
            return Err(Error::parameters("distinct l must be at least 1"));
        }
        Ok(Self { l })
    }

    /// The fewest values allowed.
    pub fn l(self) -> u32 {
        self.l
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values) >= u64::from(self.l)
    }
}

impl fmt::Display for DistinctL {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "distinct l = {}", self.l)
    }
}
