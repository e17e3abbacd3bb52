//! What an engine answers.

use crate::dialect::Dialect;
use crate::source::Source;
use incrowd_core::{Error, Result};

/// A database with one table that is read.
pub trait Engine: Send {
    /// The SQL that it speaks.
    fn dialect(&self) -> Dialect;

    /// The table, as it stands behind `FROM`.
    fn relation(&self) -> &str;

    /// The columns of the table, in its order.
    fn columns(&self) -> &[EngineColumn];

    /// Answers a query whose columns are texts and whole numbers.
    ///
    /// # Errors
    /// When the engine refuses it, or the connection is lost. The error does not repeat the engine's words, which may
    /// quote a row.
    fn query(&mut self, sql: &str) -> Result<Answer>;
}

/// A column of a table in an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineColumn {
    /// Its name.
    pub name: String,
    /// What its values are; none where they cannot be read.
    pub kind: Option<SqlKind>,
    /// The engine's name of its type.
    pub type_name: String,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SqlKind {
    /// True or false.
    Boolean,
    /// Whole numbers.
    Whole,
    /// Floating numbers of 32 bits.
    Single,
    /// Floating numbers of 64 bits.
    Double,
    /// Decimal numbers.
    Decimal,
    /// Texts.
    Text,
    /// Days.
    Date,
}

/// The answer to a query: columns of equal length.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    columns: Vec<Cells>,
}

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cells {
    /// Texts; none for a null.
    Texts(Vec<Option<String>>),
    /// Whole numbers; none for a null.
    Numbers(Vec<Option<i64>>),
}

impl Answer {
    /// An answer of these columns.
    ///
    /// # Errors
    /// When they have different lengths.
    pub fn new(columns: Vec<Cells>) -> Result<Self> {
        let mut lengths = columns.iter().map(Cells::len);
        let first = lengths.next();
        if lengths.any(|length| Some(length) != first) {
            return Err(Error::internal("the columns of an answer have different lengths"));
        }
        Ok(Self { columns })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Cells::len)
    }

    /// Takes a column as texts.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn take_texts(&mut self, column: usize) -> Result<Vec<Option<String>>> {
        match self.columns.get_mut(column) {
            Some(Cells::Texts(texts)) => Ok(std::mem::take(texts)),
            Some(Cells::Numbers(numbers)) => {
                Ok(numbers.iter().map(|number| number.map(|number| number.to_string())).collect())
            }
            None => Err(unexpected()),
        }
    }

    /// A column as numbers, none of which is null.
    ///
    /// # Errors
    /// When there is no such column, or a cell is not a whole number.
    pub fn numbers(&self, column: usize) -> Result<Vec<i64>> {
        let cells = match self.columns.get(column) {
            Some(Cells::Numbers(numbers)) => numbers.iter().copied().collect::<Option<_>>(),
            Some(Cells::Texts(texts)) => texts.iter().map(|text| text.as_ref()?.parse().ok()).collect(),
            None => None,
        };
        cells.ok_or_else(unexpected)
    }
}

impl Cells {
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn unexpected() -> Error {
    Error::internal("the engine's answer does not have the expected columns")
}

/// Connects to the engine of a table.
///
/// # Errors
/// When the engine cannot be reached, has no such table or refuses to read it, or this build does not include it.
pub fn open(source: &Source) -> Result<Box<dyn Engine>> {
    match source {
        #[cfg(feature = "duckdb")]
        Source::DuckDb(source) => Ok(Box::new(crate::adbc::DuckDb::open(source)?)),
        #[cfg(feature = "postgresql")]
        Source::PostgreSql(source) => Ok(Box::new(crate::postgresql::PostgreSql::open(source)?)),
        #[allow(unreachable_patterns)]
        _ => Err(Error::parameters("this build cannot read tables in this engine")
            .help("build with the feature `engines`")),
    }
}
