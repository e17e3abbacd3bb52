//! Real engines: DuckDB from its library, and a PostgreSQL server that the test starts.

mod duckdb;
mod postgresql;
mod quoting;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDriver};
use std::path::{Path, PathBuf};

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("incrowd-sql-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs statements in a database file.
fn write(library: &Path, file: &Path, statements: &[String]) {
    let mut driver =
        ManagedDriver::load_dynamic_from_filename(library, Some(b"duckdb_adbc_init"), AdbcVersion::V110)
            .expect("DuckDB");
    let path = OptionValue::from(file.to_str().expect("UTF-8"));
    let database = driver.new_database_with_opts([(OptionDatabase::Other("path".to_owned()), path)]);
    let mut connection = database.expect("a database").new_connection().expect("a connection");
    statements.iter().for_each(|sql| run(&mut connection, sql));
}

fn run(connection: &mut ManagedConnection, sql: &str) {
    let mut statement = connection.new_statement().expect("a statement");
    statement.set_sql_query(sql).expect("a query");
    let answer = statement.execute().expect("the statement runs");
    answer.for_each(|batch| assert!(batch.is_ok()));
}
