//! The small data sets that trees are compared on, and how they are divided into rows to learn from and rows to judge
//! by.

use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::{Error, Result};
use incrowd_io::read_taxonomy;
use std::path::Path;

use crate::{ADULT, ADULT_NAMES};

/// The k that trees are compared at.
pub const KS: [u64; 4] = [2, 5, 10, 20];

/// The sets that the method was developed on. The others confirm it.
pub const DEVELOPED_ON: [&str; 3] = ["German Credit", "Tic-Tac-Toe", "Adult, 1,000 rows"];

/// A data set: all attributes are public, and the class is private.
pub struct SmallSet {
    /// Its name.
    pub name: &'static str,
    /// All rows.
    pub table: Table,
    /// The policy, with the papers' taxonomies of Adult.
    pub policy: Policy,
    /// Of a sample the number of rows to learn from, and the first of the rows to judge by; otherwise two thirds of the
    /// rows are learned from, and the others judge.
    sample: Option<(u32, u32)>,
}

/// How a file is written, and which of its columns are left out.
struct Source {
    name: &'static str,
    file: &'static str,
    delimiter: char,
    has_header: bool,
    skipped: &'static [usize],
}

const SOURCES: [Source; 5] = [
    Source {
        name: "German Credit",
        file: "german-credit/german.data",
        delimiter: ' ',
        has_header: false,
        skipped: &[],
    },
    Source {
        name: "Tic-Tac-Toe",
        file: "tic-tac-toe/tic-tac-toe.data",
        delimiter: ',',
        has_header: false,
        skipped: &[],
    },
    // The first column numbers the rows.
    Source { name: "Glass", file: "glass/glass.data", delimiter: ',', has_header: false, skipped: &[0] },
    Source {
        name: "Pima",
        file: "pima/pima-indians-diabetes.data",
        delimiter: ',',
        has_header: false,
        skipped: &[],
    },
    // The duration of a call is known only after it.
    Source { name: "Bank", file: "bank/bank.csv", delimiter: ';', has_header: true, skipped: &[11] },
];

const ADULT_SAMPLES: [(&str, u32); 3] =
    [("Adult, 300 rows", 300), ("Adult, 1,000 rows", 1000), ("Adult, 3,000 rows", 3000)];

/// Reads the sets of a folder of benchmark data.
///
/// # Errors
/// When one of them cannot be read.
pub fn small_sets(data: &Path) -> Result<Vec<SmallSet>> {
    let mut sets: Vec<SmallSet> =
        SOURCES.iter().map(|source| plain_set(data, source)).collect::<Result<_>>()?;
    sets.extend(adult_sets(data)?);
    Ok(sets)
}

fn plain_set(data: &Path, source: &Source) -> Result<SmallSet> {
    let text = read(&data.join(source.file))?;
    let lines = text.lines().skip(usize::from(source.has_header));
    let rows: Vec<Vec<&str>> = lines.map(|line| cells(line, source.delimiter)).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let names: Vec<String> = (1..columns).map(|i| format!("a{i}")).chain(["class".to_owned()]).collect();
    let table = table(&rows, &names, source.skipped)?;
    let policy = policy(&table);
    Ok(SmallSet { name: source.name, table, policy, sample: None })
}

/// Samples of Adult's training rows, judged by its test rows; rows without a `?`.
fn adult_sets(data: &Path) -> Result<Vec<SmallSet>> {
    let (train, test) = (read(&data.join("adult/adult.data"))?, read(&data.join("adult/adult.test"))?);
    let is_whole = |line: &&str| line.contains(',') && !line.contains('?');
    let mut rows: Vec<Vec<&str>> = train.lines().filter(is_whole).map(|line| cells(line, ',')).collect();
    let first_judge = rows.len() as u32;
    rows.extend(test.lines().filter(is_whole).map(|line| cells(line.trim_end_matches('.'), ',')));
    let names: Vec<String> = ADULT.split(',').map(str::to_owned).collect();
    let table = table(&rows, &names, &[])?;
    let mut policy = policy(&table);
    for attribute in policy.attributes.iter_mut().filter(|a| ADULT_NAMES.contains(&a.name.as_str())) {
        let file = data.join(format!("adult/hierarchies/{}.csv", attribute.name));
        attribute.taxonomy = Some(read_taxonomy(file)?);
    }
    let set = |&(name, rows): &(&'static str, u32)| SmallSet {
        name,
        table: table.clone(),
        policy: policy.clone(),
        sample: Some((rows, first_judge)),
    };
    Ok(ADULT_SAMPLES.iter().map(set).collect())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| Error::input(error.to_string()).in_file(path))
}

