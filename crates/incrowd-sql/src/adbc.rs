//! DuckDB through its shared library, by Arrow's interface for databases (ADBC).
//!
//! The library is found by the environment variable `INCROWD_DUCKDB`, or as `libduckdb.so` (`duckdb.dll`,
//! `libduckdb.dylib`) where the system looks for libraries. Loading it needs no `unsafe` here: `adbc_driver_manager` does
//! it. A database file is opened read-only; nothing is spilled to disk, so no private value is in a temporary file.

use crate::dialect::Dialect;
use crate::engine::{Answer, Cells, Engine, EngineColumn, SqlKind};
use crate::source::DuckDbSource;
use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDriver};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use incrowd_core::{Error, Result};
use std::path::Path;

/// The environment variable that names DuckDB's library.
const LIBRARY: &str = "INCROWD_DUCKDB";
/// DuckDB's function for ADBC.
const ENTRY: &[u8] = b"duckdb_adbc_init";
/// What is set before anything is read: no extension is fetched, and nothing is written to disk.
const SETTINGS: [&str; 3] = [
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET temp_directory = ''",
];

/// A table that DuckDB reads.
pub(crate) struct DuckDb {
    connection: ManagedConnection,
    relation: String,
    columns: Vec<EngineColumn>,
}

impl DuckDb {
    pub(crate) fn open(source: &DuckDbSource) -> Result<Self> {
        let connection = connect(source)?;
        let mut engine = Self { connection, relation: relation(source)?, columns: Vec::new() };
        SETTINGS.iter().try_for_each(|setting| engine.run(setting).map(|_| ()))?;
        // All queries see the same rows.
        engine.run("BEGIN TRANSACTION")?;
        engine.columns = engine.described()?;
        Ok(engine)
    }

    fn described(&mut self) -> Result<Vec<EngineColumn>> {
        let mut answer = self.query(&format!(
            "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})",
            self.relation
        ))?;
        let (names, types) = (answer.take_texts(0)?, answer.take_texts(1)?);
        let column = |(name, own): (Option<String>, Option<String>)| {
            let type_name = own.unwrap_or_default();
            // The values of an enumeration are part of the name of its type.
            let type_name = type_name.split(['(', '[']).next().unwrap_or_default().to_owned()
                + if type_name.contains('[') { "[]" } else { "" };
            EngineColumn { name: name.unwrap_or_default(), kind: kind(&type_name), type_name }
        };
        Ok(names.into_iter().zip(types).map(column).collect())
    }

    fn run(&mut self, sql: &str) -> Result<Vec<RecordBatch>> {
        let mut statement = self.connection.new_statement().map_err(|error| refused(&error))?;
        statement.set_sql_query(sql).map_err(|error| refused(&error))?;
        let batches = statement.execute().map_err(|error| refused(&error))?;
        batches.collect::<Result<_, _>>().map_err(|_| Error::io("DuckDB stopped while it returned counts"))
    }
}

impl Engine for DuckDb {
    fn dialect(&self) -> Dialect {
        Dialect::DuckDb
    }

    fn relation(&self) -> &str {
        &self.relation
    }

    fn columns(&self) -> &[EngineColumn] {
        &self.columns
    }

    fn query(&mut self, sql: &str) -> Result<Answer> {
        let batches = self.run(sql)?;
        let width = batches.first().map_or(0, RecordBatch::num_columns);
        Answer::new((0..width).map(|place| cells(&batches, place)).collect::<Result<_>>()?)
    }
}

fn connect(source: &DuckDbSource) -> Result<ManagedConnection> {
    let mut driver = load()?;
    let option = |key: &str, value: &str| (OptionDatabase::Other(key.to_owned()), OptionValue::from(value));
    let options = match source {
        DuckDbSource::Table { file, .. } => {
            // DuckDB would create the file.
            if !file.is_file() {
                return Err(Error::io("there is no such database file").in_file(file));
            }
            let path =
                file.to_str().ok_or_else(|| Error::io("the name of the file is not UTF-8").in_file(file))?;
            vec![option("path", path), option("access_mode", "READ_ONLY")]
        }
        DuckDbSource::Parquet(_) => vec![option("path", ":memory:")],
    };
    let database =
        driver.new_database_with_opts(options).map_err(|error| in_file(refused(&error), source))?;
    database.new_connection().map_err(|error| in_file(refused(&error), source))
}

fn in_file(error: Error, source: &DuckDbSource) -> Error {
    match source {
        DuckDbSource::Table { file, .. } => error.in_file(file),
        DuckDbSource::Parquet(_) => error,
    }
}

