//! `cargo xtask bench python`: the Python package, installed from its release wheel into a fresh environment, against
//! pycanon, anonypy, anjana and the Rust library. Each measurement is a separate process.

use super::audit::{Against, CLINIC, write as write_table};
use super::table::{PEERS, policy};
use super::{Bench, agree, number, script, verdict};
use crate::package;
use crate::shell::{Done, command, data, root, run as show};
use serde_json::Value;
use std::path::{Path, PathBuf};

const K: &str = "10";
const TREE_K: &str = "100";

/// The rows of the frame and of the table that trees are trained on.
const ROWS: &str = "10000000";

/// How often each tree is trained.
const TREE_RUNS: usize = 3;

/// The rows of the table that is anonymized.
const TABLE_ROWS: &str = "100000";

/// The time limit of a peer that anonymizes a table, in seconds.
const LIMIT: &str = "600";

pub(super) fn run(bench: &Bench) -> Done {
    let package = Package { python: package::installed()?, bench };
    println!("| work | rows | incrowd s | compared with | its s | ratio | target | met |");
    println!("| --- | ---: | ---: | --- | ---: | ---: | --- | --- |");
    package.import()?;
    package.audit(&CLINIC)?;
    package.frames()?;
    if let Some(data) = data() {
        package.tree(&data)?;
        package.tables(&data)
    } else {
        eprintln!("trees and tables are left out: the benchmark data is missing");
        Ok(())
    }
}

/// The interpreter that the package is installed for.
struct Package<'a> {
    python: PathBuf,
    bench: &'a Bench,
}

impl Package<'_> {
    fn run(&self, arguments: &[&str]) -> Result<Value, String> {
        script(&self.python, "incrowd_package.py", arguments)
    }

    fn import(&self) -> Done {
        let seconds = number(&self.run(&["import"])?, "seconds")?;
        println!("| import | | {seconds:.3} | | | | below 0.3 s | {} |", verdict(seconds < 0.3));
        Ok(())
    }

    /// An audit of a pandas frame against pycanon on the same frame.
    fn audit(&self, of: &Against) -> Done {
        let columns = format!("{},{}", of.public, of.private);
        let file =
            self.bench.file("pycanon-clinic.csv", |path| write_table("clinic:1000000", &columns, path))?;
        let ours = self.run(&["audit", &file.name(), of.public, of.private])?;
        let theirs = self.bench.peer("pycanon_measures.py", &[&file.name(), of.public, of.private])?;
        agree(&ours, &theirs, &["rows", "k"])?;
        Line { work: "audit of a pandas frame", peer: "pycanon", target: Target::Faster(100.0) }
            .print(&ours, number(&theirs, "seconds")?)
    }

    /// Frames to coded tables, against the Rust reader on the same data in Parquet.
    fn frames(&self) -> Done {
        let parquet = self.bench.file("python.parquet", |path| {
            let csv = self.bench.file("read.csv", |csv| show(&mut program("make_csv", &[ROWS, csv])))?;
            self.run(&["parquet", &csv.name(), path]).map(|_| ())
        })?;
        let rust = super::ours("read_bench", &[&parquet.name()])?;
        let (seconds, table) = (number(&rust, "seconds")?, number(&rust, "table_bytes")?);
        let mut peaks = Vec::new();
        for library in ["pandas", "polars"] {
            let ours = self.run(&["frame", &parquet.name(), library])?;
            agree(&ours, &rust, &["rows"])?;
            let work = format!("{library} frame to coded table");
            Line { work: &work, peer: "Rust, from Parquet", target: Target::AtMost(1.5) }
                .print(&ours, seconds)?;
            peaks.push((library, number(&ours, "peak_bytes")?));
        }
        let objects = self.run(&["frame", &parquet.name(), "objects"])?;
        agree(&objects, &rust, &["rows"])?;
        peaks.push(("pandas, texts as objects", number(&objects, "peak_bytes")?));
        println!("\n| frame | peak MB besides the frame | coded table MB | ratio | target | met |");
        println!("| --- | ---: | ---: | ---: | --- | --- |");
        for (library, peak) in peaks {
            let (ratio, met) = (peak / table, verdict(peak < 2.0 * table));
            println!("| {library} | {:.0} | {:.0} | {ratio:.2} | below 2 | {met} |", peak / 1e6, table / 1e6);
        }
        println!("\n| work | rows | incrowd s | compared with | its s | ratio | target | met |");
        println!("| --- | ---: | ---: | --- | ---: | ---: | --- | --- |");
        Ok(())
    }

    /// A tree from a pandas frame, against the Rust library from a coded table of the same data: the shortest of
    /// several runs each, taken in turns.
    fn tree(&self, data: &Path) -> Done {
        let adult = data.join("adult/adult.data").to_string_lossy().into_owned();
        let folder = self.bench.file(&format!("tree-{ROWS}"), |path| {
            show(&mut program("tree_bench", &["make", &adult, ROWS, path]))
        })?;
        // One run of a few seconds is at the mercy of whatever else the machine does.
        let (mut rust, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..TREE_RUNS {
            rust.push(super::ours("tree_bench", &["mine", &folder.name(), TREE_K, "public"])?);
            ours.push(self.run(&["tree", &folder.name(), TREE_K])?);
        }
        let (rust, ours) = (shortest(rust)?, shortest(ours)?);
        agree(&ours, &rust, &["rows"])?;
        if let Err(error) = agree(&ours, &rust, &["leaves", "k"]) {
            eprintln!("{error}: the trees differ, so their times are not quite comparable");
        }
        Line { work: "TreeClassifier.fit", peer: "Rust, from a coded table", target: Target::AtMost(1.3) }
            .print(&ours, number(&rust, "seconds")?)
    }

    /// Anonymized tables from pandas frames, against the peers on the same frames; reading is not counted.
    fn tables(&self, data: &Path) -> Done {
        let adult = data.join("adult/adult.data").to_string_lossy().into_owned();
        let taxonomies = data.join("adult/hierarchies");
        let policy = self.bench.file("table-policy.toml", |path| {
            std::fs::write(path, policy(&taxonomies)).map_err(|error| error.to_string())
        })?;
        let folder = self.bench.file(&format!("tree-{TABLE_ROWS}"), |path| {
            show(&mut program("tree_bench", &["make", &adult, TABLE_ROWS, path]))
        })?;
        let file = self.bench.file(&format!("table-{TABLE_ROWS}.csv"), |path| {
            show(&mut program("tree_bench", &["csv", &folder.name(), path]))
        })?;
        for (peer, method, _) in &PEERS[..2] {
            let ours = self.run(&["table", &file.name(), &policy.name(), K, method])?;
            let out = self.bench.files.join("table-peer.csv").to_string_lossy().into_owned();
            let folder = taxonomies.to_string_lossy();
            let theirs = self
                .bench
                .peer("limited.py", &[LIMIT, "table_peer.py", peer, &file.name(), K, &folder, &out])?;
            std::fs::remove_file(&out).ok();
            // A peer that is stopped takes at least the limit.
            let seconds = number(&theirs, "work_seconds").or_else(|_| number(&theirs, "seconds"))?;
            let work = format!("anonymize, {method}");
            Line { work: &work, peer, target: Target::Faster(100.0) }.print(&ours, seconds)?;
        }
        Ok(())
    }
}

