//! The address of a table in an engine.
//!
//! - `postgresql://user@host:port/database?table=patients`, also with `schema=`, with `host=` for the folder of a socket,
//!   and with `sslmode=disable` for a connection to another computer without encryption;
//! - `duckdb:file.db?table=patients`, also with `schema=`;
//! - `duckdb:?parquet=folder/*.parquet`.
//!
//! Characters with a meaning in addresses are written as in web addresses: `%20` for a space, `%3F` for `?`. A table's
//! name is one name, whatever it contains. An address has no password.

use incrowd_core::{Error, Result};
use std::fmt;
use std::path::PathBuf;

/// A table in an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// In DuckDB.
    DuckDb(DuckDbSource),
    /// In PostgreSQL.
    PostgreSql(PostgresSource),
}

/// A table that DuckDB reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DuckDbSource {
    /// A table or view of a database file.
    Table {
        /// The file.
        file: PathBuf,
        /// The schema; the usual one where not stated.
        schema: Option<String>,
        /// The table.
        table: String,
    },
    /// Parquet files, by name or pattern.
    Parquet(String),
}

/// A table of a PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PostgresSource {
    /// The server's name, or the folder of its socket; the usual folder where not stated.
    pub host: Option<String>,
    /// Its port.
    pub port: u16,
    /// The role to connect as; the name of the operating system's user where not stated.
    pub user: Option<String>,
    /// The database; that of the user's name where not stated.
    pub database: Option<String>,
    /// The schema; the first of the search path that has the table where not stated.
    pub schema: Option<String>,
    /// The table or view.
    pub table: String,
    /// Whether a connection to another computer may be without encryption.
    pub unencrypted: bool,
}

/// PostgreSQL's usual port.
const PORT: u16 = 5432;

impl Source {
    /// Whether a text is the address of a table in an engine, not the name of a file.
    pub fn is_address(text: &str) -> bool {
        ["postgresql://", "postgres://", "duckdb:"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// Reads an address.
    ///
    /// # Errors
    /// When it is not one, or contains a password. The error does not repeat the address.
    pub fn parse(address: &str) -> Result<Self> {
        if let Some(rest) = address.strip_prefix("duckdb:") {
            return duckdb(rest);
        }
        let rest = address.strip_prefix("postgresql://").or_else(|| address.strip_prefix("postgres://"));
        rest.map_or_else(|| Err(wrong("this is not the address of a table in an engine")), postgresql)
    }

    /// Parquet files that DuckDB reads.
    pub fn parquet(pattern: impl Into<String>) -> Self {
        Self::DuckDb(DuckDbSource::Parquet(pattern.into()))
    }
}

/// The address, with its `%` codes.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuckDb(DuckDbSource::Parquet(pattern)) => write!(f, "duckdb:?parquet={}", encoded(pattern)),
            Self::DuckDb(DuckDbSource::Table { file, schema, table }) => {
                let file = file.display().to_string();
                write!(f, "duckdb:{}?{}", encoded(&file), table_keys(schema.as_deref(), table))
            }
            Self::PostgreSql(own) => {
                let user = own.user.as_ref().map_or_else(String::new, |user| format!("{}@", encoded(user)));
                let host = own.host.as_deref().unwrap_or_default();
                let (host, folder) = if host.starts_with('/') { ("", host) } else { (host, "") };
                let host = if host.contains(':') { format!("[{host}]") } else { encoded(host) };
                let port = if own.port == PORT { String::new() } else { format!(":{}", own.port) };
                let database = encoded(own.database.as_deref().unwrap_or_default());
                let keys = table_keys(own.schema.as_deref(), &own.table);
                write!(f, "postgresql://{user}{host}{port}/{database}?{keys}")?;
                if folder.is_empty() { Ok(()) } else { write!(f, "&host={}", encoded(folder)) }
            }
        }
    }
}

fn table_keys(schema: Option<&str>, table: &str) -> String {
    let schema = schema.map_or_else(String::new, |schema| format!("schema={}&", encoded(schema)));
    format!("{schema}table={}", encoded(table))
}

