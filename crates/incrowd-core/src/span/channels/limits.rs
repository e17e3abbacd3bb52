//! Which cells must not follow from supports.

use crate::guarantee::{Guarantee, Requirement};

/// How many individuals a cell must have that speaks of something private, unless it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Every cell anyone can derive: the smallest bin.
    pub every: u64,
    /// A cell that no rule publishes by itself, so that it takes several supports: k.
    pub joint: u64,
}

impl Limits {
    /// What a guarantee asks for: its smallest bin of every cell, and its k of those that take several supports. `None`
    /// if it asks for neither, or not for two individuals.
    pub fn asked(guarantee: &Guarantee) -> Option<Self> {
        let smallest = guarantee.requirements().iter().find_map(|requirement| match requirement {
            Requirement::SmallestBin(least) => Some(least.n()),
            _ => None,
        });
        let limits = Self { every: smallest.unwrap_or(0), joint: guarantee.asked_k().unwrap_or(0) };
        (smallest.is_some() || limits.joint > 1).then_some(limits)
    }

    /// The same without what is asked of cells that take several supports; `None` if nothing is left.
    pub fn without_joint(self) -> Option<Self> {
        (self.every > 0).then_some(Self { joint: 0, ..self })
    }

    /// The most that is asked of any cell.
    pub fn most(&self) -> u64 {
        self.every.max(self.joint)
    }

    /// What is asked of a cell, by whether a rule publishes it by itself.
    pub(super) fn of(&self, own: bool) -> u64 {
        if own { self.every } else { self.most() }
    }
}
