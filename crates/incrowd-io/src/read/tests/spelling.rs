//! Spellings of one value, and rows without a subject.

use super::{read, texts, with_columns};
use crate::plan::{ColumnPlan, Encoding, MissingRows, ReadPlan, Reading, Spelling};

const TOWNS: &str =
    "town,age\nAachen,1\n\" aachen \",2\nAACHEN\u{a0},3\nNew  York,4\nnew york,5\nk. A.,6\nK. a. ,7\n";

fn towns(plan: &ReadPlan) -> Vec<String> {
    texts(&read("t.csv", TOWNS, plan).unwrap().table, "town")
}

#[test]
fn spellings_are_one_value_if_the_plan_says_so() {
    let plan = ReadPlan { missing: vec!["k. A.".into()], ..ReadPlan::default() };
    let plan = plan.with_missing_rows(MissingRows::Drop);
    assert_eq!(towns(&plan).len(), 6);
    let trimmed = towns(&plan.clone().with_spelling(Spelling::Trim));
    assert_eq!(trimmed, ["Aachen", "aachen", "AACHEN", "New York", "new york", "K. a."]);
    let folded = plan.clone().with_spelling(Spelling::IgnoreCase);
    assert_eq!(towns(&folded), ["aachen", "aachen", "aachen", "new york", "new york"]);
    // Values that are known keep their spelling, and a column has its own rule.
    let town = |spelling| ColumnPlan {
        spelling: Some(spelling),
        spellings: vec!["Aachen".into(), "New York".into()],
        ..ColumnPlan::default()
    };
    let with =
        |spelling| ReadPlan { columns: with_columns([("town", town(spelling))]).columns, ..folded.clone() };
    assert_eq!(towns(&with(Spelling::IgnoreCase)), ["Aachen", "Aachen", "Aachen", "New York", "New York"]);
    assert_eq!(towns(&with(Spelling::Exact)).len(), 6);
}

#[test]
fn what_an_attacker_sees_is_not_respelled() {
    let exact = ColumnPlan { reading: Reading::Exact, ..ColumnPlan::default() };
    let plan = with_columns([("town", exact)]).with_spelling(Spelling::IgnoreCase);
    let read = read("t.csv", TOWNS, &plan.with_missing_rows(MissingRows::Keep)).unwrap();
    assert_eq!(read.table.column("town").unwrap().values().len(), 7);
}

#[test]
fn spellings_are_one_value_in_json_lines_and_many_blocks() {
    let line = |row: u32| format!("{{\"town\": \"{}\"}}\n", ["Bonn", "BONN ", " bonn"][row as usize % 3]);
    let text: String = (0..60_000).map(line).collect();
    let plan = ReadPlan::default().with_spelling(Spelling::IgnoreCase);
    let table = read("t.jsonl", &text, &plan).unwrap().table;
    assert_eq!(table.column("town").unwrap().values().len(), 1);
}

fn subject(required: bool) -> ReadPlan {
    let plan = ColumnPlan { reading: Reading::Subject, required, ..ColumnPlan::default() };
    with_columns([("id", plan)]).with_missing_rows(MissingRows::Keep)
}

#[test]
fn rows_without_a_subject_are_no_individual() {
    let text = "id,town\nA,x\nA,x\n,x\nB,\n";
    let kept = read("t.csv", text, &subject(false)).unwrap();
    assert_eq!((kept.table.rows(), kept.table.individuals()), (3, 2));
    assert_eq!((kept.rows_left_out.total, kept.rows_left_out.columns["id"]), (1, 1));
    let refused = read("t.csv", text, &subject(true)).unwrap_err();
    assert!(refused.what.contains("individuals cannot be counted"), "{refused}");
    assert_eq!(refused.place.line, Some(4));
}

#[test]
fn utf_8_is_not_read_as_another_encoding() {
    let text = "town,age\nWürselen,1\nKöln,2\nDüren,3\n";
    let plan = ReadPlan::default().with_encoding(Encoding::Windows1252);
    let refused = read("t.csv", text, &plan).unwrap_err();
    assert!(refused.what.contains("the text is UTF-8"), "{refused}");
    assert!(read("t.csv", "town,age\nAachen,1\nBonn,2\n", &plan).is_ok());
}

#[test]
fn long_first_lines_are_rows() {
    let cell = "x".repeat(300_000);
    let text = format!("town,note\nBonn,{cell}\nKöln,{cell}\n");
    let read = read("t.csv", &text, &ReadPlan::default()).unwrap();
    assert_eq!((read.table.rows(), texts(&read.table, "town").len()), (2, 2));
}

#[test]
fn a_sheet_is_of_a_workbook() {
    let plan = ReadPlan::default().with_sheet("A".to_owned());
    let refused = read("t.csv", "a,b\n1,2\n", &plan).unwrap_err();
    assert!(refused.what.contains("not an Excel workbook"), "{refused}");
}
