//! Whether files are those that a dossier is about.

use incrowd_core::{Error, Result};
use incrowd_io::dossier::{DossierForm, FileRecord, FileRole, RecordedFiles, read_dossier};
use incrowd_io::policy::PolicyFile;
use incrowd_io::write::digest_of_file;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Prepares the comparison of files with those that a dossier (its JSON form) is about.
///
/// # Errors
/// When the dossier cannot be read.
///
/// ```no_run
/// let checked = incrowd::dossier::verify("board.json")?.release("tree.json").policy("policy.toml").run()?;
/// assert!(checked.holds());
/// # Ok::<(), incrowd::Error>(())
/// ```
pub fn verify(dossier: impl AsRef<Path>) -> Result<VerifyJob> {
    let path = dossier.as_ref().to_owned();
    Ok(VerifyJob { recorded: read_dossier(&path)?, path, releases: Vec::new(), others: Vec::new() })
}

/// A builder for the comparison of files with those of a dossier.
#[derive(Debug, Clone)]
#[must_use = "nothing happens until it is run"]
pub struct VerifyJob {
    path: PathBuf,
    recorded: RecordedFiles,
    releases: Vec<PathBuf>,
    others: Vec<(FileRole, PathBuf)>,
}

/// What a comparison of files with those of a dossier has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verification {
    /// For whom the dossier is.
    pub form: DossierForm,
    /// The day on which the dossier was made.
    pub date: String,
    /// Whether the guarantee held then.
    pub guarantee_held: bool,
    /// The files of the dossier, and files that are not in it.
    pub files: Vec<VerifiedFile>,
}

/// A file that was compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VerifiedFile {
    /// What it is to the release; none for a file that is not in the dossier.
    pub role: Option<FileRole>,
    /// Its name in the dossier, or its path if it is not in the dossier.
    pub name: String,
    /// The file that was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// Whether it is the same.
    pub state: FileState,
    /// The digest of the file that was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The digest that the dossier records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
}

/// Whether a file is the one of a dossier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileState {
    /// It is the same, byte by byte.
    Same,
    /// It is another file.
    Differs,
    /// It was given and does not exist, or it belongs to the release and is not beside it.
    Missing,
    /// It is not in the dossier.
    Unknown,
    /// It was not given.
    NotChecked,
}

impl Verification {
    /// Whether all files that were given are those of the dossier, and all that belongs to the release is there.
    pub fn holds(&self) -> bool {
        self.files.iter().all(|file| matches!(file.state, FileState::Same | FileState::NotChecked))
    }
}

impl VerifyJob {
    /// Compares a file of the release: a model, or a table and its release file. The other of the latter two is looked
    /// for beside it if it is not given.
    pub fn release(mut self, path: impl Into<PathBuf>) -> Self {
        self.releases.push(path.into());
        self
    }

    /// Compares the policy, and the taxonomies that it names.
    pub fn policy(self, path: impl Into<PathBuf>) -> Self {
        self.other(FileRole::Policy, path)
    }

    /// Compares the data.
    pub fn data(self, path: impl Into<PathBuf>) -> Self {
        self.other(FileRole::Data, path)
    }

    /// Compares the test rows.
    pub fn test(self, path: impl Into<PathBuf>) -> Self {
        self.other(FileRole::Test, path)
    }

    fn other(mut self, role: FileRole, path: impl Into<PathBuf>) -> Self {
        self.others.push((role, path.into()));
        self
    }

    /// Compares the files.
    ///
    /// # Errors
    /// When a file that is given exists and cannot be read, or the dossier does not record such a file.
    pub fn run(self) -> Result<Verification> {
        let mut found = self.released()?;
        for (role, path) in &self.others {
            let recorded = self.record(*role).ok_or_else(|| self.not_recorded(*role))?;
            found.push(compared(recorded, path)?);
            if *role == FileRole::Policy {
                found.extend(self.taxonomies(path)?);
            }
        }
        let is_open = |record: &&FileRecord| !found.iter().any(|file| is_of(file, record));
        let open: Vec<VerifiedFile> = self
            .recorded
            .files
            .iter()
            .filter(is_open)
            .map(|record| verified(record, None, FileState::NotChecked))
            .collect();
        found.extend(open);
        found.sort_by_key(|file| file.role.map_or(u8::MAX, |role| role as u8));
        let RecordedFiles { form, date, holds, .. } = self.recorded;
        Ok(Verification { form, date, guarantee_held: holds, files: found })
    }

    fn record(&self, role: FileRole) -> Option<&FileRecord> {
        self.recorded.files.iter().find(|file| file.role == role)
    }

    fn not_recorded(&self, role: FileRole) -> Error {
        let why = match self.recorded.form {
            DossierForm::Public => {
                "a report for the public records only what is released; use the report for the owner"
            }
            DossierForm::Owner => "leave the file out, or use the report that it belongs to",
        };
        Error::parameters(format!("the report does not record a file of this kind ({})", role.name()))
            .in_file(&self.path)
            .help(why)
    }

