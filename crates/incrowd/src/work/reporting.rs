//! Dossiers of releases.

use crate::dataset::{Dataset, OpenOptions};
use crate::dossier::{
    CopiedRows, Dossier, LedgerFacts, Sources, Utility, change, collect, read_release_table, scores, today,
};
use crate::files::audit_read;
use crate::found::{Found, find};
use crate::job::Job;
use crate::ledger::{EarlierRelease, FiguresTogether, earlier_of, files_of_ledger};
use crate::loaded::load;
use crate::table_audit::audit_table_in;
use crate::work::auditing::with_weakened;
use crate::work::joint::JointSource;
use crate::work::risk::RiskRequest;
use incrowd_core::audit::{Report, refuse_contradicted, unchanging, undeclared};
use incrowd_core::guarantee::RaisedGuarantee;
use incrowd_core::policy::Role;
use incrowd_core::table::{Date, RowsLeftOut, Table};
use incrowd_core::{Error, ErrorKind, Result};
use incrowd_io::dossier::{FileRecord, FileRole};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::Release;
use incrowd_io::write::digest_of_file;
use incrowd_io::{Maker, files_of};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A builder for the dossier of a release: what a data protection board needs to know about it.
#[derive(Debug, Clone)]
pub struct ReportWork {
    release: PathBuf,
    data: Option<PathBuf>,
    policy: Arc<PolicyFile>,
    test: Option<PathBuf>,
    date: Option<Date>,
    command: Option<String>,
    seed: Option<u64>,
    ledger: Option<PathBuf>,
    pub(crate) risk: RiskRequest,
}

/// Makes the dossier of a release of a dataset. The release is audited for it.
///
/// # Errors
/// When the guarantee cannot be checked, or a file cannot be read. A breach is not an error: see [`Dossier::holds`].
pub fn report(release: impl AsRef<Path>, data: &Dataset) -> Result<Dossier> {
    data.report(release).run()
}

impl ReportWork {
    pub(crate) fn new(release: &Path, data: Option<&Path>, policy: Arc<PolicyFile>) -> Self {
        Self {
            release: release.to_owned(),
            data: data.map(Path::to_owned),
            policy,
            test: None,
            date: None,
            command: None,
            seed: None,
            ledger: None,
            risk: RiskRequest::default(),
        }
    }
}

impl OpenOptions {
    /// Prepares the dossier of a release: a release file, a model made elsewhere, or a table. A model needs the table
    /// it was made from; with its source, a released table is compared with it.
    pub fn report(
        &self,
        release: impl AsRef<Path>,
        table: Option<&Path>,
        policy: PolicyFile,
    ) -> Job<ReportWork> {
        let policy = Arc::new(policy);
        let stated = policy.policy.clone();
        Job::new(&stated, self, ReportWork::new(release.as_ref(), table, policy))
    }
}

impl Job<ReportWork> {
    /// Measures the error of a tree or an ensemble on these rows, which were not used to make it.
    pub fn held_out(self, rows: impl Into<PathBuf>) -> Self {
        self.with_work(|work| work.test = Some(rows.into()))
    }

    /// Dates the dossier. Otherwise it has the day of [`today`](crate::dossier::today).
    pub fn date(self, date: Date) -> Self {
        self.with_work(|work| work.date = Some(date))
    }

    /// States the command that made the release or the dossier.
    pub fn command(self, command: impl Into<String>) -> Self {
        self.with_work(|work| work.command = Some(command.into()))
    }

    /// States the random seed that the release was made with.
    pub fn seed(self, seed: u64) -> Self {
        self.with_work(|work| work.seed = Some(seed))
    }

    /// Lists the releases of this ledger in the dossier.
    pub fn ledger(self, ledger: impl Into<PathBuf>) -> Self {
        self.with_work(|work| work.ledger = Some(ledger.into()))
    }

    /// Audits the release and makes its dossier.
    ///
    /// # Errors
    /// When the guarantee cannot be checked, or a file cannot be read. A breach is not an error: see
    /// [`Dossier::holds`].
    pub fn run(self) -> Result<Dossier> {
        let raised = self.raised()?;
        let date = self.work.date.map_or_else(today, Ok)?;
        let findings = match find(&self.work.release)? {
            Found::Released(_) | Found::Table(_) => self.of_table(&self.work.release, &raised),
            Found::Release(release, maker) => self.of_release(release, maker, &raised),
        }?;
        let work = &self.work;
        let report = with_weakened(work.risk.on(findings.report)?, &raised);
        let files = work.records(findings.files)?;
        let ledger =
            work.ledger.as_deref().map(|path| self.ledger_facts(path, &files, &raised)).transpose()?;
        Ok(Dossier::new(collect(Sources {
            release: findings.release.as_ref(),
            columns: &findings.columns,
            policy: &work.policy,
            report,
            raised: &raised,
            files,
            rows_left_out: findings.rows_left_out,
            individuals_of_data: findings.individuals_of_data,
            utility: findings.utility,
            date,
            command: work.command.clone(),
            seed: work.seed,
            ledger,
        })))
    }

