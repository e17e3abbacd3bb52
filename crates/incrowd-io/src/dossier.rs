//! Dossier files (`board.json`): which files an approval is about, by their digests.
//!
//! A dossier file is untrusted input. Only its header and its list of files are read: the rest is for people and for
//! other programs. The format is described in `docs/report.md`.

use crate::bounds::{Scalar, check_depth, check_json};
use crate::release::json_error;
use crate::write::digest_of_file;
use incrowd_core::{Error, Result};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The name of the format.
pub const FORMAT: &str = "incrowd-dossier";

/// The version of the format that is written, and the only one that is supported.
pub const VERSION: u64 = 1;

/// The largest dossier file: 16 MiB.
pub const MAX_DOSSIER_BYTES: u64 = 16 << 20;

/// The most files that a dossier may list.
const MAX_FILES: usize = 1 << 15;

/// How deep lists and objects may be nested.
const MAX_DEPTH: usize = 127;

/// The most bytes of a file's name.
const NAME: usize = 4096;

/// For whom a dossier is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DossierForm {
    /// For the owner of the data.
    Owner,
    /// For anyone: it contains only what the release itself reveals and what the owner states for the public.
    Public,
}

/// What a file is to a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FileRole {
    /// The release file.
    Release,
    /// The released table, which a release file describes.
    Table,
    /// The policy.
    Policy,
    /// A taxonomy that the policy names.
    Taxonomy,
    /// The table that the release was made from.
    Data,
    /// Rows that the release was tested with.
    Test,
    /// The table of the population.
    Population,
}

impl FileRole {
    /// The name, as in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Table => "table",
            Self::Policy => "policy",
            Self::Taxonomy => "taxonomy",
            Self::Data => "data",
            Self::Test => "test",
            Self::Population => "population",
        }
    }
}

/// A file as it was when the dossier was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// What it is to the release.
    pub role: FileRole,
    /// Its name, without a path.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256 digest, 64 hexadecimal digits.
    pub sha256: String,
}

impl FileRecord {
    /// Records a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(role: FileRole, path: &Path) -> Result<Self> {
        let sha256 = digest_of_file(path)?;
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self { role, name: name.to_string_lossy().into_owned(), bytes, sha256 })
    }
}

/// What a dossier file records about files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFiles {
    /// For whom the dossier is.
    pub form: DossierForm,
    /// The day on which it was made.
    pub date: String,
    /// Whether the guarantee held.
    pub holds: bool,
    /// The files.
    pub files: Vec<FileRecord>,
}

/// The header, read leniently: another version may have other keys.
#[derive(Deserialize)]
struct Header {
    format: Option<Scalar>,
    version: Option<Scalar>,
}

/// The keys of a dossier. Those that concern no file are not kept.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    form: DossierForm,
    holds: bool,
    date: String,
    files: Vec<FileRecord>,
    #[serde(rename = "program")]
    _program: IgnoredAny,
    #[serde(default, rename = "command")]
    _command: Option<IgnoredAny>,
    #[serde(default, rename = "seed")]
    _seed: Option<IgnoredAny>,
    #[serde(rename = "statement")]
    _statement: IgnoredAny,
    #[serde(rename = "release")]
    _release: IgnoredAny,
    #[serde(rename = "guarantee")]
    _guarantee: IgnoredAny,
    #[serde(default, rename = "weakened")]
    _weakened: Option<IgnoredAny>,
    #[serde(default, rename = "policy")]
    _policy: Option<IgnoredAny>,
    #[serde(default, rename = "ledger")]
    _ledger: Option<IgnoredAny>,
    #[serde(default, rename = "audit")]
    _audit: Option<IgnoredAny>,
    #[serde(default, rename = "utility")]
    _utility: Option<IgnoredAny>,
}

