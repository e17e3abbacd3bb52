//! Runs work without the interpreter's lock, while signals are looked for and progress is reported.

use crate::error::raised;
use incrowd::progress::Progress;
use incrowd::{Error, Result};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(50);

/// How far the work is, for the thread that reports it, and whether it is to stop.
#[derive(Debug, Default)]
pub(crate) struct Follower {
    state: Mutex<State>,
    is_cancelled: AtomicBool,
}

#[derive(Debug, Clone, Default)]
struct State {
    work: String,
    total: Option<u64>,
    done: u64,
}

impl Follower {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Follower {
    fn begin(&self, work: &str, total: Option<u64>) {
        *self.state() = State { work: work.to_owned(), total, done: 0 };
    }

    fn advance(&self, amount: u64) {
        self.state().done += amount;
    }

    fn end(&self) {
        *self.state() = State::default();
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Runs work in a thread of its own. `watch` is called with what is done, its size where known, and how much is done;
/// at the end without arguments.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    follower: &Follower,
    watch: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let (send, mut receive) = channel();
    let guarded = move || {
        // The calling thread waits for this, even after a signal.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    };
    std::thread::Builder::new()
        .name("incrowd".to_owned())
        .spawn(guarded)
        .map_err(|_| raised(Error::limit("a thread could not be started")))?;
    let done = loop {
        let got;
        (receive, got) = py.detach(move || {
            let got = receive.recv_timeout(TICK);
            (receive, got)
        });
        match got {
            Ok(Ok(done)) => break done.map_err(raised),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break Err(raised(bug())),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(signal) = py.check_signals().and_then(|()| tell(follower, watch)) {
                    follower.is_cancelled.store(true, Ordering::Relaxed);
                    // Nothing goes on behind the caller's back: an interpreter that ends meanwhile would abort.
                    let _ = py.detach(move || receive.recv().map(|_| ()));
                    break Err(signal);
                }
            }
        }
    };
    if let (Some(watch), Ok(_)) = (watch, &done) {
        watch.call0()?;
    }
    done
}

fn tell(follower: &Follower, watch: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(watch) = watch else { return Ok(()) };
    let State { work, total, done } = follower.state().clone();
    if !work.is_empty() {
        watch.call1((work, total, done))?;
    }
    Ok(())
}

fn bug() -> Error {
    Error::internal("the work ended without a result").help("this is a bug in incrowd; please report it")
}
