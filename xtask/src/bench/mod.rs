//! `cargo xtask bench`: speed and memory compared with other programs. `docs/benchmarks.md` explains the figures.

mod accuracy;
mod audit;
mod boost;
mod clusters;
mod engines;
mod loss;
mod python;
mod read;
mod rules;
mod shapes;
mod small;
mod table;
mod tree;

use crate::python::{BENCH, TEST, environment};
use crate::shell::{Done, cache, command, output, root, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Runs the benchmark with this name. Its files are kept if `keep` is set.
pub(crate) fn bench(name: &str, keep: bool) -> Done {
    let bench = Bench::new(keep)?;
    match name {
        "accuracy" => accuracy::run(&bench),
        "audit" => audit::run(&bench),
        "boost" => boost::run(&bench),
        "clusters" => clusters::run(&bench),
        "engines" => engines::run(&bench),
        "loss" => loss::run(&bench),
        "python" => python::run(&bench),
        "read" => read::run(&bench),
        "rules" => rules::run(&bench),
        "shapes" => shapes::run(&bench, false),
        "small" => small::run(&bench),
        "table" => table::run(&bench),
        "tree" => tree::run(&bench),
        _ => Err("the benchmarks are: accuracy, audit, boost, clusters, engines, loss, python, read, rules, shapes, small, \
                  table and tree"
            .to_owned()),
    }
}

/// Runs the benchmark of shapes with all its tables.
pub(crate) fn all_shapes() -> Done {
    shapes::run(&Bench::new(false)?, true)
}

/// The programs and the folder of a benchmark.
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
        self::script(&self.python, script, arguments)
    }

    /// Returns the file with this name, created by `make` if it does not exist.
    fn file(&self, name: &str, make: impl FnOnce(&str) -> Done) -> Result<File<'_>, String> {
        let file = File { path: self.files.join(name), bench: self };
        if !file.path.exists() {
            // The next run must not use an incomplete file.
            let unfinished = self.files.join(format!("{name}.unfinished"));
            make(&unfinished.to_string_lossy())?;
            std::fs::rename(&unfinished, &file.path).map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(file)
    }
}

/// A file of a benchmark, removed at the end unless it is kept.
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
            // It is in a cache folder, so it does no harm if it stays.
            std::fs::remove_file(&self.path).or_else(|_| std::fs::remove_dir_all(&self.path)).ok();
        }
    }
}

/// Runs a script of `xtask/peers` with this interpreter and returns the JSON it prints.
fn script(python: &Path, script: &str, arguments: &[&str]) -> Result<Value, String> {
    let script = root().join("xtask/peers").join(script);
    parse(&output(command(python, &["-I"]).arg(script).args(arguments))?)
}

/// Runs one of incrowd's own programs and returns the JSON it prints.
fn ours(program: &str, arguments: &[&str]) -> Result<Value, String> {
    parse(&output(&mut command(root().join("target/release").join(program), arguments))?)
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text.trim()).map_err(|error| format!("not JSON: {error}"))
}

/// Returns a number of a result.
fn number(result: &Value, name: &str) -> Result<f64, String> {
    result[name].as_f64().ok_or_else(|| format!("a result lacks `{name}`"))
}

/// Fails if the results of two programs differ, since their times are not comparable then.
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
