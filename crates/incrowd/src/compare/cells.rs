//! Intermediate results of a comparison, so that an interrupted comparison can be resumed.
//!
//! One file, one line per finding, added as soon as it is found: a key (a digest of everything the finding depends on)
//! and the result. An incomplete line, which an interruption may leave, is ignored. Findings are figures and contain no
//! rows.

use super::finding::Finding;
use crate::{Error, Result};
use incrowd_io::write::failure;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The maximum size of a file of findings, far more than any comparison needs.
const MOST_BYTES: u64 = 1 << 30;

/// The findings so far.
pub(crate) struct Cells {
    known: HashMap<String, Value>,
    file: Option<(PathBuf, Mutex<File>)>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    found: Value,
}

impl Cells {
    /// Creates an empty set of findings that is not stored.
    pub(crate) fn in_memory() -> Self {
        Self { known: HashMap::new(), file: None }
    }

    /// Reads the findings of a file. New findings are appended to it. The file is created if it does not exist.
    ///
    /// # Errors
    /// When the file cannot be read or written, is not a plain file, or is far too large.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let wrong = |error: std::io::Error| failure(&error).in_file(path);
        // A link may lead to another file, and a device or a pipe has no end.
        if std::fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(Error::input("intermediate results cannot be stored here: this is not a plain file")
                .in_file(path)
                .help("remove it, or name another folder"));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(wrong)?;
        if file.metadata().map_err(wrong)?.len() > MOST_BYTES {
            return Err(Error::limit("the file is too large to contain intermediate results")
                .in_file(path)
                .help("remove it, and everything is computed again"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(wrong)?;
        let lines = bytes.split(|&byte| byte == b'\n');
        let known = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok());
        let known = known.map(|line| (line.key, line.found)).collect();
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(wrong)?;
        }
        Ok(Self { known, file: Some((path.to_owned(), Mutex::new(file))) })
    }

    /// Returns the finding with this key, if it is plausible.
    pub(super) fn get<T: Finding>(&self, key: &str) -> Option<T> {
        T::deserialize(self.known.get(key)?).ok().filter(Finding::is_possible)
    }

    /// Stores a finding.
    pub(super) fn keep(&self, key: &str, found: &impl Finding) -> Result<()> {
        let Some((path, file)) = &self.file else { return Ok(()) };
        let line = serde_json::to_value(found)
            .and_then(|found| serde_json::to_string(&Line { key: key.to_owned(), found }))
            .map_err(|error| Error::io(format!("a finding cannot be written: {error}")))?;
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // One call per line: an interruption between two lines loses nothing.
        file.write_all(format!("{line}\n").as_bytes()).map_err(|error| failure(&error).in_file(path))
    }
}
