//! Scores trees on small data sets; the figures of docs/trees.md ("Small tables").
//!
//! - `small divide DATA FOLDER SPLITS`: the sets and their splits as JSON, for the programs compared with;
//! - `small score DATA PEERS SPLITS [SET]...`: trees by `best` and `kadet-c45` on the first so many splits, beside the
//!   errors of the others in the file PEERS, with a verdict;
//! - `small noise SEEDS`: how many trees on noise have a single leaf.

mod divide;
mod score;

use incrowd_bench::small::{SmallSet, noise, small_sets};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::predict::{evaluate, predict};
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use incrowd_mine::tree::{TreeMethod, TreeParams, mine_tree};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["divide", data, folder, splits] => {
            number(splits).and_then(|splits| divide::divide(&sets(data, &[])?, Path::new(folder), splits))
        }
        ["score", data, peers, splits, names @ ..] => {
            splits_of(splits).and_then(|splits| score::score(&sets(data, names)?, Path::new(peers), splits))
        }
        ["noise", seeds] => number(seeds).and_then(print_noise),
        _ => Err(Error::input("usage: small divide|score|noise ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn number(text: &str) -> Result<u64> {
    text.parse().map_err(|_| Error::input("not a number"))
}

/// `20` for the first twenty, `20..60` for others.
fn splits_of(text: &str) -> Result<std::ops::Range<u64>> {
    match text.split_once("..") {
        Some((from, to)) => Ok(number(from)?..number(to)?),
        None => Ok(0..number(text)?),
    }
}

/// The sets with these names; all if none is given.
fn sets(data: &str, names: &[&str]) -> Result<Vec<SmallSet>> {
    let mut sets = small_sets(Path::new(data))?;
    sets.retain(|set| names.is_empty() || names.contains(&set.name));
    Ok(sets)
}

/// The percentage of the judging rows that a tree misclassifies.
fn error(set: &SmallSet, method: TreeMethod, k: u64, (train, judges): &(Table, Table)) -> Result<f64> {
    let params = TreeParams::new(method, Guarantee::k_anonymity(k)?).check()?;
    let tree = mine_tree(train, &set.policy, &params, &Silent)?.tree;
    let judged = evaluate(judges, &tree, &predict(judges, &tree)?);
    Ok(judged.map_or(f64::NAN, |judged| 100.0 * judged.error()))
}

fn print_noise(seeds: u64) -> Result<()> {
    for k in [5, 10] {
        let params = TreeParams::new(TreeMethod::Best, Guarantee::k_anonymity(k)?).check()?;
        let mut leaves = Vec::new();
        for seed in 0..seeds {
            let (table, policy) = noise(seed)?;
            leaves.push(mine_tree(&table, &policy, &params, &Silent)?.summary.leaves);
        }
        let single = leaves.iter().filter(|&&leaves| leaves == 1).count();
        println!("k = {k}: {single} of {seeds} trees have one leaf; leaves {leaves:?}");
    }
    Ok(())
}
