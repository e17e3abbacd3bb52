//! Flags for the layout of a table's file, for files whose layout cannot be detected.

use clap::Args;
use incrowd::io::{Decimal, Encoding, ReadPlan};

/// The layout of a table's file, for files whose layout cannot be detected.
#[derive(Debug, Args)]
pub(crate) struct LookFlags {
    /// Column names of a file without a header.
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
    /// Read the first line as values, not as column names.
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Delimiter: one character, or "tab".
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// Decimal separator: a point or a comma.
    #[arg(long, value_name = "CHARACTER", value_parser = decimal)]
    pub(crate) decimal: Option<Decimal>,
    /// Encoding of a text file: utf-8 (the default), windows-1252 (also called latin-1), utf-16 or utf-16be.
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub(crate) encoding: Option<Encoding>,
    /// Number of lines above the header, or above the first row, that are skipped.
    #[arg(long, value_name = "N")]
    pub(crate) skip_lines: Option<u64>,
    /// Sheet of an Excel workbook. Needed if it has several.
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// Text that marks a missing value. Can be given several times.
    #[arg(long, value_name = "MARK")]
    pub(crate) missing: Vec<String>,
}

impl LookFlags {
    /// Whether none of these flags is given.
    pub(crate) fn is_silent(&self) -> bool {
        let is_text = self.delimiter.is_none() && self.decimal.is_none() && self.encoding.is_none();
        let is_text = is_text && self.sheet.is_none() && self.skip_lines.is_none();
        self.names.is_none() && !self.no_header && is_text && self.missing.is_empty()
    }

    /// Returns the plan that these flags describe. Everything else is detected.
    pub(crate) fn plan(&self) -> ReadPlan {
        let mut plan = ReadPlan::default()
            .with_delimiter(self.delimiter)
            .with_decimal(self.decimal.unwrap_or_default())
            .with_encoding(self.encoding.unwrap_or_default())
            .with_sheet(self.sheet.clone())
            .with_missing(self.missing.clone());
        plan.header = (self.no_header || self.names.is_some()).then_some(false);
        plan.names.clone_from(&self.names);
        plan.skip_lines = self.skip_lines.unwrap_or(0);
        plan
    }
}

fn decimal(text: &str) -> Result<Decimal, String> {
    match text {
        "." => Ok(Decimal::Point),
        "," => Ok(Decimal::Comma),
        _ => Err("give a point or a comma".to_owned()),
    }
}

fn encoding(text: &str) -> Result<Encoding, String> {
    let found = Encoding::NAMES.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    found
        .map(|(_, encoding)| encoding)
        .ok_or_else(|| format!("give one of {}", Encoding::NAMES.map(|(name, _)| name).join(", ")))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        b"tab" | b"\\t" => Ok(b'\t'),
        _ => Err("give one character, or the word tab".to_owned()),
    }
}
