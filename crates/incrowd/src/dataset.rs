//! A table about people together with its owner's policy.

use crate::files::{Data, FileReader};
use crate::job::Job;
use crate::work::{
    AuditWork, BoostWork, ClusterWork, CompareWork, ReportWork, RuleWork, TableWork, TreeWork,
};
use incrowd_core::policy::Policy;
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::{RowsLeftOut, Table};
use incrowd_core::{Error, Result};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::{KeepItems, TableRead};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens a table and its owner's policy.
///
/// # Errors
/// When one of them cannot be read, or the table does not fit the policy.
pub fn open(table: impl AsRef<Path>, policy: impl AsRef<Path>) -> Result<Dataset> {
    OpenOptions::new().open(table, policy)
}

/// Options for reading files: the number of threads, and progress reporting.
#[derive(Clone)]
pub struct OpenOptions {
    threads: usize,
    progress: Arc<dyn Progress + Send>,
}

impl OpenOptions {
    /// Creates the default options: one thread per core, and no progress reporting.
    pub fn new() -> Self {
        Self { threads: 0, progress: Arc::new(Silent) }
    }

    /// Sets the number of threads that read; 0 means one per core. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the receiver of progress reports, for reading and for every job of the dataset without its own receiver.
    /// The receiver can also stop the work.
    #[must_use]
    pub fn progress(mut self, progress: Arc<dyn Progress + Send>) -> Self {
        self.progress = progress;
        self
    }

    /// Opens a table and its owner's policy.
    ///
    /// # Errors
    /// When one of them cannot be read, or the table does not fit the policy.
    pub fn open(&self, table: impl AsRef<Path>, policy: impl AsRef<Path>) -> Result<Dataset> {
        self.open_under(table, PolicyFile::read(policy.as_ref())?)
    }

    /// Opens a table under a policy that has already been read.
    ///
    /// # Errors
    /// When the table cannot be read or does not fit the policy.
    pub fn open_under(&self, table: impl AsRef<Path>, policy: PolicyFile) -> Result<Dataset> {
        let path = table.as_ref().to_owned();
        let content = if policy.items.is_some() {
            Content::Baskets
        } else {
            let TableRead { table, rows_left_out, .. } =
                self.reading().table(&path, &policy, Purpose::Source)?;
            let repeats = self.reading().repeats(&path, &policy);
            Content::Table { table: Box::new(table), rows_left_out, repeats }
        };
        Ok(Dataset { policy: Arc::new(policy), path: Some(path), content, options: self.clone() })
    }

    /// Returns the receiver of progress reports.
    pub(crate) fn receiver(&self) -> &dyn Progress {
        &*self.progress
    }

    pub(crate) fn reading(&self) -> FileReader<'_> {
        FileReader { threads: self.threads, progress: self.receiver() }
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for OpenOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenOptions").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// A table about people together with its owner's policy. Releases are mined from it and audited against it.
///
/// Every release starts from the policy's guarantee. The methods of [`Job`] add requirements.
///
/// ```
/// # use incrowd::samples::{clinic, clinic_policy};
/// # let data = incrowd::Dataset::of_table(clinic(2_000, 1), clinic_policy());
/// let tree = data.tree().k(10).mine()?;
/// assert!(tree.report().k >= 10);
/// # Ok::<(), incrowd::Error>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    policy: Arc<PolicyFile>,
    /// The table's file. Models made elsewhere are audited against it as the program that made them reads it.
    path: Option<PathBuf>,
    content: Content,
    options: OpenOptions,
}

#[derive(Debug)]
enum Content {
    Table {
        table: Box<Table>,
        rows_left_out: RowsLeftOut,
        /// The warnings about identifiers that repeat.
        repeats: Vec<String>,
    },
    /// Baskets are read later, when the needed items are known.
    Baskets,
}

impl Dataset {
    /// Creates a dataset from a table in memory. Models made elsewhere cannot be audited against it: their audit must
    /// read the file as the other program does.
    pub fn of_table(table: Table, policy: Policy) -> Self {
        let rows_left_out = RowsLeftOut { of: table.rows() as u64, ..RowsLeftOut::default() };
        Self {
            policy: Arc::new(PolicyFile::of_policy(policy)),
            path: None,
            content: Content::Table { table: Box::new(table), rows_left_out, repeats: Vec::new() },
            options: OpenOptions::new(),
        }
    }

