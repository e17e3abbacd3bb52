//! kACTUS and kACTUS-2 on the cases in which the printed algorithm goes wrong, and on random ones.

use super::choose::{entropy, most_frequent, rarest};
use crate::table::{MinedTable, TableMethod, TableParams, mine_table};
use crate::tree::tests::random::case;
use incrowd_core::Result;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};

/// Rows of public attributes `a` and `b` and a private class, each with its number of repetitions.
fn table(rows: &[(usize, [&'static str; 3])]) -> Table {
    let cells = |place: usize| -> Vec<Option<&str>> {
        rows.iter().flat_map(|(n, row)| std::iter::repeat_n(Some(row[place]), *n)).collect()
    };
    let columns = ["a", "b", "class"].iter().enumerate().map(|(i, name)| Column::from_texts(name, &cells(i)));
    Table::new(columns.collect(), People::Rows).expect("a table")
}

fn policy() -> Policy {
    let roles = [("a", Role::Public), ("b", Role::Public), ("class", Role::Private)];
    Policy::new(roles.iter().map(|&(name, role)| Attribute::new(name, role)).collect()).with_class("class")
}

fn kactus2(table: &Table, guarantee: Guarantee, swapping: f64, as_printed: bool) -> Result<MinedTable> {
    let params = TableParams { swapping, as_printed, ..TableParams::new(TableMethod::Kactus2, guarantee) };
    mine_table(table, &policy(), &params.check()?, &Silent)
}

fn k(k: u64) -> Guarantee {
    Guarantee::k_anonymity(k).expect("k")
}

/// What a table shows of `a` and `b`, and how often.
fn shown(made: &MinedTable) -> Vec<(String, usize)> {
    let text = |column: usize, row: usize| {
        let column = &made.table.columns()[column];
        column.values().text(column.code(row) as usize).into_owned()
    };
    let mut counts = std::collections::BTreeMap::new();
    for row in 0..made.table.rows() {
        *counts.entry(format!("{} {}", text(0, row), text(1, row))).or_default() += 1;
    }
    counts.into_iter().collect()
}

fn says(expected: &[(&str, usize)]) -> Vec<(String, usize)> {
    expected.iter().map(|&(text, n)| (text.to_owned(), n)).collect()
}

/// A complying leaf of 8 and one of 2 that lacks a third.
fn eight_and_two() -> Table {
    table(&[(8, ["big", "0", "x"]), (2, ["small", "0", "y"])])
}

#[test]
fn a_swapped_leaf_is_released_with_what_it_was_given() {
    let made = kactus2(&eight_and_two(), k(3), 0.5, false).expect("a table");
    assert_eq!(shown(&made), says(&[("big *", 7), ("small *", 3)]));
    assert!((made.measures.swapped - 1.0 / 20.0).abs() < 1e-12);
    assert_eq!(made.summary.rows_lost, 0);
}

#[test]
fn as_printed_a_group_of_two_is_released_and_refused() {
    let error = kactus2(&eight_and_two(), k(3), 0.5, true).expect_err("unsafe");
    assert!(error.to_string().contains("broken in 1 group with 2 individuals"), "{error}");
}

#[test]
fn without_swapping_the_leaf_is_suppressed() {
    let made = kactus2(&eight_and_two(), k(3), 0.0, false).expect("a table");
    assert_eq!(shown(&made), says(&[("* *", 3), ("big *", 7)]));
    assert!(made.measures.swapped.abs() < 1e-12);
}

/// Below `a` = 1 no individual has `b` = 3, but the tree has a branch for it.
#[test]
fn an_empty_leaf_is_given_nothing() {
    let source = table(&[
        (4, ["0", "1", "x"]),
        (4, ["0", "2", "x"]),
        (4, ["0", "3", "x"]),
        (12, ["1", "1", "y"]),
        (12, ["1", "2", "z"]),
    ]);
    let repaired = kactus2(&source, k(3), 1.0, false).expect("a table");
    assert_eq!(shown(&repaired), says(&[("0 *", 12), ("1 1", 12), ("1 2", 12)]));
    // Three rows are given to the empty leaf, only to be suppressed, and three more of the other sibling; then the
    // parent is an empty leaf.
    let printed = kactus2(&source, k(3), 1.0, true).expect("safe, if wasteful");
    assert_eq!(shown(&printed), says(&[("* *", 3), ("0 *", 9), ("1 *", 6), ("1 1", 9), ("1 2", 9)]));
}

/// One real person of class y is joined with four others of the same class.
#[test]
fn swapping_does_not_make_a_group_alike_where_that_is_forbidden() {
    let source = table(&[
        (14, ["p", "0", "y"]),
        (6, ["p", "0", "x"]),
        (5, ["q", "0", "x"]),
        (3, ["q", "0", "z"]),
        (1, ["r", "0", "y"]),
    ]);
    let alike = kactus2(&source, k(5), 1.0, false).expect("a table");
    assert_eq!(shown(&alike), says(&[("p *", 16), ("q *", 8), ("r *", 5)]));
    assert_eq!(alike.summary.exposed, 5);
    let diverse = k(5).with(Requirement::distinct_l(2).expect("l"));
    let made = kactus2(&source, diverse, 1.0, false).expect("a table");
    assert_eq!(made.summary.exposed, 0);
    assert!(shown(&made).iter().all(|(cells, _)| cells != "r *"), "{:?}", shown(&made));
}

#[test]
fn without_swapping_every_cell_is_true() {
    for seed in 0..700 {
        let case = case(seed, 40, 5);
        let params =
            TableParams { swapping: 0.0, ..TableParams::new(TableMethod::Kactus2, case.guarantee.clone()) };
        let params = params.check().expect("parameters");
        if let Ok(made) = mine_table(&case.table, &case.policy, &params, &Silent) {
            assert!(made.measures.swapped.abs() < 1e-12, "seed {seed}");
        }
    }
}

/// What the printed algorithm makes is released only where it keeps the guarantee: some of it does, some does not.
#[test]
fn as_printed_is_audited_too() {
    let (mut released, mut refused) = (0, 0);
    for seed in 0..700 {
        let case = case(seed, 40, 5);
        let params = TableParams {
            swapping: 1.0,
            as_printed: true,
            ..TableParams::new(TableMethod::Kactus2, case.guarantee.clone())
        };
        let params = params.check().expect("parameters");
        match mine_table(&case.table, &case.policy, &params, &Silent) {
            Ok(made) => released += usize::from(made.report.holds),
            Err(error) => refused += usize::from(error.to_string().contains("is broken in")),
        }
    }
    assert!(released > 50 && refused > 20, "{released} released, {refused} refused");
}

/// The class to add, or to take away, is the one that leaves the lowest entropy of all.
#[test]
fn classes_are_chosen_by_entropy() {
    for seed in 0..2000 {
        let random = &mut Random::of(seed, 3);
        let counts: Vec<u64> = (0..=random.below(5)).map(|_| u64::from(random.below(6))).collect();
        let changed = |class: usize, by: i64| {
            let mut counts = counts.clone();
            counts[class] = counts[class].saturating_add_signed(by);
            entropy(&counts)
        };
        let lowest = |classes: Vec<usize>, by: i64| {
            classes.into_iter().map(|class| changed(class, by)).fold(f64::INFINITY, f64::min)
        };
        let added = most_frequent(&counts).expect("a class");
        let all: Vec<usize> = (0..counts.len()).collect();
        assert!(changed(added, 1) <= lowest(all.clone(), 1) + 1e-12, "seed {seed}: {counts:?}");
        let held: Vec<usize> = all.into_iter().filter(|&class| counts[class] > 0).collect();
        if let Some(taken) = rarest(&counts, |class| counts[class] > 0) {
            assert!(changed(taken, -1) <= lowest(held, -1) + 1e-12, "seed {seed}: {counts:?}");
        }
    }
}

#[test]
fn the_seed_decides() {
    let source =
        table(&[(30, ["p", "0", "x"]), (30, ["q", "1", "y"]), (2, ["r", "1", "z"]), (2, ["s", "0", "z"])]);
    let made = |seed: u64| {
        let params = TableParams { seed, ..TableParams::new(TableMethod::Kactus, k(10)) };
        mine_table(&source, &policy(), &params.check().expect("parameters"), &Silent).expect("a table")
    };
    assert_eq!(made(1), made(1));
    let mut rows = [made(1).source_rows, made(2).source_rows];
    assert_ne!(rows[0], rows[1]);
    rows.iter_mut().for_each(|rows| rows.sort_unstable());
    assert_eq!(rows[0], rows[1]);
    assert_eq!(shown(&made(1)).iter().find(|(cells, _)| cells == "* *"), Some(&("* *".to_owned(), 10)));
}
