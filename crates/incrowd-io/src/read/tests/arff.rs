//! ARFF: declarations, quotes, comments, and what is refused.

use super::{read, texts};
use crate::plan::{MissingRows, ReadPlan};
use incrowd_core::table::Kind;

const HEAD: &str = "% A \"comment\n@relation 'a b'\n\n@ATTRIBUTE 'the age' NUMERIC\n@attribute job {'day \\'n\\' night', b,\"c d\"}\n\
                    @attribute note string\n@attribute day DATE \"yyyy-MM-dd\"\n@data\n";

fn keep() -> ReadPlan {
    ReadPlan { missing_rows: MissingRows::Keep, ..ReadPlan::default() }
}

#[test]
fn reads_what_is_declared() {
    let rows =
        "% don't\n5, 'day \\'n\\' night', \"x, y\", \"2024-01-01\"\n?,b,'it''s',?\r\n\n7.5,\"c d\",12,13\n";
    let table = read("t.arff", format!("{HEAD}{rows}"), &keep()).unwrap().table;
    assert_eq!(texts(&table, "the age"), ["5", "NA", "7.5"]);
    assert_eq!(texts(&table, "job"), ["day 'n' night", "b", "c d"]);
    assert_eq!(texts(&table, "note"), ["x, y", "it's", "12"]);
    let kinds: Vec<Kind> = table.columns().iter().map(incrowd_core::table::Column::kind).collect();
    assert_eq!(kinds, [Kind::Numeric, Kind::Categorical, Kind::Categorical, Kind::Categorical]);
}

#[track_caller]
fn check(text: &str, what: &str, line: u64) {
    let error = read("t.arff", text, &ReadPlan::default()).unwrap_err();
    assert!(error.what.contains(what), "{error}");
    assert_eq!(error.place.line, Some(line), "{error}");
}

#[test]
fn refuses_what_is_wrong() {
    check(&format!("{HEAD}{{0 5}}\n"), "sparse", 9);
    check(&format!("{HEAD}5,b,x,y\n5,nobody,x,y\n"), "not among those", 10);
    check(&format!("{HEAD}x,b,x,y\n"), "not a finite number", 9);
    check(&format!("{HEAD}?,b,x,y\n"), "a value is missing", 9);
    check(&format!("{HEAD}5,b,'x,y\n"), "never closed", 9);
    check(&format!("{HEAD}5,b,x\n"), "expected 4 cells, found 3", 9);
    check("@relation r\n@attribute a numeric\n", "no `@data`", 3);
    check("@relation r\n@attribute a whatever\n@data\n", "type is unknown", 2);
    check("@relation r\n@attribute a {x, 'y\n@data\n", "incomplete", 2);
    check("@relation r\n@attribute a relational\n@data\n", "relational", 2);
    check("@relation r\nrubbish\n", "does not belong in an ARFF header", 2);
    check("@relation r\n@data\n1\n", "declares no attributes", 2);
}