    /// The files of the release. A file is the one of a record only if its digest is; one that has its name differs. Any
    /// other file is not in the dossier: nothing says which file it should be.
    fn released(&self) -> Result<Vec<VerifiedFile>> {
        // A file that is given twice is one file.
        let different =
            self.releases.iter().enumerate().filter(|(i, path)| !self.releases[..*i].contains(path));
        let given: Vec<Given<'_>> = different.map(|(_, path)| Given::of(path)).collect::<Result<_>>()?;
        let is_released = |record: &&FileRecord| matches!(record.role, FileRole::Release | FileRole::Table);
        let mut open: Vec<&FileRecord> = self.recorded.files.iter().filter(is_released).collect();
        let mut left: Vec<&Given<'_>> = given.iter().collect();
        let mut found = Vec::new();
        let rules: [fn(&FileRecord, &Given<'_>) -> bool; 3] = [
            |own, given| given.state(own) == FileState::Same,
            |own, given| given.has_name_of(own),
            // A path that does not exist is most likely a misspelled one.
            |_, given| given.sha256.is_none(),
        ];
        for is_match in rules {
            left.retain(|given| {
                let Some(place) = open.iter().position(|own| is_match(own, given)) else { return true };
                let own = open.remove(place);
                found.push(given.compared(own));
                false
            });
        }
        let is_release = !found.is_empty();
        found.extend(left.into_iter().map(Given::unknown));
        // Nothing is known about what should be beside a file that is not of the release.
        if let Some(first) = self.releases.first().filter(|_| is_release) {
            for own in open {
                let beside = first.with_file_name(&own.name);
                found.push(if beside.is_file() {
                    compared(own, &beside)?
                } else {
                    verified(own, Some(&beside), FileState::Missing)
                });
            }
        }
        Ok(found)
    }

    /// The taxonomies that a policy names, in the order of the policy.
    fn taxonomies(&self, policy: &Path) -> Result<Vec<VerifiedFile>> {
        let records = self.recorded.files.iter().filter(|file| file.role == FileRole::Taxonomy);
        let Ok(policy) = PolicyFile::read(policy) else {
            // It, or one of its taxonomies, is not the one of the dossier. Taxonomies are usually beside it.
            let beside = |record: &FileRecord| {
                let path = policy.with_file_name(&record.name);
                if path.is_file() {
                    compared(record, &path)
                } else {
                    Ok(verified(record, Some(&path), FileState::Missing))
                }
            };
            return records.map(beside).collect();
        };
        let mut paths = policy.taxonomy_files.iter();
        let one = |record: &FileRecord| match paths.next() {
            Some(path) => compared(record, path),
            None => Ok(verified(record, None, FileState::Missing)),
        };
        let mut found = records.map(one).collect::<Result<Vec<_>>>()?;
        for path in paths {
            let state = FileState::Unknown;
            found.push(VerifiedFile { state, ..Given::of(path)?.unknown() });
        }
        Ok(found)
    }
}

fn is_of(file: &VerifiedFile, record: &FileRecord) -> bool {
    file.role == Some(record.role) && file.name == record.name
}

/// A file that is compared.
struct Given<'a> {
    path: &'a Path,
    /// Its digest; none if there is no such file.
    sha256: Option<String>,
}

impl<'a> Given<'a> {
    fn of(path: &'a Path) -> Result<Self> {
        let is_missing = path.try_exists().is_ok_and(|exists| !exists);
        let sha256 = if is_missing { None } else { Some(digest_of_file(path)?) };
        Ok(Self { path, sha256 })
    }

    fn has_name_of(&self, record: &FileRecord) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy() == record.name)
    }

    /// Whether it is the file of a record.
    fn state(&self, record: &FileRecord) -> FileState {
        match &self.sha256 {
            None => FileState::Missing,
            Some(sha256) if *sha256 == record.sha256 => FileState::Same,
            Some(_) => FileState::Differs,
        }
    }

    /// What is found about it if it is to be the file of a record.
    fn compared(&self, record: &FileRecord) -> VerifiedFile {
        let found = verified(record, Some(self.path), self.state(record));
        VerifiedFile { sha256: self.sha256.clone(), ..found }
    }

    /// A file that is not in the dossier.
    fn unknown(&self) -> VerifiedFile {
        VerifiedFile {
            role: None,
            name: self.path.display().to_string(),
            path: Some(self.path.to_owned()),
            state: if self.sha256.is_none() { FileState::Missing } else { FileState::Unknown },
            sha256: self.sha256.clone(),
            recorded: None,
        }
    }
}

fn compared(record: &FileRecord, path: &Path) -> Result<VerifiedFile> {
    Ok(Given::of(path)?.compared(record))
}

fn verified(record: &FileRecord, path: Option<&Path>, state: FileState) -> VerifiedFile {
    VerifiedFile {
        role: Some(record.role),
        name: record.name.clone(),
        path: path.map(Path::to_owned),
        state,
        sha256: None,
        recorded: Some(record.sha256.clone()),
    }
}
