//! `cargo xtask fuzz MINUTES`: fuzzes all file readers, and audits what was read.

use crate::shell::{self, Done, command};
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs all targets for a total time. The seed is `INCROWD_SEED`, or a new one that is printed.
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
    Err("MINUTES must be a number above 0".to_owned())
}
