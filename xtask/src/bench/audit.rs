//! `cargo xtask bench audit`: audits of tables in memory against pycanon and `DuckDB`, and their cost by rows.

use super::{Bench, agree, number, verdict};
use crate::shell::{Done, command, data, root, run as show};
use serde_json::Value;

const THREADS: &str = "2";
const PUBLIC: &str = "age,sex,zip,district,marital-status,education,occupation,birth-country,admission-month";
const PRIVATE: &str = "smoker,bmi,blood-pressure,stay,cost,diagnosis";

/// Columns with few enough groups for pycanon to finish.
const ADULT: Against = Against { public: "sex,race,marital-status", private: "occupation" };
pub(super) const CLINIC: Against = Against { public: "sex,district,marital-status", private: "diagnosis" };

/// The public columns and the private column that pycanon measures.
pub(super) struct Against {
    pub(super) public: &'static str,
    pub(super) private: &'static str,
}

pub(super) fn run(bench: &Bench) -> Done {
    let mut lines = Vec::new();
    match data() {
        Some(data) => {
            let adult = format!("adult:{}", data.join("adult/adult.data").display());
            lines.push(pycanon(bench, "adult", &adult, &ADULT)?);
        }
        None => eprintln!("Adult is left out: the benchmark data is missing"),
    }
    lines.push(pycanon(bench, "clinic", "clinic:1000000", &CLINIC)?);
    lines.extend(duckdb(bench)?);
    println!("| table | rows | columns | groups | work | peer | incrowd s | peer s | times | target met |");
    println!("| --- | ---: | ---: | ---: | --- | --- | ---: | ---: | ---: | --- |");
    lines.iter().for_each(|line| println!("{line}"));
    println!();
    linear()
}

/// Writes the columns of a table as CSV.
pub(super) fn write(table: &str, columns: &str, path: &str) -> Done {
    let example = root().join("target/release/audit_bench");
    show(&mut command(example, &["write", table, columns, path]))
}

fn pycanon(bench: &Bench, name: &str, table: &str, of: &Against) -> Result<String, String> {
    let columns = format!("{},{}", of.public, of.private);
    let file = bench.file(&format!("pycanon-{name}.csv"), |path| write(table, &columns, path))?;
    let ours = super::ours("audit_bench", &["measures", table, of.public, of.private])?;
    let theirs = bench.peer("pycanon_measures.py", &[&file.name(), of.public, of.private])?;
    agree(&ours, &theirs, &["rows", "k", "l", "alpha", "beta"])?;
    line(name, &columns, "all measures", "pycanon", &ours, number(&theirs, "seconds")?, 100.0)
}

fn duckdb(bench: &Bench) -> Result<Vec<String>, String> {
    let table = "clinic:10000000";
    let file = bench.file("duckdb-clinic.csv", |path| write(table, PUBLIC, path))?;
    let counted = super::ours("audit_bench", &["k", table, PUBLIC])?;
    let audited = super::ours("audit_bench", &["measures", table, PUBLIC, ""])?;
    let theirs = bench.peer("duckdb_k.py", &[&file.name(), THREADS])?;
    agree(&counted, &theirs, &["k", "groups"])?;
    agree(&audited, &theirs, &["k", "groups"])?;
    let (plain, coded) = (number(&theirs, "seconds")?, number(&theirs, "coded_seconds")?);
    let of = |work: &str, ours: &Value, peer: &str, seconds| {
        line("clinic", PUBLIC, work, peer, ours, seconds, 1.0)
    };
    Ok(vec![
        of("k", &counted, "DuckDB", plain)?,
        of("k", &counted, "DuckDB, ENUM", coded)?,
        of("k, whole audit", &audited, "DuckDB", plain)?,
        of("k, whole audit", &audited, "DuckDB, ENUM", coded)?,
    ])
}

fn line(
    table: &str,
    columns: &str,
    work: &str,
    peer: &str,
    ours: &Value,
    theirs: f64,
    target: f64,
) -> Result<String, String> {
    let (rows, groups, seconds) = (number(ours, "rows")?, number(ours, "groups")?, number(ours, "seconds")?);
    let (columns, times) = (columns.split(',').count(), theirs / seconds);
    let met = verdict(times >= target);
    Ok(format!(
        "| {table} | {rows} | {columns} | {groups} | {work} | {peer} | {seconds:.4} | {theirs:.3} | {times:.1} | {met} |"
    ))
}

/// The running time of the audit of the clinic with all its columns, by rows.
fn linear() -> Done {
    println!("| rows | groups | seconds | seconds per million rows |");
    println!("| ---: | ---: | ---: | ---: |");
    for rows in ["100000", "1000000", "10000000"] {
        let ours = super::ours("audit_bench", &["measures", &format!("clinic:{rows}"), PUBLIC, PRIVATE])?;
        let (seconds, groups) = (number(&ours, "seconds")?, number(&ours, "groups")?);
        let each = seconds * 1e6 / number(&ours, "rows")?;
        println!("| {rows} | {groups} | {seconds:.3} | {each:.3} |");
    }
    Ok(())
}
