//! Foreign models as their makers' programs understand them, and exports as the programs that read them do: random
//! cases, compared one by one.
//!
//! `INCROWD_DIFFERENTIAL` sets the number of cases of each family, `INCROWD_SEED` the first; `cargo xtask differential
//! N` does.

use crate::Folder;
use crate::exports::python;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/differential/run.py");
const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// Runs the cases of a family; the script ends with an error at the first that differs.
fn run(family: &str, cases: usize) {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let number = |name: &str, usual: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual).to_string()
    };
    let (count, seed) = (number("INCROWD_DIFFERENTIAL", cases), number("INCROWD_SEED", 1));
    let ran = Command::new(python)
        .args([
            "-X",
            "utf8",
            SCRIPT,
            family,
            env!("CARGO_BIN_EXE_incrowd"),
            &folder.path(""),
            DOCS,
            &count,
            &seed,
        ])
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", text(&ran.stdout), text(&ran.stderr));
    print!("{}", text(&ran.stdout));
}

#[test]
fn scikit_learn() {
    run("sklearn_trees", 80);
}

#[test]
fn onnx() {
    run("onnx_trees", 120);
}

#[test]
fn pmml() {
    run("pmml_trees", 120);
}

#[test]
fn exports() {
    run("exports", 60);
}

/// One case for each construct that was once read otherwise than its maker means it.
#[test]
fn regressions() {
    run("regressions", 1);
}

/// Files made to take time and memory are refused within stated bounds.
#[test]
fn hostile_files() {
    run("hostile", 1);
}

/// Needs a server: `cargo xtask test` installs it.
#[test]
fn service_postgresql() {
    let installed = std::path::Path::new("/usr/lib/postgresql").exists().then_some(());
    if incrowd_testkit::needed(installed, "PostgreSQL (Debian package `postgresql`)").is_some() {
        run("postgresql", 40);
    }
}
