//! PostgreSQL.
//!
//! All queries are in one transaction that is read-only and sees one snapshot; the right to select from the table is
//! enough. Names are resolved before the search path is emptied, so that no function or operator of another schema takes
//! the place of a built-in one.

use crate::dialect::Dialect;
use crate::engine::{Answer, Cells, Engine, EngineColumn, SqlKind};
use crate::source::{PostgresSource, no_tls};
use incrowd_core::{Error, Result};
use postgres::error::SqlState;
use postgres::{Client, Config, NoTls, SimpleQueryMessage};
use std::time::Duration;

mod password;

/// Where Debian's servers have their socket.
const SOCKETS: &str = "/var/run/postgresql";
/// What holds in the transaction.
const SETTINGS: &str = "SET LOCAL search_path = ''; SET LOCAL standard_conforming_strings = on; \
    SET LOCAL extra_float_digits = 1; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL client_encoding = 'UTF8'";

/// A table of a PostgreSQL server.
pub(crate) struct PostgreSql {
    client: Client,
    relation: String,
    columns: Vec<EngineColumn>,
}

impl PostgreSql {
    pub(crate) fn open(source: &PostgresSource) -> Result<Self> {
        let mut client = configured(source)?.connect(NoTls).map_err(|error| not_connected(&error))?;
        let run = |client: &mut Client, sql: &str| client.batch_execute(sql).map_err(|error| refused(&error));
        run(&mut client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
        let (oid, relation) = resolved(&mut client, source)?;
        run(&mut client, SETTINGS)?;
        let columns = columns(&mut client, oid)?;
        Ok(Self { client, relation, columns })
    }
}

impl Engine for PostgreSql {
    fn dialect(&self) -> Dialect {
        Dialect::PostgreSql
    }

    fn relation(&self) -> &str {
        &self.relation
    }

    fn columns(&self) -> &[EngineColumn] {
        &self.columns
    }

