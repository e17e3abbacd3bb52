//! What tests need from outside the project: the benchmark data, Python with its packages, Java with Weka, a browser.
//!
//! On a developer's machine a test whose needs are not met prints this and returns. In continuous integration (`CI` is
//! set) it fails instead, so that a green run means that every test ran.

mod browser;
mod engines;

pub use browser::{Browser, Opened};
pub use engines::{PostgresServer, duckdb};

use std::path::PathBuf;
use std::process::Command;

/// The names of the columns of Adult, whose files have none.
pub const ADULT: [&str; 15] = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "class",
];

/// A file or folder of the benchmark data: below `INCROWD_DATA`, or below `shared/data` beside the project.
///
/// # Panics
/// In continuous integration, when it is missing.
pub fn data(path: &str) -> Option<PathBuf> {
    // Of the test that runs: this crate may have been built where the project was before.
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    let package = package.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let beside = package.join("../../../shared/data");
    let file = std::env::var_os("INCROWD_DATA").map_or(beside, PathBuf::from).join(path);
    needed(file.exists().then_some(file), &format!("the benchmark data `{path}` (set INCROWD_DATA)"))
}

/// The Python interpreter with the packages that `cargo xtask test` installs, named by `INCROWD_PYTHON`.
///
/// # Panics
/// In continuous integration, when it is missing.
pub fn python() -> Option<PathBuf> {
    needed(
        std::env::var_os("INCROWD_PYTHON").map(PathBuf::from),
        "INCROWD_PYTHON, the Python of `cargo xtask test`",
    )
}

/// Weka's archive, named by `WEKA_JAR` or where Debian's package `weka` has it; Java must be there to run it.
///
/// # Panics
/// In continuous integration, when one of them is missing.
pub fn weka() -> Option<PathBuf> {
    let installed = || PathBuf::from("/usr/share/java/weka.jar");
    let jar = std::env::var_os("WEKA_JAR").map_or_else(installed, PathBuf::from);
    let java = Command::new("java").arg("-version").output().is_ok_and(|ran| ran.status.success());
    needed((java && jar.exists()).then_some(jar), "Java and Weka (Debian package `weka`, or set WEKA_JAR)")
}

/// Chromium or a similar browser, from the search path.
///
/// # Panics
/// In continuous integration, when there is none.
pub fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file());
    needed(found, "Chromium")
}

/// Returns what a test needs. Where it is missing, fails in continuous integration and prints a note otherwise.
///
/// # Panics
/// In continuous integration, when it is missing.
pub fn needed<T>(found: Option<T>, what: &str) -> Option<T> {
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "this test needs {what}");
        eprintln!("skipped: this test needs {what}");
    }
    found
}
