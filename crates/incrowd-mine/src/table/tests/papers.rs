//! Tables of the papers, and new rows recoded like them.

use crate::table::{MinedTable, TableMethod, TableParams, mine_table};
use crate::tree;
use crate::tree::tests::policy;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::Role;
use incrowd_core::progress::Silent;
use incrowd_core::samples::{mortgage_anonymized, mortgage_of_twelve};
use incrowd_core::table::{Column, People, Table};

fn mortgage() -> MinedTable {
    let roles = [
        ("Gender", Role::Public),
        ("Married", Role::Public),
        ("Age", Role::Public),
        ("Sports Car", Role::Public),
        ("Loan Risk", Role::Private),
    ];
    let mut params = TableParams::new(TableMethod::Spans, Guarantee::k_anonymity(3).expect("k"));
    params.tree = tree::TreeMethod::KadetId3;
    mine_table(&mortgage_of_twelve().table, &policy(&roles), &params.check().expect("parameters"), &Silent)
        .expect("a table")
}

/// The rows as texts, in an order of their own.
fn rows(table: &Table) -> Vec<Vec<String>> {
    let cell = |column: &Column, row: usize| column.values().text(column.code(row) as usize).into_owned();
    let mut rows: Vec<Vec<String>> = (0..table.rows())
        .map(|row| table.columns().iter().map(|column| cell(column, row)).collect())
        .collect();
    rows.sort();
    rows
}

/// VLDB Journal 2008, Table 1 with the information of the tree of Figure 1.
#[test]
fn table_2_of_the_vldb_paper() {
    let made = mortgage();
    assert_eq!(rows(&made.table), rows(&mortgage_anonymized().table));
    assert_eq!((made.summary.k, made.summary.groups, made.summary.rows_lost), (3, 4, 0));
    // Of 48 public cells: six and six of marriage and age, all twelve of the car.
    assert!((made.summary.suppressed - 24.0 / 48.0).abs() < 1e-12, "{}", made.summary.suppressed);
}

/// Every individual of the source gets their own cells; a new row gets those of the group that covers it.
#[test]
fn people_meet_the_cells_of_their_group() {
    let made = mortgage();
    let source = mortgage_of_twelve().table;
    assert_eq!(rows(&made.recoding.apply(&source).expect("the same columns")), rows(&made.table));
    let columns = ["Gender", "Married", "Age", "Sports Car"].into_iter();
    let strangers = columns.zip([["Male", "Female"], ["No", "No"], ["Young", "Old"], ["No", "Boat"]]);
    let strangers: Vec<Column> =
        strangers.map(|(name, cells)| Column::from_texts(name, &cells.map(Some))).collect();
    let strangers = Table::new(strangers, People::Rows).expect("two rows");
    let met = made.recoding.apply(&strangers).expect("the public columns");
    assert_eq!(rows(&met), [["Female", "No", "*", "*"], ["Male", "*", "Young", "*"]]);
    // No group has an unknown gender; the nearest one covers the rest.
    let stranger: Vec<Column> = [("Gender", "X"), ("Married", "No"), ("Age", "Old"), ("Sports Car", "No")]
        .into_iter()
        .map(|(name, cell)| Column::from_texts(name, &[Some(cell)]))
        .collect();
    let met = made.recoding.apply(&Table::new(stranger, People::Rows).expect("a row")).expect("columns");
    assert_eq!(rows(&met), [["Female", "No", "*", "*"]]);
}
