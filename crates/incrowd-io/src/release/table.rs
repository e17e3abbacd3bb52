//! The sidecar of a released table.

use super::raw::RawTable;
use super::{Release, TableRelease};
use incrowd_core::{Error, Result};

pub(super) fn read(mut raw: RawTable) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    check_file(&raw.file)?;
    Ok(Release::Table(TableRelease { file: raw.file, rows: raw.rows, individuals, origin }))
}

pub(super) fn write(release: &TableRelease) -> RawTable {
    RawTable::new(release.individuals, &release.origin, release.file.clone(), release.rows)
}

/// A file from elsewhere must not make anybody open a file elsewhere.
fn check_file(file: &str) -> Result<()> {
    let plain = !file.is_empty() && file != "." && file != ".." && !file.contains(['/', '\\', ':', '\0']);
    if plain {
        return Ok(());
    }
    Err(Error::new("\"file\" is not the plain name of a file")
        .help("the table lies in the same directory as its release; give its name without a path"))
}
