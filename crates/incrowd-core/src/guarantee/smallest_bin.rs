//! Smallest bin: no published or derivable cell has 1 to n − 1 individuals.
//!
//! A span of k individuals can contain a bin of 1. Rules such as those of health statistics offices, which forbid cells
//! of 1 to 10, require a smallest bin besides k. Published cells are the bins with their populations. Derivable cells
//! are the individuals of one span in one bin, if the populations of bins and the sizes of spans together determine
//! that they are few. Merging spans preserves the requirement for published cells (bins merge or stay) but not for
//! derivable ones; splitting a bin need not preserve either, so miners must check private splits as well.

use super::Crowd;
use crate::error::{Error, Result};
use std::fmt;

/// No published or derivable cell with 1 to n − 1 individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallestBin {
    n: u64,
}

impl SmallestBin {
    pub(super) fn new(n: u64) -> Result<Self> {
        if n == 0 {
            return Err(Error::parameters("the smallest bin must be at least 1"));
        }
        Ok(Self { n })
    }

    /// The smallest population allowed.
    pub fn n(self) -> u64 {
        self.n
    }

    pub(super) fn holds(self, crowd: &Crowd<'_>) -> bool {
        crowd.smallest_bin >= self.n || crowd.population == 0
    }
}

impl fmt::Display for SmallestBin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "smallest bin = {}", self.n)
    }
}
