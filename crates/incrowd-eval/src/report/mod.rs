//! Reports of a comparison: a page for people, and CSV for programs.
//!
//! The page is one self-contained file: no network, no fonts, no libraries. Its content security policy allows only its
//! own script to run and only its own picture to load, so that names from a table are harmless even if one were not
//! escaped. Equal comparisons give equal bytes.

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
