//! A program that is told to end removes its temporary files first.

use incrowd::io::write::abandon;
use std::io;

/// Begins to listen to every signal that would end the program and can be handled. The exit status is 128 and the signal's number, as
/// shells have it.
#[cfg(unix)]
pub(crate) fn listen() -> io::Result<()> {
    use signal_hook::consts::signal::{
        SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    };
    let ending =
        [SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];
    let mut signals = signal_hook::iterator::Signals::new(ending)?;
    // Once it is handled, a file over the limit is an ordinary error of the write, which is reported and cleaned up after.
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default())?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            abandon(|| std::process::exit(128 + signal));
        }
    })?;
    Ok(())
}

/// Begins to listen to Ctrl-C and its kin.
#[cfg(not(unix))]
pub(crate) fn listen() -> io::Result<()> {
    ctrlc::set_handler(|| abandon(|| std::process::exit(130))).map_err(io::Error::other)
}
