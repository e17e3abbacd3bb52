//! What is detected: formats, delimiters, headers; and what the plan overrides.

use super::{gzip, read, texts, with_columns};
use crate::plan::{ColumnPlan, Format, Quote, ReadPlan, Reading, Unlisted};
use incrowd_core::table::{Kind, People, Table};

fn names(table: &Table) -> Vec<&str> {
    table.columns().iter().map(incrowd_core::table::Column::name).collect()
}

/// Reads with the default plan and compares delimiter and names.
#[track_caller]
fn check(text: &str, delimiter: u8, expected: &[&str]) {
    let found = read("t.csv", text, &ReadPlan::default()).unwrap();
    assert_eq!(found.delimiter, Some(delimiter));
    assert_eq!(names(&found.table), expected);
}

#[test]
fn delimiters() {
    check("a,b\n1,x\n2,y\n", b',', &["a", "b"]);
    check("a;b\n1,5;x\n2,5;y\n", b';', &["a", "b"]);
    check("a\tb\n1\tx y\n2\ty z\n", b'\t', &["a", "b"]);
    check("a|b\n1|x\n2|y\n", b'|', &["a", "b"]);
    check("a b\n1  x\n 2\ty \n", b' ', &["a", "b"]);
    check("\"a;1\",\"b;2\"\n\"1;2\",3\n\"1;2;3\",3\n", b',', &["a;1", "b;2"]);
    check("a\n1\n2\n", b',', &["a"]);
    check("when,n\n2024-01-01 10:00,1\n2024-01-02 11:00,2\n", b',', &["when", "n"]);
}

#[test]
fn headers() {
    check("name,age\nann,5\n", b',', &["name", "age"]);
    check("ann,5\nbob,6\n", b',', &["column1", "column2"]);
    check("x,x\no,x\n", b',', &["column1", "column2"]);
    check("work,home\na,b\nc,d\n", b',', &["work", "home"]);
    check("yes,no\nno,yes\nyes,no\n", b',', &["column1", "column2"]);
    check(",a\n1,x\n2,y\n", b',', &["column1", "a"]);
}

#[test]
fn the_plan_decides() {
    let plan =
        ReadPlan { header: Some(false), names: Some(vec!["x".into(), "y".into()]), ..ReadPlan::default() };
    let table = read("t.csv", "a,b\nc,d\n", &plan).unwrap().table;
    assert_eq!((names(&table), table.rows()), (vec!["x", "y"], 2));
    let plan = ReadPlan { header: Some(true), ..plan };
    assert_eq!(read("t.csv", "a,b\nc,d\n", &plan).unwrap().table.rows(), 1);
    let plan = ReadPlan { comment: Some("#".into()), quote: Quote::Single, ..ReadPlan::default() };
    let table = read("t.csv", "# it's\na,b\n'x, y',1\n# 'more\n'it''s',2\n", &plan).unwrap().table;
    assert_eq!(texts(&table, "a"), ["x, y", "it's"]);
}

#[test]
fn formats() {
    let format = |name, text: &[u8]| read(name, text, &ReadPlan::default()).unwrap().format;
    assert_eq!(format("t.csv", b"a,b\n1,2\n"), Format::Csv);
    assert_eq!(format("t.data", b"1,2\n"), Format::Uci);
    assert_eq!(format("t.DATA.gz", &gzip(b"1,2\n")), Format::Uci);
    let arff = b"% c\n@RELATION r\n@attribute a numeric\n@data\n1\n";
    assert_eq!(format("t.csv", arff), Format::Arff);
    assert_eq!(format("t.txt", &gzip(arff)), Format::Arff);
}

#[test]
fn dots() {
    let last = |name, text: &str, trailing_dot| {
        let plan = ReadPlan { trailing_dot, header: Some(false), ..ReadPlan::default() };
        texts(&read(name, text, &plan).unwrap().table, "column2")
    };
    assert_eq!(last("t.test", "1,yes.\n2,no\n", None), ["yes", "no"]);
    assert_eq!(last("t.test", "1,yes.\n2,no\n", Some(false)), ["yes.", "no"]);
    assert_eq!(last("t.csv", "1,Inc.\n2,no\n", None), ["Inc.", "no"]);
    assert_eq!(last("t.csv", "1,yes.\n2,no\n", Some(true)), ["yes", "no"]);
    assert_eq!(last("t.test", "1,5.\n2,6.5\n", None), ["5", "6.5"]);
    assert_eq!(last("t.test", "a.,5.\nb.,6.\n", Some(true)), ["5", "6"]);
}

#[test]
fn uci_comments_and_empty_lines() {
    let table = read("t.test", "|1x3 \"Cross\n1, a.\n\n2, b.\n\n", &ReadPlan::default()).unwrap().table;
    assert_eq!(texts(&table, "column2"), ["a", "b"]);
}

#[test]
fn readings() {
    let reading = |reading| ColumnPlan { reading, ..ColumnPlan::default() };
    let order = vec!["low".to_owned(), "mid".to_owned(), "high".to_owned()];
    let ordered = ColumnPlan { kind: Some(Kind::Ordered), order, ..ColumnPlan::default() };
    let plan = with_columns([
        ("id", reading(Reading::Subject)),
        ("zip", reading(Reading::Text)),
        ("note", reading(Reading::Skip)),
        ("risk", ordered),
    ]);
    let text = "id,zip,note,risk,n\np9,01,\"x, y\",high,1\np1,1,z,low,2\np9,01,z,low,3\n";
    let table = read("t.csv", text, &plan).unwrap().table;
    assert_eq!(table.people(), &People::Subjects { of_row: vec![0, 1, 0], count: 2 });
    assert_eq!(names(&table), ["zip", "risk", "n"]);
    assert_eq!(texts(&table, "zip"), ["01", "1", "01"]);
    let risk = table.require("risk").unwrap();
    assert_eq!((risk.kind(), risk.values().len(), risk.code(0)), (Kind::Ordered, 3, 2));
    let plan = ReadPlan { unlisted: Unlisted::Skip, ..with_columns([("n", ColumnPlan::default())]) };
    assert_eq!(names(&read("t.csv", text, &plan).unwrap().table), ["n"]);
}

#[test]
fn marks_of_one_column() {
    let marks = ColumnPlan { missing: Some(vec!["-1".into()]), ..ColumnPlan::default() };
    let plan = ReadPlan {
        missing: vec!["?".into()],
        missing_rows: crate::plan::MissingRows::Keep,
        ..with_columns([("a", marks)])
    };
    let table = read("t.csv", "a,b\n-1,?\n5,-1\n", &plan).unwrap().table;
    assert_eq!(
        (texts(&table, "a"), texts(&table, "b")),
        (vec!["NA".into(), "5".into()], vec!["NA".into(), "-1".into()])
    );
}
