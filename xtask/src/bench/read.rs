//! `cargo xtask bench read`: reads a large CSV file into a coded table, against `polars.read_csv`, each in a separate
//! process.

use super::{Bench, File, number, verdict};
use crate::shell::{Done, command, root, run as show};
use serde_json::Value;

const ROWS: &str = "10000000";

pub(super) fn run(bench: &Bench) -> Done {
    let file = bench
        .file("read.csv", |path| show(&mut command(root().join("target/release/make_csv"), &[ROWS, path])))?;
    let mut ours = Best::default();
    let mut theirs = Best::default();
    // Alternating, so that other load on the machine affects both.
    for _ in 0..3 {
        ours.note(&super::ours("read_bench", &[&file.name()])?)?;
        theirs.note(&bench.peer("polars_read.py", &[&file.name()])?)?;
    }
    print(&file, &ours, &theirs);
    Ok(())
}

/// The shortest time and the highest peak of several runs.
#[derive(Default)]
struct Best {
    seconds: Option<f64>,
    peak: f64,
    table: f64,
}

impl Best {
    fn note(&mut self, run: &Value) -> Done {
        let seconds = number(run, "seconds")?;
        self.seconds = Some(self.seconds.map_or(seconds, |best| best.min(seconds)));
        self.peak = self.peak.max(number(run, "peak_bytes")?);
        self.table = number(run, "table_bytes")?;
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(f64::NAN)
    }
}

fn print(file: &File<'_>, ours: &Best, theirs: &Best) {
    const MB: f64 = 1e6;
    let size = std::fs::metadata(file.path()).map_or(0, |about| about.len()) as f64;
    println!("{ROWS} rows, {:.0} MB of CSV\n", size / MB);
    println!("| program | seconds | peak MB | table MB | peak / table |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, of) in [("incrowd", ours), ("polars", theirs)] {
        let (seconds, peak, table) = (of.seconds(), of.peak, of.table);
        println!("| {name} | {seconds:.2} | {:.0} | {:.0} | {:.2} |", peak / MB, table / MB, peak / table);
    }
    let (time, memory) = (ours.seconds() / theirs.seconds(), ours.peak / theirs.peak);
    println!("\ntime against polars {time:.2}, at most 1.5: {}", verdict(time <= 1.5));
    println!("peak memory against polars {memory:.2}, at most 1: {}", verdict(memory <= 1.0));
    let ratio = ours.peak / ours.table;
    println!("peak memory against the coded table {ratio:.2}, below 2: {}", verdict(ratio < 2.0));
}
