//! Ledgers: which releases of a table were given away, in the order in which they were made.
//!
//! A ledger is a file of JSON lines, one per release (`docs/ledger.md`). Lines are only ever added. Each has the digest
//! of the line before it, so that a line that was changed, removed or put elsewhere is noticed; the last ones are
//! noticed by someone who has kept the digest of the last line ([`Ledger::head`]). A ledger has digests and names of
//! files, figures that the releases state, and no value of the table. It is untrusted input like every other file.
//!
//! [`LedgerFile`] is a ledger that no one else can change meanwhile.

mod file;
mod record;
#[cfg(test)]
mod tests;

pub use file::LedgerFile;
pub use record::{Family, LedgerRecord, RecordedFile};

use crate::bounds::check_depth;
use crate::release::json_error;
use incrowd_core::{Error, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The name of the format.
pub const FORMAT: &str = "incrowd-ledger";

/// The version of the format that is written, and the only one that is supported.
pub const VERSION: u64 = 1;

/// The largest ledger: 16 MiB.
pub const MAX_LEDGER_BYTES: u64 = 16 << 20;

/// The most releases of a ledger.
pub const MAX_RELEASES: usize = 4096;

/// How deep lists and objects of a line may be nested.
const MAX_DEPTH: usize = 8;

/// The releases of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Ledger {
    /// The releases, the first one first.
    pub records: Vec<LedgerRecord>,
    /// The digest of the last line; none if there is no line.
    pub head: Option<String>,
}

/// The keys that every version has.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

impl Ledger {
    /// Reads a ledger from its text, and checks the chain of its lines.
    ///
    /// # Errors
    /// When a line is not a line of a ledger, or was changed, removed or added elsewhere; when there are too many.
    pub fn parse(text: &str) -> Result<Self> {
        let mut ledger = Self::default();
        if text.lines().next().is_some_and(|first| !first.contains(FORMAT)) {
            return Err(not_a_ledger().at_line(1));
        }
        if !text.is_empty() && !text.ends_with('\n') {
            let line = text.lines().count() as u64;
            return Err(Error::input("the last line of the ledger is not complete")
                .at_line(line)
                .help("restore the file from a backup: lines are added whole"));
        }
        for (number, line) in (1..).zip(text.lines()) {
            ledger.add(number, line).map_err(|error| error.at_line(number))?;
        }
        Ok(ledger)
    }

    fn add(&mut self, number: u64, line: &str) -> Result<()> {
        if self.records.len() >= MAX_RELEASES {
            return Err(Error::limit(format!("the ledger has more than {MAX_RELEASES} releases"))
                .help("check that this is a ledger"));
        }
        let record = parse_line(line)?;
        if record.number != number || record.previous != self.head {
            return Err(Error::input(
                "the line does not follow the one before it: a line was changed, removed or added",
            )
            .help("restore the file from a backup; lines must never be edited"));
        }
        record.check()?;
        self.records.push(record);
        self.head = Some(digest_of_line(line));
        Ok(())
    }
}

/// Reads one line.
fn parse_line(line: &str) -> Result<LedgerRecord> {
    check_depth(line, MAX_DEPTH)?;
    let not_a_line =
        |error: &serde_json::Error| json_error(error).help("check that this is a ledger of incrowd");
    let header: Header = serde_json::from_str(line).map_err(|error| not_a_line(&error))?;
    if header.format != FORMAT {
        return Err(not_a_ledger());
    }
    if header.version != VERSION {
        return Err(Error::input(format!("this ledger has version {} of its format", header.version))
            .help(format!("this program reads version {VERSION}; use a newer one")));
    }
    serde_json::from_str(line).map_err(|error| not_a_line(&error))
}

fn not_a_ledger() -> Error {
    Error::input("this is not a ledger of incrowd").help("name the ledger, or a new file")
}

/// The digest that the next line has of a line.
fn digest_of_line(line: &str) -> String {
    Sha256::digest(line.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder of a ledger.
fn folder_of(ledger: &Path) -> &Path {
    match ledger.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