/// A part of an address with `%` codes for characters that have a meaning in addresses.
fn encoded(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-*~, ".contains(c);
    let code = |c: char| c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    text.chars().map(|c| if plain(c) { c.to_string() } else { code(c) }).collect()
}

fn wrong(what: &str) -> Error {
    Error::parameters(what).of_parameter("data").help(
        "write postgresql://user@host/database?table=NAME, duckdb:FILE?table=NAME or duckdb:?parquet=FOLDER/*.parquet",
    )
}

fn duckdb(rest: &str) -> Result<Source> {
    let (file, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut keys = Keys::read(query)?;
    let (file, table, schema, parquet) =
        (decoded(file)?, keys.take("table"), keys.take("schema"), keys.take("parquet"));
    keys.finish()?;
    match (table, parquet) {
        (None, Some(pattern)) if file.is_empty() && schema.is_none() => Ok(Source::parquet(pattern)),
        (Some(table), None) if !file.is_empty() => {
            Ok(Source::DuckDb(DuckDbSource::Table { file: file.into(), schema, table }))
        }
        (None, Some(_)) => Err(wrong("Parquet files are not in a database file")),
        (Some(_), None) => Err(wrong("the address names no database file")),
        (Some(_), Some(_)) => Err(wrong("the address names a table and Parquet files")),
        (None, None) => Err(wrong("the address names no table")),
    }
}

fn postgresql(rest: &str) -> Result<Source> {
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (server, database) = place.split_once('/').unwrap_or((place, ""));
    let (user, host) = server.rsplit_once('@').map_or((None, server), |(user, host)| (Some(user), host));
    if user.is_some_and(|user| user.contains(':')) {
        return Err(wrong("the address contains a password, which other users of this computer could see")
            .help("set the environment variable PGPASSWORD, or use a password file"));
    }
    let (host, port) = host_and_port(host)?;
    let mut keys = Keys::read(query)?;
    let (table, schema, folder) = (keys.take("table"), keys.take("schema"), keys.take("host"));
    let unencrypted = match keys.take("sslmode").as_deref() {
        None => false,
        Some("disable") => true,
        Some(_) => return Err(no_tls()),
    };
    keys.finish()?;
    let named = |text: &str| Ok::<_, Error>(Some(decoded(text)?).filter(|text| !text.is_empty()));
    Ok(Source::PostgreSql(PostgresSource {
        host: match (named(host)?, folder) {
            (Some(_), Some(_)) => return Err(wrong("the address names two hosts")),
            (host, folder) => host.or(folder),
        },
        port,
        user: user.map(decoded).transpose()?.filter(|user| !user.is_empty()),
        database: named(database)?,
        schema,
        table: table.ok_or_else(|| wrong("the address names no table"))?,
        unencrypted,
    }))
}

/// The error for a connection that would have to be encrypted.
pub(crate) fn no_tls() -> Error {
    Error::parameters("encrypted connections to PostgreSQL are not supported yet")
        .of_parameter("data")
        .help("use a tunnel (ssh -L) and connect to localhost, or accept a connection without encryption: sslmode=disable")
}

/// A host, which may be an IPv6 address in brackets, and its port.
fn host_and_port(text: &str) -> Result<(&str, u16)> {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, Some(rest.strip_prefix(':').unwrap_or("?"))),
        None => text.rsplit_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    let port = port.map_or(Ok(PORT), str::parse).map_err(|_| wrong("the port is not a number"))?;
    Ok((host, port))
}

/// What stands behind the `?` of an address.
struct Keys(Vec<(String, String)>);

impl Keys {
    fn read(query: &str) -> Result<Self> {
        let pair = |part: &str| {
            let (key, value) =
                part.split_once('=').ok_or_else(|| wrong("a part of the address has no value"))?;
            Ok((decoded(key)?, decoded(value)?))
        };
        query.split('&').filter(|part| !part.is_empty()).map(pair).collect::<Result<_>>().map(Self)
    }

