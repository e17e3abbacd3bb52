//! `cargo xtask bench engines`: trees and audits of Parquet files through `DuckDB`, beside the same files in memory.

use super::{Bench, File, number, parse};
use crate::python::duckdb_library;
use crate::shell::{Done, command, data, output, root, run as show};
use serde_json::Value;
use std::path::Path;

const SIZES: [u64; 3] = [1_000_000, 10_000_000, 100_000_000];

/// The most rows that are also read into memory.
const IN_MEMORY: u64 = 10_000_000;

const PUBLIC: [&str; 14] = [
    "age",
    "workclass",
    "weight",
    "education",
    "education_num",
    "marital_status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital_gain",
    "capital_loss",
    "hours_per_week",
    "native_country",
];

/// All attributes but the class are public; k is 100.
fn policy() -> String {
    let public = PUBLIC.map(|name| format!("{name} = {{ role = \"public\" }}\n")).concat();
    format!(
        "version = 1\nclass = \"income\"\n[file]\nmissing = []\n[attributes]\n{public}\
         income = {{ role = \"private\" }}\n[guarantee]\nk = 100\n"
    )
}

/// Measures trees and audits of tables of several sizes.
pub(super) fn run(bench: &Bench) -> Done {
    let Some(data) = data() else { return Err("the benchmark data with Adult is missing".to_owned()) };
    let adult = data.join("adult/adult.data").to_string_lossy().into_owned();
    let build = ["build", "--quiet", "--release", "--package", "incrowd-cli", "--features", "engines"];
    show(&mut command("cargo", &build))?;
    let library = duckdb_library(&bench.python)?;
    println!("| rows | where | command | seconds | processor seconds | peak MB | leaves or spans |");
    println!("| ---: | --- | --- | ---: | ---: | ---: | ---: |");
    for rows in SIZES {
        let rows_text = rows.to_string();
        let file =
            bench.file(&format!("engines-{rows}.parquet"), |path| make(bench, &adult, &rows_text, path))?;
        let address = format!("duckdb:?parquet={}", file.name());
        let there = measure(bench, &library, rows, ("DuckDB", &address))?;
        if rows <= IN_MEMORY && measure(bench, &library, rows, ("memory", &file.name()))? != there {
            return Err("the trees or the reports differ".to_owned());
        }
    }
    Ok(())
}

fn make(bench: &Bench, adult: &str, rows: &str, path: &str) -> Done {
    let script = root().join("xtask/peers/engine_rows.py");
    show(command(&bench.python, &["-I"]).arg(script).args([adult, rows, path]))
}

/// Mines a tree and audits it; prints what both cost. Returns the tree's file and what the audit found.
fn measure(
    bench: &Bench,
    library: &Path,
    rows: u64,
    (place, data): (&str, &str),
) -> Result<(String, Value), String> {
    let tree = bench
        .file("engines-tree.json", |path| std::fs::write(path, "").map_err(|error| error.to_string()))?;
    let policy = bench
        .file("engines.toml", |path| std::fs::write(path, policy()).map_err(|error| error.to_string()))?;
    let (out, with) = (tree.name(), policy.name());
    let files = ["--data", data, "--policy", &with];
    let mine = [&["tree", "--no-sample", "--force", "--out", &out][..], &files].concat();
    let mined = measured(bench, library, &mine)?;
    line(rows, place, "tree --no-sample", &mined, "leaves")?;
    let mut audited = measured(bench, library, &[&["audit", &out][..], &files].concat())?;
    line(rows, place, "audit", &audited, "spans")?;
    for cost in ["seconds", "cpu_seconds", "peak_bytes"] {
        audited.as_object_mut().map(|fields| fields.remove(cost));
    }
    Ok((content(&tree)?, audited))
}

fn content(file: &File<'_>) -> Result<String, String> {
    std::fs::read_to_string(file.path()).map_err(|error| error.to_string())
}

/// Runs the program, which must be built with the engines, and adds what it cost.
fn measured(bench: &Bench, library: &Path, arguments: &[&str]) -> Result<Value, String> {
    let program = root().join("target/release/incrowd");
    let mut command = command(&bench.python, &["-I"]);
    command.arg(root().join("xtask/peers/measured.py")).arg(program).args(arguments);
    parse(&output(command.args(["--json", "--quiet", "--threads", "2"]).env("INCROWD_DUCKDB", library))?)
}

fn line(rows: u64, place: &str, what: &str, result: &Value, figure: &str) -> Done {
    let (seconds, cpu) = (number(result, "seconds")?, number(result, "cpu_seconds")?);
    let (peak, figure) = (number(result, "peak_bytes")? / 1e6, number(result, figure)?);
    println!("| {rows} | {place} | {what} | {seconds:.1} | {cpu:.1} | {peak:.0} | {figure} |");
    Ok(())
}
