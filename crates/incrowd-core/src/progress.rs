//! Progress reporting for long-running work.

/// Receives the progress of long-running work. All methods may be called from several threads.
pub trait Progress: Sync {
    /// A piece of work begins; `total` is its size where known, in the units given to [`Progress::advance`].
    fn begin(&self, work: &str, total: Option<u64>) {
        let _ = (work, total);
    }

    /// Adds to the work done.
    fn advance(&self, amount: u64) {
        let _ = amount;
    }

    /// What there is so far, by name: to be shown beside how far the work is.
    fn figures(&self, figures: &[(&str, u64)]) {
        let _ = figures;
    }

    /// The piece of work is over.
    fn end(&self) {}
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}
