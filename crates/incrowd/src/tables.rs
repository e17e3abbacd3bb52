//! Writes a table made under a guarantee. The file is read back and audited before it gets its final name.

use crate::audit::{PresetReport, Report, StatedPeople};
use crate::files::FileReader;
use crate::recoding::Legend;
use crate::table::{People, Table};
use crate::table_audit::{attackers, audit_written};
use crate::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::{Origin, Release, TableRelease, prepare_release};
use incrowd_io::write::{Prepared, digest_of_file, refuse_existing};
use incrowd_io::{format_of_name, prepare_table, read_table};
use incrowd_mine::table::{CheckedTableParams, MinedTable, check_table};
use std::path::{Path, PathBuf};

/// The files of a released table: `anon.csv`, with `anon.json` next to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFiles {
    /// The table: CSV, ARFF or Parquet, by file extension.
    pub table: PathBuf,
    /// The release file of the table.
    pub sidecar: PathBuf,
}

/// The error for a table that meets its guarantee, but not with what its release file states about the cells.
fn breaks_preset(report: &PresetReport) -> Error {
    let broken: Vec<&str> = report.broken().map(|answer| answer.answer.as_str()).collect();
    Error::unsatisfiable(format!(
        "with its release file, the table does not meet the preset {}: {}",
        report.preset,
        broken.join("; ")
    ))
    .help(
        "leave out the representatives or the attribute, or generalize the attribute by a rule of the policy instead of a \
         taxonomy that lists its values",
    )
}

impl TableFiles {
    /// Returns the files of a release at this path.
    ///
    /// # Errors
    /// When the file extension is not that of a known format, or a file exists and may not be replaced.
    pub fn at(path: &Path, force: bool) -> Result<Self> {
        format_of_name(path)?;
        let files = Self { table: path.to_owned(), sidecar: path.with_extension("json") };
        refuse_existing(&files.table, force)?;
        refuse_existing(&files.sidecar, force)
            .map_err(|error| error.about("the release file of the table would be written here"))?;
        Ok(files)
    }

    /// Writes a sidecar and its table under other names. The table is read back from disk and audited, alone and with
    /// its sidecar, as anyone can audit it. Only then may both files get their final names. The sidecar has the table's
    /// digest, so that files that do not belong together are detected.
    ///
    /// # Errors
    /// When the file system fails, or the written table does not pass its audit or has other measures than the table in
    /// memory. No file is left behind then.
    pub(crate) fn prepare(
        &self,
        made: &MinedTable,
        params: &CheckedTableParams,
        policy: &PolicyFile,
        origin: Origin,
        force: bool,
        reading: FileReader<'_>,
    ) -> Result<(Prepared, Prepared)> {
        let format = format_of_name(&self.table)?;
        let mut stated = self.stated(made, params, policy, origin)?;
        let table = prepare_table(&self.table, &made.table, force)?;
        let plan = policy.written_plan(format, &stated.kinds);
        let read = read_table(table.written(), &plan, reading.threads, reading.progress)
            .map_err(|error| self.named(error))?;
        let people = with_people(read.table.clone(), &made.table)?;
        check_table(&people, &policy.policy, params).map_err(|error| self.named(error))?;
        let report = audit_written(&read, &[], Some(&stated), policy, &params.guarantee, None)
            .map_err(|error| self.named(error))?;
        if let Some(broken) = report.presets.iter().find(|preset| !preset.holds) {
            return Err(breaks_preset(broken));
        }
        if !same_figures(&report, &made.report) {
            return Err(Error::input("the table changes when it is written to this format and read back")
                .in_file(&self.table)
                .help("write another format: Parquet distinguishes empty texts from missing values"));
        }
        stated.sha256 = Some(digest_of_file(table.written()).map_err(|error| self.named(error))?);
        let sidecar = prepare_release(&self.sidecar, &Release::Table(stated), force)?;
        Ok((sidecar, table))
    }

    /// Replaces the name of the temporary file in an error by the table's own name.
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
            recoding: Some(made.recoding.legend().clone()).filter(Legend::is_bounded),
            origin,
        })
    }
}

/// The statements about individuals, one per attacker; empty if every row is an individual.
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

/// Whether two audits of a table have the same measures.
fn same_figures(read: &Report, made: &Report) -> bool {
    (read.holds, read.individuals) == (made.holds, made.individuals)
        && (read.k, read.spans, read.exposed) == (made.k, made.spans, made.exposed)
        && read.max_confidence.map(f64::to_bits) == made.max_confidence.map(f64::to_bits)
        && (read.smallest_bin, read.rare_values) == (made.smallest_bin, made.rare_values)
        && read.attributes == made.attributes
}

/// The table that was read back, with the individuals of the original: a released file does not identify them.
fn with_people(read: Table, made: &Table) -> Result<Table> {
    match made.people() {
        People::Subjects { .. } => Table::new(read.columns().to_vec(), made.people().clone()),
        _ => Ok(read),
    }
}
