//! A policy's plan, carried out by the reader.

use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, Kind, Table};
use incrowd_io::{PolicyFile, Purpose, read_table};
use std::fs;
use std::path::Path;

const POLICY: &str = r#"
subject = "patient"
[file]
missing = ["?"]
missing-rows = "drop"
max-rows-left-out = 0.4
[attributes.age]
role = "public"
[attributes.disease]
role = "private"
[attributes.name]
role = "identifier"
"#;

fn read(name: &str, text: &str, purpose: Purpose) -> incrowd_core::Result<Table> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a file for the test");
    let plan = PolicyFile::parse(POLICY, "policy.toml")?.read_plan(purpose);
    read_table(&path, &plan, 1, &Silent).map(|read| read.table)
}

fn names(table: &Table) -> Vec<&str> {
    table.columns().iter().map(Column::name).collect()
}

#[test]
fn a_source_counts_individuals_and_drops_rows() {
    let text =
        "name,patient,age,disease\nAnn,1,30,flu\nAnn,1,31,flu\nBob,2,?,flu\nCid,3,40,?\nDan,4,50,gout\n";
    let table = read("source.csv", text, Purpose::Source).unwrap();
    assert_eq!(names(&table), ["age", "disease"]);
    assert_eq!((table.rows(), table.individuals()), (3, 2));
    assert_eq!(table.columns()[0].kind(), Kind::Numeric);
}

#[test]
fn a_release_keeps_every_row_and_reads_public_columns_as_text() {
    let text = "age,disease\n\"[30, 40)\",flu\n?,flu\n*,?\n50,gout\n";
    let table = read("release.csv", text, Purpose::Release).unwrap();
    assert_eq!((names(&table), table.rows()), (vec!["age", "disease"], 4));
    let age = table.require("age").unwrap();
    assert_eq!((age.kind(), age.values().len(), age.has_missing()), (Kind::Categorical, 4, false));
    assert!(table.require("disease").unwrap().has_missing());
}

#[test]
fn columns_without_a_role_and_columns_that_lack_are_refused() {
    let error = read("more.csv", "age,disease,patient,extra\n1,flu,1,x\n", Purpose::Source).unwrap_err();
    // A first line with the expected names is one of names.
    assert_eq!((error.place.attribute.as_deref(), error.place.column), (Some("extra"), None));
    // Without a header, this would be a cell.
    let error = read("more.csv", "age,x,y,extra\n1,flu,1,x\n", Purpose::Source).unwrap_err();
    assert!(!error.to_string().contains("extra"), "{error}");
    let error = read("less.csv", "age,patient\n1,1\n", Purpose::Source).unwrap_err();
    assert_eq!(error.place.attribute.as_deref(), Some("disease"));
}

#[test]
fn adult_reads_as_its_policy_says() {
    let Some(folder) = incrowd_testkit::data("adult") else { return };
    let policy = r#"
        class = "class"
        unlisted = "ignored"
        [file]
        format = "uci"
        names = ["age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
            "relationship", "race", "sex", "gain", "loss", "hours", "native-country", "class"]
        comment = "|"
        missing = ["?"]
        missing-rows = "drop"
        [attributes]
        age = { role = "public" }
        workclass = { role = "public", taxonomy = "hierarchies/workclass.csv" }
        occupation = { role = "public", taxonomy = "hierarchies/occupation.csv" }
        native-country = { role = "public", taxonomy = "hierarchies/native-country.csv" }
        class = { role = "private" }
    "#;
    let plan = PolicyFile::parse(policy, folder.join("policy.toml")).unwrap().read_plan(Purpose::Source);
    for (file, rows) in [("adult.data", 30_162), ("adult.test", 15_060)] {
        let table = read_table(&folder.join(file), &plan, 2, &Silent).unwrap().table;
        assert_eq!((table.rows(), table.columns().len()), (rows, 5));
        assert_eq!(table.require("class").unwrap().values().len(), 2);
    }
}

/// Dates in any notation are ordered by time and written alike.
#[test]
fn dates_are_read_as_the_policy_says() {
    let read = |name: &str, cells: &str, key: &str| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, format!("day,ill\n{cells}")).expect("a file for the test");
        let text =
            format!("[attributes.day]\nrole = \"public\"\n{key}[attributes.ill]\nrole = \"private\"\n");
        let plan = PolicyFile::parse(&text, "policy.toml")?.read_plan(Purpose::Source);
        read_table(&path, &plan, 1, &Silent).map(|read| read.table)
    };
    let texts = |table: &Table| -> Vec<String> {
        let column = table.require("day").unwrap();
        assert_eq!(column.kind(), Kind::Ordered);
        (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect()
    };
    let any = "02.01.2026,yes\n2025-12-31,no\n2026-01-02 10:30,yes\n2026/02/01,no\n";
    let table = read("dates.csv", any, "kind = \"date\"\n").unwrap();
    assert_eq!(texts(&table), ["2025-12-31", "2026-01-02", "2026-02-01"]);
    assert_eq!(table.require("day").unwrap().code(0), table.require("day").unwrap().code(2));
    let slashes = "12/31/2025,yes\n01/02/2026,no\n";
    let table = read("us.csv", slashes, "dates = \"month-first\"\ntaxonomy = { calendar = {} }\n").unwrap();
    assert_eq!(texts(&table), ["2025-12-31", "2026-01-02"]);
    let refused = read("either.csv", slashes, "kind = \"date\"\n").unwrap_err();
    assert!(refused.to_string().contains("dates = \"day-first\""), "{refused}");
    assert!(read("wrong.csv", slashes, "dates = \"day-first\"\n").is_err());
    assert!(read("kind.csv", slashes, "kind = \"numeric\"\ntaxonomy = { calendar = {} }\n").is_err());
}
