//! Makes tables of many shapes, and mines trees from them; prints the cost as one line of JSON.
//!
//! - `shapes_bench make FOLDER ROWS COLUMNS NAMES CLASSES ROWS_PER_SUBJECT`: a quarter of the columns are numbers, a
//!   sixteenth have that many names, half are nearly constant, the others have 2 to 20 names. The frequencies of names
//!   fall as in Zipf's law. The class depends on one column of each kind, and on chance. Written as a folder of coded
//!   columns;
//! - `shapes_bench mine FOLDER K PRIVATE REQUIRE`: a tree by method `best`, with that percentage of the attributes
//!   private; besides k it requires `k` (nothing more), `confidence`, `distinct` or `bins`.

use incrowd_bench::cost::{Cost, measured};
use incrowd_bench::folder::{FolderWriter, load};
use incrowd_core::guarantee::{Guarantee, Requirement, Scope, SingleBin};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Codes, Table, Values};
use incrowd_core::{Error, Result};
use incrowd_mine::tree::{TreeMethod, TreeParams, mine_tree};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["make", folder, rows, columns, names, classes, per_subject] => {
            make(folder, &[rows, columns, names, classes], per_subject)
        }
        ["mine", folder, k, private, require] => mine(folder, k, private, require),
        _ => Err(Error::input("usage: shapes_bench make|mine ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn number(text: &str) -> Result<u32> {
    text.parse().map_err(|_| Error::input("not a number"))
}

/// What the values of a column are like.
#[derive(Clone, Copy)]
enum Kind {
    /// Whole numbers below 100, small ones more often.
    Numbers,
    /// So many names.
    Names(u32),
    /// Four names, one of which nearly all rows have.
    NearlyConstant,
}

/// The kinds of a table's columns.
fn kinds(columns: u32, names: u32) -> Vec<Kind> {
    let (numbers, many) = (columns / 4, (columns / 16).max(1));
    let kind = |place: u32| match place {
        place if place < numbers => Kind::Numbers,
        place if place < numbers + many => Kind::Names(names),
        place if place < numbers + many + columns / 2 => Kind::NearlyConstant,
        place => Kind::Names(2 + place * 7 % 19),
    };
    (0..columns).map(kind).collect()
}

impl Kind {
    fn values(self) -> u32 {
        match self {
            Self::Numbers => 100,
            Self::Names(names) => names,
            Self::NearlyConstant => 4,
        }
    }

    fn draw(self, place: u64, row: u64) -> u32 {
        let mut random = Random::of(10 + place, row);
        match self {
            Self::Numbers => {
                let most = 1 + random.below(100);
                random.below(most)
            }
            // Names n, n + 1, … with probabilities in proportion to 1/n.
            Self::Names(names) => ((f64::from(names) + 1.0).powf(random.unit()) - 1.0) as u32 % names,
            Self::NearlyConstant if random.percent(97) => 0,
            Self::NearlyConstant => 1 + random.below(3),
        }
    }
}

fn make(folder: &str, sizes: &[&str; 4], per_subject: &str) -> Result<()> {
    let [rows, columns, names, classes] = sizes.map(number);
    let (rows, classes, kinds) = (u64::from(rows?), classes?, kinds(columns?, names?));
    let mut writer = FolderWriter::new(Path::new(folder))?;
    for (place, &kind) in (0..).zip(&kinds) {
        let codes = Codes::collect(kind.values() as usize + 1, (0..rows).map(|row| kind.draw(place, row)));
        writer.column(&format!("a{place:03}"), &values(kind), &codes)?;
    }
    let class = (0..rows).map(|row| class_of(&kinds, classes, row));
    let codes = Codes::collect(classes as usize + 1, class);
    writer.column("class", &values(Kind::Names(classes)), &codes)?;
    let per_subject: f64 = per_subject.parse().map_err(|_| Error::input("not a number"))?;
    if per_subject > 1.0 {
        writer.subjects(&subjects(rows, per_subject))?;
    }
    writer.finish()
}

fn values(kind: Kind) -> Values {
    if matches!(kind, Kind::Numbers) {
        return Values::Numeric((0..kind.values()).map(f64::from).collect());
    }
    let lines: String = (0..kind.values()).map(|code| format!("v{code:06}\n")).collect();
    Values::Categorical(lines.lines().collect())
}

/// The class of a row: by the first column of each kind, and by chance.
fn class_of(kinds: &[Kind], classes: u32, row: u64) -> u32 {
    let cell = |place: usize| f64::from(kinds[place].draw(place as u64, row));
    let (many, last) = (kinds.len() / 4, kinds.len() - 1);
    let signal = 0.02 * cell(0) + if cell(many) < 5.0 { 0.6 } else { 0.0 } + 0.1 * cell(last).min(5.0);
    let score = signal + 0.4 * Random::of(1, row).normal();
    ((score / 2.0).clamp(0.0, 0.999) * f64::from(classes)) as u32
}

/// The individual of each row: a new one, or any of those before.
fn subjects(rows: u64, per_subject: f64) -> Vec<u32> {
    let mut count = 0;
    let subject = |row| {
        let mut random = Random::of(2, row);
        if count == 0 || random.unit() * per_subject < 1.0 {
            count += 1;
            return count - 1;
        }
        random.below(count)
    };
    (0..rows).map(subject).collect()
}

fn policy(table: &Table, private: u32) -> Policy {
    let role = |(place, name): (u32, &str)| match name {
        "class" => Role::Private,
        _ if place * 37 % 100 < private => Role::Private,
        _ => Role::Public,
    };
    let names = || table.columns().iter().map(incrowd_core::table::Column::name);
    let attributes = (0..).zip(names()).map(|(place, name)| Attribute::new(name, role((place, name))));
    Policy::new(attributes.collect()).with_class("class")
}

fn guarantee(k: u64, require: &str) -> Result<Guarantee> {
    let more = match require {
        "k" => None,
        "confidence" => Some(Requirement::confidence(0.95)?),
        "distinct" => Some(Requirement::distinct_l(2)?),
        "bins" => Some(Requirement::smallest_bin(k)?),
        _ => return Err(Error::input("the requirements are: k, confidence, distinct and bins")),
    };
    let k = Requirement::k(k, SingleBin::Counted)?;
    Guarantee::new(std::iter::once(k).chain(more).collect(), Scope::Tested)
}

fn mine(folder: &str, k: &str, private: &str, require: &str) -> Result<()> {
    let table = load(Path::new(folder))?;
    let policy = policy(&table, number(private)?);
    let guarantee = guarantee(u64::from(number(k)?), require)?;
    let params = TreeParams::new(TreeMethod::Best, guarantee).check()?;
    let (mined, cost) = measured(|| mine_tree(&table, &policy, &params, &Silent));
    let (summary, Cost { seconds, cpu_seconds, peak_bytes }) = (mined?.summary, cost);
    println!(
        "{{\"rows\": {}, \"seconds\": {seconds:.4}, \"cpu_seconds\": {cpu_seconds:.2}, \"peak_bytes\": {peak_bytes}, \
         \"leaves\": {}, \"error\": {:.6}, \"k\": {}}}",
        table.rows(),
        summary.leaves,
        summary.error,
        summary.k
    );
    Ok(())
}
