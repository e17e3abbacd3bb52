//! Audits against tables in databases give the reports of audits against the same tables in files, and trees mined there
//! are those of the files, byte for byte.

mod adult;
mod random;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::ManagedDriver;
use incrowd::audit::Report;
use incrowd::engines::Source;
use incrowd::mine::tree::MinedTree;
use incrowd::{Audited, Existing};
use std::path::{Path, PathBuf};

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("incrowd-engines-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs statements in a database file.
fn write(library: &Path, file: &Path, statements: &[String]) {
    let entry: &[u8] = b"duckdb_adbc_init";
    let mut driver =
        ManagedDriver::load_dynamic_from_filename(library, Some(entry), AdbcVersion::V110).expect("DuckDB");
    let path = OptionValue::from(file.to_str().expect("UTF-8"));
    let database = driver.new_database_with_opts([(OptionDatabase::Other("path".to_owned()), path)]);
    let mut connection = database.expect("a database").new_connection().expect("a connection");
    for sql in statements {
        let mut statement = connection.new_statement().expect("a statement");
        statement.set_sql_query(sql).expect("a query");
        statement.execute().expect("the statement runs").for_each(|batch| assert!(batch.is_ok()));
    }
}

fn duckdb(file: &Path, table: &str) -> Source {
    Source::parse(&format!("duckdb:{}?table={table}", file.display())).expect("an address")
}

/// Fails unless two trees have the same files, reports, figures and warnings.
fn same(folder: &Folder, here: &Audited<MinedTree>, warnings: &[String], there: &Audited<MinedTree>) {
    let content = |tree: &Audited<MinedTree>| {
        let file = folder.file("same.json");
        tree.write_as(&file, Existing::Replace).expect("a file");
        std::fs::read_to_string(&file).expect("a file")
    };
    assert_eq!(content(here), content(there));
    assert_eq!(here.report(), there.report());
    assert_eq!(here.summary, there.summary);
    assert_eq!(here.rows_left_out(), there.rows_left_out());
    assert_eq!([warnings, here.warnings()].concat(), there.warnings());
}

/// A report as the program prints it, without the name of its table.
fn document(report: incrowd::Result<Report>) -> Result<String, String> {
    let report = report.map(|mut report| {
        report.table_file = None;
        serde_json::to_string_pretty(&report).expect("a document")
    });
    // Errors name the file; what is wrong is the same.
    report.map_err(|error| error.what)
}
