//! Release files: trees, ensembles, clusters and rules as versioned JSON, and the sidecar of a released table.
//!
//! A release file is untrusted input. It is read into plain structs that mirror the file and refuse unknown keys, and
//! only what passes the model's own checks becomes a [`Model`]: a total function with disjoint bins. Reading never
//! recurses along a tree and takes time and memory in proportion to the file, within the bounds of [`crate::bounds`]. A
//! release that was read is written back as the same model, bit for bit, and the same release always gives the same
//! bytes.
//!
//! The format is described in `docs/releases.md`, its schema is `docs/release.schema.json`. Whether a release is safe
//! is not decided here but by the audit; the number of individuals that a file states is a claim for the audit to
//! check.

mod attributes;
mod cells;
mod clusters;
mod coordinate;
mod ensemble;
mod item;
pub(crate) mod labels;
mod layout;
mod object;
mod raw;
mod recoding;
mod rules;
#[cfg(feature = "schema")]
mod schema;
pub(crate) mod scoring;
mod syntax;
mod table;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use attributes::values as attribute_values;
pub use recoding::{parse_recoding, recoding_text};
#[cfg(feature = "schema")]
pub use schema::schema;
pub(crate) use syntax::in_words as json_error;

use crate::bounds::check_written;
use crate::bounds::{MAX_MODEL_BYTES, check_bytes};
use crate::write::{Prepared, digest_of_file, prepare, write_new};
use incrowd_core::audit::StatedPeople;
use incrowd_core::model::Model;
use incrowd_core::recoding::Legend;
use incrowd_core::table::Kind;
use incrowd_core::{Error, Result};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The version of the format that is written, and the only one that is supported.
pub const VERSION: u32 = 1;

/// What is released.
#[derive(Debug, Clone, PartialEq)]
pub enum Release {
    /// A model with its populations.
    Model(ModelRelease),
    /// A table, which is in a separate file.
    Table(TableRelease),
}

/// A released model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRelease {
    /// The model.
    pub model: Model,
    /// The number of individuals that it was made from, where stated; the audit compares it with the table.
    pub individuals: Option<u64>,
    /// Where it comes from.
    pub origin: Origin,
}

/// The statements about a released table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableRelease {
    /// The name of the table's file, which is in the same directory as the release.
    pub file: String,
    /// The number of rows.
    pub rows: u64,
    /// The number of individuals that it was made from, where stated.
    pub individuals: Option<u64>,
    /// The SHA-256 digest of the table's file, 64 hexadecimal digits: the other statements are about that file and no
    /// other.
    pub sha256: Option<String>,
    /// What the cells of its private columns are.
    pub kinds: BTreeMap<String, Kind>,
    /// The counts of the individuals, where the rows do not identify individuals; for each set of columns that some
    /// attacker knows.
    pub people: Vec<StatedPeople>,
    /// How new rows are recoded like the table; releases of earlier versions do not state it.
    pub recoding: Option<Legend>,
    /// Where it comes from.
    pub origin: Origin,
}

/// The origin of a release, as stated by its maker. Nothing here is relied on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Origin {
    /// How it was made.
    pub method: Option<String>,
    /// The parameters of the method.
    pub parameters: Map<String, Value>,
    /// What it was made to guarantee, a sentence each.
    pub guarantee: Vec<String>,
    /// What the owner's policy requires and the release was explicitly allowed to weaken.
    pub weakened: Vec<String>,
    /// What its audit measured.
    pub measured: Map<String, Value>,
}

impl Release {
    /// A released model about which nothing more is stated.
    pub fn of_model(model: Model) -> Self {
        Self::Model(ModelRelease { model, individuals: None, origin: Origin::default() })
    }

