//! A table made under a guarantee, from memory to files: written, read back and audited before it gets its name.

use crate::files::Reading;
use crate::io::policy::PolicyFile;
use crate::io::release::{Origin, Release, TableRelease, write_release};
use crate::io::write::refuse_existing;
use crate::io::{format_of_name, read_table, write_table};
use crate::mine::table::{CheckedTableParams, Made, check_table};
use crate::table::{People, Table};
use crate::{Error, Result};
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

    /// Writes a table and its sidecar. The table is read back from the disk and audited; only then it gets its name.
    ///
    /// # Errors
    /// When the file system fails, or what was written does not pass its audit. Nothing is left then that was not there before, except that
    /// an older table may be replaced already when its sidecar cannot be written.
    pub fn write(
        &self,
        made: &Made,
        params: &CheckedTableParams,
        policy: &PolicyFile,
        origin: Origin,
        force: bool,
        reading: Reading<'_>,
    ) -> Result<()> {
        let format = format_of_name(&self.table)?;
        let check = |written: &Path| {
            let plan = policy.written_plan(format);
            let read = read_table(written, &plan, reading.threads, reading.progress)?.table;
            check_table(&with_people(read, &made.table)?, &policy.policy, params)
        };
        let was_there = self.table.exists();
        write_table(&self.table, &made.table, force, check)?;
        let written = write_release(&self.sidecar, &self.stated(made, origin)?, force);
        if written.is_err() && !was_there {
            // A table without its sidecar is half a release.
            let _gone = std::fs::remove_file(&self.table);
        }
        written
    }

    fn stated(&self, made: &Made, origin: Origin) -> Result<Release> {
        let name = self.table.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
            Error::new("the file's name is not UTF-8").in_file(&self.table).help("choose another name")
        })?;
        Ok(Release::Table(TableRelease {
            file: name.to_owned(),
            rows: made.summary.rows,
            individuals: Some(made.table.individuals()),
            origin,
        }))
    }
}

/// A table as it was read back, about the people it was made from: a released file does not say who is who.
fn with_people(read: Table, made: &Table) -> Result<Table> {
    match made.people() {
        People::Subjects { .. } => Table::new(read.columns().to_vec(), made.people().clone()),
        _ => Ok(read),
    }
}