    /// A release file, or a model made elsewhere.
    fn of_release(&self, read: Release, maker: Maker, raised: &RaisedGuarantee) -> Result<Findings> {
        let work = &self.work;
        if let Release::Table(stated) = &read {
            // The release file says which table it is about, and that table is audited with it.
            return self.of_table(&stated.table_path(&work.release), raised);
        }
        let copied = work.copied_rows(&self.options)?;
        let reading = self.options.reading();
        let report = audit_read(
            (read.clone(), maker),
            &work.release,
            work.data.as_deref(),
            &work.policy,
            &raised.guarantee,
            reading,
            work.risk.population(reading),
        )?;
        let utility = Utility { copied, ..self.utility_of_model()? };
        Ok(Findings {
            release: Some(read),
            columns: Vec::new(),
            rows_left_out: Some(report.rows_left_out.clone()),
            individuals_of_data: Some(report.individuals + work.lost(&report.rows_left_out)),
            utility,
            files: vec![(FileRole::Release, work.release.clone())],
            report,
        })
    }

    /// A table of any origin, with its release file if that is next to it.
    fn of_table(&self, table: &Path, raised: &RaisedGuarantee) -> Result<Findings> {
        let work = &self.work;
        if work.test.is_some() {
            return Err(Error::parameters("test rows are for trees and ensembles, not for a table")
                .of_parameter("test")
                .help("compare methods instead to see what can be learned from such a table"));
        }
        let reading = self.options.reading();
        let mut report = audit_table_in(
            table,
            &[],
            &work.policy,
            &raised.guarantee,
            reading,
            work.risk.population(reading),
        )?;
        let released = read_release_table(table, &work.policy, reading)?;
        let source = work.data.as_deref().map(|data| reading.table(data, &work.policy, Purpose::Source));
        let source = source.transpose()?;
        report.warnings.extend(work.data.iter().flat_map(|data| reading.repeats(data, &work.policy)));
        if let Some(source) = &source {
            refuse_contradicted(&source.table, &work.policy.policy)?;
            self.warn_by_source(&mut report, &source.table, &released.read.names, raised);
        }
        let change = source.as_ref().zip(work.data.as_deref()).map(|(source, data)| {
            change(&source.table, &released, &work.policy).map_err(|error| error.in_file(data))
        });
        let change = change.transpose()?;
        let beside = released.stated.is_some().then(|| (FileRole::Release, table.with_extension("json")));
        if let (None, true) = (&beside, work.release != table) {
            return Err(Error::input("the release file does not belong to the table that it names")
                .in_file(&work.release));
        }
        let columns = released.read.names.clone();
        Ok(Findings {
            release: released.stated.map(Release::Table),
            columns,
            report,
            individuals_of_data: source
                .as_ref()
                .map(|source| source.table.individuals() + work.lost(&source.rows_left_out)),
            rows_left_out: source.map(|source| source.rows_left_out),
            utility: Utility { table: change, ..Utility::default() },
            files: beside.into_iter().chain([(FileRole::Table, table.to_owned())]).collect(),
        })
    }

    /// Adds what only the source of a table shows: the miner warns of it, and the released table does not show it.
    fn warn_by_source(
        &self,
        report: &mut Report,
        source: &Table,
        columns: &[String],
        raised: &RaisedGuarantee,
    ) {
        let policy = &self.work.policy.policy;
        let is_private = |name: &&str| {
            policy.attribute(name).is_some_and(|own| own.role == Role::Private)
                && !policy.knows(name).unwrap_or(true)
                && source.column(name).is_some()
        };
        let names: Vec<&str> = columns.iter().map(String::as_str).filter(is_private).collect();
        // A dependency that the policy does not allow is reported, too.
        let undeclared = undeclared(source, policy, &names).unwrap_or_else(|error| vec![error.what]);
        let unchanging = unchanging(source, names.iter().copied(), &raised.guarantee);
        for warning in undeclared.into_iter().chain(unchanging) {
            if !report.warnings.contains(&warning) {
                report.warnings.push(warning);
            }
        }
    }

