//! How a table is read: what the policy, the program and the file's content determine before the first row.

use incrowd_core::table::{DateOrder, Kind};
use std::collections::BTreeMap;

/// A file format for tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Delimited text, with or without a header.
    Csv,
    /// UCI `.data` and `.test` files: delimited text without a header, spaces around cells, comment lines, a dot after
    /// the class value.
    Uci,
    /// Weka's attribute-relation format.
    Arff,
    /// Apache Parquet.
    Parquet,
    /// JSON lines: one object per line.
    JsonLines,
    /// A sheet of an Excel workbook (`.xlsx`).
    Excel,
    /// Not a file: Arrow record batches in memory.
    Frame,
}

/// How the characters of a text file are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// Windows' western European code page; Latin-1 (ISO 8859-1) is part of it.
    Windows1252,
    /// UTF-16; a byte-order mark says in which order, and without one the low byte comes first.
    Utf16,
    /// UTF-16 with the high byte first, unless a byte-order mark says otherwise.
    Utf16Be,
}

impl Encoding {
    /// The encodings by their names in policies and flags; the first name of each is the usual one.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("utf-8", Self::Utf8),
        ("windows-1252", Self::Windows1252),
        ("cp1252", Self::Windows1252),
        ("latin-1", Self::Windows1252),
        ("iso-8859-1", Self::Windows1252),
        ("utf-16", Self::Utf16),
        ("utf-16le", Self::Utf16),
        ("utf-16be", Self::Utf16Be),
    ];

    /// The usual name.
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, encoding)| *encoding == self).map_or("utf-8", |(name, _)| name)
    }
}

/// How cells of delimited text are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quote {
    /// With `"`, doubled inside.
    #[default]
    Double,
    /// With `'`, doubled inside.
    Single,
    /// Not at all: quotes are ordinary characters.
    None,
}

/// The decimal separator of numbers in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decimal {
    /// A point: `3.5`.
    #[default]
    Point,
    /// A comma: `3,5`. A point is then not part of a number: it could be a thousands separator.
    Comma,
}

/// Which spellings of a text are one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// Texts are one value only if all their characters are the same. Spaces around a cell of delimited text are not
    /// part of it.
    #[default]
    Exact,
    /// Blanks around a text, also inside quotes, are left out, and several blanks in a row are one space.
    Trim,
    /// The same, and upper and lower case are not distinguished: a text that differs from a declared value in this way
    /// only is this value, and others become lower case.
    IgnoreCase,
}

impl Spelling {
    /// The rules by their names in policies and flags.
    pub const NAMES: [(&'static str, Self); 3] =
        [("exact", Self::Exact), ("trim", Self::Trim), ("ignore-case", Self::IgnoreCase)];
}

/// What happens to rows with a missing value in a column that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingRows {
    /// It is an error that names the line: the owner has to choose.
    #[default]
    Refuse,
    /// They are left out, and counted.
    Drop,
    /// They stay; the missing value is a separate value.
    Keep,
}

/// What happens to columns that the plan does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unlisted {
    /// They are kept, and their kind is detected.
    #[default]
    Keep,
    /// They are skipped.
    Skip,
    /// They are an error.
    Refuse,
    /// They are kept as [`Reading::Bystander`].
    Bystander,
}

/// What is done with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// It becomes a column of the table.
    #[default]
    Keep,
    /// It becomes a column of the table, its cells taken as text whatever they look like.
    Text,
    /// The same; in CSV, spaces around a cell are part of it unless it is quoted. Other programs read text this way.
    Verbatim,
    /// It becomes a column of the table, its cells distinguished as the file distinguishes them: spaces and quotes
    /// around them, every missing marker, a `NaN` and a null are different values.
    Exact,
    /// The same; where the file's type cannot be read, the column is skipped.
    Bystander,
    /// It is never stored.
    Skip,
    /// It distinguishes individuals; only their numbers are stored.
    Subject,
}

/// How one column is read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ColumnPlan {
    /// What is done with it.
    pub reading: Reading,
    /// The kind of its values; detected where not stated.
    pub kind: Option<Kind>,
    /// The values of an ordered column from lowest to highest.
    pub order: Vec<String>,
    /// What comes first in dates with slashes or dashes whose year comes last.
    pub date_order: Option<DateOrder>,
    /// The decimal separator of its numbers, instead of the plan's.
    pub decimal: Option<Decimal>,
    /// Missing markers, instead of the plan's.
    pub missing: Option<Vec<String>>,
    /// Which spellings are one value, instead of the plan's.
    pub spelling: Option<Spelling>,
    /// The spellings of known values, which others are read as.
    pub spellings: Vec<String>,
    /// What happens to rows without a value, instead of the plan's.
    pub missing_rows: Option<MissingRows>,
    /// Whether the file may lack it.
    pub optional: bool,
    /// Of a subject: whether a row without a value is an error. Otherwise such rows are left out where rows with a missing
    /// value are kept, because it is unknown whose they are.
    pub required: bool,
}

