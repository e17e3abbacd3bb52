//! Profiles of tables and baskets, with a first policy.

mod baskets;
mod cap;
mod draft;
mod table;

pub use baskets::BasketProfile;
pub use table::{PolicyReads, TableProfile};

use crate::audited::Existing;
use crate::dataset::OpenOptions;
use incrowd_core::Result;
use incrowd_core::profile::ProfileOptions;
use incrowd_core::table::Table;
use incrowd_io::policy::{PolicyDraft, PolicyFile};
use incrowd_io::write::write_new;
use incrowd_io::{
    MissingRows, ReadPlan, Unlisted, count_baskets, line_of_row, looks_like_baskets, read_table,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Measures how identifying the columns of a table and their combinations are, and drafts a first policy.
///
/// ```no_run
/// let profile = incrowd::profile("patients.csv")?;
/// profile.write_policy("policy.toml")?; // to be reviewed: every role in it is a guess
/// # Ok::<(), incrowd::Error>(())
/// ```
///
/// # Errors
/// When the table cannot be read.
pub fn profile(table: impl AsRef<Path>) -> Result<DataProfile> {
    OpenOptions::new().profile(table).run()
}

/// A builder for the profile of a table.
#[derive(Debug, Clone)]
#[must_use = "nothing happens until it is run"]
pub struct ProfileJob {
    data: Data,
    plan: Option<ReadPlan>,
    few: u64,
    options: OpenOptions,
}

/// The data that are profiled.
#[derive(Debug, Clone)]
enum Data {
    File(PathBuf),
    Memory(Box<Table>),
}

impl OpenOptions {
    /// Prepares the profile of the table in a file.
    pub fn profile(&self, table: impl AsRef<Path>) -> ProfileJob {
        ProfileJob::new(Data::File(table.as_ref().to_owned()), self)
    }

    /// Prepares the profile of a table in memory.
    pub fn profile_table(&self, table: Table) -> ProfileJob {
        ProfileJob::new(Data::Memory(Box::new(table)), self)
    }
}

impl ProfileJob {
    fn new(data: Data, options: &OpenOptions) -> Self {
        Self { data, plan: None, few: ProfileOptions::default().few, options: options.clone() }
    }

    /// Reports groups of fewer than `few` individuals as small.
    pub fn few(mut self, few: u64) -> Self {
        self.few = few;
        self
    }

    /// Sets how the file is read. Rows with missing values are kept in any case, since nothing is released.
    pub fn plan(mut self, plan: ReadPlan) -> Self {
        self.plan = Some(plan.with_missing_rows(MissingRows::Keep));
        self
    }

    /// Reads the file as a policy describes. The profile covers every column, whether the policy lists it or not.
    pub fn policy(self, policy: PolicyFile) -> Self {
        self.plan(policy.file.with_unlisted(Unlisted::Keep))
    }

    /// Reads the data and profiles them. A file is examined for baskets unless a plan was set.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run(self) -> Result<DataProfile> {
        let Self { data, plan, few, options } = self;
        let path = match data {
            Data::Memory(table) => {
                let file = plan.unwrap_or_default();
                return TableProfile::new(*table, file, None, few, |_| None, options.receiver())
                    .map(|profile| DataProfile::Table(Box::new(profile)));
            }
            Data::File(path) => path,
        };
        if plan.is_none() && looks_like_baskets(&path)? {
            let counts = count_baskets(&path, options.receiver())?;
            return Ok(DataProfile::Baskets(Box::new(BasketProfile::new(counts, few))));
        }
        let plan =
            plan.unwrap_or_else(|| ReadPlan::default().with_missing_rows(MissingRows::Keep)).with_codes();
        let read = read_table(&path, &plan, options.reading().threads, options.receiver())?;
        let file = draft::file_part(&plan, &read);
        let columns_are_numbered =
            read.header == Some(false) && plan.header.is_none() && plan.names.is_none();
        // Only a hint for the reader of the profile: it must not fail because a file has changed meanwhile.
        let line_of_row = |row: u64| line_of_row(&path, &plan, row).ok().flatten();
        TableProfile::new(read.table, file, Some(&read.marks), few, line_of_row, options.receiver())
            .map(|profile| DataProfile::Table(Box::new(TableProfile { columns_are_numbered, ..profile })))
            .map_err(|error| error.in_file(&path))
    }
}

/// A profile, with a first policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum DataProfile {
    /// Of a table.
    Table(Box<TableProfile>),
    /// Of baskets.
    Baskets(Box<BasketProfile>),
}

impl DataProfile {
    /// Returns the first policy. Every role in it is a guess for the owner to review.
    pub fn policy(&self) -> &PolicyDraft {
        match self {
            Self::Table(profile) => &profile.policy,
            Self::Baskets(profile) => &profile.policy,
        }
    }

    /// Returns the profile of a table; `None` for baskets.
    pub fn table(&self) -> Option<&TableProfile> {
        match self {
            Self::Table(profile) => Some(profile),
            Self::Baskets(_) => None,
        }
    }

    /// Returns the profile of baskets; `None` for a table.
    pub fn baskets(&self) -> Option<&BasketProfile> {
        match self {
            Self::Table(_) => None,
            Self::Baskets(profile) => Some(profile),
        }
    }

    /// Writes the first policy.
    ///
    /// # Errors
    /// When the file exists, or the file system fails.
    pub fn write_policy(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_policy_as(path, Existing::Keep)
    }

    /// Writes the first policy, and replaces an existing file if `existing` allows it.
    ///
    /// # Errors
    /// As [`Self::write_policy`].
    pub fn write_policy_as(&self, path: impl AsRef<Path>, existing: Existing) -> Result<()> {
        let text = self.policy().render();
        write_new(path.as_ref(), existing == Existing::Replace, |file| file.write_all(text.as_bytes()))
    }
}
