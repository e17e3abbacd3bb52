//! How the file of a released table is laid out: as the policy describes the source, or as incrowd writes tables.

use crate::Result;
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{Release, TableRelease, read_release};
use incrowd_io::{Decimal, Format, Quote, ReadPlan, Reading, format_of_name, names_of_columns};
use std::path::Path;

/// How a released table is read, what its release file states, and a warning.
pub(crate) struct Layout {
    pub(crate) plan: ReadPlan,
    pub(crate) stated: Option<TableRelease>,
    pub(crate) warning: Option<String>,
}

impl Layout {
    /// The layout of a table: with its release file next to it that of incrowd; otherwise that of the policy, unless the
    /// names in its first line show that it is that of incrowd.
    ///
    /// # Errors
    /// When the table is not the one of its release file, or cannot be read.
    pub(crate) fn of(table: &Path, without: &[String], policy: &PolicyFile) -> Result<Self> {
        if let Some((format, stated)) = sidecar_of(table) {
            stated.check_digest(table)?;
            let plan = policy.written_plan(format, &stated.kinds);
            return Ok(Self { plan, stated: Some(stated), warning: None });
        }
        let plan = policy.read_plan(Purpose::Release);
        let written = written(&plan);
        if is_written(table, &plan, &written, without).map_err(|error| error.in_file(table))? {
            return Ok(Self { plan: written, stated: None, warning: Some(OTHER_LAYOUT.to_owned()) });
        }
        Ok(Self { plan, stated: None, warning: None })
    }
}

/// The warning about a table that is laid out otherwise than the source.
const OTHER_LAYOUT: &str = "the policy describes another `delimiter` than this file has: the file is read as incrowd writes \
    tables, with commas between cells and points in numbers";

/// The sidecar of a table and the format of the table; `None` if no release of this table is next to it.
fn sidecar_of(table: &Path) -> Option<(Format, TableRelease)> {
    let format = format_of_name(table).ok()?;
    let Ok(Release::Table(stated)) = read_release(&table.with_extension("json")) else { return None };
    (table.file_name()?.to_str()? == stated.file).then_some((format, stated))
}

/// The plan for the same columns in a file that incrowd wrote.
fn written(plan: &ReadPlan) -> ReadPlan {
    let mut written = plan.clone().with_format(Format::Csv).with_delimiter(b',').with_header(true);
    (written.names, written.comment, written.trailing_dot) = (None, None, None);
    (written.skip_lines, written.quote, written.decimal) = (0, Quote::Double, Decimal::Point);
    // Missing values are empty cells there.
    written.missing.push(String::new());
    for column in written.columns.values_mut() {
        column.decimal = None;
        column.missing.iter_mut().for_each(|marks| marks.push(String::new()));
    }
    written
}

/// Whether a file has another delimiter than the plan says and is laid out as incrowd writes tables: its first line, cut
/// by commas, has all columns that are needed, and cut by the plan's delimiter none of the plan's columns.
fn is_written(table: &Path, plan: &ReadPlan, written: &ReadPlan, without: &[String]) -> Result<bool> {
    let is_text = matches!(plan.format, None | Some(Format::Csv));
    if !is_text || plan.delimiter.is_none_or(|delimiter| delimiter == b',') {
        return Ok(false);
    }
    let own = names_of_columns(table, plan)?;
    if own.iter().any(|name| plan.columns.contains_key(name)) {
        return Ok(false);
    }
    let names = names_of_columns(table, written)?;
    let is_needed = |name: &&String| {
        plan.columns[*name].reading == Reading::Exact
            && !plan.columns[*name].optional
            && !without.contains(name)
    };
    let mut needed = plan.columns.keys().filter(is_needed).peekable();
    Ok(needed.peek().is_some() && needed.all(|name| names.contains(name)))
}
