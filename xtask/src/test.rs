//! `cargo xtask test`: everything CI runs.

use crate::shell::{self, Done, command, data, works};
use crate::{browser, docs, package, python};
use std::path::Path;

pub(crate) fn run() -> Done {
    shell::run(&mut command("cargo", &["fmt", "--all", "--check"]))?;
    let lint =
        ["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    shell::run(&mut command("cargo", &lint))?;
    docs::check()?;
    shell::run(
        command("cargo", &["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    let pack = ["package", "--quiet", "--workspace", "--no-verify", "--allow-dirty"];
    shell::run(&mut command("cargo", &pack))?;
    ensure_nextest()?;
    if data().is_none() {
        eprintln!("the benchmark data is missing: tests that read it will be skipped");
    }
    let python = python::environment(python::TEST)?;
    python::ensure_java()?;
    python::ensure_postgresql()?;
    python::ensure_weka()?;
    browser::ensure_chromium()?;
    shell::run(
        command("cargo", &["test", "--quiet", "--workspace", "--doc"]).env("INCROWD_PYTHON", &python),
    )?;
    let tests = ["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "slow"];
    // Random cases are the same in every run, unless a seed is given.
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| "1".to_owned());
    // Every group runs, so that one run lists all failures.
    let workspace =
        shell::run(command("cargo", &tests).env("INCROWD_PYTHON", &python).env("PROPTEST_RNG_SEED", &seed));
    let databases = engines(&python, &seed);
    let packages = package::test();
    workspace.and(databases).and(packages)
}

/// The tests of tables in databases, a group of their own: they are built with the engines.
fn engines(python: &Path, seed: &str) -> Done {
    let library = python::duckdb_library(python)?;
    let features = "incrowd/engines,incrowd-cli/engines,incrowd-sql/duckdb,incrowd-sql/postgresql";
    let packages = ["-p", "incrowd", "-p", "incrowd-cli", "-p", "incrowd-sql", "--features", features];
    let chosen = ["-E", "package(incrowd-sql) | binary(engines)", "--no-fail-fast", "--status-level", "slow"];
    let tests = [&["nextest", "run"][..], &packages, &chosen].concat();
    shell::run(command("cargo", &tests).env("INCROWD_DUCKDB", library).env("PROPTEST_RNG_SEED", seed))
}

fn ensure_nextest() -> Done {
    if works("cargo", &["nextest", "--version"]) {
        return Ok(());
    }
    eprintln!("cargo-nextest is not there: installing it");
    shell::run(&mut command("cargo", &["install", "--locked", "cargo-nextest"]))
}
