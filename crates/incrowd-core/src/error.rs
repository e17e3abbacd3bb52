//! One error type for the whole project: what is wrong, where, and a way out; never a private value.

use std::fmt;
use std::path::{Path, PathBuf};

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Where something is wrong: as much of it as is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub file: Option<PathBuf>,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The column within the line (the cell's number in a table, a character in other files), counted from 1.
    pub column: Option<u64>,
    /// The attribute (the column of the table) by name.
    pub attribute: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(file) = &self.file {
            parts.push(file.display().to_string());
        }
        parts.extend(self.line.map(|line| format!("line {line}")));
        parts.extend(self.column.map(|column| format!("column {column}")));
        parts.extend(self.attribute.as_ref().map(|name| format!("attribute `{name}`")));
        f.write_str(&parts.join(", "))
    }
}

/// What kind of error it is. The program maps it to an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It could not be done or could not be checked.
    #[default]
    Failed,
    /// The guarantee does not hold, or no release can meet it.
    Breach,
}

/// Something could not be done: what, where, and a way out.
///
/// The message never quotes a cell of the table, so an error may be logged or shown to anyone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong.
    pub what: String,
    /// Where.
    pub place: Box<Place>,
    /// A way out.
    pub help: Option<String>,
}

impl Error {
    /// An error that says what is wrong; add a place and a way out with the other methods.
    pub fn new(what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::default(), what: what.into(), place: Box::default(), help: None }
    }

    /// The guarantee does not hold, or no release can meet it.
    pub fn breach(what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Breach, ..Self::new(what) }
    }

    /// Says what the error is about, before what is wrong: `node 3: no such branch`.
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

    /// Adds a way out.
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
