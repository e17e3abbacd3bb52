//! Written tables read back unchanged.

use super::write_table;
use crate::policy::PolicyFile;
use crate::read_table;
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const POLICY: &str = r#"
version = 1
[file]
names = ["age", "job", "drug", "dose"]
header = false
delimiter = ";"
missing = ["NA"]
missing-rows = "keep"
[attributes]
age = { role = "public" }
job = { role = "public" }
drug = { role = "private" }
dose = { role = "private" }
"#;

fn table(missing: Option<&str>) -> Table {
    let ages = [Some("[20, 30)"), missing, Some("*"), Some("{1, 2}")];
    let jobs = [Some("it's a \"job\", or not"), Some(" blank ends "), Some("back\\slash"), Some("NA")];
    let columns = vec![
        Column::from_texts("age", &ages),
        Column::from_texts("job", &jobs),
        Column::from_texts("drug", &[Some("a"), None, Some("NA"), Some("ü")]),
        Column::from_numbers("dose", &[Some(0.1), Some(1e300), None, Some(-2.0)]).expect("finite"),
    ];
    Table::new(columns, People::Rows).expect("equal lengths")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("incrowd-out-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn read_back(path: &Path) -> Result<Table> {
    let policy = PolicyFile::parse(POLICY, Path::new("policy.toml"))?;
    let plan = policy.written_plan(super::format_of_name(path)?, &BTreeMap::new());
    Ok(read_table(path, &plan, 1, &Silent)?.table)
}

#[test]
fn every_format_reads_back_as_it_was() {
    let folder = folder("formats");
    for name in ["t.csv", "t.arff", "t.parquet"] {
        let path = folder.join(name);
        write_table(&path, &table(Some("?")), false, |_| Ok(())).expect(name);
        assert_eq!(read_back(&path).expect(name), table(Some("?")), "{name}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn what_its_check_refuses_is_not_there() {
    let folder = folder("refused");
    let path = folder.join("t.csv");
    let refuse = |written: &Path| {
        assert!(written.exists());
        Err(Error::input("no"))
    };
    let error = write_table(&path, &table(None), false, refuse).expect_err("refused");
    assert_eq!(error.what, "no");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn an_unknown_ending_is_refused() {
    let error = write_table(Path::new("t.xls"), &table(None), false, |_| Ok(())).expect_err("no format");
    assert!(error.help.expect("a help text").contains(".parquet"));
}
