//! `best` on few rows: the first splits of `cargo xtask bench small`, at bounds that it kept when docs/trees.md ("Small
//! tables") was written.

use crate::benchmark;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::predict::{evaluate, predict};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};
use incrowd_mine::tree::{MinedTree, TreeMethod, TreeParams, mine_tree};

const SPLITS: u64 = 8;

/// All attributes public, the class private.
fn mined(table: &Table, method: TreeMethod, k: u64) -> MinedTree {
    let role = |name: &str| if name == "class" { Role::Private } else { Role::Public };
    let attributes = table.columns().iter().map(|column| Attribute::new(column.name(), role(column.name())));
    let policy = Policy::new(attributes.collect()).with_class("class");
    let params = TreeParams::new(method, Guarantee::k_anonymity(k).expect("a k"));
    mine_tree(table, &policy, &params.check().expect("parameters"), &Silent).expect("a tree")
}

/// Two thirds of the rows to learn from, and the others.
fn split(table: &Table, number: u64) -> (Table, Table) {
    let all = table.rows() as u32;
    let taken = all * 2 / 3;
    let mut rows: Vec<u32> = (0..all).collect();
    let mut random = Random::of(15, number);
    for place in 0..taken {
        rows.swap(place as usize, (place + random.below(all - place)) as usize);
    }
    let (train, judges) = rows.split_at_mut(taken as usize);
    let part = |rows: &mut [u32]| {
        rows.sort_unstable();
        let columns = table.columns().iter().map(|column| column.select(rows).compacted()).collect();
        Table::new(columns, People::Rows).expect("equally long columns")
    };
    (part(train), part(judges))
}

/// The mean percentage of rows misclassified.
fn error(table: &Table, method: TreeMethod, k: u64) -> f64 {
    let of = |number: u64| {
        let (train, judges) = split(table, number);
        let tree = mined(&train, method, k).tree;
        let judged = evaluate(&judges, &tree, &predict(&judges, &tree).expect("predictions"));
        100.0 * judged.expect("a class").error()
    };
    (0..SPLITS).map(of).sum::<f64>() / SPLITS as f64
}

#[test]
fn best_on_german_credit() {
    let Some(table) = benchmark::table("german-credit/german.data", b' ', 21, &[]) else { return };
    let (best, kadet) = (error(&table, TreeMethod::Best, 5), error(&table, TreeMethod::KadetC45, 5));
    assert!(best < 27.0 && best < kadet, "{best} {kadet}");
}

#[test]
fn best_on_tic_tac_toe() {
    let Some(table) = benchmark::table("tic-tac-toe/tic-tac-toe.data", b',', 10, &[]) else { return };
    let best = error(&table, TreeMethod::Best, 2);
    assert!(best < 8.0, "{best}");
}

/// Three numbers, two attributes of four names, and a class that depends on nothing.
fn noise(seed: u64) -> Table {
    let draw =
        |place: u64, below: u32| (0..500_u64).map(move |row| Random::of(seed * 10 + place, row).below(below));
    let texts = |name: &str, place: u64, below: u32| {
        Column::from_texts(name, &draw(place, below).map(|n| Some(format!("v{n}"))).collect::<Vec<_>>())
    };
    let numbers = |name: &str, place: u64| {
        let cells: Vec<_> = draw(place, 100).map(|n| Some(f64::from(n))).collect();
        Column::from_numbers(name, &cells).expect("numbers")
    };
    let mut columns: Vec<Column> =
        (1..).zip(["x", "y", "z"]).map(|(place, name)| numbers(name, place)).collect();
    columns.extend([texts("u", 4, 4), texts("v", 5, 4), texts("class", 6, 2)]);
    Table::new(columns, People::Rows).expect("a table")
}

#[test]
fn most_trees_on_noise_are_a_single_leaf() {
    let leaves: Vec<u64> =
        (0..10).map(|seed| mined(&noise(seed), TreeMethod::Best, 5).summary.leaves).collect();
    assert!(leaves.iter().filter(|&&leaves| leaves == 1).count() >= 8, "{leaves:?}");
}