fn load() -> Result<ManagedDriver> {
    let loaded = match std::env::var_os(LIBRARY) {
        Some(file) if Path::new(&file).is_file() => {
            ManagedDriver::load_dynamic_from_filename(file, Some(ENTRY), AdbcVersion::V110)
        }
        Some(_) => {
            return Err(Error::io(format!("{LIBRARY} names no file"))
                .help("let it name DuckDB's shared library, libduckdb.so"));
        }
        None => ManagedDriver::load_dynamic_from_name("duckdb", Some(ENTRY), AdbcVersion::V110),
    };
    loaded.map_err(|_| {
        Error::io("DuckDB's shared library cannot be loaded").help(format!(
            "install libduckdb (version 1.2 or newer), and name the file in the environment variable {LIBRARY}"
        ))
    })
}

fn relation(source: &DuckDbSource) -> Result<String> {
    let dialect = Dialect::DuckDb;
    Ok(match source {
        DuckDbSource::Table { schema, table, .. } => {
            let table = dialect.identifier(table)?;
            match schema {
                Some(schema) => format!("{}.{table}", dialect.identifier(schema)?),
                None => table,
            }
        }
        DuckDbSource::Parquet(pattern) => format!(
            "read_parquet({}, binary_as_string = true, hive_partitioning = false)",
            dialect.text(pattern)?
        ),
    })
}

fn kind(type_name: &str) -> Option<SqlKind> {
    Some(match type_name {
        "BOOLEAN" => SqlKind::Boolean,
        "TINYINT" | "SMALLINT" | "INTEGER" | "BIGINT" | "HUGEINT" | "UTINYINT" | "USMALLINT" | "UINTEGER"
        | "UBIGINT" => SqlKind::Whole,
        "FLOAT" => SqlKind::Single,
        "DOUBLE" => SqlKind::Double,
        "DECIMAL" => SqlKind::Decimal,
        "VARCHAR" | "ENUM" | "UUID" => SqlKind::Text,
        "DATE" => SqlKind::Date,
        _ => return None,
    })
}

fn cells(batches: &[RecordBatch], place: usize) -> Result<Cells> {
    let arrays: Vec<&dyn Array> = batches.iter().map(|batch| &**batch.column(place)).collect();
    let is_number = arrays.first().is_some_and(|array| array.data_type().is_integer());
    if is_number {
        let numbers = arrays.into_iter().map(numbers).collect::<Option<Vec<_>>>();
        return numbers.map(|numbers| Cells::Numbers(numbers.concat())).ok_or_else(other_type);
    }
    let texts = arrays.into_iter().map(texts).collect::<Option<Vec<_>>>();
    texts.map(|texts| Cells::Texts(texts.concat())).ok_or_else(other_type)
}

fn numbers(array: &dyn Array) -> Option<Vec<Option<i64>>> {
    match array.data_type() {
        DataType::Int64 => Some(array.as_primitive::<Int64Type>().iter().collect()),
        DataType::Int32 => Some(array.as_primitive::<Int32Type>().iter().map(|n| n.map(i64::from)).collect()),
        _ => None,
    }
}

fn texts(array: &dyn Array) -> Option<Vec<Option<String>>> {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().iter().map(owned).collect()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().iter().map(owned).collect()),
        DataType::Utf8View => Some(array.as_string_view().iter().map(owned).collect()),
        DataType::Null => Some(vec![None; array.len()]),
        _ => None,
    }
}

fn other_type() -> Error {
    Error::internal("DuckDB returned a type that was not asked for")
}

/// An error of DuckDB, of whose words only the kind is used: the rest may quote a row.
fn refused(error: &adbc_core::error::Error) -> Error {
    let says = |what: &str| error.message.contains(what);
    if says("Catalog Error") {
        return Error::input("the database has no such table, or a view that no longer fits its tables")
            .help("check `table` and `schema` in the address of the table");
    }
    if says("No files found") {
        return Error::io("no file fits the pattern");
    }
    if says("Conflicting lock") || says("Could not set lock") {
        return Error::io("another program has the database open for writing").help("close it there first");
    }
    if says("Out of Memory Error") {
        return Error::limit("DuckDB needs more memory than it may use")
            .help("nothing is spilled to disk, where others could read it; use a computer with more memory");
    }
    if says("Binder Error") {
        return Error::input("DuckDB cannot read a column of the table as it was described");
    }
    if says("IO Error") || says("Invalid Input Error") || says("Serialization Error") {
        return Error::io("DuckDB cannot read the file")
            .help("check that it is a database file of a version that this library of DuckDB reads, or a Parquet file");
    }
    Error::io("DuckDB could not answer a query").help("its message is not shown because it may quote a row")
}
