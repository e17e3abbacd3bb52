//! Makes tables from Adult; prints their cost and what can be learned from them.
//!
//! - `table_bench learn TRAIN TEST TAXONOMIES METHOD K...`: nine public attributes (the eight categorical ones and
//!   age), capital-gain, capital-loss, hours-per-week and the class private. A C4.5 tree is trained on the release;
//!   rows of TEST are generalized like the release ([`Recoding`](incrowd_mine::table::Recoding)), and its errors
//!   counted.
//! - `table_bench write TRAIN TEST TAXONOMIES METHOD K FOLDER`: the release and the test rows as CSV, for other
//!   learners.
//! - `table_bench raw TRAIN TEST [FOLDER]`: the same without protection: C4.5's errors, and the rows as CSV.

use incrowd_bench::{ADULT_NAMES, read_adult};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::predict::{evaluate, predict};
use incrowd_core::progress::Silent;
use incrowd_core::table::{People, Table};
use incrowd_core::{Error, Result};
use incrowd_io::policy::read_taxonomy;
use incrowd_io::write_csv;
use incrowd_mine::table::{CheckedTableParams, TableMethod, TableParams, mine_table};
use incrowd_mine::tree::{self, TreeParams, mine_tree};
use std::path::Path;
use std::time::Instant;

const PRIVATE: [&str; 4] = ["capital-gain", "capital-loss", "hours-per-week", "class"];

fn public() -> impl Iterator<Item = &'static str> {
    ["age"].into_iter().chain(ADULT_NAMES)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["write", train, test, taxonomies, method, k, folder] => {
            write(train, test, taxonomies, method, k, Path::new(folder))
        }
        ["learn", train, test, taxonomies, method, ks @ ..] => learn(train, test, taxonomies, method, ks),
        ["raw", train, test, folder @ ..] => raw(train, test, folder.first().map(Path::new)),
        _ => Err(Error::input("usage: table_bench learn|write|raw ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

/// Writes a release and the test rows as they meet it, for other learners.
fn write(train: &str, test: &str, taxonomies: &str, method: &str, k: &str, folder: &Path) -> Result<()> {
    let (train, test) = (read_adult(train)?, read_adult(test)?);
    let made = mine_table(&train, &policy(Some(Path::new(taxonomies)))?, &params(method, k)?, &Silent)?;
    write_csv(&folder.join("train.csv"), &made.table, true)?;
    let met = made.recoding.apply(&test)?;
    let columns = made.table.columns().iter().map(|column| met.require(column.name()).cloned());
    write_csv(&folder.join("test.csv"), &Table::new(columns.collect::<Result<_>>()?, People::Rows)?, true)
}

/// What is learned where nothing is protected, from the same columns.
fn raw(train: &str, test: &str, folder: Option<&Path>) -> Result<()> {
    let (train, test) = (used(&read_adult(train)?)?, used(&read_adult(test)?)?);
    if let Some(folder) = folder {
        write_csv(&folder.join("train.csv"), &train, true)?;
        write_csv(&folder.join("test.csv"), &test, true)?;
    }
    let (error, leaves) = c45_error(&train, &test)?;
    println!("nothing protected: error {:.2} %, {leaves} leaves", error * 100.0);
    Ok(())
}

fn used(table: &Table) -> Result<Table> {
    let columns = public().chain(PRIVATE).map(|name| table.require(name).cloned());
    Table::new(columns.collect::<Result<_>>()?, People::Rows)
}

/// The share of test rows that an unconstrained C4.5 tree misclassifies, and its leaves.
fn c45_error(train: &Table, test: &Table) -> Result<(f64, u64)> {
    let learner = TreeParams::new(tree::TreeMethod::KadetC45, Guarantee::k_anonymity(1)?).check()?;
    let mined = mine_tree(train, &policy(None)?, &learner, &Silent)?;
    let error = evaluate(test, &mined.tree, &predict(test, &mined.tree)?).map_or(1.0, |e| e.error());
    Ok((error, mined.summary.leaves as u64))
}

fn params(method: &str, k: &str) -> Result<CheckedTableParams> {
    let k = k.parse().map_err(|_| Error::input("not a number"))?;
    let method = TableMethod::ALL.into_iter().find(|m| m.name() == method);
    let method = method.ok_or_else(|| Error::input("no such method"))?;
    TableParams::new(method, Guarantee::k_anonymity(k)?).check()
}

fn learn(train: &str, test: &str, taxonomies: &str, method: &str, ks: &[&str]) -> Result<()> {
    let (train, test) = (read_adult(train)?, read_adult(test)?);
    let policy = policy(Some(Path::new(taxonomies)))?;
    for k in ks {
        let params = params(method, k)?;
        let start = Instant::now();
        let made = mine_table(&train, &policy, &params, &Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let (error, leaves) = c45_error(&made.table, &made.recoding.apply(&test)?)?;
        println!(
            "{method} k {k}: error {:.2} %, {leaves} leaves; {} groups, loss {:.3}, cm {:?}, lost {}, {seconds:.2} s",
            error * 100.0,
            made.summary.groups,
            made.summary.loss.unwrap_or(f64::NAN),
            made.summary.cm,
            made.summary.rows_lost
        );
    }
    Ok(())
}

fn policy(taxonomies: Option<&Path>) -> Result<Policy> {
    let attribute = |name: &str, role| -> Result<Attribute> {
        let mut attribute = Attribute::new(name, role);
        if let Some(folder) = taxonomies.filter(|_| role == Role::Public && name != "age") {
            attribute.taxonomy = Some(read_taxonomy(folder.join(format!("{name}.csv")))?);
        }
        Ok(attribute)
    };
    let public = public().map(|name| attribute(name, Role::Public));
    let private = PRIVATE.into_iter().map(|name| attribute(name, Role::Private));
    Ok(Policy::new(public.chain(private).collect::<Result<_>>()?).with_class("class"))
}
