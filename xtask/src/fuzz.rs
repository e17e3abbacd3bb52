//! `cargo xtask fuzz MINUTES`: every reader of files on changed files, and the audit of what was read.

use crate::shell::{self, Done, command};
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs all targets for so long in all, from the seed `INCROWD_SEED` or another one every time, which is printed.
pub(crate) fn run(minutes: &str) -> Done {
    if minutes.parse::<f64>().is_ok_and(|minutes| minutes > 0.0 && minutes.is_finite()) {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs());
        let seed = std::env::var("INCROWD_SEED").unwrap_or_else(|_| now().to_string());
        eprintln!("seed {seed}: INCROWD_SEED={seed} cargo xtask fuzz {minutes} repeats this run");
        let tests = [
            "test",
            "--package",
            "incrowd-fuzz",
            "--test",
            "it",
            "--",
            "--ignored",
            "--nocapture",
            "long_runs",
        ];
        return shell::run(
            command("cargo", &tests).env("INCROWD_FUZZ_MINUTES", minutes).env("INCROWD_SEED", seed),
        );
    }
    Err("MINUTES is a number above 0".to_owned())
}