    fn query(&mut self, sql: &str) -> Result<Answer> {
        let messages = self.client.simple_query(sql).map_err(|error| refused(&error))?;
        let mut columns: Vec<Vec<Option<String>>> = Vec::new();
        for message in messages {
            match message {
                SimpleQueryMessage::RowDescription(described) => columns.resize(described.len(), Vec::new()),
                SimpleQueryMessage::Row(row) => {
                    for (place, column) in columns.iter_mut().enumerate() {
                        column.push(row.get(place).map(str::to_owned));
                    }
                }
                _ => {}
            }
        }
        Answer::new(columns.into_iter().map(Cells::Texts).collect())
    }
}

fn configured(source: &PostgresSource) -> Result<Config> {
    let host = source.host.as_deref().unwrap_or(SOCKETS);
    let is_local = host.starts_with('/') || ["localhost", "127.0.0.1", "::1"].contains(&host);
    if !is_local && !source.unencrypted {
        return Err(no_tls());
    }
    let user = source.user.clone().or_else(|| std::env::var("USER").ok()).ok_or_else(|| {
        Error::parameters("the address names no role to connect as")
            .of_parameter("data")
            .help("write postgresql://ROLE@host/…")
    })?;
    let database = source.database.clone().unwrap_or_else(|| user.clone());
    let mut config = Config::new();
    config.host(host).port(source.port).user(&user).dbname(&database);
    config.application_name("incrowd").connect_timeout(Duration::from_secs(30));
    if let Some(password) = password::of(host, source.port, &database, &user)? {
        config.password(password);
    }
    Ok(config)
}

/// The number of a table in the catalog, and its full name.
fn resolved(client: &mut Client, source: &PostgresSource) -> Result<(u32, String)> {
    let sql = "SELECT c.oid, n.nspname::text, pg_catalog.has_table_privilege(c.oid, 'SELECT') \
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
        WHERE c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') \
        AND CASE WHEN $2::text IS NULL THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname = $2 END";
    let rows = client.query(sql, &[&source.table, &source.schema]).map_err(|error| refused(&error))?;
    let row = rows.first().ok_or_else(|| {
        Error::input("the database has no such table")
            .help("check `table` and `schema` in the address, and that the role may use the schema")
    })?;
    let (oid, schema, may_select): (u32, String, bool) = (row.get(0), row.get(1), row.get(2));
    if !may_select {
        // A right to some columns only shows when they are read.
        let any = "SELECT pg_catalog.has_any_column_privilege($1::oid, 'SELECT')";
        let any: bool = client.query_one(any, &[&oid]).map_err(|error| refused(&error))?.get(0);
        if !any {
            return Err(no_right());
        }
    }
    let dialect = Dialect::PostgreSql;
    Ok((oid, format!("{}.{}", dialect.identifier(&schema)?, dialect.identifier(&source.table)?)))
}

/// The columns with their types; of a domain, the type that it restricts.
fn columns(client: &mut Client, oid: u32) -> Result<Vec<EngineColumn>> {
    let sql = "SELECT a.attname::text, COALESCE(b.typname, t.typname)::text, COALESCE(b.typtype, t.typtype)::text \
        FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
        LEFT JOIN pg_catalog.pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype \
        WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
    let rows = client.query(sql, &[&oid]).map_err(|error| refused(&error))?;
    let column = |row: &postgres::Row| {
        let (name, type_name, sort): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        EngineColumn { name, kind: kind(&type_name, &sort), type_name }
    };
    Ok(rows.iter().map(column).collect())
}

fn kind(type_name: &str, sort: &str) -> Option<SqlKind> {
    Some(match type_name {
        _ if sort == "e" => SqlKind::Text,
        _ if sort != "b" => return None,
        "bool" => SqlKind::Boolean,
        "int2" | "int4" | "int8" => SqlKind::Whole,
        "float4" => SqlKind::Single,
        "float8" => SqlKind::Double,
        "numeric" => SqlKind::Decimal,
        "text" | "varchar" | "bpchar" | "name" | "uuid" | "citext" => SqlKind::Text,
        "date" => SqlKind::Date,
        _ => return None,
    })
}

fn no_right() -> Error {
    Error::input("the role may not read the table")
        .help("grant it: GRANT SELECT ON the table TO the role; nothing else is needed")
}

fn not_connected(error: &postgres::Error) -> Error {
    if error.as_db_error().is_some() {
        return refused(error);
    }
    if error.to_string().contains("password missing") {
        return Error::parameters("the server asks for a password").of_parameter("data").help(
            "set the environment variable PGPASSWORD, or add a line to the password file: ~/.pgpass, or the one that PGPASSFILE names",
        );
    }
    Error::io("the server cannot be reached")
        .help("check the host and port in the address, and that the server accepts connections")
}

/// An error of the server, of which only the code is used: its words may quote a row.
fn refused(error: &postgres::Error) -> Error {
    let Some(code) = error.code() else {
        return Error::io("the connection to the server was lost; nothing was written").help("run it again");
    };
    let known = match code {
        _ if code.code().starts_with("28") => Some(
            Error::parameters("the server refuses the role or its password")
                .of_parameter("data")
                .help("check the role in the address and the password in PGPASSWORD or the password file"),
        ),
        code if *code == SqlState::INVALID_CATALOG_NAME => {
            Some(Error::input("the server has no such database"))
        }
        code if *code == SqlState::INSUFFICIENT_PRIVILEGE => Some(no_right()),
        code if *code == SqlState::UNDEFINED_TABLE || *code == SqlState::UNDEFINED_COLUMN => {
            Some(Error::input("the table or a column of it is no longer there"))
        }
        code if *code == SqlState::QUERY_CANCELED => Some(
            Error::io("the server cancelled a query, for example after its `statement_timeout`")
                .help("ask for more time for this role"),
        ),
        _ if code.code().starts_with("57P") || code.code().starts_with("08") => {
            Some(Error::io("the server ended the connection; nothing was written").help("run it again"))
        }
        _ => None,
    };
    known.unwrap_or_else(|| {
        Error::io(format!("the server could not answer a query (SQLSTATE {})", code.code()))
            .help("the server's log has its message, which is not shown because it may quote a row")
    })
}
