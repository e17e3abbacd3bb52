//! Generates points and mines clusters from them; prints the cost as one line of JSON.
//!
//! - `clusters_bench make ROWS FILE`: rows of four numbers around eight centres, two digits after the point, as
//!   little-endian doubles;
//! - `clusters_bench mine FILE METHOD`: at most ten clusters with k = 10, the fourth number private;
//! - `clusters_bench clinic ROWS METHOD`: the same from the clinic with all its attributes, including four private
//!   numbers and a private name.

use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::samples::{self, clinic_policy};
use incrowd_core::table::{Column, People, Table};
use incrowd_core::{Error, Result};
use incrowd_mine::clusters::{ClusterMethod, ClusterParams, mine_clusters};
use std::time::Instant;

const COLUMNS: usize = 4;
const CENTRES: u64 = 8;
/// What the private number can be.
const RANGE: (f64, f64) = (-50.0, 150.0);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["make", rows, file] => make(rows, file),
        ["mine", file, method] => mine(file, method),
        ["clinic", rows, method] => clinic(rows, method),
        _ => Err(Error::input("usage: clusters_bench make|mine ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::input(error.to_string())
}

fn make(rows: &str, file: &str) -> Result<()> {
    let rows: u64 = rows.parse().map_err(|_| Error::input("not a number"))?;
    let cell = |row: u64, column: u64| {
        let centre = 100.0 * Random::of(1, (row % CENTRES) * COLUMNS as u64 + column).unit();
        let near = centre + 6.0 * Random::of(2, row * COLUMNS as u64 + column).bell();
        (near * 100.0).round() / 100.0
    };
    let cells = (0..rows).flat_map(|row| (0..COLUMNS as u64).map(move |column| (row, column)));
    let bytes: Vec<u8> = cells.flat_map(|(row, column)| cell(row, column).to_le_bytes()).collect();
    std::fs::write(file, bytes).map_err(failed)
}

fn mine(file: &str, method: &str) -> Result<()> {
    let table = table(&std::fs::read(file).map_err(failed)?)?;
    measure(&table, &policy(&table), method)
}

/// What is generally known about the clinic's private numbers.
const CLINIC: [(&str, (f64, f64)); 4] =
    [("bmi", (10.0, 80.0)), ("blood-pressure", (60.0, 260.0)), ("stay", (0.0, 365.0)), ("cost", (0.0, 1e6))];

fn clinic(rows: &str, method: &str) -> Result<()> {
    let rows = rows.parse().map_err(|_| Error::input("not a number"))?;
    let mut policy = clinic_policy();
    for attribute in &mut policy.attributes {
        let known = CLINIC.iter().find(|(name, _)| *name == attribute.name);
        attribute.range = known.map(|&(_, range)| range);
    }
    measure(&samples::clinic(rows, 1), &policy, method)
}

fn measure(table: &Table, policy: &Policy, method: &str) -> Result<()> {
    let method = ClusterMethod::ALL.into_iter().find(|known| known.name() == method);
    let method = method.ok_or_else(|| Error::input("unknown method"))?;
    let params = ClusterParams::new(method, Guarantee::k_anonymity(10)?).check()?;
    let start = Instant::now();
    let mined = mine_clusters(table, policy, &params, &Silent)?;
    let summary = &mined.summary;
    println!(
        "{{\"rows\": {}, \"seconds\": {:.3}, \"peak_bytes\": {}, \"clusters\": {}, \"spans\": {}, \"k\": {}, \"inertia\": {}}}",
        summary.rows,
        start.elapsed().as_secs_f64(),
        peak(),
        summary.clusters,
        summary.spans,
        summary.k,
        summary.inertia
    );
    Ok(())
}

fn table(bytes: &[u8]) -> Result<Table> {
    let (cells, _) = bytes.as_chunks::<8>();
    let column = |place: usize| {
        let own = cells.iter().skip(place).step_by(COLUMNS);
        let numbers: Vec<Option<f64>> = own.map(|cell| Some(f64::from_le_bytes(*cell))).collect();
        Column::from_numbers(&format!("x{place}"), &numbers)
    };
    Table::new((0..COLUMNS).map(column).collect::<Result<_>>()?, People::Rows)
}

fn policy(table: &Table) -> Policy {
    let mut attributes: Vec<Attribute> =
        table.columns().iter().map(|column| Attribute::new(column.name(), Role::Public)).collect();
    if let Some(last) = attributes.last_mut() {
        (last.role, last.range) = (Role::Private, Some(RANGE));
    }
    Policy::new(attributes)
}

/// The most memory the process has held, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
