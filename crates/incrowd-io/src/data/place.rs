//! Copies downloaded files to where they are used.

use super::{DataFile, DataSet, get::is};
use crate::write::{make_folder, write_new};
use incrowd_core::Result;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The name of a set's policy.
pub const POLICY: &str = "policy.toml";

/// The outcome of placing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// It was written.
    Written,
    /// It already existed.
    There,
    /// A different one exists and was left unchanged.
    Kept,
}

/// Puts a file of a set from the cache into a folder. An identical file there is left unchanged; a different one is
/// replaced only with `force`.
///
/// # Errors
/// When another file is there, or the file system fails.
pub fn place_file(
    file: &DataFile,
    cached: &Path,
    folder: &Path,
    force: bool,
) -> Result<(PathBuf, Placement)> {
    let goal = folder.join(file.name);
    if is(&goal, file) {
        return Ok((goal, Placement::There));
    }
    make_folder(folder)?;
    write_new(&goal, force, |out| io::copy(&mut File::open(cached)?, out).map(drop))?;
    Ok((goal, Placement::Written))
}

/// Puts a set's policy into a folder. One that the owner has changed is left unchanged, unless `force` is given.
///
/// # Errors
/// When the file system fails.
pub fn place_policy(set: &DataSet, folder: &Path, force: bool) -> Result<(PathBuf, Placement)> {
    let goal = folder.join(POLICY);
    match fs::read(&goal) {
        Ok(text) if text == set.policy.as_bytes() => return Ok((goal, Placement::There)),
        Ok(_) if !force => return Ok((goal, Placement::Kept)),
        _ => {}
    }
    make_folder(folder)?;
    write_new(&goal, force, |out| out.write_all(set.policy.as_bytes()))?;
    Ok((goal, Placement::Written))
}
