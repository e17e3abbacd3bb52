//! Removes temporary files when a signal ends the program.

use incrowd::io::write::abandon;
use std::io;

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
            abandon(|| std::process::exit(128 + signal));
        }
    })?;
    Ok(())
}

/// Handles Ctrl-C and similar events.
#[cfg(not(unix))]
pub(crate) fn listen() -> io::Result<()> {
    ctrlc::set_handler(|| abandon(|| std::process::exit(130))).map_err(io::Error::other)
}
