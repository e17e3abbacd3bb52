//! How the file of a released table is laid out: as the policy describes the source, or as incrowd writes tables.

use crate::Result;
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{Release, TableRelease, read_release};
use incrowd_io::{
    ColumnPlan, Decimal, Encoding, Format, Quote, ReadPlan, Reading, format_of_name, names_of_columns,
};
use std::path::Path;

/// How a released table is read, what its release file states, and a warning.
pub(crate) struct Layout {
    pub(crate) plan: ReadPlan,
    pub(crate) stated: Option<TableRelease>,
    pub(crate) warning: Option<String>,
}

impl Layout {
    /// The layout of a table: with its release file next to it that of incrowd; otherwise that of the policy, unless
    /// the names in its first line show that it is a copy of a released table.
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
        let copy = Copied { table, plan: &plan, without };
        if let Some(delimiter) = copy.delimiter().map_err(|error| error.in_file(table))? {
            let plan = written(&plan, delimiter);
            return Ok(Self { plan, stated: None, warning: Some(other_layout(delimiter)) });
        }
        Ok(Self { plan, stated: None, warning: None })
    }
}

/// Usual delimiters and their names, that of incrowd first.
const DELIMITERS: [(u8, &str); 4] = [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars")];

/// The warning about a table that is laid out otherwise than the source.
fn other_layout(delimiter: u8) -> String {
    let name = DELIMITERS.into_iter().find(|(byte, _)| *byte == delimiter).map_or("", |(_, name)| name);
    format!(
        "the policy describes another layout than this file has: the file is read as a copy of a released table, with a \
         header, with {name} between cells and points in numbers; if that is wrong, set `delimiter`, `header` and \
         `decimal` under [file] in a copy of the policy"
    )
}

/// The sidecar of a table and the format of the table; `None` if no release of this table is next to it.
pub(crate) fn sidecar_of(table: &Path) -> Option<(Format, TableRelease)> {
    let format = format_of_name(table).ok()?;
    let Ok(Release::Table(stated)) = read_release(&table.with_extension("json")) else { return None };
    (table.file_name()?.to_str()? == stated.file).then_some((format, stated))
}

/// The plan for the same columns in a file that incrowd wrote, or a copy of it with another delimiter.
fn written(plan: &ReadPlan, delimiter: u8) -> ReadPlan {
    let mut written = plan.clone().with_format(Format::Csv).with_delimiter(delimiter).with_header(true);
    (written.names, written.comment, written.trailing_dot) = (None, None, None);
    (written.skip_lines, written.quote, written.decimal) = (0, Quote::Double, Decimal::Point);
    (written.encoding, written.sheet) = (Encoding::Utf8, None);
    // Missing values are empty cells there.
    written.missing.push(String::new());
    for column in written.columns.values_mut() {
        column.decimal = None;
        column.missing.iter_mut().for_each(|marks| marks.push(String::new()));
    }
    written
}

/// A table that may be a copy of a released one.
struct Copied<'a> {
    table: &'a Path,
    plan: &'a ReadPlan,
    without: &'a [String],
}

impl Copied<'_> {
    /// The delimiter of a file that is laid out otherwise than the plan says, as a released table or with another usual
    /// delimiter: its first line, cut by it, has all columns that are needed, and is not what the plan describes.
    fn delimiter(&self) -> Result<Option<u8>> {
        let plan = self.plan;
        // Text of another kind than incrowd writes: a released copy is not written like its source.
        let is_other = matches!(plan.format, Some(Format::JsonLines | Format::Excel))
            || matches!(plan.encoding, Encoding::Utf16 | Encoding::Utf16Be)
            || (plan.encoding == Encoding::Windows1252 && names_of_columns(self.table, plan).is_err());
        let has_header = plan.header != Some(false) && !is_other;
        let is_text = is_other || matches!(plan.format, None | Some(Format::Csv));
        if !is_text || (has_header && (plan.delimiter.is_none() || self.is_as_planned()?)) {
            return Ok(None);
        }
        let others = DELIMITERS.into_iter().map(|(delimiter, _)| delimiter);
        for delimiter in others.filter(|&other| !has_header || plan.delimiter != Some(other)) {
            // A file that cannot be such a copy is reported when it is read as planned.
            let names = names_of_columns(self.table, &written(plan, delimiter)).unwrap_or_default();
            if self.has_needed(&names) {
                return Ok(Some(delimiter));
            }
        }
        Ok(None)
    }

    /// Whether the first line, cut as the plan says, has a column of the plan.
    fn is_as_planned(&self) -> Result<bool> {
        let own = names_of_columns(self.table, self.plan)?;
        Ok(own.iter().any(|name| self.plan.columns.contains_key(name)))
    }

    /// Whether these are names of all columns that are needed.
    fn has_needed(&self, names: &[String]) -> bool {
        let is_needed = |(name, column): &(&String, &ColumnPlan)| {
            column.reading == Reading::Exact && !column.optional && !self.without.contains(name)
        };
        let mut needed = self.plan.columns.iter().filter(is_needed).peekable();
        needed.peek().is_some() && needed.all(|(name, _)| names.contains(name))
    }
}
