//! Smallest bin: no published or derivable cell has 1 to n − 1 individuals.
//!
//! A span of k can contain a bin of 1. Rules such as the ban of health statistics offices on cells of 1 to 10 require
//! this besides k. The populations of bins are published. Derivable is what they leave, together with the sizes of
//! spans, for the individuals of one span in one bin. Merging keeps the first (bins only merge or stay) but not the
//! second; splitting a bin need not keep either, so miners must check it for private splits as well.

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
