//! Auditing releases, models made elsewhere, and tables.

use crate::dataset::{Dataset, OpenOptions};
use crate::files::{audit_found, audit_release_in, statements};
use crate::found::find;
use crate::job::Job;
use crate::table_audit::audit_table_in;
use crate::work::risk::RiskRequest;
use incrowd_core::audit::{Report, audit_model, refuse_contradicted};
use incrowd_core::guarantee::RaisedGuarantee;
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::Release;
use incrowd_io::{Maker, read_any_model};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A builder for the audit of a release, or of a model made elsewhere, against the table it was made from.
#[derive(Debug, Clone)]
pub struct AuditWork<'d> {
    release: PathBuf,
    against: Against<'d>,
    policy: Arc<PolicyFile>,
    pub(crate) risk: RiskRequest,
}

/// The place of the table that a release was made from.
#[derive(Debug, Clone)]
enum Against<'d> {
    /// A file, which is read in the same way as by the program that made the model. A released table has none.
    File(Option<PathBuf>),
    /// The file of a dataset. A released table is audited under its policy alone.
    Dataset(Option<PathBuf>),
    Memory(&'d Table),
    #[cfg(feature = "engines")]
    Engine(crate::engines::Source),
}

impl<'d> AuditWork<'d> {
    pub(crate) fn new(data: &'d Dataset, release: &Path) -> Self {
        let against = match (data.path(), data.source()) {
            (None, Ok(table)) => Against::Memory(table),
            (path, _) => Against::Dataset(path.map(Path::to_owned)),
        };
        Self {
            release: release.to_owned(),
            against,
            policy: Arc::clone(data.policy_file()),
            risk: RiskRequest::default(),
        }
    }
}

/// Audits a release, or a model made elsewhere, under the policy of the dataset it was made from.
///
/// # Errors
/// When the guarantee cannot be checked. A breach is not an error: see [`Report::holds`].
pub fn audit(release: impl AsRef<Path>, data: &Dataset) -> Result<Report> {
    data.audit(release).run()
}

impl OpenOptions {
    /// Prepares the audit of a release or of a model made elsewhere. The table it was made from is read once, in the
    /// same way as by the program that made the model. A released table is audited on its own, without its source.
    pub fn audit(
        &self,
        release: impl AsRef<Path>,
        table: Option<&Path>,
        policy: PolicyFile,
    ) -> Job<AuditWork<'static>> {
        let policy = Arc::new(policy);
        let against = Against::File(table.map(Path::to_owned));
        let release = release.as_ref().to_owned();
        Job::new(
            &policy.clone().policy,
            self,
            AuditWork { release, against, policy, risk: RiskRequest::default() },
        )
    }
}

/// Audits in a database.
#[cfg(feature = "engines")]
impl OpenOptions {
    /// Prepares the audit of a tree against the table in a database that it was made from. Rows stay in the database.
    pub fn audit_in_engine(
        &self,
        release: impl AsRef<Path>,
        source: crate::engines::Source,
        policy: PolicyFile,
    ) -> Job<AuditWork<'static>> {
        let stated = policy.policy.clone();
        let (release, against) = (release.as_ref().to_owned(), Against::Engine(source));
        let policy = Arc::new(policy);
        Job::new(&stated, self, AuditWork { release, against, policy, risk: RiskRequest::default() })
    }

    /// Prepares the audit of an anonymized table of any origin in a database. Its different rows are read, with their
    /// counts.
    pub fn audit_table_in_engine(
        &self,
        source: crate::engines::Source,
        policy: PolicyFile,
    ) -> Job<TableAuditWork> {
        let stated = policy.policy.clone();
        let (table, without) = (TablePlace::Engine(source), Vec::new());
        Job::new(&stated, self, TableAuditWork { table, policy, without, risk: RiskRequest::default() })
    }
}

