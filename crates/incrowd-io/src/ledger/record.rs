//! A line of a ledger.

use super::folder_of;
use crate::write::digest_of_file;
use incrowd_core::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The most bytes of a file's name, and of a statement.
const TEXT: usize = 4096;

/// The most statements of each kind.
const STATEMENTS: usize = 256;

/// The most public attributes and dependencies.
const NAMES: usize = 65_536;

/// The family of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Family {
    /// A decision tree.
    Tree,
    /// Boosted trees.
    Boost,
    /// A table.
    Table,
    /// Clusters.
    Clusters,
    /// Association rules.
    Rules,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tree => "tree",
            Self::Boost => "boost",
            Self::Table => "table",
            Self::Clusters => "clusters",
            Self::Rules => "rules",
        })
    }
}

/// A file as it was when a release was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFile {
    /// Its path from the folder of the ledger, with `/` between names.
    pub file: String,
    /// Its SHA-256 digest, 64 hexadecimal digits.
    pub sha256: String,
}

impl RecordedFile {
    /// Records a file that is, or will be, at `path` and has this digest.
    ///
    /// # Errors
    /// When a folder does not exist, or the path is not UTF-8.
    pub fn new(ledger: &Path, path: &Path, sha256: String) -> Result<Self> {
        Ok(Self { file: relative(folder_of(ledger), path)?, sha256 })
    }

    /// Records a file that exists.
    ///
    /// # Errors
    /// As [`Self::new`], and when it cannot be read.
    pub fn of(ledger: &Path, path: &Path) -> Result<Self> {
        Self::new(ledger, path, digest_of_file(path)?)
    }

    /// Where the file was when it was recorded, if the ledger is at this path.
    pub fn path(&self, ledger: &Path) -> PathBuf {
        let folder = ledger.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or_else(|| PathBuf::from(&self.file), |folder| folder.join(&self.file))
    }

    /// Whether the file at this path is the recorded one.
    ///
    /// # Errors
    /// When there is a file that cannot be read.
    pub fn is_at(&self, path: &Path) -> Result<bool> {
        Ok(path.is_file() && digest_of_file(path)? == self.sha256)
    }

    fn check(&self) -> Result<()> {
        let is_digest = self.sha256.len() == 64
            && self.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_digest && !self.file.is_empty() && is_text(&self.file) {
            return Ok(());
        }
        Err(Error::input("a file of the ledger has no valid name or digest")
            .help("restore the file from a backup"))
    }
}

/// A release in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerRecord {
    /// The name of the format.
    pub format: String,
    /// The version of the format.
    pub version: u64,
    /// The number of the line, counted from 1.
    pub number: u64,
    /// The digest of the line before; none for the first line.
    pub previous: Option<String>,
    /// The day on which the release was made, as 2026-01-31.
    pub date: String,
    /// The program and its version.
    pub program: String,
    /// The family of the release.
    pub family: Family,
    /// The release file.
    pub release: RecordedFile,
    /// The released table, if the release is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<RecordedFile>,
    /// The policy.
    pub policy: RecordedFile,
    /// The table that the release was made from.
    pub data: RecordedFile,
    /// A digest of what the policy uses of that table, in any order of rows and any format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
    /// A digest of how the data file was read; none if rows with missing values were left out, and in lines of older
    /// programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// The public attributes of the policy; none in lines of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<Vec<String>>,
    /// The declared dependencies of the policy, as `a, b -> c`; none in lines of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<Vec<String>>,
    /// A digest of the possible values that the policy declares and of the roles of items; none in lines of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<String>,
    /// The presets of the guarantee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<String>,
    /// The required k, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// All requirements that hold for this release together with all before it.
    pub guarantee: Vec<String>,
    /// The private attributes that the requirements on private values apply to, in words; none without such requirements
    /// and in lines of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The requirements of the policy that were given up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weakened: Vec<String>,
}

impl LedgerRecord {
    /// The files that are given away.
    pub fn released(&self) -> impl Iterator<Item = &RecordedFile> {
        std::iter::once(&self.release).chain(&self.table)
    }

    /// Checks everything but the place in the chain.
    pub(super) fn check(&self) -> Result<()> {
        self.released().chain([&self.policy, &self.data]).try_for_each(RecordedFile::check)?;
        let texts =
            self.guarantee.iter().chain(&self.weakened).chain([&self.date, &self.program]).chain(&self.of);
        let texts = texts.chain(&self.assumptions).chain(&self.presets);
        let names: Vec<&String> = self.public.iter().chain(&self.dependencies).flatten().collect();
        let is_small =
            [&self.guarantee, &self.weakened, &self.presets].iter().all(|all| all.len() <= STATEMENTS);
        if is_small && names.len() <= NAMES && texts.chain(names).into_iter().all(|text| is_text(text)) {
            return Ok(());
        }
        Err(Error::input("a line of the ledger has texts that no program wrote")
            .help("restore the file from a backup"))
    }

    /// The line of the file, without its end.
    pub(super) fn line(&self) -> Result<String> {
        self.check()?;
        serde_json::to_string(self).map_err(|error| Error::internal("a line of a ledger").caused_by(error))
    }
}

fn is_text(text: &str) -> bool {
    text.len() <= TEXT && !text.chars().any(char::is_control)
}

/// The path of a file from a folder.
fn relative(folder: &Path, path: &Path) -> Result<String> {
    let missing = |path: &Path| {
        let path = path.to_owned();
        move |_| Error::io("the folder does not exist").in_file(path).help("create it, or name another one")
    };
    let own = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| Error::io("this is not the name of a file").in_file(path))?;
    let from = folder.canonicalize().map_err(missing(folder))?;
    let to = own.canonicalize().map_err(missing(own))?;
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let names: Option<Vec<&str>> = match common {
        // There is no way from one drive to another.
        0 => return absolute(path),
        _ => std::iter::repeat_n("..", from.len() - common)
            .map(Some)
            .chain(to[common..].iter().map(|component| component.as_os_str().to_str()))
            .chain([name.to_str()])
            .collect(),
    };
    names.map(|names| names.join("/")).ok_or_else(|| not_utf8(path))
}

fn absolute(path: &Path) -> Result<String> {
    let absolute = std::path::absolute(path).map_err(|error| crate::write::failure(&error).in_file(path))?;
    absolute.to_str().map(str::to_owned).ok_or_else(|| not_utf8(path))
}

fn not_utf8(path: &Path) -> Error {
    Error::parameters("the path is not UTF-8").in_file(path).help("choose another name")
}