    /// The family's name, as in the file.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Model(release) => release.model.family(),
            Self::Table(_) => "table",
        }
    }

    /// The number of individuals that it was made from, where stated.
    pub fn individuals(&self) -> Option<u64> {
        match self {
            Self::Model(release) => release.individuals,
            Self::Table(release) => release.individuals,
        }
    }

    /// The release as the text of its file.
    ///
    /// # Errors
    /// When the text would not read back as the same release: it breaks a rule or a limit of the format.
    pub fn to_text(&self) -> Result<String> {
        let text = match self {
            Self::Model(release) => match &release.model {
                Model::Tree(tree) => layout::text(&tree::write(tree, release)),
                Model::Ensemble(ensemble) => layout::text(&ensemble::write(ensemble, release)),
                Model::Clusters(clusters) => layout::text(&clusters::write(clusters, release)),
                Model::Rules(rules) => layout::text(&rules::write(rules, release)),
                _ => return Err(Error::input("this family of models has no file format")),
            },
            Self::Table(release) => layout::text(&table::write(release)),
        }?;
        check_written(&text)?;
        match syntax::parse(&text)? {
            same if same == *self => Ok(text),
            _ => Err(Error::input("the release cannot be written without loss")
                .help("give every range of numbers ends that are finite, or infinite on the outer side")),
        }
    }
}

impl TableRelease {
    /// Fails unless the table's file is the one of the release, where the release states a digest.
    ///
    /// # Errors
    /// When its digest differs, or it cannot be read.
    pub fn check_digest(&self, table: &Path) -> Result<()> {
        if !table.exists() {
            return Err(Error::io("the released table is missing")
                .in_file(table)
                .help("put it in the folder of its release file, under this name"));
        }
        let Some(stated) = &self.sha256 else { return Ok(()) };
        if digest_of_file(table)? == *stated {
            return Ok(());
        }
        Err(Error::input("the table does not match its release file: the digests differ")
            .in_file(table)
            .help("restore the table as it was released, or make the release again"))
    }

    /// Where the table is, given where its release is.
    pub fn table_path(&self, release: &Path) -> PathBuf {
        release.with_file_name(&self.file)
    }
}

/// Reads a release file.
///
/// # Errors
/// When it cannot be read, is larger than [`MAX_MODEL_BYTES`], is not a release that this version supports, or is
/// invalid.
pub fn read_release(path: &Path) -> Result<Release> {
    let text = utf8(read_bytes(path)?).map_err(|error| error.in_file(path))?;
    parse_release(&text, path)
}

/// The bytes of a file that is not larger than [`MAX_MODEL_BYTES`].
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    read_capped(path).map_err(|error| error.in_file(path))
}

pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| syntax::not_utf8(&error))
}

/// Reads a release from text; `path` is named in errors.
///
/// # Errors
/// When it is not a release that this version supports, or is invalid.
pub fn parse_release(text: &str, path: &Path) -> Result<Release> {
    syntax::parse(text).map_err(|error| error.in_file(path))
}

/// Writes a release file, whole or not at all; replaces an older one only with `force`.
///
/// # Errors
/// When the release breaks a limit of the format, or as [`write_new`].
pub fn write_release(path: &Path, release: &Release, force: bool) -> Result<()> {
    let text = release.to_text().map_err(|error| error.in_file(path))?;
    write_new(path, force, |w| w.write_all(text.as_bytes()))
}

/// Writes a release file that does not have its name yet.
///
/// # Errors
/// As [`write_release`].
pub fn prepare_release(path: &Path, release: &Release, force: bool) -> Result<Prepared> {
    let text = release.to_text().map_err(|error| error.in_file(path))?;
    prepare(path, force, |w| w.write_all(text.as_bytes()))
}

fn read_capped(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    // Known beforehand for files, found while reading for pipes.
    check_bytes(file.metadata().map_or(0, |metadata| metadata.len()))?;
    let mut bytes = Vec::new();
    file.take(MAX_MODEL_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    check_bytes(bytes.len() as u64)?;
    Ok(bytes)
}

fn unreadable(error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::io("no such file").help("check the path of the release"),
        ErrorKind::PermissionDenied => Error::io("permission to read the file was denied")
            .help("ask the owner for access, or copy the file"),
        ErrorKind::IsADirectory => Error::io("this is a folder, not a release").help("name a file in it"),
        _ => Error::io(format!("the file cannot be read: {error}")).help("check the path and the disk"),
    }
}
