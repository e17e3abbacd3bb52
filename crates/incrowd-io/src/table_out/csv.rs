//! Writes a table as delimited text.

use super::write_rows;
use incrowd_core::table::{Column, Table};
use std::borrow::Cow;
use std::io::{self, Write};

pub(super) fn fill(file: &mut dyn Write, table: &Table) -> io::Result<()> {
    let names: Vec<Cow<'_, str>> = table.columns().iter().map(|column| cell(column.name().into())).collect();
    writeln!(file, "{}", names.join(","))?;
    // Every value is put into its final form once, not once per row.
    let texts: Vec<Vec<String>> = table.columns().iter().map(texts).collect();
    write_rows(file, table, &texts)
}

fn texts(column: &Column) -> Vec<String> {
    let values = (0..column.values().len()).map(|code| cell(column.values().text(code)).into_owned());
    values.chain([String::new()]).collect()
}

pub(crate) fn cell(text: Cow<'_, str>) -> Cow<'_, str> {
    let blank_ends = text.trim() != text;
    if blank_ends || text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        return Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")));
    }
    text
}
