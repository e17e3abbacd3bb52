//! Auditing several releases of one table together.

use crate::dataset::OpenOptions;
use crate::files::Data;
use crate::job::Job;
use crate::loaded::{Loaded, load};
use incrowd_core::audit::{JointContent, JointRelease, JointReport, audit_together};
use incrowd_core::group::group_rows;
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::{Release, TableRelease};
use incrowd_io::{KeepItems, Maker, format_of_name, read_table};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A builder for the audit of several releases of one table.
#[derive(Debug, Clone)]
pub struct JointAuditWork {
    releases: Vec<PathBuf>,
    data: PathBuf,
    policy: PolicyFile,
}

impl OpenOptions {
    /// Prepares the audit of several releases of one table together: models made by incrowd, and anonymized tables made
    /// by incrowd (their release file, or the table next to it).
    pub fn audit_together<P: Into<PathBuf>>(
        &self,
        releases: impl IntoIterator<Item = P>,
        table: impl AsRef<Path>,
        policy: PolicyFile,
    ) -> Job<JointAuditWork> {
        let stated = policy.policy.clone();
        let releases = releases.into_iter().map(Into::into).collect();
        Job::new(&stated, self, JointAuditWork { releases, data: table.as_ref().to_owned(), policy })
    }
}

impl Job<JointAuditWork> {
    /// Runs the audit.
    ///
    /// # Errors
    /// When the guarantee cannot be checked. A breach is not an error: see [`JointReport::holds`].
    pub fn run(self) -> Result<JointReport> {
        let raised = self.raised()?;
        let JointAuditWork { releases: paths, data, policy } = &self.work;
        if !policy.sets.is_empty() {
            return Err(Error::parameters(
                "several releases are audited for one attacker who knows all public attributes",
            )
            .help("remove `sets` from a copy of the policy"));
        }
        let loaded = paths.iter().map(|path| load_release(path)).collect::<Result<Vec<_>>>()?;
        let read = self.read(&loaded)?;
        let mut releases = Vec::new();
        for (path, loaded) in paths.iter().zip(&loaded) {
            let content = match loaded.release() {
                Release::Model(stated) => JointContent::Model(&stated.model),
                Release::Table(stated) => self.table_content(path, loaded, stated, &read)?,
            };
            releases.push(JointRelease { name: path.display().to_string(), content });
        }
        let mut report = audit_together(&read.table, &read.policy, &releases, &raised.guarantee)
            .map_err(|error| error.in_file(data))?;
        let warn = |given_up: &String| format!("the policy requires more than was checked: {given_up}");
        let left_out = read.rows_left_out.warning();
        report.together.warnings.extend(read.warnings.iter().cloned().chain(left_out));
        report.together.warnings.extend(raised.weakened.iter().map(warn));
        report.together.rows_left_out = read.rows_left_out;
        Ok(report)
    }

    /// The table, with the items that any of the releases names.
    fn read(&self, loaded: &[Loaded]) -> Result<Data> {
        let JointAuditWork { data, policy, .. } = &self.work;
        let names = loaded.iter().filter_map(Loaded::model).flat_map(|model| model.attribute_names());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        self.options.reading().data(data, policy, KeepItems::Named(&names))
    }

    /// The group of the released table that each row of the source is in. The recoding of the release must give the
    /// source's rows exactly the released rows; groups that overlap are refused.
    fn table_content(
        &self,
        path: &Path,
        loaded: &Loaded,
        stated: &TableRelease,
        read: &Data,
    ) -> Result<JointContent<'static>> {
        let JointAuditWork { data, policy, .. } = &self.work;
        let recoded =
            loaded.transform(data).policy(policy.clone()).options(self.options.clone()).run()?.table;
        let file = stated.table_path(path);
        let plan = policy.written_plan(format_of_name(&file)?, &stated.kinds);
        let reading = self.options.reading();
        let released = read_table(&file, &plan, reading.threads, reading.progress)?.table;
        let names: Vec<&str> = released.columns().iter().map(Column::name).collect();
        if recoded.rows() != read.table.rows() || !same_rows(&recoded, &released, &names) {
            return Err(Error::input(
                "the recoding of this table does not give the rows of the data their released cells, so it is unknown \
                 who is in which of its groups",
            )
            .in_file(path)
            .help(
                "give the data that the table was made from; if these are they, its groups overlap: make a table that \
                 agrees with its recoding (`closed`), or audit this table alone",
            ));
        }
        let known = policy.policy.known();
        let is_known = |name: &&&str| known.iter().any(|known| known == **name);
        let public: Vec<&Column> =
            names.iter().filter(is_known).filter_map(|name| recoded.column(name)).collect();
        let private = names.iter().filter(|name| !is_known(name)).map(|&name| name.to_owned()).collect();
        Ok(JointContent::Table { group_of_row: group_rows(recoded.rows(), &public).of_row, private })
    }
}

/// Whether two tables have the same rows, in any order.
fn same_rows(one: &Table, other: &Table, names: &[&str]) -> bool {
    let rows = |table: &Table| -> Option<BTreeMap<Vec<String>, i64>> {
        let columns: Vec<&Column> = names.iter().map(|name| table.column(name)).collect::<Option<_>>()?;
        let mut counts = BTreeMap::new();
        for row in 0..table.rows() {
            let text = |column: &&Column| {
                let code = column.code(row);
                if code == column.missing_code() {
                    String::new()
                } else {
                    column.values().text(code as usize).into_owned()
                }
            };
            *counts.entry(columns.iter().map(text).collect()).or_insert(0) += 1;
        }
        Some(counts)
    };
    rows(one).is_some_and(|own| rows(other).is_some_and(|others| own == others))
}

/// A release of incrowd. A table stands for the release file next to it.
fn load_release(path: &Path) -> Result<Loaded> {
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let beside = path.with_extension("json");
    let loaded = match load(path) {
        Err(_) if !is_json && beside.exists() => load(&beside)?,
        loaded => loaded?,
    };
    match loaded.maker() {
        Maker::Incrowd => Ok(loaded),
        Maker::Elsewhere(_) => {
            Err(Error::parameters("only releases made by incrowd can be audited together").in_file(path))
        }
    }
}
