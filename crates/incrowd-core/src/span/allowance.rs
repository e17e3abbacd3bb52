//! Limits on the work that a model can cause in an audit. Models are untrusted: a model that would take too much memory
//! or too many steps is an error, detected before the work begins.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A limited resource shared by all threads.
pub(super) struct Allowance {
    left: AtomicUsize,
    what: &'static str,
    help: &'static str,
}

impl Allowance {
    /// The maximum memory for the values of private attributes at each test: 512 MiB.
    pub(super) fn of_cells() -> Self {
        let what = "the tests of private attributes split their values in too many ways";
        Self::new(1 << 29, what, "make a smaller tree, or generalize the attribute")
    }

    /// The leaves that all spans reach.
    pub(super) fn of_leaves() -> Self {
        Self::new(
            1 << 26,
            "the groups that an attacker can tell apart reach too many leaves of the tree to be checked",
            "make a smaller tree",
        )
    }

    /// The steps of finding them.
    pub(super) fn of_divisions() -> Self {
        Self::new(1 << 31, "the tree has too many tests to be checked", "make a smaller tree")
    }

    /// The steps of finding them for all trees of an ensemble.
    pub(super) fn of_divisions_by_trees() -> Self {
        let (what, help) = ("the ensemble has too many tests to be checked", "make a smaller ensemble");
        Self::new(1 << 34, what, help)
    }

    /// The steps of determining what spans reveal about private attributes.
    pub(super) fn of_tellings() -> Self {
        let what = "the groups that an attacker can tell apart reach too many values of private attributes to be checked";
        Self::new(1 << 32, what, "make a smaller tree, or generalize private attributes")
    }

    /// The bins that all spans reach.
    pub(super) fn of_bins(what: &'static str, help: &'static str) -> Self {
        Self::new(1 << 26, what, help)
    }

    fn new(most: usize, what: &'static str, help: &'static str) -> Self {
        Self { left: AtomicUsize::new(most), what, help }
    }

    /// Uses some of it.
    pub(super) fn take(&self, amount: usize) -> Result<()> {
        let less = |left: usize| left.checked_sub(amount);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::limit(self.what).help(self.help)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_can_be_taken_and_no_more() {
        let allowance = Allowance::new(10, "too much", "take less");
        assert!(allowance.take(7).is_ok());
        assert!(allowance.take(4).is_err());
        assert!(allowance.take(3).is_ok());
        assert_eq!(allowance.take(1).unwrap_err().what, "too much");
    }
}
