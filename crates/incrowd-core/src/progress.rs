//! Progress reporting and cancellation of long-running work.
//!
//! Work reports in [stages](Stage), which end when their guard is dropped. Loops ask [`Progress::is_cancelled`] and end
//! early; the error comes from [`Stage::finish`] or `check`.

use crate::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

/// Receives the progress of long-running work, and can stop it. All methods may be called from several threads.
pub trait Progress: Sync {
    /// A piece of work begins; `total` is its size where known, in the units given to [`Progress::advance`].
    fn begin(&self, work: &str, total: Option<u64>) {
        let _ = (work, total);
    }

    /// Adds to the work done.
    fn advance(&self, amount: u64) {
        let _ = amount;
    }

    /// The results so far, by name, to be shown next to the progress.
    fn figures(&self, figures: &[(&str, u64)]) {
        let _ = figures;
    }

    /// The piece of work is over.
    fn end(&self) {}

    /// Whether the work is to stop. Called often, so it must be cheap. Once true, it must stay true.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl dyn Progress + '_ {
    /// Begins a stage. It ends when the guard is dropped.
    pub fn stage(&self, work: &str, total: Option<u64>) -> Stage<'_> {
        self.begin(work, total);
        Stage { progress: self }
    }

    /// Fails if the work is to stop.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// A piece of work in progress. It ends when this guard is dropped, whichever way the work is left.
#[must_use = "a stage ends when its guard is dropped"]
pub struct Stage<'p> {
    progress: &'p (dyn Progress + 'p),
}

impl Stage<'_> {
    /// Ends the stage.
    ///
    /// # Errors
    /// When the work was cancelled, and its result is not complete.
    pub fn finish(self) -> Result<()> {
        self.progress.check()
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        self.progress.end();
    }
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Ignores all progress and can be cancelled from another thread.
///
/// ```
/// use incrowd_core::progress::{Cancel, Progress};
///
/// let cancel = Cancel::new();
/// assert!(!cancel.is_cancelled());
/// cancel.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Debug, Default)]
pub struct Cancel {
    is_cancelled: AtomicBool,
}

impl Cancel {
    /// Creates a handle that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the work soon. It then fails with an error of kind [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl Progress for Cancel {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Reports nothing of a part of the work, and stops it with the whole.
#[derive(Clone, Copy)]
pub struct Unreported<'p>(pub &'p dyn Progress);

impl Progress for Unreported<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Calls(Mutex<Vec<String>>);

    impl Progress for Calls {
        fn begin(&self, work: &str, _total: Option<u64>) {
            self.0.lock().expect("calls").push(format!("begin {work}"));
        }

        fn end(&self) {
            self.0.lock().expect("calls").push("end".to_owned());
        }
    }

    #[test]
    fn a_stage_ends_even_if_the_work_fails() {
        let calls = Calls::default();
        let work = |fails: bool| -> Result<()> {
            let progress: &dyn Progress = &calls;
            let stage = progress.stage("work", None);
            if fails {
                return Err(Error::input("wrong"));
            }
            stage.finish()
        };
        assert!(work(true).is_err() && work(false).is_ok());
        assert_eq!(*calls.0.lock().expect("calls"), ["begin work", "end", "begin work", "end"]);
    }

    #[test]
    fn cancelled_work_fails_with_its_kind() {
        let cancel = Cancel::new();
        let progress: &dyn Progress = &cancel;
        let stage = progress.stage("work", Some(3));
        cancel.cancel();
        assert_eq!(stage.finish().expect_err("cancelled").kind, crate::ErrorKind::Cancelled);
        assert!(Unreported(progress).is_cancelled());
    }
}