    /// What a ledger states, for the dossier of a release with these files, and what its releases reveal together.
    fn ledger_facts(
        &self,
        path: &Path,
        files: &[FileRecord],
        raised: &RaisedGuarantee,
    ) -> Result<LedgerFacts> {
        let work = &self.work;
        let of = |role: FileRole| files.iter().filter(move |file| file.role == role);
        let digests: Vec<String> = of(FileRole::Release).map(|file| file.sha256.clone()).collect();
        let (releases, head) = earlier_of(path, &digests)?;
        let is_listed = releases.iter().any(|own| own.this);
        let same_data = |own: &EarlierRelease| of(FileRole::Data).any(|file| file.sha256 == own.data);
        if !is_listed && work.data.is_some() && !releases.iter().any(same_data) {
            return Err(Error::input(
                "this ledger is about other data: it contains neither the release nor the data",
            )
            .in_file(path)
            .help("give the ledger of this table; without it, the report is about this release alone"));
        }
        let Some(data) = work.data.as_deref().filter(|_| is_listed && releases.len() > 1) else {
            return Ok(LedgerFacts { head, releases, together: None, not_together: None });
        };
        let source = JointSource { data, policy: &work.policy, options: &self.options };
        let together = files_of_ledger(path)
            .and_then(|paths| source.audit(&paths, &raised.guarantee.clone().with_presets_of_groups()));
        match together {
            Ok((report, _)) => {
                let together = Some(FiguresTogether::of(&report));
                Ok(LedgerFacts { head, releases, together, not_together: None })
            }
            Err(error) if error.kind == ErrorKind::Cancelled => Err(error),
            Err(error) => {
                Ok(LedgerFacts { head, releases, together: None, not_together: Some(error.to_string()) })
            }
        }
    }

    fn utility_of_model(&self) -> Result<Utility> {
        let work = &self.work;
        let loaded = load(&work.release)?;
        let scores = |rows: &Path| scores(&loaded, rows, &work.policy, &self.options);
        let on_test = match &work.test {
            None => None,
            Some(test) => Some(scores(test)?.ok_or_else(|| {
                Error::parameters(format!("the error of {} cannot be measured on test rows", loaded.family()))
                    .of_parameter("test")
                    .help("give test rows with the class, for a tree or an ensemble")
            })?),
        };
        // What a model made elsewhere cannot predict is not measured.
        let on_data = match work.data.as_deref().map(scores) {
            Some(Err(error)) if error.kind == ErrorKind::Cancelled => return Err(error),
            measured => measured.and_then(Result::ok).flatten(),
        };
        Ok(Utility { on_data, on_test, ..Utility::default() })
    }
}

/// What a release and its files are found to be.
struct Findings {
    release: Option<Release>,
    /// The columns of a table.
    columns: Vec<String>,
    report: Report,
    rows_left_out: Option<RowsLeftOut>,
    /// The individuals of the data, also those who were left out; none if the data were not read.
    individuals_of_data: Option<u64>,
    utility: Utility,
    /// The files of the release.
    files: Vec<(FileRole, PathBuf)>,
}

impl ReportWork {
    /// The test rows that are rows of the data. Fails if most of them are.
    fn copied_rows(&self, options: &OpenOptions) -> Result<Option<CopiedRows>> {
        let (Some(test), Some(data)) = (&self.test, &self.data) else { return Ok(None) };
        let digests =
            |path: &Path| files_of(path)?.iter().map(|file| digest_of_file(file)).collect::<Result<Vec<_>>>();
        let of_data = digests(data)?;
        let is_same_file = digests(test)?.iter().any(|digest| of_data.contains(digest));
        let copied = CopiedRows::find(test, data, &self.policy, options)?;
        if !is_same_file && !copied.is_most() {
            return Ok(copied.is_certain().then_some(copied));
        }
        let part = if is_same_file { "" } else { ", for the most part," };
        Err(Error::parameters(format!("the test rows are{part} rows that the release was made from"))
            .of_parameter("test")
            .in_file(test)
            .help("give rows that were not used to make the release"))
    }

    /// The individuals who were left out with their rows; without a subject, every row is an individual.
    fn lost(&self, rows: &RowsLeftOut) -> u64 {
        if self.policy.policy.subject.is_some() { rows.individuals.unwrap_or(0) } else { rows.total }
    }

    /// The digests of all files.
    fn records(&self, released: Vec<(FileRole, PathBuf)>) -> Result<Vec<FileRecord>> {
        let policy = self.policy.path.clone().ok_or_else(|| {
            Error::parameters("a report needs a policy that was read from a file")
                .help("read the policy from its file")
        })?;
        let one = |role: FileRole, path: Option<&Path>| path.map(|path| (role, path.to_owned()));
        let taxonomies = self.policy.taxonomy_files.iter().map(|path| (FileRole::Taxonomy, path.clone()));
        let others = [
            one(FileRole::Data, self.data.as_deref()),
            one(FileRole::Test, self.test.as_deref()),
            one(FileRole::Population, self.risk.file()),
        ];
        let all = released.into_iter().chain([(FileRole::Policy, policy)]).chain(taxonomies);
        let mut records = Vec::new();
        for (role, path) in all.chain(others.into_iter().flatten()) {
            // A table may be divided into several files.
            for file in files_of(&path)? {
                records.push(FileRecord::of(role, &file)?);
            }
        }
        Ok(records)
    }
}
