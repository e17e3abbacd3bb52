//! Limits on the work that the predicates of a file can cause.

use incrowd_core::{Error, Result};
use std::cell::Cell;

/// The maximum number of steps, in all, to find out what predicates take.
const MOST: usize = 1 << 28;

/// The steps taken so far.
#[derive(Debug, Default)]
pub(super) struct Steps(Cell<usize>);

impl Steps {
    /// Counts steps, before they are taken.
    pub(super) fn take(&self, steps: usize) -> Result<()> {
        self.0.set(self.0.get().saturating_add(steps));
        if self.0.get() <= MOST {
            return Ok(());
        }
        Err(Error::limit("the predicates of the tree name too many values").help("export a smaller model"))
    }
}
