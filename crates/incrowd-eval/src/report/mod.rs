//! What a comparison found, for people to read and for programs.
//!
//! The page is one file that needs nothing else: no network, no fonts, no libraries. A policy in its head lets nothing run but its own script and nothing load
//! but its own picture, so that names from a table can do nothing even if one were not escaped. The same comparison is the same bytes.

mod crowds;
mod csv;
mod curves;
mod figures;
mod headline;
mod page;
mod prose;
mod real;
mod table;
mod view;

pub use csv::{csv, releases_csv};
pub use page::html;