impl ColumnPlan {
    /// Creates a plan that does this with the column and detects everything else.
    pub fn new(reading: Reading) -> Self {
        Self { reading, ..Self::default() }
    }
}

/// How a table is read. The default detects everything and refuses rows with missing values; without markers only an
/// empty cell of a numeric column and a Parquet null are missing.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ReadPlan {
    /// The format; by the file's name and content where not stated.
    pub format: Option<Format>,
    /// How the characters of a text file are encoded.
    pub encoding: Encoding,
    /// The sheet of a workbook; needed if it has several.
    pub sheet: Option<String>,
    /// Physical lines at the beginning of a text file, or rows of a sheet, that are skipped before anything else.
    pub skip_lines: u64,
    /// The delimiter; detected where not stated. A space means any run of spaces and tabs.
    pub delimiter: Option<u8>,
    /// Whether the first line contains the names; detected where not stated.
    pub header: Option<bool>,
    /// Names for a file without a header, or instead of the header's.
    pub names: Option<Vec<String>>,
    /// How cells are quoted.
    pub quote: Quote,
    /// Lines that begin with this are skipped.
    pub comment: Option<String>,
    /// Whether one dot at the end of a line is left out (UCI's class values).
    pub trailing_dot: Option<bool>,
    /// The decimal separator of numbers.
    pub decimal: Decimal,
    /// Whether a cell with a leading zero (`01738`) makes a column text whose kind is not stated.
    pub codes: bool,
    /// Missing markers.
    pub missing: Vec<String>,
    /// Which spellings of a text are one value.
    pub spelling: Spelling,
    /// What happens to rows with a missing value.
    pub missing_rows: MissingRows,
    /// The largest share of rows that may be left out for one; any where not stated.
    pub max_rows_left_out: Option<f64>,
    /// How the columns are read, by name.
    pub columns: BTreeMap<String, ColumnPlan>,
    /// What happens to columns not named there.
    pub unlisted: Unlisted,
}

impl ReadPlan {
    /// Sets the format.
    #[must_use]
    pub fn with_format(mut self, format: impl Into<Option<Format>>) -> Self {
        self.format = format.into();
        self
    }

    /// Sets how the characters of a text file are encoded.
    #[must_use]
    pub fn with_encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets the sheet of a workbook.
    #[must_use]
    pub fn with_sheet(mut self, sheet: impl Into<Option<String>>) -> Self {
        self.sheet = sheet.into();
        self
    }

    /// Sets the delimiter.
    #[must_use]
    pub fn with_delimiter(mut self, delimiter: impl Into<Option<u8>>) -> Self {
        self.delimiter = delimiter.into();
        self
    }

    /// Sets whether the first line contains the names.
    #[must_use]
    pub fn with_header(mut self, header: impl Into<Option<bool>>) -> Self {
        self.header = header.into();
        self
    }

    /// Sets names for a file without a header.
    #[must_use]
    pub fn with_names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.names = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the decimal separator of numbers.
    #[must_use]
    pub fn with_decimal(mut self, decimal: Decimal) -> Self {
        self.decimal = decimal;
        self
    }

    /// Reads columns with leading zeros as text if their kind is not stated.
    #[must_use]
    pub fn with_codes(mut self) -> Self {
        self.codes = true;
        self
    }

    /// Sets the missing markers.
    #[must_use]
    pub fn with_missing(mut self, missing: Vec<String>) -> Self {
        self.missing = missing;
        self
    }

    /// Sets which spellings of a text are one value.
    #[must_use]
    pub fn with_spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Sets what happens to rows with a missing value, whatever columns state.
    #[must_use]
    pub fn with_missing_rows(mut self, missing_rows: MissingRows) -> Self {
        self.missing_rows = missing_rows;
        self.columns.values_mut().for_each(|column| column.missing_rows = None);
        self
    }

    /// Keeps rows with a missing value where they would be an error.
    pub(crate) fn keep_where_refused(&mut self) {
        let of_columns = self.columns.values_mut().filter_map(|column| column.missing_rows.as_mut());
        for rows in of_columns.chain([&mut self.missing_rows]) {
            if *rows == MissingRows::Refuse {
                *rows = MissingRows::Keep;
            }
        }
    }

    /// What happens to rows without a value of a column.
    pub fn missing_rows_of(&self, column: &str) -> MissingRows {
        self.columns.get(column).and_then(|own| own.missing_rows).unwrap_or(self.missing_rows)
    }

    /// Sets what happens to columns that the plan does not name.
    #[must_use]
    pub fn with_unlisted(mut self, unlisted: Unlisted) -> Self {
        self.unlisted = unlisted;
        self
    }
}
