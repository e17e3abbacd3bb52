//! Which cells must not follow from supports.

use crate::guarantee::{Guarantee, Requirement};

/// How many individuals a cell that involves something private must have, unless it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Every cell anyone can derive: the smallest bin.
    pub every: u64,
    /// A cell that no single rule publishes, so that it takes several supports: k.
    pub joint: u64,
}

impl Limits {
    /// The limits of a guarantee: its smallest bin applies to every cell, and its k to cells that need several
    /// supports. `None` if it requires neither, or fewer than two individuals.
    pub fn asked(guarantee: &Guarantee) -> Option<Self> {
        let smallest = guarantee.requirements().iter().find_map(|requirement| match requirement {
            Requirement::SmallestBin(least) => Some(least.n()),
            _ => None,
        });
        let limits = Self { every: smallest.unwrap_or(0), joint: guarantee.asked_k().unwrap_or(0) };
        (smallest.is_some() || limits.joint > 1).then_some(limits)
    }

    /// The same without what is required of cells that take several supports; `None` if nothing is left.
    pub fn without_joint(self) -> Option<Self> {
        (self.every > 0).then_some(Self { joint: 0, ..self })
    }

    /// The most that is required of any cell.
    pub fn most(&self) -> u64 {
        self.every.max(self.joint)
    }

    /// What is required of a cell, by whether a single rule publishes it.
    pub(super) fn of(&self, own: bool) -> u64 {
        if own { self.every } else { self.most() }
    }
}
