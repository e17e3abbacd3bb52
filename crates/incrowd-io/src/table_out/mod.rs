//! Writes tables as CSV, ARFF and Parquet, whole or not at all.

mod arff;
mod csv;
#[cfg(feature = "arrow")]
mod frame;
mod parquet;
#[cfg(test)]
mod tests;

pub(crate) use csv::cell;
#[cfg(feature = "arrow")]
pub use frame::to_batch;

use crate::plan::{Format, ReadPlan, Reading};
use crate::policy::{PolicyFile, Purpose};
use crate::write::{Prepared, prepare, write_checked, write_new};
use incrowd_core::table::{Kind, Table};
use incrowd_core::{Error, Result};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Writes a table as CSV with a header, atomically: cells quoted where they must be, a missing value as an empty cell,
/// a row as often as its weight.
///
/// # Errors
/// When something is at `path` already and `force` is not given, or the file system fails.
pub fn write_csv(path: &Path, table: &Table, force: bool) -> Result<()> {
    write_new(path, force, |file| csv::fill(file, table))
}

/// The format a table is written in, by the file's name: `.csv`, `.arff` or `.parquet`.
///
/// # Errors
/// When the name ends in none of these.
pub fn format_of_name(path: &Path) -> Result<Format> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "csv" => Ok(Format::Csv),
        "arff" => Ok(Format::Arff),
        "parquet" => Ok(Format::Parquet),
        _ => Err(Error::parameters("a table cannot be written to a file with this ending")
            .in_file(path)
            .help("end it in .csv, .arff or .parquet")),
    }
}

/// Writes a table in the format of its file name, and gives it that name only if `check` passes what was written.
///
/// Missing values are an empty cell in CSV, `?` in ARFF, a null in Parquet; a row is repeated as often as its weight.
///
/// # Errors
/// When the name has no known format, something is at `path` already and `force` is not given, the file system fails,
/// or `check` does. Then nothing is at `path` that was not there before.
pub fn write_table(
    path: &Path,
    table: &Table,
    force: bool,
    check: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let format = format_of_name(path)?;
    write_checked(path, force, |file| fill(file, table, format), check)
}

/// Writes a table in the format of its file name, without its name yet.
///
/// # Errors
/// As [`write_table`].
pub fn prepare_table(path: &Path, table: &Table, force: bool) -> Result<Prepared> {
    let format = format_of_name(path)?;
    prepare(path, force, |file| fill(file, table, format))
}

fn fill(file: &mut (dyn Write + Send), table: &Table, format: Format) -> io::Result<()> {
    match format {
        Format::Arff => arff::fill(file, table),
        Format::Parquet => parquet::fill(file, table),
        _ => csv::fill(file, table),
    }
}

/// Writes the rows, cells divided by commas, a row as often as its weight; `texts` has every code of every column in
/// its final form.
fn write_rows(file: &mut dyn Write, table: &Table, texts: &[Vec<String>]) -> io::Result<()> {
    let mut line = String::new();
    for row in 0..table.rows() {
        line.clear();
        for (column, texts) in table.columns().iter().zip(texts) {
            line.push_str(&texts[column.code(row) as usize]);
            line.push(',');
        }
        line.pop();
        for _ in 0..table.weight(row) {
            writeln!(file, "{line}")?;
        }
    }
    Ok(())
}

impl PolicyFile {
    /// How to read a table back that [`write_table`] wrote under this policy: as its columns are in a release, in the
    /// form it is written in, whatever the source looks like. What the cells of private columns are is in `kinds`; the
    /// others' kinds are found.
    pub fn written_plan(&self, format: Format, kinds: &BTreeMap<String, Kind>) -> ReadPlan {
        let ReadPlan { columns, unlisted, missing_rows, .. } = self.read_plan(Purpose::Release);
        let mut plan = ReadPlan { missing_rows, columns, unlisted, ..ReadPlan::default() };
        plan.format = Some(format);
        if format == Format::Csv {
            (plan.delimiter, plan.header) = (Some(b','), Some(true));
        }
        // Marks of the source are values here; what is missing is written in one way. Numbers may be generalized to
        // text.
        let mark = if format == Format::Csv { Some(String::new()) } else { None };
        for (name, column) in plan.columns.iter_mut().filter(|(_, column)| column.reading == Reading::Keep) {
            column.missing = Some(mark.iter().cloned().collect());
            column.decimal = None;
            column.kind = match kinds.get(name) {
                // Days are ordered by the calendar, and written as ISO 8601 has them.
                Some(Kind::Ordered) if column.order.is_empty() => Some(Kind::Date),
                Some(&kind) => Some(kind),
                None => column.kind.filter(|&kind| kind != Kind::Numeric),
            };
            column.optional = true;
        }
        plan
    }
}
