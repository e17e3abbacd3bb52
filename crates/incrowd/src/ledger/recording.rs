//! Recording a release in a ledger.

use super::LedgerRequest;
use super::attacker::{assumptions, check_attacker, dependencies, public_names};
use super::earlier::{Earlier, NewRelease};
use super::mining::conflict;
use super::promises::{check_promises, scope_of};
use super::reading::digest_of_reading;
use super::rows::digest_of_rows;
use crate::dataset::{Dataset, OpenOptions};
use crate::dossier::today;
use incrowd_core::guarantee::{Guarantee, RaisedGuarantee};
use incrowd_core::{Error, Result};
use incrowd_io::STANDARD_INPUT;
use incrowd_io::ledger::{FORMAT, Family, Ledger, LedgerFile, LedgerRecord, RecordedFile, VERSION};
use incrowd_io::policy::PolicyFile;
use incrowd_io::write::digest_of_file;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is recorded when a release is written.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    request: LedgerRequest,
    data: PathBuf,
    policy: Arc<PolicyFile>,
    options: OpenOptions,
    guarantee: Guarantee,
    /// The ledger when the release was audited.
    ledger: Ledger,
    /// The line, without the release.
    record: LedgerRecord,
    new: Option<Arc<NewRelease>>,
}

/// A file of a release: where it will be, and where it was written.
pub(crate) struct WrittenFile<'a> {
    pub(crate) path: &'a Path,
    pub(crate) written: &'a Path,
}

impl Recording {
    /// Reads a ledger, and checks that its releases are of the same data.
    ///
    /// # Errors
    /// When the ledger or a file cannot be read, or releases are of other data.
    pub(super) fn begin(
        request: &LedgerRequest,
        data: &Dataset,
        options: &OpenOptions,
        raised: &RaisedGuarantee,
        family: Family,
    ) -> Result<Self> {
        let in_memory = || {
            Error::parameters("a ledger needs a table and a policy that were opened from files")
                .of_parameter("ledger")
                .help("open both from their files: the ledger records their digests")
        };
        let path = data.path().ok_or_else(in_memory)?;
        let policy = data.policy_file().path.as_deref().ok_or_else(in_memory)?;
        if !path.is_file() {
            let these =
                if path == Path::new(STANDARD_INPUT) { "standard input" } else { "several data files" };
            return Err(Error::parameters(format!(
                "{these} cannot be used with a ledger, which records the digest of the data file"
            ))
            .in_file(path)
            .of_parameter("ledger")
            .help("put all rows into one file"));
        }
        let ledger = LedgerFile::read(&request.path, || options.receiver().check())?;
        let nothing = RecordedFile { file: String::new(), sha256: String::new() };
        let record = LedgerRecord {
            format: FORMAT.to_owned(),
            version: VERSION,
            number: 0,
            previous: None,
            date: today()?.to_string(),
            program: concat!("incrowd ", env!("CARGO_PKG_VERSION")).to_owned(),
            family,
            release: nothing,
            table: None,
            policy: RecordedFile::of(&request.path, policy)?,
            data: RecordedFile::of(&request.path, path)?,
            rows: data.source().ok().map(|table| digest_of_rows(table, data.policy())),
            reading: digest_of_reading(data),
            public: Some(public_names(&data.policy_file().policy)),
            dependencies: Some(dependencies(&data.policy_file().policy)),
            assumptions: Some(assumptions(data.policy_file())),
            presets: raised.guarantee.presets().iter().map(|preset| preset.name().to_owned()).collect(),
            k: raised.guarantee.asked_k(),
            guarantee: raised.guarantee.requirements().iter().map(ToString::to_string).collect(),
            of: scope_of(&raised.guarantee),
            weakened: raised.weakened.clone(),
        };
        let recording = Self {
            request: request.clone(),
            data: path.to_owned(),
            policy: Arc::clone(data.policy_file()),
            options: options.clone(),
            guarantee: raised.guarantee.clone().with_presets_of_groups(),
            ledger,
            record,
            new: None,
        };
        recording.check_data(&recording.ledger)?;
        check_promises(&recording.record, &recording.ledger)?;
        check_attacker(&recording.policy, &recording.ledger)?;
        Ok(recording)
    }

    /// Whether there are no earlier releases.
    pub(super) fn is_first(&self) -> bool {
        self.ledger.records.is_empty()
    }

