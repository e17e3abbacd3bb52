//! Makes a large table from Adult, and mines a tree from it; prints the cost as one line of JSON.
//!
//! - `tree_bench make ADULT ROWS FOLDER`: rows of Adult drawn at random, 10 % of the cells redrawn from their column,
//!   numbers moved by about 5 %. Written as a folder of coded columns;
//! - `tree_bench mine FOLDER K public|private`: a tree by method `best`, with all attributes public, or five of them
//!   private;
//! - `tree_bench csv SOURCE FILE`: such a folder, or ADULT itself, as CSV;
//! - `tree_bench sweep ADULT`: Adult itself with several k, the best of five times each, one line per k.
//!
//! ADULT is the path of `adult.data`; rows with a `?` are left out.

use incrowd_bench::cost::{Cost, measured};
use incrowd_bench::folder::{FolderWriter, load};
use incrowd_bench::phases::Phases;
use incrowd_bench::{adult_policy, read_adult};
use incrowd_core::guarantee::{Guarantee, Requirement, SingleBin};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Codes, Column, Table, Values};
use incrowd_core::{Error, Result};
use incrowd_io::write_csv;
use incrowd_mine::tree::{CheckedTreeParams, MinedTree, TreeMethod, TreeParams, mine_tree};
use std::path::Path;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["make", adult, rows, folder] => number(rows).and_then(|rows| make(adult, rows, Path::new(folder))),
        ["mine", folder, k, roles] => number(k).and_then(|k| mine(Path::new(folder), k, roles)),
        ["csv", source, file] => csv(Path::new(source), Path::new(file)),
        ["sweep", adult] => sweep(adult),
        _ => Err(Error::input("usage: tree_bench make|mine|sweep ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn number(text: &str) -> Result<u64> {
    text.parse().map_err(|_| Error::input("not a number"))
}

fn make(path: &str, rows: u64, folder: &Path) -> Result<()> {
    let table = read_adult(path)?;
    let mut writer = FolderWriter::new(folder)?;
    for (place, column) in (0..).zip(table.columns()) {
        let drawn = (0..rows).map(|row| draw(&table, column, place, row));
        let (values, codes) = match column.values() {
            Values::Numeric(numbers) => jittered(drawn.collect(), numbers),
            names => (names.clone(), Codes::collect(names.len() + 1, drawn.map(|(code, _)| code))),
        };
        writer.column(column.name(), &values, &codes)?;
    }
    writer.finish()
}

/// A code of a row, and by how much a number is moved.
fn draw(table: &Table, column: &Column, place: u64, row: u64) -> (u32, f64) {
    let all = table.rows() as u32;
    let from = Random::of(1, row).below(all);
    let mut random = Random::of(2 + place, row);
    let from = if random.percent(10) { random.below(all) } else { from };
    (column.code(from as usize), 1.0 + 0.05 * random.bell())
}

/// Whole numbers near those drawn, coded.
fn jittered(drawn: Vec<(u32, f64)>, numbers: &[f64]) -> (Values, Codes) {
    let drawn: Vec<u32> =
        drawn.into_iter().map(|(code, factor)| (numbers[code as usize] * factor).round() as u32).collect();
    let highest = drawn.iter().max().map_or(0, |&highest| highest as usize);
    let mut code_of = vec![u32::MAX; highest + 1];
    drawn.iter().for_each(|&number| code_of[number as usize] = 0);
    let mut values = Vec::new();
    for (number, code) in code_of.iter_mut().enumerate().filter(|(_, code)| **code == 0) {
        *code = values.len() as u32;
        values.push(number as f64);
    }
    let codes = Codes::collect(values.len() + 1, drawn.into_iter().map(|number| code_of[number as usize]));
    (Values::Numeric(values), codes)
}

fn csv(source: &Path, file: &Path) -> Result<()> {
    let table = if source.is_dir() { load(source)? } else { read_adult(&source.to_string_lossy())? };
    write_csv(file, &table, true)
}

fn params(k: u64) -> Result<CheckedTreeParams> {
    let guarantee = Guarantee::default().with(Requirement::k(k, SingleBin::Counted)?);
    TreeParams::new(TreeMethod::Best, guarantee).check()
}

fn mine(folder: &Path, k: u64, roles: &str) -> Result<()> {
    let (table, policy, params) = (load(folder)?, adult_policy(roles), params(k)?);
    let phases = Phases::new();
    let (mined, cost) = measured(|| mine_tree(&table, &policy, &params, &phases));
    let (mined, Cost { seconds, cpu_seconds: cpu, peak_bytes }) = (mined?, cost);
    println!(
        "{{\"rows\": {}, \"seconds\": {seconds:.4}, \"cpu_seconds\": {cpu:.2}, \"peak_bytes\": {}, \"table_bytes\": {}, \"leaves\": {}, \"error\": {:.6}, \
         \"k\": {}, \"phases\": {{{}}}}}",
        table.rows(),
        peak_bytes,
        table.bytes(),
        mined.summary.leaves,
        mined.summary.error,
        mined.summary.k,
        phases.told()
    );
    Ok(())
}

fn sweep(data: &str) -> Result<()> {
    let (table, policy) = (read_adult(data)?, adult_policy("public"));
    for k in [10, 50, 100, 500, 1000] {
        let params = params(k)?;
        let (seconds, mined) = best_of_five(|| mine_tree(&table, &policy, &params, &Silent))?;
        let leaves = mined.summary.leaves;
        println!(
            "{{\"rows\": {}, \"k\": {k}, \"seconds\": {seconds:.4}, \"leaves\": {leaves}}}",
            table.rows()
        );
    }
    Ok(())
}

fn best_of_five(work: impl Fn() -> Result<MinedTree>) -> Result<(f64, MinedTree)> {
    let mut best = f64::INFINITY;
    let mut mined = work()?;
    for _ in 0..5 {
        let start = Instant::now();
        mined = work()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok((best, mined))
}
