//! The error type of the project: its kind, what is wrong, where, and what to do about it; never a private value.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result of every fallible function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Where something is wrong, as far as known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub file: Option<PathBuf>,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The row of the table, counted from 1, if its line is not known.
    pub row: Option<u64>,
    /// The column within the line (the cell's number in a table, a character in other files), counted from 1.
    pub column: Option<u64>,
    /// The attribute (the column of the table) by name.
    pub attribute: Option<String>,
    /// The parameter, by its name in the library; the program shows the flag of that name.
    pub parameter: Option<&'static str>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(file) = &self.file {
            parts.push(file.display().to_string());
        }
        parts.extend(self.line.map(|line| format!("line {line}")));
        parts.extend(self.row.map(|row| format!("row {row}")));
        parts.extend(self.column.map(|column| format!("column {column}")));
        parts.extend(self.attribute.as_ref().map(|name| format!("attribute `{name}`")));
        parts.extend(self.parameter.map(|name| format!("parameter `{name}`")));
        f.write_str(&parts.join(", "))
    }
}

/// The kind of an error. The program maps it to an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A table, a policy or a release is invalid, or they do not match.
    #[default]
    Input,
    /// A parameter is out of its range, or parameters contradict each other.
    Parameters,
    /// The guarantee does not hold.
    Breach,
    /// No release of this table can meet the guarantee.
    Unsatisfiable,
    /// The file system or the network failed.
    Io,
    /// A stated bound on size, depth or number is exceeded.
    Limit,
    /// The caller stopped the work.
    Cancelled,
    /// A bug in this program.
    Internal,
}

/// Something could not be done: what is wrong, where, and what to do about it.
///
/// The message never quotes a cell of the table, so an error may be logged or shown to anyone.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong.
    pub what: String,
    /// Where.
    pub place: Box<Place>,
    /// What to do about it.
    pub help: Option<String>,
    /// The error of another library that caused it.
    pub source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// Two errors are equal if their texts are; their sources are not compared.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.what, &self.place, &self.help)
            == (other.kind, &other.what, &other.place, &other.help)
    }
}

impl Eq for Error {}

impl Error {
    /// An error about the input; add a place and help with the other methods.
    pub fn input(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Input, what)
    }

    /// A parameter is out of its range, or parameters contradict each other.
    pub fn parameters(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Parameters, what)
    }

    /// The guarantee does not hold.
    pub fn breach(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Breach, what)
    }

    /// No release of this table can meet the guarantee.
    pub fn unsatisfiable(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Unsatisfiable, what)
    }

    /// The file system or the network failed.
    pub fn io(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Io, what)
    }

    /// A stated bound is exceeded.
    pub fn limit(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Limit, what)
    }

    /// The caller stopped the work.
    pub fn cancelled() -> Self {
        Self::of_kind(ErrorKind::Cancelled, "the work was cancelled")
    }

    /// A bug in this program.
    pub fn internal(what: impl Into<String>) -> Self {
        Self::of_kind(ErrorKind::Internal, what)
    }

    /// An error of a kind.
    pub fn of_kind(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), place: Box::default(), help: None, source: None }
    }

    /// Whether the guarantee does not hold or cannot be met, as opposed to a failure.
    pub fn is_about_the_guarantee(&self) -> bool {
        matches!(self.kind, ErrorKind::Breach | ErrorKind::Unsatisfiable)
    }

    /// Adds what the error is about, before what is wrong: `node 3: no such branch`.
    #[must_use]
    pub fn about(mut self, subject: impl fmt::Display) -> Self {
        self.what = format!("{subject}: {}", self.what);
        self
    }

    /// Names the file, unless one is named already.
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.place.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        self
    }

    /// Names the line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.place.line = Some(line);
        self
    }

    /// Names the row of the table, counted from 0.
    #[must_use]
    pub fn at_row(mut self, row: usize) -> Self {
        self.place.row = Some(row as u64 + 1);
        self
    }

    /// Names the column within the line, counted from 1.
    #[must_use]
    pub fn at_column(mut self, column: u64) -> Self {
        self.place.column = Some(column);
        self
    }

    /// Names the attribute.
    #[must_use]
    pub fn of_attribute(mut self, name: impl Into<String>) -> Self {
        self.place.attribute = Some(name.into());
        self
    }

    /// Names the parameter.
    #[must_use]
    pub fn of_parameter(mut self, name: &'static str) -> Self {
        self.place.parameter = Some(name);
        self
    }

    /// Keeps the error of another library that caused this one. Its message is not shown: it may quote what it read.
    #[must_use]
    pub fn caused_by(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self.place != Place::default() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.what)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}