    fn take(&mut self, key: &str) -> Option<String> {
        let place = self.0.iter().position(|(own, value)| own == key && !value.is_empty())?;
        Some(self.0.remove(place).1)
    }

    /// Fails if something was not taken. Its name is not shown: it may be part of a password.
    fn finish(self) -> Result<()> {
        match self.0.iter().any(|(key, _)| key == "password") {
            true => {
                Err(wrong("the address contains a password, which other users of this computer could see")
                    .help("set the environment variable PGPASSWORD, or use a password file"))
            }
            false if self.0.is_empty() => Ok(()),
            false => Err(wrong("the address has a part behind `?` that is not known or has no value")),
        }
    }
}

/// A part of an address with its `%` codes resolved.
fn decoded(text: &str) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) =
            digit().zip(digit()).ok_or_else(|| wrong("a `%` in the address has no two digits"))?;
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| wrong("the address is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_duckdb() {
        let table = |file: &str, schema: Option<&str>, table: &str| {
            let schema = schema.map(str::to_owned);
            Source::DuckDb(DuckDbSource::Table { file: file.into(), schema, table: table.to_owned() })
        };
        let parse = |address: &str| Source::parse(address).expect("valid");
        assert_eq!(parse("duckdb:a/b.db?table=x"), table("a/b.db", None, "x"));
        assert_eq!(parse("duckdb:b.db?schema=s&table=x%26y%20%22z"), table("b.db", Some("s"), "x&y \"z"));
        assert_eq!(parse("duckdb:?parquet=f/*.parquet"), Source::parquet("f/*.parquet"));
        for wrong in ["duckdb:", "duckdb:a.db", "duckdb:?table=x", "duckdb:a.db?parquet=x", "duckdb:a?table="]
        {
            assert!(Source::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Source::parse("duckdb:a?table=x&parquet=y").is_err());
    }

    #[test]
    fn addresses_of_postgresql() {
        let Source::PostgreSql(all) =
            Source::parse("postgres://ann@db.example:6543/clinic?schema=s&table=t&sslmode=disable")
                .expect("valid")
        else {
            panic!("another engine")
        };
        let own = |text: &str| Some(text.to_owned());
        assert_eq!((all.host, all.port, all.user), (own("db.example"), 6543, own("ann")));
        assert_eq!((all.database, all.schema, all.table), (own("clinic"), own("s"), "t".to_owned()));
        assert!(all.unencrypted);
        let Source::PostgreSql(least) = Source::parse("postgresql:///?table=t&host=/run/x").expect("valid")
        else {
            panic!("another engine")
        };
        assert_eq!((least.host, least.port, least.user, least.database), (own("/run/x"), PORT, None, None));
        let Source::PostgreSql(six) = Source::parse("postgresql://[::1]:5/d?table=t").expect("valid") else {
            panic!("another engine")
        };
        assert_eq!((six.host, six.port), (own("::1"), 5));
        for wrong in
            ["postgresql://h/d", "postgresql://h:x/d?table=t", "postgresql://h/d?table=t&sslmode=require"]
        {
            assert!(Source::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Source::parse("postgresql://h/d?table=%zz").is_err() && Source::parse("mysql://x").is_err());
    }

    #[test]
    fn addresses_are_written_as_they_are_read() {
        for address in [
            "duckdb:a/b.db?table=x",
            "duckdb:b.db?schema=s&table=x%26y %22z",
            "duckdb:?parquet=f/*.parquet",
            "postgresql://ann@db.example:6543/clinic?schema=s&table=t",
            "postgresql:///?table=t&host=/run/x",
            "postgresql://[::1]:5/d?table=%25",
        ] {
            assert_eq!(Source::parse(address).expect("valid").to_string(), address);
        }
    }

    #[test]
    fn passwords_are_refused_and_not_repeated() {
        for address in ["postgresql://ann:s3cret@h/d?table=t", "postgresql://h/d?table=t&password=s3cret"] {
            let error = Source::parse(address).expect_err("a password");
            assert!(error.what.contains("password") && !format!("{error:?}").contains("s3cret"));
        }
    }
}
