//! The same table in every kind of file is the same table; wrong files are errors with their places.

use super::{Scratch, gzip, read, small, texts, with_columns};
use crate::data::archive;
use crate::plan::{ColumnPlan, Encoding, MissingRows, ReadPlan, Reading};
use crate::read::{TableRead, files_of, path_of_files, read_sized, read_table};
use incrowd_core::Result;
use incrowd_core::progress::Silent;
use proptest::prelude::*;
use std::path::PathBuf;

/// Rows of an age, a town and a note.
const ROWS: [(&str, &str, &str); 5] = [
    ("34", "Zürich", "a, b"),
    ("41.5", "Bern", "says \"no\""),
    ("", "Bern", ""),
    ("-3", "Genève", "€"),
    ("1e3", "Zürich", "true"),
];

fn csv() -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |(age, town, note): &(&str, &str, &str)| format!("{age},{town},{}\n", quoted(note));
    format!("age,town,note\n{}", ROWS.iter().map(line).collect::<String>())
}

fn json_lines() -> String {
    let line = |(age, town, note): &(&str, &str, &str)| {
        let age = if age.is_empty() { "null" } else { age };
        // Escapes are the same characters.
        let town = town.replace('ü', "\\u00fc");
        let note = if *note == "true" { "true".to_owned() } else { serde_json::to_string(note).unwrap() };
        format!("{{\"town\": \"{town}\", \"age\": {age}, \"note\":{note} }}\n\n")
    };
    ROWS.iter().map(line).collect()
}

fn plan() -> ReadPlan {
    ReadPlan::default().with_missing_rows(MissingRows::Keep)
}

/// The cells of every column, by name.
fn cells(read: &TableRead) -> Vec<(String, Vec<String>)> {
    let names = ["age", "note", "town"];
    names.iter().map(|name| ((*name).to_owned(), texts(&read.table, name))).collect()
}

fn wide(text: &str, big: bool) -> Vec<u8> {
    let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    text.encode_utf16().flat_map(unit).collect()
}

fn windows(text: &str) -> Vec<u8> {
    text.chars().map(|c| if c == '€' { 0x80 } else { u8::try_from(u32::from(c)).unwrap() }).collect()
}

#[test]
fn every_kind_of_file_gives_the_same_table() {
    let csv = csv();
    let expected = cells(&read("t.csv", &csv, &plan()).unwrap());
    assert_eq!(expected[0].1, ["34", "41.5", "NA", "-3", "1000"]);
    assert_eq!(expected[2].1, ["Zürich", "Bern", "Bern", "Genève", "Zürich"]);
    let json = json_lines();
    let zipped = archive(&[("folder/t.csv", csv.as_bytes())]);
    let deflated = archive(&[("__MACOSX/", b""), ("t.jsonl", json.as_bytes()), (".DS_Store", b"x")]);
    let same: [(&str, Vec<u8>, ReadPlan); 9] = [
        ("t.jsonl", json.clone().into(), plan()),
        ("t.ndjson.gz", gzip(json.as_bytes()), plan()),
        ("unknown", json.into(), plan()),
        ("t.zip", zipped, plan()),
        ("t.zip", deflated, plan()),
        ("t.csv", windows(&csv), plan().with_encoding(Encoding::Windows1252)),
        ("t.csv", wide(&format!("\u{FEFF}{csv}"), true), plan().with_encoding(Encoding::Utf16)),
        ("t.csv", wide(&csv, false), plan().with_encoding(Encoding::Utf16)),
        ("t.csv.gz", gzip(&wide(&csv, true)), plan().with_encoding(Encoding::Utf16Be)),
    ];
    for (name, bytes, plan) in same {
        assert_eq!(cells(&read(name, bytes, &plan).unwrap()), expected, "{name}");
    }
}

/// A folder with files that is gone when the test is over; the first is the one that the scratch names.
struct Folder(Scratch, Vec<PathBuf>);