/// Reads what a dossier file records about files.
///
/// # Errors
/// When the file cannot be read, is larger than [`MAX_DOSSIER_BYTES`], is not a dossier of a supported version, or is
/// invalid.
pub fn read_dossier(path: &Path) -> Result<RecordedFiles> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::io("no such file").help("check the path of the report"),
        std::io::ErrorKind::IsADirectory => Error::io("this is a folder, not a report"),
        _ => {
            Error::io(format!("the file cannot be read: {error}")).help("check the path and the permissions")
        }
    };
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_DOSSIER_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| unreadable(error).in_file(path))?;
    parse_dossier(&bytes).map_err(|error| error.in_file(path))
}

/// Reads what the bytes of a dossier file record about files.
///
/// # Errors
/// As [`read_dossier`].
pub fn parse_dossier(bytes: &[u8]) -> Result<RecordedFiles> {
    if bytes.len() as u64 > MAX_DOSSIER_BYTES {
        return Err(Error::limit(format!(
            "the file exceeds the limit of {} MiB for reports",
            MAX_DOSSIER_BYTES >> 20
        ))
        .help("give the .json file that `incrowd report` wrote"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| not_a_dossier())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_json(text)?;
    check_depth(text, MAX_DEPTH)?;
    check_header(text)?;
    let raw: Raw = serde_json::from_str(text).map_err(|error| in_words(&error))?;
    check_files(&raw.files)?;
    let is_date = raw.date.len() == 10 && raw.date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if !is_date {
        return Err(Error::input("\"date\" is not a date").help(MAKE_AGAIN));
    }
    Ok(RecordedFiles { form: raw.form, date: raw.date, holds: raw.holds, files: raw.files })
}

const MAKE_AGAIN: &str = "use the file as `incrowd report` wrote it; docs/report.md describes the format";

fn not_a_dossier() -> Error {
    Error::input("this is not a report of incrowd in JSON")
        .help("give the .json file that `incrowd report` wrote; the forms .html and .md cannot be verified")
}

fn check_header(text: &str) -> Result<()> {
    // Whatever is wrong with the JSON is reported when all of it is read; what is not an object is not a dossier.
    if !text.trim_start().starts_with('{') {
        return Err(not_a_dossier());
    }
    let header: Header = serde_json::from_str(text).map_err(|error| in_words(&error))?;
    if header.format != Some(Scalar::Text(FORMAT.to_owned())) {
        return Err(not_a_dossier());
    }
    if header.version == Some(Scalar::Whole(VERSION)) {
        return Ok(());
    }
    Err(Error::input("this version of the report format is not supported")
        .help(format!("version {VERSION} is supported; a newer incrowd may support more")))
}

fn in_words(error: &serde_json::Error) -> Error {
    json_error(error).help(MAKE_AGAIN)
}

fn check_files(files: &[FileRecord]) -> Result<()> {
    if files.len() > MAX_FILES {
        return Err(Error::limit(format!("the report lists more than {MAX_FILES} files")).help(MAKE_AGAIN));
    }
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    for file in files {
        if file.sha256.len() != 64 || !file.sha256.bytes().all(is_hex) {
            return Err(Error::input("\"sha256\" is not a SHA-256 digest").help(MAKE_AGAIN));
        }
        // Names are looked up beside other files, so they must not lead elsewhere.
        let is_plain = !["", ".", ".."].contains(&file.name.as_str())
            && !file.name.contains(['/', '\\', '\0'])
            && file.name.len() <= NAME;
        if !is_plain {
            return Err(Error::input("\"name\" is not the plain name of a file").help(MAKE_AGAIN));
        }
    }
    for role in [FileRole::Release, FileRole::Table, FileRole::Policy, FileRole::Data] {
        if files.iter().filter(|file| file.role == role).count() > 1 {
            return Err(
                Error::input(format!("the report lists two files as {}", role.name())).help(MAKE_AGAIN)
            );
        }
    }
    let is_released = |file: &FileRecord| matches!(file.role, FileRole::Release | FileRole::Table);
    if !files.iter().any(is_released) {
        return Err(Error::input("the report lists no released file").help(MAKE_AGAIN));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
