//! Turns a panic into an ordinary error: exit status 2, and no data in the message.

use incrowd::{Error, Result};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// The place of the panic. The message is not kept: it can contain a value of the table.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Runs some work and turns a panic into an error. Destructors still run, so temporary files are removed.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        // Later panics are consequences of the first.
        let mut first = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none() {
            *first = place;
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(defect()))
}

fn defect() -> Error {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    Error::internal(format!("incrowd stopped because of a bug{place}; nothing was written"))
        .help("please report the bug with the command you ran, but without your data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_without_its_message() {
        let error = caught(|| -> Result<()> { panic!("secret") }).unwrap_err();
        assert!(error.what.contains("faults.rs:"), "{}", error.what);
        assert!(!format!("{error:?}").contains("secret"));
        assert_eq!(caught(|| Ok(1)).unwrap(), 1);
    }
}
