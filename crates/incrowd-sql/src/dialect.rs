//! How names, values and types are written in the SQL of an engine.
//!
//! Everything that comes from a table or a policy is quoted here, and nowhere else.

use crate::engine::SqlKind;
use incrowd_core::{Error, Result};

/// The SQL of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// DuckDB.
    DuckDb,
    /// PostgreSQL, with `standard_conforming_strings` on, which every session sets.
    PostgreSql,
    /// Spark SQL. Text only: no engine of this crate speaks it yet.
    SparkSql,
    /// DataFusion. Text only: no engine of this crate speaks it yet.
    DataFusion,
}

/// The bytes of the longest name in PostgreSQL, which cuts longer ones off: they could then name another column.
const LONGEST_NAME: usize = 63;

impl Dialect {
    /// A name of a table or a column, quoted.
    ///
    /// # Errors
    /// When the engine cannot have such a name.
    pub fn identifier(self, name: &str) -> Result<String> {
        let refused = |why: &str| Err(Error::input(why).of_attribute(name.escape_debug().to_string()));
        if name.is_empty() {
            return Err(Error::input("a column or table has an empty name"));
        }
        if name.contains('\0') {
            return refused("the name contains the character NUL, which no engine accepts");
        }
        match self {
            Self::PostgreSql if name.len() > LONGEST_NAME => {
                refused("the name is longer than the 63 bytes that PostgreSQL distinguishes")
            }
            // Spark replaces variables before it parses a query, within quotes as well.
            Self::SparkSql if name.contains("${") => {
                refused("Spark would replace `${` in the name by a variable")
            }
            Self::SparkSql => Ok(format!("`{}`", name.replace('`', "``"))),
            Self::DuckDb | Self::PostgreSql | Self::DataFusion => {
                Ok(format!("\"{}\"", name.replace('"', "\"\"")))
            }
        }
    }

    /// A text as a value, quoted.
    ///
    /// # Errors
    /// When it contains the character NUL, which ends a query in some engines.
    pub fn text(self, value: &str) -> Result<String> {
        if value.contains('\0') {
            return Err(Error::input("a value contains the character NUL, which cannot be part of a query"));
        }
        Ok(match self {
            Self::DuckDb | Self::PostgreSql | Self::DataFusion => format!("'{}'", value.replace('\'', "''")),
            Self::SparkSql => format!("'{}'", value.chars().map(spark_char).collect::<String>()),
        })
    }

    /// A value of a kind, given as the text that [`Dialect::key`] writes.
    ///
    /// # Errors
    /// As [`Dialect::text`].
    pub(crate) fn value(self, kind: SqlKind, text: &str) -> Result<String> {
        let quoted = self.text(text)?;
        Ok(match kind {
            SqlKind::Text => self.binary(&quoted),
            _ => format!("CAST({quoted} AS {})", self.type_name(kind, text)),
        })
    }

    /// A column (already quoted) as it is grouped and compared: values are equal exactly if they are the same.
    pub(crate) fn grouped(self, kind: SqlKind, column: &str) -> String {
        match kind {
            SqlKind::Text => self.binary(&format!("CAST({column} AS {})", self.text_type())),
            // The two zeros are one number, but not one text.
            SqlKind::Single | SqlKind::Double => {
                format!("({column} + CAST(0 AS {}))", self.type_name(kind, "0"))
            }
            _ => column.to_owned(),
        }
    }

    /// A column (already quoted) as the text that stands for its value.
    pub(crate) fn key(self, kind: SqlKind, column: &str) -> String {
        let grouped = self.grouped(kind, column);
        match kind {
            SqlKind::Text => grouped,
            _ => format!("CAST({grouped} AS {})", self.text_type()),
        }
    }

    /// A text that is compared byte by byte, not by the rules of a language.
    fn binary(self, text: &str) -> String {
        match self {
            Self::PostgreSql => format!("({text} COLLATE \"C\")"),
            Self::DuckDb => format!("({text} COLLATE \"binary\")"),
            Self::SparkSql | Self::DataFusion => text.to_owned(),
        }
    }

