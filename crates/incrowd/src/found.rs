//! What a file is that is to be audited or reported on: one rule for both.
//!
//! A file that is named like a table (`.csv`, `.arff`, `.parquet` and so on) is a table, unless its content is a model:
//! rules from other programs are CSV files as well. A released table with its release file next to it is always a table.
//! Any other file is a release or a model from another program.

use crate::layout::sidecar_of;
use crate::{Error, ErrorKind, Result};
use incrowd_io::release::{Release, TableRelease};
use incrowd_io::{Maker, format_of_name, read_any_model};
use std::path::Path;

/// What a file is.
pub(crate) enum Found {
    /// A release file, or a model made elsewhere.
    Release(Release, Maker),
    /// A released table with its release file next to it.
    Released(TableRelease),
    /// Another table, and why it is not a model.
    Table(Error),
}

/// Finds out what a file is.
///
/// # Errors
/// When a file that is not named like a table is not a model either, or cannot be read.
pub(crate) fn find(path: &Path) -> Result<Found> {
    let is_named_like_table = format_of_name(path).is_ok();
    if let Some((_, stated)) = sidecar_of(path) {
        return Ok(Found::Released(stated));
    }
    match read_any_model(path) {
        Ok((release, maker)) => Ok(Found::Release(release, maker)),
        Err(error) if is_named_like_table && error.kind != ErrorKind::Io => Ok(Found::Table(error)),
        Err(error) => Err(error),
    }
}