fn folder(files: &[(&str, Vec<u8>)]) -> Folder {
    let first = Scratch::new(files[0].0, &files[0].1);
    let beside = |(name, bytes): &(&str, Vec<u8>)| {
        let path = first.path().with_file_name(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let paths = files.iter().map(beside).collect();
    Folder(first, paths)
}

fn read_all(folder: &Folder, plan: &ReadPlan) -> Result<TableRead> {
    read_table(&path_of_files(&folder.1)?, plan, 2, &Silent)
}

#[test]
fn several_files_are_one_table() {
    let csv = csv();
    let (header, rows) = csv.split_once('\n').unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    let part = |rows: &[&str]| format!("\n{header}\n{}", rows.join("\n")).into_bytes();
    let expected = cells(&read("t.csv", &csv, &plan()).unwrap());
    let parts = folder(&[
        ("visits-1.csv", part(&lines[..2])),
        ("visits-2.csv", part(&lines[2..3])),
        ("visits-3.csv", gzip(&part(&lines[3..]))),
    ]);
    assert_eq!(cells(&read_all(&parts, &plan()).unwrap()), expected);
    let pattern = parts.0.path().with_file_name("visits-*.csv");
    assert_eq!(files_of(&pattern).unwrap(), parts.1);
    for threads in [1, 3] {
        let read = read_sized(&pattern, &plan(), threads, small(16), &Silent).unwrap();
        assert_eq!(cells(&read), expected);
        assert_eq!(read.rows_read, 5);
    }
    let json = json_lines();
    let (first, second) = json.split_at(json.find("{\"town\": \"Bern\", \"age\": null").unwrap());
    let parts = folder(&[("a.jsonl", first.into()), ("b.jsonl", second.into())]);
    assert_eq!(cells(&read_all(&parts, &plan()).unwrap()), expected);
}

fn error(read: Result<TableRead>) -> String {
    let error = read.unwrap_err();
    let file = error.place.file.as_ref().and_then(|file| file.file_name()?.to_str()).unwrap_or_default();
    let line = error.place.line.map_or_else(String::new, |line| format!(" line {line}"));
    let of = error.place.attribute.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    assert!(error.help.is_some(), "{error}");
    format!("{file}{line}{of}: {}", error.what)
}

#[test]
fn wrong_parts_are_named() {
    let files = |second: (&'static str, &str)| {
        folder(&[("a.csv", b"age,town\n1,x\n2,y\n".to_vec()), (second.0, second.1.into())])
    };
    let text = |second| {
        let text = error(read_all(&files(second), &plan()));
        let at = text.find("but ").map_or(text.len(), |at| at);
        text[..at].to_owned()
    };
    assert!(text(("b.csv", "age,city\n3,z\n")).starts_with("b.csv: the column is not declared as in "));
    assert!(text(("b.csv", "age\n3\n")).starts_with("b.csv: the file has 1 column, and "));
    assert_eq!(text(("b.csv", "age,town\n3\n")), "b.csv line 2: expected 2 cells, found 1");
    assert!(text(("b.csv", "age,town\n")).starts_with("b.csv"));
    assert_eq!(
        text(("b.arff", "@relation r\n@attribute age numeric\n@data\n1\n")),
        "b.arff: the file is ARFF, "
    );
    let twice = files(("b.csv", "age,town\n3,z\n"));
    let same = path_of_files(&[twice.1[0].clone(), twice.1[0].clone()]).unwrap();
    assert!(files_of(&same).unwrap_err().what.contains("twice"));
    assert!(files_of(&twice.1[0].with_file_name("c-*.csv")).unwrap_err().what.contains("no file matches"));
    assert!(path_of_files(&["-".into(), "a.csv".into()]).is_err());
}

#[test]
fn wrong_lines_of_json_are_named() {
    let of = |text: &str| error(read("t.jsonl", text, &plan()));
    assert_eq!(of("{\"a\":1}\n[1]\n"), " line 2: the line is not a JSON object");
    assert_eq!(of("{\"a\":1}\n\n{\"a\":1,}\n"), " line 3: the line is not valid JSON");
    assert_eq!(of("{\"a\":1} {\"a\":2}\n"), " line 1: text follows the JSON object");
    assert_eq!(
        of("{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":{\"c\":[]}}\n"),
        " line 2 b: the value is a list or an object"
    );
    assert_eq!(of("{\"a\":1,\"a\":2}\n"), " line 1 a: the line has this key twice");
    assert_eq!(of("[{\"a\":1}]\n"), " line 1: no line of the file is a JSON object with keys");
    let refuse = ReadPlan::default();
    assert_eq!(
        error(read("t.jsonl", "{\"a\":1,\"b\":2}\n{\"b\":2}\n", &refuse)),
        " line 2 a: a value is missing"
    );
    assert_eq!(
        error(read("t.jsonl", "{\"a\":[1]}\n", &refuse)),
        " line 1 a: the value is a list or an object"
    );
    assert_eq!(
        error(read("t.jsonl", "{\"a\":null}\n{\"a\":[1]}\n", &refuse)),
        " line 1 a: a value is missing"
    );
    let skipped = with_columns([("b", ColumnPlan::new(Reading::Skip))]);
    let read = read("t.jsonl", "{\"a\":1,\"b\":{\"c\":[\"]\"]}}\n", &skipped).unwrap();
    assert_eq!(texts(&read.table, "a"), ["1"]);
}

/// What a JSON file distinguishes is distinguished where a released table is read.
#[test]
fn exact_cells_of_json_differ_by_type() {
    let plan = with_columns([("a", ColumnPlan::new(Reading::Exact))]).with_missing_rows(MissingRows::Keep);
    let read =
        read("t.jsonl", "{\"a\":1}\n{\"a\":\"1\"}\n{\"a\":null}\n{\"a\":\"\\\"x\"}\n{\"a\":\"\"}\n", &plan);
    let column = texts(&read.unwrap().table, "a");
    assert_eq!(column.iter().collect::<std::collections::BTreeSet<_>>().len(), 5, "{column:?}");
}

#[test]
fn wrong_archives_are_errors() {
    let of = |bytes: &[u8]| error(read("t.zip", bytes, &plan()));
    assert_eq!(of(&archive(&[("a.csv", b"x"), ("b.csv", b"y")])), "t.zip: the ZIP archive has 2 files");
    assert_eq!(of(&archive(&[("folder/", b"")])), "t.zip: the ZIP archive has no file");
    // Only its checksum shows that a stored content has changed.
    let stored = archive(&[("a.csv", b"age\n1\n2\n3\n")]);
    let at = stored.windows(2).position(|two| two == b"1\n").unwrap();
    let changed = [&stored[..at], b"7", &stored[at + 1..]].concat();
    assert_eq!(of(&changed), "t.zip: the ZIP archive is damaged");
}

#[test]
fn encodings_must_be_declared() {
    let of = |bytes: Vec<u8>, plan: &ReadPlan| error(read("t.csv", bytes, plan));
    assert_eq!(of(windows("a,b\n1,ü\n"), &plan()), " line 2: the text is not UTF-8");
    assert_eq!(of(wide("\u{FEFF}a,b\n1,2\n", false), &plan()), " line 1: the text is UTF-16, not UTF-8");
    let mut half = wide("a,b\n1,x\n2,y\n", false);
    half.pop();
    assert_eq!(of(half, &plan().with_encoding(Encoding::Utf16)), " line 3: the text is not utf-16");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>, text in "[{}\\[\\]\",:a-c0-9\\\\ \n]{0,80}") {
        for plan in [plan(), plan().with_encoding(Encoding::Utf16), plan().with_encoding(Encoding::Windows1252)] {
            for name in ["t.jsonl", "t.csv", "t.zip", "t.xlsx"] {
                let _ = read(name, &bytes, &plan);
                let _ = read(name, [b"PK\x03\x04", &bytes[..]].concat(), &plan);
            }
            let _ = read("t.jsonl", &text, &plan);
        }
    }
}

/// Identifiers that repeat are found among the first rows; a few repetitions and empty cells are not enough.
#[test]
fn identifiers_that_repeat_are_found() {
    let names = ["often", "seldom", "empty", "nowhere"].map(str::to_owned);
    let found = |fewest: u32| -> Vec<(String, u64, u64)> {
        let mut text = "often,seldom,empty,age\n".to_owned();
        for row in 0..200_u32 {
            text += &format!("p{},{},,{}\n", row / 2, row.max(fewest), row % 3);
        }
        let file = Scratch::new("t.csv", text.as_bytes());
        let found = crate::repeated_identifiers(file.path(), &ReadPlan::default(), &names, 1).expect("found");
        found.into_iter().map(|found| (found.name, found.rows, found.of)).collect()
    };
    let often = || ("often".to_owned(), 100, 200);
    assert_eq!(found(1), [often()]);
    // One individual with three rows is enough.
    assert_eq!(found(2), [often(), ("seldom".to_owned(), 2, 200)]);
}