fn cells(line: &str, delimiter: char) -> Vec<&str> {
    line.split(delimiter).map(|cell| cell.trim().trim_matches('"')).collect()
}

/// A table of rows: numbers where all cells of an attribute are.
fn table(rows: &[Vec<&str>], names: &[String], skipped: &[usize]) -> Result<Table> {
    let column = |i: usize| {
        let numbers: Option<Vec<Option<f64>>> =
            rows.iter().map(|row| row[i].parse().ok().map(Some)).collect();
        match numbers {
            Some(numbers) if names[i] != "class" => Column::from_numbers(&names[i], &numbers),
            _ => Ok(Column::from_texts(&names[i], &rows.iter().map(|row| Some(row[i])).collect::<Vec<_>>())),
        }
    };
    let kept = (0..names.len()).filter(|i| !skipped.contains(i));
    Table::new(kept.map(column).collect::<Result<_>>()?, People::Rows)
}

/// All attributes public, the class private.
fn policy(table: &Table) -> Policy {
    let role = |name: &str| if name == "class" { Role::Private } else { Role::Public };
    let attribute = |column: &Column| Attribute::new(column.name(), role(column.name()));
    Policy::new(table.columns().iter().map(attribute).collect()).with_class("class")
}

impl SmallSet {
    /// The rows to learn from and the rows to judge by in a split.
    pub fn split(&self, number: u64) -> (Vec<u32>, Vec<u32>) {
        let all = self.table.rows() as u32;
        let (taken, pool) = self.sample.unwrap_or((all * 2 / 3, all));
        let mut rows: Vec<u32> = (0..pool).collect();
        let mut random = Random::of(15, number);
        for place in 0..taken {
            rows.swap(place as usize, (place + random.below(pool - place)) as usize);
        }
        let mut train = rows[..taken as usize].to_vec();
        train.sort_unstable();
        let mut judges =
            if self.sample.is_some() { (pool..all).collect() } else { rows.split_off(taken as usize) };
        judges.sort_unstable();
        (train, judges)
    }

    /// Some of the rows as a table that knows only the values in it.
    ///
    /// # Errors
    /// Never: the columns stay equally long.
    pub fn part(&self, rows: &[u32]) -> Result<Table> {
        let columns = self.table.columns().iter().map(|column| column.select(rows).compacted()).collect();
        Table::new(columns, People::Rows)
    }
}

/// Noise: 500 rows with three numbers, two attributes of four names, and a class of two values that depends on nothing.
///
/// # Errors
/// Never: the columns are equally long.
pub fn noise(seed: u64) -> Result<(Table, Policy)> {
    let rows = 0..500_u64;
    let draw =
        |place: u64, below: u32| rows.clone().map(move |row| Random::of(seed * 10 + place, row).below(below));
    let texts = |name: &str, place: u64, below: u32| {
        Column::from_texts(name, &draw(place, below).map(|n| Some(format!("v{n}"))).collect::<Vec<_>>())
    };
    let numbers = |name: &str, place: u64| {
        Column::from_numbers(name, &draw(place, 100).map(|n| Some(f64::from(n))).collect::<Vec<_>>())
    };
    let columns = vec![
        numbers("x", 1)?,
        numbers("y", 2)?,
        numbers("z", 3)?,
        texts("u", 4, 4),
        texts("v", 5, 4),
        texts("class", 6, 2),
    ];
    let table = Table::new(columns, People::Rows)?;
    let policy = policy(&table);
    Ok((table, policy))
}
