//! What a group shows.

use crate::table::{Average, Common, MinedTable, TableMethod, TableParams, mine_table};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::taxonomy::{TaxonomySpec, TreeSpec};

/// Ages and towns of nine individuals; one age is missing.
fn source() -> Table {
    let ages = [18.0, 19.0, 19.0, 25.0, 60.0, 61.0, 70.0, 61.0].map(Some);
    let ages: Vec<Option<f64>> = ages.into_iter().chain([None]).collect();
    let towns = ["a", "b", "b", "b", "a", "b", "b", "a", "a"].map(Some);
    let classes = ["x", "x", "x", "x", "y", "y", "y", "y", "y"].map(Some);
    let columns = vec![
        Column::from_numbers("age", &ages).expect("numbers"),
        Column::from_texts("town", &towns),
        Column::from_texts("class", &classes),
    ];
    Table::new(columns, People::Rows).expect("a table")
}

fn made(change: impl Fn(&mut TableParams)) -> MinedTable {
    let lines = [["a", "north", "all"], ["b", "north", "all"], ["c", "south", "all"], ["d", "south", "all"]];
    let lines = (1..).zip(lines.map(|line| line.to_vec()));
    let mut town = Attribute::new("town", Role::Public);
    town.taxonomy = Some(TaxonomySpec::Tree(TreeSpec::from_lines(lines).expect("a taxonomy")));
    let attributes = vec![Attribute::new("age", Role::Public), town, Attribute::new("class", Role::Private)];
    let policy = Policy::new(attributes).with_class("class");
    let mut params = TableParams::new(TableMethod::Aggregate, Guarantee::k_anonymity(9).expect("k"));
    params.noise = 0.0;
    change(&mut params);
    mine_table(&source(), &policy, &params.check().expect("parameters"), &Silent).expect("a table")
}

/// The different public cells.
fn shown(made: &MinedTable) -> Vec<(String, String)> {
    let text = |column: &Column, row: usize| column.values().text(column.code(row) as usize).into_owned();
    let [age, town, ..] = made.table.columns() else { return Vec::new() };
    let mut all: Vec<_> = (0..made.table.rows()).map(|row| (text(age, row), text(town, row))).collect();
    all.dedup();
    all
}

fn pair(age: &str, town: &str) -> Vec<(String, String)> {
    vec![(age.to_owned(), town.to_owned())]
}

#[test]
fn means_and_most_frequent_values() {
    let made = made(|_| ());
    assert_eq!(shown(&made), pair("41.6", "b"));
    assert_eq!((made.summary.rows, made.summary.rows_lost), (9, 0));
}

#[test]
fn medians_and_common_ancestors() {
    let made = made(|params| {
        params.average = Average::Median;
        params.common = Common::Ancestor;
    });
    assert_eq!(shown(&made), pair("25", "north"));
}

/// Noise moves individuals between groups; what a group shows is computed from their own values.
#[test]
fn noise_is_not_shown() {
    let noisy = made(|params| params.noise = 2.0);
    assert_eq!(noisy, made(|_| ()));
}
