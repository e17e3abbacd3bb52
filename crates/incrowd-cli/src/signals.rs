//! Removes temporary files when a signal ends the program.

use incrowd::io::write::abandon;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The longest time that the last message may take: its reader may have stopped reading.
const MESSAGE: Duration = Duration::from_millis(200);

/// Whether the finished results of an interrupted command are kept.
static KEEPS_RESULTS: AtomicBool = AtomicBool::new(false);

/// States that the running command keeps its finished results, so that it can be resumed.
pub(crate) fn keep_results() {
    KEEPS_RESULTS.store(true, Ordering::Relaxed);
}

/// Ends the program, after temporary files were removed, with a message if it can be written.
fn end(status: i32) {
    let (done, is_done) = mpsc::channel();
    let left = if KEEPS_RESULTS.load(Ordering::Relaxed) {
        "interrupted; finished results are kept, and the same command resumes from them"
    } else {
        "interrupted; no unfinished file is left"
    };
    let say = move || {
        let _ = writeln!(io::stderr(), "{left}");
        let _ = done.send(());
    };
    if std::thread::Builder::new().spawn(say).is_ok() {
        let _ = is_done.recv_timeout(MESSAGE);
    }
    std::process::exit(status)
}

/// Handles every signal that would end the program and can be handled. The exit status is 128 plus the signal's number,
/// as in shells.
#[cfg(unix)]
pub(crate) fn listen() -> io::Result<()> {
    use signal_hook::consts::signal::{
        SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    };
    let ending =
        [SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];
    let mut signals = signal_hook::iterator::Signals::new(ending)?;
    // With a handler, exceeding the file size limit is an ordinary write error, which is reported and cleaned up.
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default())?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            abandon(|| end(128 + signal));
        }
    })?;
    Ok(())
}

/// Handles Ctrl-C and similar events.
#[cfg(not(unix))]
pub(crate) fn listen() -> io::Result<()> {
    ctrlc::set_handler(|| abandon(|| end(130))).map_err(io::Error::other)
}