    /// The earlier releases.
    ///
    /// # Errors
    /// As [`Earlier::load`].
    pub(super) fn earlier(&self) -> Result<Earlier<'_>> {
        self.load(&self.ledger)
    }

    /// The recording of a release that holds together with the earlier ones.
    pub(super) fn of(&self, new: NewRelease) -> Self {
        Self { new: Some(Arc::new(new)), ..self.clone() }
    }

    fn load(&self, ledger: &Ledger) -> Result<Earlier<'_>> {
        Earlier::load(&self.request, ledger, &self.data, &self.policy, &self.options)
    }

    /// Fails if a release is of other data: who is in which span of both is unknown then.
    fn check_data(&self, ledger: &Ledger) -> Result<()> {
        let own = &self.record;
        let is_read_alike = |other: &LedgerRecord| {
            other.data.sha256 == own.data.sha256 && own.reading.is_some() && other.reading == own.reading
        };
        let is_same =
            |other: &LedgerRecord| is_read_alike(other) || (own.rows.is_some() && other.rows == own.rows);
        match ledger.records.iter().find(|other| !is_same(other)) {
            None => Ok(()),
            Some(other) if other.data.sha256 == own.data.sha256 => Err(Error::input(format!(
                "the file is the one that `{}`, release {} of the ledger, was made from, but this policy reads other \
                 individuals from it (such as other rows left out or skipped, other missing markers, or another \
                 `subject`)",
                other.release.file, other.number
            ))
            .in_file(&self.data)
            .help(
                "what is missing in one of two releases can be told from both: read the file as for the earlier release, \
                 or begin another ledger if the releases have no individual in common",
            )),
            Some(other) => Err(Error::input(format!(
                "`{}`, release {} of the ledger, was made from other data (`{}` on {}), so it is unknown what this table \
                 and that release reveal together",
                other.release.file, other.number, other.data.file, other.date
            ))
            .in_file(&self.data)
            .help(
                "individuals who were added, removed or changed can be told from two versions of a table: make the \
                 release from the same data, or begin another ledger if the tables have no individual in common; for the table of \
                 another year see docs/ledger.md",
            )),
        }
    }

    /// Gives a release its files with `publish`, and the ledger its line. If other releases were recorded since it was
    /// audited, it is audited with them first.
    ///
    /// # Errors
    /// When a file is one of an earlier release, the release does not hold together with newer ones, or the file system
    /// fails. There is neither a release nor a line then.
    pub(crate) fn add(
        &self,
        release: &WrittenFile<'_>,
        table: Option<&WrittenFile<'_>>,
        publish: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let path = &self.request.path;
        let file = LedgerFile::open(path, || self.options.receiver().check())?;
        let ledger = file.ledger();
        if ledger.head != self.ledger.head {
            self.check_again(ledger)?;
        }
        let recorded = |own: &WrittenFile<'_>| {
            RecordedFile::new(path, own.path, digest_of_file(own.written)?)
                .and_then(|recorded| refuse_recorded(ledger, own.path, recorded))
        };
        let record = LedgerRecord {
            release: recorded(release)?,
            table: table.map(recorded).transpose()?,
            ..self.record.clone()
        };
        file.add(record, publish).map(|_| ())
    }

    /// Audits the release with a ledger that has changed.
    fn check_again(&self, ledger: &Ledger) -> Result<()> {
        self.check_data(ledger)?;
        check_promises(&self.record, ledger)?;
        check_attacker(&self.policy, ledger)?;
        let new = self.new.as_ref().ok_or_else(|| Error::internal("a release to record is lost"))?;
        let report = self.load(ledger)?.audit(Some(new), &self.guarantee)?;
        if report.holds {
            return Ok(());
        }
        Err(conflict(&report)
            .in_file(&self.request.path)
            .help("other releases were recorded while this one was made; make it again"))
    }
}

/// Fails if a file to write is the ledger or the file of an earlier release, which is needed for every later one.
fn refuse_recorded(ledger: &Ledger, path: &Path, own: RecordedFile) -> Result<RecordedFile> {
    let mut all =
        ledger.records.iter().flat_map(|record| record.released().map(|file| (record.number, file)));
    if let Some((number, _)) = all.find(|(_, file)| file.file == own.file) {
        return Err(Error::parameters(format!(
            "this file is release {number} of the ledger, which later releases are checked with"
        ))
        .in_file(path)
        .help("choose another name"));
    }
    Ok(own)
}
