//! The releases of a ledger: where their files are, and what they reveal together with a new one.

use super::LedgerRequest;
use crate::dataset::OpenOptions;
use crate::files::Data;
use crate::loaded::Loaded;
use crate::work::{JointSource, load_release};
use incrowd_core::audit::{JointContent, JointRelease, JointReport, audit_last, joint_spans};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Model;
use incrowd_core::policy::Policy;
use incrowd_core::table::Table;
use incrowd_core::{Error, ErrorKind, Result};
use incrowd_io::ledger::{Ledger, LedgerRecord, RecordedFile};
use incrowd_io::policy::PolicyFile;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// What a new release is called in messages.
pub(super) const NEW: &str = "the new release";

/// The column that numbers the joint spans of earlier releases while a new one is mined.
const COLUMN: &str = "joint span of earlier releases";

/// A release that has no file yet, as a joint audit sees it.
#[derive(Debug, Clone)]
pub(crate) enum NewRelease {
    /// A model.
    Model(Box<Model>),
    /// A table: the source's rows as its recoding has them, and the released rows.
    Table {
        /// The source's rows, recoded.
        recoded: Box<Table>,
        /// The released rows.
        released: Box<Table>,
    },
}

impl NewRelease {
    fn model(&self) -> Option<&Model> {
        match self {
            Self::Model(model) => Some(model),
            Self::Table { .. } => None,
        }
    }
}

/// The releases of a ledger, read from their files.
pub(super) struct Earlier<'a> {
    source: JointSource<'a>,
    /// The releases with their files.
    releases: Vec<(PathBuf, Loaded)>,
    /// The data, which do not depend on a new release unless they are baskets.
    read: OnceCell<Data>,
}

impl<'a> Earlier<'a> {
    /// Finds and reads the releases.
    ///
    /// # Errors
    /// When one of them cannot be found or is not the recorded one.
    pub(super) fn load(
        request: &LedgerRequest,
        ledger: &Ledger,
        data: &'a Path,
        policy: &'a PolicyFile,
        options: &'a OpenOptions,
    ) -> Result<Self> {
        if !policy.sets.is_empty() {
            return Err(Error::parameters(
                "releases are checked together for one attacker who knows all public attributes, not for `sets` of them",
            )
            .of_parameter("ledger")
            .help("remove `sets` from the policy"));
        }
        let load = |record: &LedgerRecord| {
            let path = find(request, record)?;
            let loaded = load_release(&path)?;
            Ok((path, loaded))
        };
        let releases = ledger.records.iter().map(load).collect::<Result<_>>()?;
        Ok(Self { source: JointSource { data, policy, options }, releases, read: OnceCell::new() })
    }

    fn read(&self, new: Option<&Model>) -> Result<Cow<'_, Data>> {
        if let Some(read) = self.read.get().filter(|read| !read.baskets) {
            return Ok(Cow::Borrowed(read));
        }
        let models = self.releases.iter().filter_map(|(_, loaded)| loaded.model());
        let read = self.source.read(models.chain(new))?;
        Ok(if read.baskets { Cow::Owned(read) } else { Cow::Borrowed(self.read.get_or_init(|| read)) })
    }

    /// The table and the policy for a miner that starts from the joint spans of these releases.
    ///
    /// # Errors
    /// When they cannot be linked to the data.
    pub(super) fn start(&self, table: &Table, policy: &Policy) -> Result<(Table, Policy)> {
        let read = self.read(None)?;
        if read.baskets || read.table.rows() != table.rows() {
            // Which items of baskets are kept depends on the rules; these are checked when they are mined.
            return Ok((table.clone(), policy.clone()));
        }
        let releases = self.contents(&read)?;
        let spans =
            joint_spans(&read.table, &read.policy, &releases).map_err(|error| self.unlinked(error))?;
        let mut name = COLUMN.to_owned();
        while table.column(&name).is_some() || policy.attribute(&name).is_some() {
            name.push('\'');
        }
        Ok((table.with_numbers(&name, &spans)?, policy.clone().with_earlier(name)))
    }

    /// Audits the releases alone, or together with a new one, which is the last.
    ///
    /// # Errors
    /// When the guarantee cannot be checked for them.
    pub(super) fn audit(&self, new: Option<&NewRelease>, guarantee: &Guarantee) -> Result<JointReport> {
        let read = self.read(new.and_then(NewRelease::model))?;
        let mut releases = self.contents(&read)?;
        let content = match new {
            None => None,
            Some(NewRelease::Model(model)) => Some(JointContent::Model(model)),
            Some(NewRelease::Table { recoded, released }) => {
                Some(crate::work::groups(recoded, released, read.table.rows(), self.source.policy)?)
            }
        };
        releases.extend(content.map(|content| JointRelease { name: NEW.to_owned(), content }));
        audit_last(&read.table, &read.policy, &releases, guarantee).map_err(|error| self.unlinked(error))
    }

    /// Checks that it is known who is in which group of a new table, without which no later release could be checked
    /// together with it.
    ///
    /// # Errors
    /// When its recoding does not give the rows of the data their released cells.
    pub(super) fn check_groups(&self, new: &NewRelease) -> Result<()> {
        if let NewRelease::Table { recoded, released } = new {
            let rows = self.read(None)?.table.rows();
            crate::work::groups(recoded, released, rows, self.source.policy)?;
        }
        Ok(())
    }

    /// An error of linking, with what it is about.
    fn unlinked(&self, error: Error) -> Error {
        if error.kind != ErrorKind::Input {
            return error.in_file(self.source.data);
        }
        let help = "the policy must give every attribute of the earlier releases a role, public or private";
        error
            .about("the releases of the ledger cannot be linked to the data under this policy")
            .in_file(self.source.data)
            .help(help)
    }

    fn contents(&self, read: &Data) -> Result<Vec<JointRelease<'_>>> {
        let mut all = Vec::new();
        for (path, loaded) in &self.releases {
            let content = self.source.content(path, loaded, read)?;
            all.push(JointRelease { name: path.display().to_string(), content });
        }
        Ok(all)
    }
}

/// Where the release file of a record is: where it was recorded, or one of the files that were given.
///
/// # Errors
/// When neither is the recorded file, or the table that belongs to it is not next to it.
pub(super) fn find(request: &LedgerRequest, record: &LedgerRecord) -> Result<PathBuf> {
    let recorded = record.release.path(&request.path);
    let is_release = |path: &Path| record.release.is_at(path);
    let path = if is_release(&recorded)? {
        recorded
    } else {
        let given = request.moved.iter().map(|path| beside(path));
        let mut found = None;
        for path in given {
            if found.is_none() && is_release(&path)? {
                found = Some(path);
            }
        }
        found.ok_or_else(|| lost(record, &record.release, &recorded))?
    };
    if let Some(table) = &record.table {
        let name = Path::new(&table.file).file_name().unwrap_or_default();
        let own = path.with_file_name(name);
        if !table.is_at(&own)? {
            return Err(lost(record, table, &own));
        }
    }
    Ok(path)
}

/// The release file of a file that was given: itself, or the one next to a table.
fn beside(path: &Path) -> PathBuf {
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let own = path.with_extension("json");
    if !is_json && own.exists() { own } else { path.to_owned() }
}

fn lost(record: &LedgerRecord, file: &RecordedFile, path: &Path) -> Error {
    let what = if path.exists() {
        "is not the file that was recorded: its digest differs"
    } else {
        "cannot be found, so nothing can be checked together with it"
    };
    Error::input(format!("`{}`, release {} of the ledger, {what}", file.file, record.number))
        .in_file(path)
        .help("restore the file, or name it where it is now (`earlier`)")
}
