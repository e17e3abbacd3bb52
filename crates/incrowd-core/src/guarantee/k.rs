//! k-anonymity: every span holds at least k individuals (PKDD 2006, Definition 7).
//!
//! VLDB Journal 2008, Claim 3 lets a span with a single bin hold fewer, since it tells nothing private about anyone. That
//! exemption is an option. Under it a *private* split can turn a small exempt span into a breach, so private splits
//! must be checked as well. Closed under merging: a union of spans is larger than each.

use super::Crowd;
use crate::error::{Error, Result};
use std::fmt;

/// Whether spans with a single bin count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SingleBin {
    /// They need k individuals like every span (PKDD Definition 7).
    #[default]
    Counted,
    /// They may hold any number (VLDB Claim 3).
    Exempt,
}

/// At least k individuals in every span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct K {
    k: u64,
    single_bin: SingleBin,
}

impl K {
    pub(super) fn new(k: u64, single_bin: SingleBin) -> Result<Self> {
        if k == 0 {
            return Err(Error::new("k must be at least 1"));
        }
        Ok(Self { k, single_bin })
    }

    /// The k.
    pub fn k(self) -> u64 {
        self.k
    }

    /// Whether spans with a single bin count.
    pub fn single_bin(self) -> SingleBin {
        self.single_bin
    }

    pub(super) fn holds(self, crowd: &Crowd<'_>) -> bool {
        crowd.population >= self.k || (crowd.single_bin && self.single_bin == SingleBin::Exempt)
    }
}

impl fmt::Display for K {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k = {}", self.k)?;
        match self.single_bin {
            SingleBin::Counted => Ok(()),
            SingleBin::Exempt => f.write_str(" (spans with a single bin exempt)"),
        }
    }
}