/// The run that took the least time.
fn shortest(runs: Vec<Value>) -> Result<Value, String> {
    let mut timed = runs
        .into_iter()
        .map(|run| Ok((number(&run, "seconds")?, run)))
        .collect::<Result<Vec<_>, String>>()?;
    timed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    timed.into_iter().next().map(|(_, run)| run).ok_or_else(|| "nothing was measured".to_owned())
}

fn program(name: &str, arguments: &[&str]) -> std::process::Command {
    command(root().join("target/release").join(name), arguments)
}

/// The required ratio of two times.
enum Target {
    /// At least this many times as fast as the other program.
    Faster(f64),
    /// At most this many times the time of the other program.
    AtMost(f64),
}

/// A line of the table.
struct Line<'a> {
    work: &'a str,
    peer: &'a str,
    target: Target,
}

impl Line<'_> {
    fn print(&self, ours: &Value, theirs: f64) -> Done {
        let (rows, seconds) = (number(ours, "rows")?, number(ours, "seconds")?);
        let (ratio, target, met) = match self.target {
            Target::Faster(least) => {
                let times = theirs / seconds;
                (times, format!("at least {least} times as fast"), times >= least)
            }
            Target::AtMost(most) => {
                let times = seconds / theirs;
                (times, format!("at most {most} times the time"), times <= most)
            }
        };
        let (work, peer, met) = (self.work, self.peer, verdict(met));
        println!("| {work} | {rows} | {seconds:.4} | {peer} | {theirs:.3} | {ratio:.2} | {target} | {met} |");
        Ok(())
    }
}
