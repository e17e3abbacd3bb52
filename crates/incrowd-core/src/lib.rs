//! The foundation of incrowd: tables, policies, taxonomies, spans, guarantees, releases and the audit.
//!
//! This crate does no IO. Algorithms see [codes](table::Codes) and counts, never strings; `incrowd-io` reads and writes
//! files. The terms used here (bin, span, population, release, breach …) are those of the project's design: see the
//! [`model`] and [`audit`] modules for their definitions.

pub mod audit;
pub mod bits;
pub mod choice;
pub mod error;
pub mod group;
pub mod guarantee;
pub mod model;
#[cfg(any(test, feature = "naive"))]
pub mod naive;
pub mod nearest;
pub mod policy;
pub mod predict;
pub mod printed;
pub mod profile;
pub mod progress;
pub mod random;
pub mod recoding;
pub mod samples;
pub mod span;
pub mod svg;
pub mod table;
pub mod taxonomy;
pub mod words;
pub mod xml;

pub use error::{Error, ErrorKind, Place, Result};
