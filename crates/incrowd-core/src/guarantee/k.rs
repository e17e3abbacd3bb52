//! k-anonymity: every span has at least k individuals (PKDD 2006, Definition 7).
//!
//! VLDB Journal 2008, Claim 3 allows a span with a single bin to have fewer individuals, since it reveals nothing
//! private about anyone. This exemption is an option. With it, a *private* split can turn a small exempt span into a
//! breach, so private splits must be checked as well. Closed under merging: a union of spans is larger than each.
//!
//! If individuals have several rows, the size of a span is only a count of different individuals: an attacker who knows
//! that an individual has rows in two spans may find few others with rows in both. With [`SeveralRows::Strict`], k
//! counts individuals who have the same spans in all of their rows, equally often (proof in `docs/proofs.md`). It is
//! closed under merging too: individuals who had the same spans still have them.

use super::Crowd;
use crate::choice;
use crate::error::{Error, Result};
use std::fmt;

/// Whether spans with a single bin count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SingleBin {
    /// A span with a single bin needs k individuals like any other (PKDD Definition 7).
    #[default]
    Counted,
    /// A span with a single bin may have any number of individuals (VLDB Claim 3).
    Exempt,
}

choice!(SingleBin, "way to count groups with a single bin" {
    Counted => "counted", "Every group needs k individuals.";
    Exempt => "exempt", "A group with a single bin may have fewer: it reveals no private value.";
});

/// What k counts if individuals have several rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SeveralRows {
    /// The different individuals with a row in a span.
    #[default]
    Counted,
    /// The individuals who have the same spans over all of their rows.
    Strict,
}

choice!(SeveralRows, "way to count individuals with several rows" {
    Counted => "counted", "Count the different individuals with a row in a group.";
    Strict => "strict", "Count the individuals with the same groups over all of their rows.";
});

/// At least k individuals in every span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct K {
    least: u64,
    single_bin: SingleBin,
    several_rows: SeveralRows,
}

impl K {
    pub(super) fn new(k: u64, single_bin: SingleBin, several_rows: SeveralRows) -> Result<Self> {
        if k == 0 {
            return Err(Error::parameters("k must be at least 1"));
        }
        Ok(Self { least: k, single_bin, several_rows })
    }

    /// The k.
    pub fn k(self) -> u64 {
        self.least
    }

    /// Whether spans with a single bin count.
    pub fn single_bin(self) -> SingleBin {
        self.single_bin
    }

    /// What is counted if individuals have several rows.
    pub fn several_rows(self) -> SeveralRows {
        self.several_rows
    }

    pub(super) fn holds(self, crowd: &Crowd<'_>) -> bool {
        let counted = match self.several_rows {
            SeveralRows::Counted => crowd.population,
            SeveralRows::Strict => crowd.alike,
        };
        counted >= self.least || (crowd.single_bin && self.single_bin == SingleBin::Exempt)
    }
}

impl fmt::Display for K {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k = {}", self.least)?;
        match (self.several_rows, self.single_bin) {
            (SeveralRows::Counted, SingleBin::Counted) => Ok(()),
            (SeveralRows::Counted, SingleBin::Exempt) => f.write_str(" (spans with a single bin exempt)"),
            (SeveralRows::Strict, SingleBin::Counted) => f.write_str(" (over all rows of an individual)"),
            (SeveralRows::Strict, SingleBin::Exempt) => {
                f.write_str(" (over all rows of an individual, spans with a single bin exempt)")
            }
        }
    }
}
