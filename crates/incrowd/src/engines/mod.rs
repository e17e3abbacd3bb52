//! Tables that stay in a database: mined and audited where they are, from counts (`docs/engines.md`).
//!
//! The engine returns the different values of each column that the policy uses, and counts of rows by what the release
//! distinguishes; rows do not leave it. Values are read by the rules for files, so a column has the same values, kinds
//! and missing values as the same column in a Parquet file, and the report is the same.
//!
//! | module | purpose |
//! | --- | --- |
//! | `arrays` | the engine's values as Arrow arrays, for the reader of frames |
//! | `coded` | the columns of a table in an engine, coded under a policy |
//! | `weighted` | coded columns and counts as tables of weighted rows |
//! | `models`, `tables` | audits of trees and of released tables |
//! | `trees` | mining trees |

mod arrays;
mod coded;
mod models;
mod tables;
mod trees;
mod weighted;

pub use incrowd_sql::{DuckDbSource, PostgresSource, Source};
pub(crate) use models::audit_in_engine;
pub(crate) use tables::audit_table_in_engine;
pub(crate) use trees::mine_tree_in_engine;

use crate::Error;

/// An error about the rows that a query returned, which are not the rows of the table.
fn of_engine(mut error: Error) -> Error {
    error.what = error.what.replace("the frame", "the table").replace("the file", "the table");
    (error.place.row, error.place.line, error.place.column) = (None, None, None);
    error
}