    /// Creates a dataset from a frame that was read.
    #[cfg(feature = "arrow")]
    pub(crate) fn of_frame(
        read: TableRead,
        repeats: Vec<String>,
        policy: PolicyFile,
        options: OpenOptions,
    ) -> Self {
        let TableRead { table, rows_left_out, .. } = read;
        let content = Content::Table { table: Box::new(table), rows_left_out, repeats };
        Self { policy: Arc::new(policy), path: None, content, options }
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy.policy
    }

    /// Returns the owner's table.
    ///
    /// # Errors
    /// When the data are baskets, from which only rules can be mined.
    pub fn source(&self) -> Result<&Table> {
        match &self.content {
            Content::Table { table, .. } => Ok(table),
            Content::Baskets => Err(self.located(
                Error::input("the policy describes baskets, from which only rules can be mined")
                    .help("mine rules, or give each column a role under [attributes]"),
            )),
        }
    }

    /// Returns the rows that were left out because a value is missing. Baskets have none.
    pub fn rows_left_out(&self) -> RowsLeftOut {
        match &self.content {
            Content::Table { rows_left_out, .. } => rows_left_out.clone(),
            Content::Baskets => RowsLeftOut::default(),
        }
    }

    /// Returns warnings for the owner about the table.
    pub fn warnings(&self) -> Vec<String> {
        let repeats: &[String] = match &self.content {
            Content::Table { repeats, .. } => repeats,
            Content::Baskets => &[],
        };
        self.rows_left_out().warning().into_iter().chain(repeats.iter().cloned()).collect()
    }

    /// Trains a k-anonymous decision tree.
    pub fn tree(&self) -> Job<TreeWork<'_>> {
        Job::new(self.policy(), &self.options, TreeWork::new(self))
    }

    /// Trains k-anonymous boosted trees.
    pub fn boost(&self) -> Job<BoostWork<'_>> {
        Job::new(self.policy(), &self.options, BoostWork::new(self))
    }

    /// Makes an anonymized table.
    pub fn table(&self) -> Job<TableWork<'_>> {
        Job::new(self.policy(), &self.options, TableWork::new(self))
    }

    /// Finds k-anonymous clusters.
    pub fn clusters(&self) -> Job<ClusterWork<'_>> {
        Job::new(self.policy(), &self.options, ClusterWork::new(self))
    }

    /// Mines k-anonymous association rules.
    pub fn rules(&self) -> Job<RuleWork<'_>> {
        Job::new(self.policy(), &self.options, RuleWork::new(self))
    }

    /// Audits a release of this dataset, or a model made elsewhere from it.
    pub fn audit(&self, release: impl AsRef<Path>) -> Job<AuditWork<'_>> {
        Job::new(self.policy(), &self.options, AuditWork::new(self, release.as_ref()))
    }

    /// Prepares the dossier of a release of this dataset: what a data protection board needs to know about it. The
    /// dataset and its policy must have been opened from files.
    pub fn report(&self, release: impl AsRef<Path>) -> Job<ReportWork> {
        let work = ReportWork::new(release.as_ref(), self.path(), Arc::clone(self.policy_file()));
        Job::new(self.policy(), &self.options, work)
    }

    /// Compares methods over k. The report is for the owner only: together, the releases reveal more than any single
    /// one.
    pub fn compare(&self) -> Job<CompareWork<'_>> {
        Job::new(self.policy(), &self.options, CompareWork::new(self))
    }

    pub(crate) fn policy_file(&self) -> &Arc<PolicyFile> {
        &self.policy
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the data that rules are mined from: the table, or the baskets with the items that `keep` names.
    pub(crate) fn data(&self, keep: KeepItems<'_>, options: &OpenOptions) -> Result<Data> {
        match (&self.content, &self.path) {
            (Content::Table { table, rows_left_out, .. }, _) => {
                Ok(Data::of_table((**table).clone(), self.policy().clone(), rows_left_out.clone()))
            }
            (Content::Baskets, Some(path)) => options.reading().data(path, &self.policy, keep),
            (Content::Baskets, None) => Err(Error::internal("baskets without a file")),
        }
    }

    /// Adds the name of the table's file to an error.
    pub(crate) fn located(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }
}
