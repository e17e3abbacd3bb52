//! Progress of a growing tree.

use super::grower::Grower;
use incrowd_core::progress::Progress;

/// Counts what is done; the rows are those of all nodes that were split.
pub(crate) struct Growth<'p> {
    progress: &'p dyn Progress,
    splits: u64,
    rows: u64,
}

impl<'p> Growth<'p> {
    pub(crate) fn new(progress: &'p dyn Progress) -> Self {
        Self { progress, splits: 0, rows: 0 }
    }

    /// A node has been split.
    pub(crate) fn split(&mut self, grower: &Grower<'_>, node: u32) {
        self.splits += 1;
        self.rows += grower.rows_at(node);
        let nodes = grower.nodes.len() as u64;
        self.progress.advance(1);
        self.progress.figures(&[("nodes", nodes), ("leaves", nodes - self.splits), ("rows", self.rows)]);
    }
}