impl Job<AuditWork<'_>> {
    /// Runs the audit.
    ///
    /// # Errors
    /// When the guarantee cannot be checked. A breach is not an error: see [`Report::holds`].
    pub fn run(self) -> Result<Report> {
        let raised = self.raised()?;
        let (options, AuditWork { release, against, policy, risk }) = (&self.options, &self.work);
        let population = risk.population(options.reading());
        let report = match against {
            Against::File(table) => audit_release_in(
                release,
                table.as_deref(),
                policy,
                &raised.guarantee,
                options.reading(),
                population,
            ),
            Against::Dataset(table) => audit_found(
                find(release)?,
                release,
                table.as_deref(),
                policy,
                &raised.guarantee,
                options.reading(),
                population,
            ),
            Against::Memory(_) if population.is_some() => {
                Err(Error::parameters("a population file needs a table that was opened from its file")
                    .of_parameter("population"))
            }
            #[cfg(feature = "engines")]
            Against::Engine(_) if population.is_some() => Err(no_population_in_engine()),
            #[cfg(feature = "engines")]
            Against::Engine(source) => {
                crate::engines::audit_in_engine(release, source, policy, &raised.guarantee, options)
            }
            Against::Memory(table) => {
                in_memory(release, table, policy, &raised).map_err(|error| error.in_file(release))
            }
        }?;
        Ok(with_weakened(risk.on(report)?, &raised))
    }
}

/// The error for a population in a file beside a table in a database.
#[cfg(feature = "engines")]
fn no_population_in_engine() -> Error {
    Error::parameters("a population file cannot be compared with a table in a database")
        .of_parameter("population")
        .help("declare the number of individuals (`population_size`)")
}

/// Adds a warning for every requirement of the policy that was not checked.
pub(crate) fn with_weakened(mut report: Report, raised: &RaisedGuarantee) -> Report {
    let warn = |given_up: &String| format!("the policy requires more than was checked: {given_up}");
    report.warnings.extend(raised.weakened.iter().map(warn));
    report
}

/// Audits a release of incrowd against a table in memory.
fn in_memory(release: &Path, table: &Table, policy: &PolicyFile, raised: &RaisedGuarantee) -> Result<Report> {
    match read_any_model(release)? {
        (Release::Model(stated), Maker::Incrowd) => {
            refuse_contradicted(table, &policy.policy)?;
            let report = audit_model(table, &policy.policy, &stated.model, &raised.guarantee)?;
            Ok(report.compared_with(&statements(&stated.origin)))
        }
        _ => Err(Error::parameters("only models made by incrowd can be audited against a table in memory")
            .help("open the table from its file: the audit must read it the way the program that made the model does")),
    }
}

/// A builder for the audit of a table.
#[derive(Debug, Clone)]
pub struct TableAuditWork {
    table: TablePlace,
    policy: PolicyFile,
    without: Vec<String>,
    pub(crate) risk: RiskRequest,
}

/// The place of a table that is audited.
#[derive(Debug, Clone)]
enum TablePlace {
    File(PathBuf),
    #[cfg(feature = "engines")]
    Engine(crate::engines::Source),
}

/// Prepares the audit of an anonymized table of any origin.
///
/// # Errors
/// When the policy cannot be read.
pub fn audit_table(table: impl AsRef<Path>, policy: impl AsRef<Path>) -> Result<Job<TableAuditWork>> {
    Ok(OpenOptions::new().audit_table(table, PolicyFile::read(policy.as_ref())?))
}

impl OpenOptions {
    /// Prepares the audit of an anonymized table of any origin.
    pub fn audit_table(&self, table: impl AsRef<Path>, policy: PolicyFile) -> Job<TableAuditWork> {
        let (table, without) = (TablePlace::File(table.as_ref().to_owned()), Vec::new());
        Job::new(
            &policy.policy.clone(),
            self,
            TableAuditWork { table, policy, without, risk: RiskRequest::default() },
        )
    }
}

impl Job<TableAuditWork> {
    /// Audits the table without these columns.
    pub fn without<N: Into<String>>(self, columns: impl IntoIterator<Item = N>) -> Self {
        self.with_work(|work| work.without = columns.into_iter().map(Into::into).collect())
    }

    /// Runs the audit.
    ///
    /// # Errors
    /// When the guarantee cannot be checked. A breach is not an error: see [`Report::holds`].
    pub fn run(self) -> Result<Report> {
        let raised = self.raised()?;
        let (options, TableAuditWork { table, policy, without, risk }) = (&self.options, &self.work);
        let population = risk.population(options.reading());
        let report = match table {
            TablePlace::File(table) => {
                audit_table_in(table, without, policy, &raised.guarantee, options.reading(), population)
            }
            #[cfg(feature = "engines")]
            TablePlace::Engine(_) if population.is_some() => Err(no_population_in_engine()),
            #[cfg(feature = "engines")]
            TablePlace::Engine(source) => {
                crate::engines::audit_table_in_engine(source, without, policy, &raised.guarantee, options)
            }
        }?;
        Ok(with_weakened(risk.on(report)?, &raised))
    }
}
