//! Makes a large table from Adult, and mines a tree from it; prints the cost as one line of JSON.
//!
//! - `tree_bench make ADULT ROWS FOLDER`: rows of Adult drawn at random, 10 % of the cells redrawn from their column,
//!   numbers moved by about 5 %. Written column by column: `columns` lists name, kind and bytes per code; `NAME.codes`
//!   are the codes, `NAME.values` their values (numbers as doubles, names as lines), all little-endian;
//! - `tree_bench mine FOLDER K public|private`: a tree by method `best`, with all attributes public, or five of them
//!   private;
//! - `tree_bench csv SOURCE FILE`: such a folder, or ADULT itself, as CSV;
//! - `tree_bench sweep ADULT`: Adult itself with several k, the best of five times each, one line per k.
//!
//! ADULT is the path of `adult.data`; rows with a `?` are left out.

use incrowd_bench::read_adult;
use incrowd_core::guarantee::{Guarantee, Requirement, SingleBin};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::random::Random;
use incrowd_core::table::{Codes, Column, People, Table, Values};
use incrowd_core::{Error, Result, with_codes};
use incrowd_io::write_csv;
use incrowd_mine::tree::{CheckedTreeParams, MinedTree, TreeMethod, TreeParams, mine_tree};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

const PRIVATE: [&str; 5] = ["relationship", "capital-gain", "capital-loss", "hours-per-week", "fnlwgt"];

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
    let mut about = String::new();
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (place, column) in (0..).zip(table.columns()) {
        let drawn = (0..rows).map(|row| draw(&table, column, place, row));
        let (codes, values) = match column.values() {
            Values::Numeric(numbers) => jittered(drawn.collect(), numbers),
            names => {
                let lines: String = (0..names.len()).map(|code| format!("{}\n", names.text(code))).collect();
                (Codes::collect(names.len() + 1, drawn.map(|(code, _)| code)), lines.into_bytes())
            }
        };
        let bytes = with_codes!(&codes, codes => codes.iter().flat_map(|code| code.to_le_bytes()).collect());
        let width = codes.bytes() / codes.len().max(1);
        let kind = if column.values().numbers().is_some() { "numbers" } else { "names" };
        let name = column.name();
        about.push_str(&format!("{name} {kind} {width}\n"));
        write(folder, &format!("{name}.codes"), bytes)?;
        write(folder, &format!("{name}.values"), values)?;
    }
    write(folder, "columns", about.into_bytes())
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
fn jittered(drawn: Vec<(u32, f64)>, numbers: &[f64]) -> (Codes, Vec<u8>) {
    let drawn: Vec<u32> =
        drawn.into_iter().map(|(code, factor)| (numbers[code as usize] * factor).round() as u32).collect();
    let highest = drawn.iter().max().map_or(0, |&highest| highest as usize);
    let mut code_of = vec![u32::MAX; highest + 1];
    drawn.iter().for_each(|&number| code_of[number as usize] = 0);
    let mut values = Vec::new();
    for (number, code) in code_of.iter_mut().enumerate().filter(|(_, code)| **code == 0) {
        *code = (values.len() / size_of::<f64>()) as u32;
        values.extend((number as f64).to_le_bytes());
    }
    let count = values.len() / size_of::<f64>() + 1;
    (Codes::collect(count, drawn.into_iter().map(|number| code_of[number as usize])), values)
}

fn write(folder: &Path, name: &str, bytes: Vec<u8>) -> Result<()> {
    std::fs::write(folder.join(name), bytes).map_err(failed)
}

#[allow(clippy::needless_pass_by_value, reason = "it stands where an error is handed over")]
fn failed(error: std::io::Error) -> Error {
    Error::input(format!("a file of the benchmark: {error}"))
}

fn csv(source: &Path, file: &Path) -> Result<()> {
    let table = if source.is_dir() { load(source)? } else { read_adult(&source.to_string_lossy())? };
    write_csv(file, &table, true)
}

fn load(folder: &Path) -> Result<Table> {
    let about = std::fs::read_to_string(folder.join("columns")).map_err(failed)?;
    let columns = about.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, kind, width] = words[..] else { return Err(Error::input("not a list of columns")) };
        let read = |what: &str| std::fs::read(folder.join(format!("{name}.{what}"))).map_err(failed);
        Column::new(name, values(kind, &read("values")?)?, codes(width, read("codes")?)?)
    });
    Table::new(columns.collect::<Result<_>>()?, People::Rows)
}

fn values(kind: &str, bytes: &[u8]) -> Result<Values> {
    if kind == "numbers" {
        return Ok(Values::Numeric(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Error::input("names are not UTF-8"))?;
    Ok(Values::Categorical(text.lines().collect()))
}

fn codes(width: &str, bytes: Vec<u8>) -> Result<Codes> {
    match width {
        "1" => Ok(Codes::U8(bytes)),
        "2" => Ok(Codes::U16(bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b)).collect())),
        "4" => Ok(Codes::U32(bytes.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)).collect())),
        _ => Err(Error::input("codes have 1, 2 or 4 bytes")),
    }
}

fn policy(roles: &str) -> Policy {
    let role = |name: &str| match name {
        "class" => Role::Private,
        "education-num" if roles == "private" => Role::Ignored,
        name if roles == "private" && PRIVATE.contains(&name) => Role::Private,
        _ => Role::Public,
    };
    Policy::new(incrowd_bench::ADULT.split(',').map(|name| Attribute::new(name, role(name))).collect())
        .with_class("class")
}

fn params(k: u64) -> Result<CheckedTreeParams> {
    let guarantee = Guarantee::default().with(Requirement::k(k, SingleBin::Counted)?);
    TreeParams::new(TreeMethod::Best, guarantee).check()
}

fn mine(folder: &Path, k: u64, roles: &str) -> Result<()> {
    let (table, policy, params) = (load(folder)?, policy(roles), params(k)?);
    let phases = Phases::new();
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mined = mine_tree(&table, &policy, &params, &phases)?;
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    println!(
        "{{\"rows\": {}, \"seconds\": {seconds:.4}, \"cpu_seconds\": {cpu:.2}, \"peak_bytes\": {}, \"table_bytes\": {}, \"leaves\": {}, \"error\": {:.6}, \
         \"k\": {}, \"phases\": {{{}}}}}",
        table.rows(),
        peak_bytes(),
        table.bytes(),
        mined.summary.leaves,
        mined.summary.error,
        mined.summary.k,
        phases.told()
    );
    Ok(())
}

/// When each piece of work began and ended.
struct Phases {
    start: Instant,
    told: Mutex<Vec<String>>,
}

impl Phases {
    fn new() -> Self {
        Self { start: Instant::now(), told: Mutex::new(Vec::new()) }
    }

    fn note(&self, what: &str) {
        let at = self.start.elapsed().as_secs_f64();
        if let Ok(mut told) = self.told.lock() {
            let place = told.len();
            told.push(format!("\"{place} {what}\": {at:.4}"));
        }
    }

    fn told(&self) -> String {
        self.told.lock().map(|told| told.join(", ")).unwrap_or_default()
    }
}

impl Progress for Phases {
    fn begin(&self, work: &str, _: Option<u64>) {
        self.note(work);
    }

    fn end(&self) {
        self.note("end");
    }
}

/// Processor time of all threads so far, if the system reports it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The most memory the process ever held, if the system reports it.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) * 1024
}

fn sweep(data: &str) -> Result<()> {
    let (table, policy) = (read_adult(data)?, policy("public"));
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
