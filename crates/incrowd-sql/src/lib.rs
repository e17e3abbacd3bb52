//! Tables that stay in a database: the engine counts, and incrowd decides.
//!
//! An [`Engine`] answers queries with small results: the different values of a column with their counts
//! ([`Dictionary`]), and counts of rows by what a model distinguishes ([`Counted`]). Rows never leave the engine. A query
//! is text that this crate generates in the [`Dialect`] of the engine; names and values are quoted so that they cannot
//! become part of it, whatever they contain.
//!
//! | module | purpose |
//! | --- | --- |
//! | `dialect` | how names, values and types are written |
//! | `source` | the address of a table, without a password |
//! | `engine` | what an engine answers, and columns with the types that can be read |
//! | `select` | which rows are counted, and by what |
//! | `counts` | dictionaries and counts, checked against the number of rows |
//! | `adbc` | DuckDB through its shared library (feature `duckdb`) |
//! | `postgresql` | PostgreSQL (feature `postgresql`) |
//!
//! Nothing is written to the engine: files of DuckDB are opened read-only, and PostgreSQL is read in one read-only
//! transaction at the isolation level `REPEATABLE READ`, so that all queries see the same rows. What an engine says about
//! an error may quote a row and is never shown; errors name the kind of fault and PostgreSQL's code for it.

#[cfg(feature = "duckdb")]
mod adbc;
mod cells;
mod counts;
mod dialect;
mod engine;
#[cfg(feature = "postgresql")]
mod postgresql;
mod select;
mod source;

pub use cells::{Cell, CellCounts, CellRange};
pub use counts::{Counted, Dictionary, MOST_COUNTED, MOST_VALUES, Missing, Remote};
pub use dialect::Dialect;
pub use engine::{Answer, Cells, Engine, EngineColumn, SqlKind, open};
pub use select::{Classes, Part};
pub use source::{DuckDbSource, PostgresSource, Source};
