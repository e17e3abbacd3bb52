//! `cargo xtask bench tree`: trains a tree from a coded table, against `LightGBM`, scikit-learn and Weka's J48, each in
//! a separate process.

use super::{Bench, number, ours, verdict};
use crate::shell::{Done, command, data, root, run as show, works};
use serde_json::Value;
use std::path::Path;

const K: &str = "100";
const THREADS: &str = "2";
const SIZES: [u64; 4] = [30_000, 300_000, 3_000_000, 10_000_000];

/// The maximum numbers of rows for scikit-learn and J48, above which they take too long.
const SKLEARN_ROWS: u64 = 3_000_000;
const J48_ROWS: u64 = 300_000;

/// The time limit of J48 in seconds, far above [`J48_TIMES`] times incrowd's time.
const J48_LIMIT: &str = "120";

/// The required speedup over J48.
const J48_TIMES: f64 = 50.0;

pub(super) fn run(bench: &Bench) -> Done {
    let Some(data) = data() else { return Err("the benchmark data with Adult is missing".to_owned()) };
    let adult = data.join("adult/adult.data").to_string_lossy().into_owned();
    println!("| rows | program | seconds | processor seconds | peak MB | leaves | note |");
    println!("| ---: | --- | ---: | ---: | ---: | ---: | --- |");
    let mut verdicts = Vec::new();
    let mut each = Vec::new();
    for rows in SIZES {
        let files = bench.file(&format!("tree-{rows}"), |path| make(&adult, rows, path))?;
        let of_size = Size::measure(bench, rows, files.path())?;
        each.push(of_size.public * 1e6 / rows as f64);
        of_size.judge(&mut verdicts);
    }
    println!();
    verdicts.iter().for_each(|line| println!("{line}"));
    let each: Vec<String> = each.iter().map(|seconds| format!("{seconds:.3}")).collect();
    println!("seconds per million rows, all public: {}\n", each.join(", "));
    show(&mut command(example(), &["sweep", &adult]))
}

fn example() -> std::path::PathBuf {
    root().join("target/release/tree_bench")
}

/// Makes a table from Adult with some rows.
pub(super) fn make(adult: &str, rows: u64, path: &str) -> Done {
    show(&mut command(example(), &["make", adult, &rows.to_string(), path]))
}

/// The measurements for a table of one size.
struct Size {
    rows: u64,
    public: f64,
    private: f64,
    public_peak: f64,
    lightgbm: f64,
    lightgbm_peak: f64,
    j48: Option<J48>,
}

/// The time of J48.
struct J48 {
    seconds: f64,
    /// Whether it was stopped at the time limit.
    stopped: bool,
}

impl Size {
    fn measure(bench: &Bench, rows: u64, folder: &Path) -> Result<Self, String> {
        let path = folder.to_string_lossy();
        let public =
            line(rows, "incrowd", "all public", &ours("tree_bench", &["mine", &path, K, "public"])?)?;
        let private = ours("tree_bench", &["mine", &path, K, "private"])?;
        let private = line(rows, "incrowd", "five private", &private)?;
        let lightgbm = bench.peer("lightgbm_tree.py", &[&path, K, THREADS])?;
        let lightgbm = line(rows, "LightGBM", "", &lightgbm)?;
        if rows <= SKLEARN_ROWS {
            line(rows, "scikit-learn", "one thread", &bench.peer("sklearn_tree.py", &[&path, K])?)?;
        }
        let j48 = (rows <= J48_ROWS).then(|| j48(bench, rows, &path)).transpose()?.flatten();
        Ok(Self {
            rows,
            public: public.0,
            private: private.0,
            public_peak: public.1,
            lightgbm: lightgbm.0,
            lightgbm_peak: lightgbm.1,
            j48,
        })
    }

    fn judge(&self, verdicts: &mut Vec<String>) {
        let rows = self.rows;
        if let Some(j48) = self.j48.as_ref().filter(|_| rows == J48_ROWS) {
            let times = j48.seconds / self.public;
            let times_told = if j48.stopped {
                format!("J48 did not finish within {J48_LIMIT} s, at least {times:.0} times as long")
            } else {
                format!("{times:.1} times as fast as J48")
            };
            let met = verdict(times >= J48_TIMES);
            verdicts.push(format!("{rows} rows: {times_told}, at least {J48_TIMES} required: {met}"));
        }
        if rows == SIZES[SIZES.len() - 1] {
            let of = |what: &str, ratio: f64, most: f64| {
                format!(
                    "{rows} rows: {what} against LightGBM {ratio:.2}, at most {most}: {}",
                    verdict(ratio <= most)
                )
            };
            verdicts.push(of("time", self.public / self.lightgbm, 1.0));
            verdicts.push(of("peak memory", self.public_peak / self.lightgbm_peak, 1.0));
            verdicts.push(of("time with five private attributes", self.private / self.lightgbm, 2.0));
        }
    }
}

/// Prints a line and returns the seconds and the peak.
fn line(rows: u64, program: &str, note: &str, result: &Value) -> Result<(f64, f64), String> {
    let (seconds, peak) = (number(result, "seconds")?, number(result, "peak_bytes")?);
    let (cpu, leaves) = (number(result, "cpu_seconds")?, number(result, "leaves")?);
    println!("| {rows} | {program} | {seconds:.2} | {cpu:.2} | {:.0} | {leaves} | {note} |", peak / 1e6);
    Ok((seconds, peak))
}

/// The time of J48, if Weka is installed.
fn j48(bench: &Bench, rows: u64, folder: &str) -> Result<Option<J48>, String> {
    if !works("java", &["-version"]) || !Path::new(WEKA).exists() {
        eprintln!("J48 is left out: install the Debian package weka");
        return Ok(None);
    }
    let result = bench.peer("j48_tree.py", &[folder, WEKA, J48_LIMIT])?;
    let stopped = result["stopped"] == true;
    let note = if stopped { "stopped: takes longer" } else { "one thread, leaves of 2" };
    let (seconds, _) = line(rows, "Weka J48", note, &result)?;
    Ok(Some(J48 { seconds, stopped }))
}

const WEKA: &str = "/usr/share/java/weka.jar";