    pub(crate) fn text_type(self) -> &'static str {
        match self {
            Self::PostgreSql => "text",
            Self::SparkSql => "STRING",
            Self::DuckDb | Self::DataFusion => "VARCHAR",
        }
    }

    /// A type that has a value of this kind and text.
    fn type_name(self, kind: SqlKind, text: &str) -> String {
        let postgresql = self == Self::PostgreSql;
        match kind {
            SqlKind::Boolean => "BOOLEAN".to_owned(),
            SqlKind::Whole => "BIGINT".to_owned(),
            SqlKind::Single if self == Self::SparkSql => "FLOAT".to_owned(),
            SqlKind::Single => "REAL".to_owned(),
            SqlKind::Double if postgresql => "DOUBLE PRECISION".to_owned(),
            SqlKind::Double => "DOUBLE".to_owned(),
            SqlKind::Decimal if postgresql => "NUMERIC".to_owned(),
            SqlKind::Decimal => format!("DECIMAL(38, {})", decimals(text)),
            SqlKind::Date => "DATE".to_owned(),
            SqlKind::Text => self.text_type().to_owned(),
        }
    }
}

/// The digits behind the point.
pub(crate) fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, behind)| behind.len())
}

/// A character within a text of Spark, which knows escapes and replaces variables before it parses.
fn spark_char(c: char) -> String {
    match c {
        '\\' => "\\\\".to_owned(),
        '\'' => "\\'".to_owned(),
        '$' => "\\u0024".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Dialect; 4] = [Dialect::DuckDb, Dialect::PostgreSql, Dialect::SparkSql, Dialect::DataFusion];

    #[test]
    fn names_are_quoted() {
        let quoted = |name: &str| ALL.map(|dialect| dialect.identifier(name).unwrap_or_default());
        assert_eq!(quoted("age"), ["\"age\"", "\"age\"", "`age`", "\"age\""]);
        assert_eq!(quoted("a\"; drop")[0], "\"a\"\"; drop\"");
        assert_eq!(quoted("a`b")[2], "`a``b`");
        assert_eq!(quoted("${x}")[2], "", "Spark would replace a variable");
        for dialect in ALL {
            assert!(dialect.identifier("").is_err() && dialect.identifier("a\0b").is_err());
        }
        let long = "ä".repeat(32);
        assert!(Dialect::PostgreSql.identifier(&long).is_err(), "64 bytes would be cut off");
        assert!(Dialect::DuckDb.identifier(&long).is_ok());
    }

    #[test]
    fn texts_are_quoted() {
        let quoted = |text: &str| ALL.map(|dialect| dialect.text(text).unwrap_or_default());
        assert_eq!(quoted("it's"), ["'it''s'", "'it''s'", "'it\\'s'", "'it''s'"]);
        assert_eq!(quoted("a\\")[2], "'a\\\\'");
        assert_eq!(quoted("${user}")[2], "'\\u0024{user}'");
        assert!(ALL.iter().all(|dialect| dialect.text("a\0").is_err()));
    }

    #[test]
    fn values_have_types() {
        let value = |dialect: Dialect, kind, text| dialect.value(kind, text).unwrap_or_default();
        assert_eq!(value(Dialect::DuckDb, SqlKind::Decimal, "1.250"), "CAST('1.250' AS DECIMAL(38, 3))");
        assert_eq!(value(Dialect::PostgreSql, SqlKind::Double, "0.1"), "CAST('0.1' AS DOUBLE PRECISION)");
        assert_eq!(value(Dialect::PostgreSql, SqlKind::Text, "a"), "('a' COLLATE \"C\")");
        assert_eq!(value(Dialect::SparkSql, SqlKind::Single, "1"), "CAST('1' AS FLOAT)");
    }

    #[test]
    fn keys_are_texts_of_exact_values() {
        let key = |dialect: Dialect, kind| dialect.key(kind, "\"a\"");
        assert_eq!(key(Dialect::DuckDb, SqlKind::Whole), "CAST(\"a\" AS VARCHAR)");
        assert_eq!(key(Dialect::DuckDb, SqlKind::Double), "CAST((\"a\" + CAST(0 AS DOUBLE)) AS VARCHAR)");
        assert_eq!(key(Dialect::PostgreSql, SqlKind::Text), "(CAST(\"a\" AS text) COLLATE \"C\")");
        assert_eq!(key(Dialect::SparkSql, SqlKind::Date), "CAST(\"a\" AS STRING)");
        assert_eq!(key(Dialect::DataFusion, SqlKind::Text), "CAST(\"a\" AS VARCHAR)");
    }
}
