//! The benchmark files, read unchanged.

use super::texts;
use crate::plan::{ColumnPlan, Format, MissingRows, ReadPlan, Reading};
use crate::read::{TableRead, read_table};
use incrowd_core::progress::Silent;
use incrowd_core::table::Kind;
use incrowd_testkit::ADULT;

fn read(name: &str, plan: &ReadPlan) -> Option<TableRead> {
    Some(read_table(&incrowd_testkit::data(name)?, plan, 2, &Silent).unwrap())
}

fn count(read: &TableRead, column: &str, value: &str) -> usize {
    texts(&read.table, column).iter().filter(|text| *text == value).count()
}

#[test]
fn adult_reads_as_it_is() {
    let names = Some(ADULT.map(str::to_owned).to_vec());
    let plan =
        ReadPlan { names, missing: vec!["?".into()], missing_rows: MissingRows::Drop, ..ReadPlan::default() };
    let (Some(train), Some(test)) = (read("adult/adult.data", &plan), read("adult/adult.test", &plan)) else {
        return;
    };
    assert_eq!((train.rows_read, train.table.rows()), (32_561, 30_162));
    assert_eq!((test.rows_read, test.table.rows()), (16_281, 15_060));
    let class = |read: &TableRead| read.table.require("class").unwrap().values().clone();
    assert_eq!(class(&train), class(&test));
    assert_eq!((count(&train, "class", ">50K"), count(&test, "class", ">50K")), (7_508, 3_700));
    let numeric = train.table.columns().iter().filter(|column| column.kind() == Kind::Numeric);
    assert_eq!(numeric.count(), 6);
    let work = train.table.require("workclass").unwrap();
    assert_eq!((work.values().len(), work.values().find("Never-worked")), (7, None));
    assert_eq!(train.format, Format::Uci);
}

#[test]
fn adult_keeps_missing_values() {
    let plan = ReadPlan { missing: vec!["?".into()], missing_rows: MissingRows::Keep, ..ReadPlan::default() };
    let Some(read) = read("adult/adult.data", &plan) else { return };
    let work = read.table.require("column2").unwrap();
    assert_eq!((read.table.rows(), work.values().len(), work.has_missing()), (32_561, 8, true));
    assert_eq!(work.codes().iter().filter(|&code| code == work.missing_code()).count(), 1_836);
}

#[test]
fn small_uci_files() {
    let plan = ReadPlan::default();
    let shapes = [
        ("german-credit/german.data", 1_000, 21, 8, b' '),
        ("tic-tac-toe/tic-tac-toe.data", 958, 10, 0, b','),
        ("glass/glass.data", 214, 11, 11, b','),
        ("waveform/waveform-+noise.data", 5_000, 41, 41, b','),
        ("pima/pima-indians-diabetes.data", 768, 9, 9, b','),
    ];
    for (name, rows, columns, numeric, delimiter) in shapes {
        let Some(read) = read(name, &plan) else { return };
        let numbers = read.table.columns().iter().filter(|column| column.kind() == Kind::Numeric).count();
        assert_eq!(
            (read.table.rows(), read.table.columns().len(), numbers),
            (rows, columns, numeric),
            "{name}"
        );
        assert_eq!(read.delimiter, Some(delimiter), "{name}");
    }
}

#[test]
fn bank_has_quotes_and_a_header() {
    let plan = ReadPlan::default();
    let (Some(bank), Some(full)) = (read("bank/bank.csv", &plan), read("bank/bank-full.csv.gz", &plan))
    else {
        return;
    };
    assert_eq!((count(&bank, "y", "no"), count(&bank, "y", "yes")), (4_000, 521));
    assert_eq!((count(&full, "y", "no"), count(&full, "y", "yes")), (39_922, 5_289));
    assert_eq!((bank.delimiter, bank.table.columns().len()), (Some(b';'), 17));
}

#[test]
fn credit_default_has_two_header_lines() {
    let plan = ReadPlan { skip_lines: 1, ..ReadPlan::default() };
    let Some(read) = read("credit-default/default_of_credit_card_clients.csv.gz", &plan) else { return };
    assert_eq!(read.table.rows(), 30_000);
    assert_eq!(count(&read, "default payment next month", "1"), 6_636);
    assert!(read.table.columns().iter().all(|column| column.kind() == Kind::Numeric));
    let id = ColumnPlan { reading: Reading::Skip, ..ColumnPlan::default() };
    let plan = ReadPlan { columns: [("ID".to_owned(), id)].into(), ..plan };
    let Some(read) = super::data::read("credit-default/default_of_credit_card_clients.csv.gz", &plan) else {
        return;
    };
    assert!(read.table.column("ID").is_none());
}
