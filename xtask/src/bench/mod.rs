//! `cargo xtask bench`: speed and memory, side by side with other programs. `docs/benchmarks.md` explains the figures.

mod audit;
mod clusters;
mod read;
mod rules;
mod table;
mod tree;

use crate::python::{BENCH, TEST, environment};
use crate::shell::{Done, cache, command, output, root, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Runs the benchmark of that name; files it makes stay if `keep`.
pub(crate) fn bench(name: &str, keep: bool) -> Done {
    let bench = Bench::new(keep)?;
    match name {
        "audit" => audit::run(&bench),
        "clusters" => clusters::run(&bench),
        "read" => read::run(&bench),
        "rules" => rules::run(&bench),
        "table" => table::run(&bench),
        "tree" => tree::run(&bench),
        _ => Err("there are these benchmarks: audit, clusters, read, rules, table and tree".to_owned()),
    }
}

/// Where a benchmark finds its programs and puts its files.
struct Bench {
    python: PathBuf,
    files: PathBuf,
    keep: bool,
}

impl Bench {
    fn new(keep: bool) -> Result<Self, String> {
        run(&mut command("cargo", &["build", "--quiet", "--release", "--package", "incrowd-bench"]))?;
        let files = cache().join("bench");
        std::fs::create_dir_all(&files).map_err(|error| format!("{}: {error}", files.display()))?;
        Ok(Self { python: environment(&[TEST, BENCH].concat())?, files, keep })
    }

    /// Runs a script of `xtask/peers` and returns the JSON it prints.
    fn peer(&self, script: &str, arguments: &[&str]) -> Result<Value, String> {
        let script = root().join("xtask/peers").join(script);
        parse(&output(command(&self.python, &["-I"]).arg(script).args(arguments))?)
    }

    /// A file of that name, made by `make` where it is not there yet.
    fn file(&self, name: &str, make: impl FnOnce(&str) -> Done) -> Result<File<'_>, String> {
        let file = File { path: self.files.join(name), bench: self };
        if !file.path.exists() {
            // A file that is half made must not be taken for whole by the next run.
            let unfinished = self.files.join(format!("{name}.unfinished"));
            make(&unfinished.to_string_lossy())?;
            std::fs::rename(&unfinished, &file.path).map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(file)
    }
}

/// A file of a benchmark, gone when it is over unless it is kept.
struct File<'a> {
    path: PathBuf,
    bench: &'a Bench,
}

impl File<'_> {
    fn path(&self) -> &Path {
        &self.path
    }

    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

impl Drop for File<'_> {
    fn drop(&mut self) {
        if !self.bench.keep {
            // It is in a cache folder: nothing is lost if it stays.
            std::fs::remove_file(&self.path).or_else(|_| std::fs::remove_dir_all(&self.path)).ok();
        }
    }
}

/// Runs one of incrowd's own programs and returns the JSON it prints.
fn ours(program: &str, arguments: &[&str]) -> Result<Value, String> {
    parse(&output(&mut command(root().join("target/release").join(program), arguments))?)
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text.trim()).map_err(|error| format!("not JSON: {error}"))
}

/// A number of a result.
fn number(result: &Value, name: &str) -> Result<f64, String> {
    result[name].as_f64().ok_or_else(|| format!("a result lacks `{name}`"))
}

/// Fails if two programs found different things, for then they did different work.
fn agree(ours: &Value, theirs: &Value, names: &[&str]) -> Done {
    for name in names {
        let (a, b) = (number(ours, name)?, number(theirs, name)?);
        if (a - b).abs() > 1e-9 * b.abs().max(1.0) {
            return Err(format!("incrowd and its peer differ in {name}: {a} and {b}"));
        }
    }
    Ok(())
}

/// "yes" or "no", for the last column of a table.
fn verdict(met: bool) -> &'static str {
    if met { "yes" } else { "NO" }
}
