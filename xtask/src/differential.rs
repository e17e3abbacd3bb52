//! `cargo xtask differential N`: long comparisons with other programs.

use crate::python;
use crate::shell::{self, Done, command};

/// Compares N random cases per family; `INCROWD_SEED` is the seed of the first.
pub(crate) fn run(cases: &str) -> Done {
    if cases.parse::<u32>().is_err() {
        return Err("give the number of cases: cargo xtask differential 2000".to_owned());
    }
    let python = python::environment(python::TEST)?;
    python::ensure_java()?;
    python::ensure_postgresql()?;
    let tests = ["nextest", "run", "-p", "incrowd-cli", "--no-capture", "--no-fail-fast", "differential::"];
    shell::run(
        command("cargo", &tests)
            .env("INCROWD_PYTHON", &python)
            .env("INCROWD_DIFFERENTIAL", cases)
            .env("CI", "1"),
    )
}
