//! A table made under a guarantee, from memory to files: written, read back and audited before it gets its name.

use crate::audit::{Report, StatedPeople};
use crate::files::{Reading, attackers, audit_written};
use crate::table::{People, Table};
use crate::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::{Origin, Release, TableRelease, prepare_release};
use incrowd_io::write::{digest_of_file, publish_both, refuse_existing};
use incrowd_io::{format_of_name, prepare_table, read_table};
use incrowd_mine::table::{CheckedTableParams, MinedTable, check_table};
use std::path::{Path, PathBuf};

/// Where a table is released to: `anon.csv` with `anon.json` beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFiles {
    /// The table: CSV, ARFF or Parquet, as its name says.
    pub table: PathBuf,
    /// What is stated of it.
    pub sidecar: PathBuf,
}

impl TableFiles {
    /// The files of a release at this path.
    ///
    /// # Errors
    /// When the name does not say a format, or something is there already and may not be replaced.
    pub fn at(path: &Path, force: bool) -> Result<Self> {
        format_of_name(path)?;
        let files = Self { table: path.to_owned(), sidecar: path.with_extension("json") };
        refuse_existing(&files.table, force)?;
        refuse_existing(&files.sidecar, force)?;
        Ok(files)
    }

    /// Writes a table and its sidecar. The table is read back from the disk and audited, as it stands and as anyone can audit it with its sidecar; only then both
    /// get their names. The sidecar has the table's digest, so that one without the other is noticed.
    ///
    /// # Errors
    /// When the file system fails, or what was written does not pass its audit or measures otherwise than the table in memory. Nothing is left then that was not
    /// there before.
    pub(crate) fn write(
        &self,
        made: &MinedTable,
        params: &CheckedTableParams,
        policy: &PolicyFile,
        origin: Origin,
        force: bool,
        reading: Reading<'_>,
    ) -> Result<()> {
        let format = format_of_name(&self.table)?;
        let mut stated = self.stated(made, params, policy, origin)?;
        let table = prepare_table(&self.table, &made.table, force)?;
        let plan = policy.written_plan(format, &stated.kinds);
        let read = read_table(table.written(), &plan, reading.threads, reading.progress)
            .map_err(|error| self.named(error))?;
        let people = with_people(read.table.clone(), &made.table)?;
        check_table(&people, &policy.policy, params).map_err(|error| self.named(error))?;
        let report = audit_written(&read, &[], Some(&stated), policy, &params.guarantee)
            .map_err(|error| self.named(error))?;
        if !same_figures(&report, &made.report) {
            return Err(Error::input("the table does not read back from this format as it was made")
                .in_file(&self.table)
                .help("write another format: Parquet keeps empty texts and missing values apart"));
        }
        stated.sha256 = Some(digest_of_file(table.written()).map_err(|error| self.named(error))?);
        let sidecar = prepare_release(&self.sidecar, &Release::Table(stated), force)?;
        publish_both(sidecar, table)
    }

    /// The error with the table's own name, not that of the file it is written to first.
    fn named(&self, mut error: Error) -> Error {
        error.place.file = Some(self.table.clone());
        error
    }

    fn stated(
        &self,
        made: &MinedTable,
        params: &CheckedTableParams,
        policy: &PolicyFile,
        origin: Origin,
    ) -> Result<TableRelease> {
        let name = self.table.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
            Error::parameters("the file's name is not UTF-8").in_file(&self.table).help("choose another name")
        })?;
        let known = policy.policy.known();
        let private = made.table.columns().iter().filter(|column| !known.iter().any(|k| k == column.name()));
        Ok(TableRelease {
            file: name.to_owned(),
            rows: made.summary.rows,
            individuals: Some(made.table.individuals()),
            sha256: None,
            kinds: private.map(|column| (column.name().to_owned(), column.kind())).collect(),
            people: people(made, params, policy)?,
            origin,
        })
    }
}

/// What is stated of individuals, for each set of attributes some attacker knows; nothing where rows are individuals.
fn people(made: &MinedTable, params: &CheckedTableParams, policy: &PolicyFile) -> Result<Vec<StatedPeople>> {
    if policy.policy.subject.is_none() {
        return Ok(Vec::new());
    }
    let reports = check_table(&made.table, &policy.policy, params)?;
    let policies = attackers(policy);
    let stated = policies.iter().zip(&reports);
    let of_one = |(policy, report)| StatedPeople::of(&made.table, policy, &params.guarantee, report);
    stated.map(of_one).collect()
}

/// Whether two audits of a table measured the same.
fn same_figures(read: &Report, made: &Report) -> bool {
    (read.holds, read.individuals) == (made.holds, made.individuals)
        && (read.k, read.spans, read.exposed) == (made.k, made.spans, made.exposed)
        && read.max_confidence.map(f64::to_bits) == made.max_confidence.map(f64::to_bits)
        && (read.smallest_bin, read.rare_values) == (made.smallest_bin, made.rare_values)
        && read.attributes == made.attributes
}

/// A table as it was read back, about the people it was made from: a released file does not say who is who.
fn with_people(read: Table, made: &Table) -> Result<Table> {
    match made.people() {
        People::Subjects { .. } => Table::new(read.columns().to_vec(), made.people().clone()),
        _ => Ok(read),
    }
}
