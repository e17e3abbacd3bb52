//! What a ledger contains, and whether its releases are where they were recorded.

use super::LedgerRequest;
use super::earlier::find;
use incrowd_core::{Error, Result};
use incrowd_io::ledger::{Ledger, LedgerFile, LedgerRecord};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The releases of a ledger, and whether their files are the recorded ones. It contains no private value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LedgerReport {
    /// Whether all files are the recorded ones, and the last line is the expected one.
    pub holds: bool,
    /// The digest of the last line. Someone who keeps it notices if the last lines are removed.
    pub head: Option<String>,
    /// Whether a digest was given that is the one of some line; none if none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_head: Option<bool>,
    /// The releases, the first one first.
    pub releases: Vec<ListedRelease>,
}

/// A release of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ListedRelease {
    /// Whether its files are the recorded ones.
    pub state: ReleaseState,
    /// What is wrong with its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What was recorded.
    #[serde(flatten)]
    pub record: LedgerRecord,
}

/// Whether the files of a release are the recorded ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseState {
    /// They are.
    Same,
    /// A file is missing or is another one.
    Differs,
}

/// Reads a ledger, checks its lines, and compares the files of its releases with what was recorded. `moved` are files
/// that are elsewhere now; `head` is the digest of the last line when someone looked last.
///
/// # Errors
/// When the ledger cannot be read, or its lines do not follow each other.
pub fn ledger(path: impl AsRef<Path>, moved: &[PathBuf], head: Option<&str>) -> Result<LedgerReport> {
    let path = path.as_ref();
    check_digest(head)?;
    let read = existing(path)?;
    let request = LedgerRequest { path: path.to_owned(), moved: moved.to_vec() };
    let listed = |record: &LedgerRecord| {
        let problem = find(&request, record).err();
        ListedRelease {
            state: if problem.is_none() { ReleaseState::Same } else { ReleaseState::Differs },
            problem: problem.map(|error| error.what),
            record: record.clone(),
        }
    };
    let releases: Vec<ListedRelease> = read.records.iter().map(listed).collect();
    let has_head = head.map(|head| {
        let lines = read.records.iter().filter_map(|record| record.previous.as_ref()).chain(&read.head);
        lines.into_iter().any(|own| own.eq_ignore_ascii_case(head.trim()))
    });
    let holds = releases.iter().all(|own| own.state == ReleaseState::Same) && has_head != Some(false);
    Ok(LedgerReport { holds, head: read.head, has_head, releases })
}

/// Fails if something else than a digest is looked for.
fn check_digest(head: Option<&str>) -> Result<()> {
    let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if head.is_none_or(|head| is_digest(head.trim())) {
        return Ok(());
    }
    Err(Error::parameters("this is not the digest of a line: a digest has 64 hexadecimal digits")
        .of_parameter("head")
        .help("give the digest that was printed when a release was recorded"))
}

/// A ledger that must exist.
fn existing(path: &Path) -> Result<Ledger> {
    let ledger = LedgerFile::read(path, || Ok(()))?;
    if ledger.records.is_empty() && !path.exists() {
        return Err(Error::io("no such file").in_file(path).help("check the path of the ledger"));
    }
    Ok(ledger)
}

/// What a dossier states about a release of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct EarlierRelease {
    pub(crate) number: u64,
    pub(crate) date: String,
    pub(crate) family: String,
    pub(crate) file: String,
    pub(crate) sha256: String,
    /// The digest of the data.
    #[serde(skip)]
    pub(crate) data: String,
    pub(crate) guarantee: Vec<String>,
    /// Whether this is the release that the dossier is about.
    pub(crate) this: bool,
}

/// The releases of a ledger for the dossier of the release with one of these digests, and the digest of the last line.
///
/// # Errors
/// When the ledger cannot be read.
pub(crate) fn earlier_of(path: &Path, digests: &[String]) -> Result<(Vec<EarlierRelease>, Option<String>)> {
    let ledger = existing(path)?;
    let stated = |record: &LedgerRecord| EarlierRelease {
        number: record.number,
        date: record.date.clone(),
        family: record.family.to_string(),
        file: record.table.as_ref().unwrap_or(&record.release).file.clone(),
        sha256: record.release.sha256.clone(),
        data: record.data.sha256.clone(),
        guarantee: record.guarantee.clone(),
        this: digests.contains(&record.release.sha256),
    };
    Ok((ledger.records.iter().map(stated).collect(), ledger.head))
}
