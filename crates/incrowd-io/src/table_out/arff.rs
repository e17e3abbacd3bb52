//! Writes a table in Weka's attribute-relation format. A cell with the text `?` is a missing value there, whatever it
//! was.

use super::write_rows;
use incrowd_core::table::{Column, Table, Values};
use incrowd_core::taxonomy::MISSING;
use std::io::{self, Write};

pub(super) fn fill(file: &mut dyn Write, table: &Table) -> io::Result<()> {
    writeln!(file, "@relation incrowd\n")?;
    for column in table.columns() {
        writeln!(file, "@attribute {} {}", quoted(column.name()), kind(column))?;
    }
    writeln!(file, "\n@data")?;
    let texts: Vec<Vec<String>> = table.columns().iter().map(texts).collect();
    write_rows(file, table, &texts)
}

fn kind(column: &Column) -> String {
    match column.values() {
        Values::Numeric(_) => "numeric".to_owned(),
        Values::Categorical(texts) | Values::Ordered(texts) => {
            let values: Vec<String> = texts.iter().filter(|&text| text != MISSING).map(quoted).collect();
            format!("{{{}}}", values.join(","))
        }
    }
}

fn texts(column: &Column) -> Vec<String> {
    let text = |code: usize| {
        let text = column.values().text(code);
        let is_plain = text == MISSING || column.values().numbers().is_some();
        if is_plain { text.into_owned() } else { quoted(&text) }
    };
    (0..column.values().len()).map(text).chain([MISSING.to_owned()]).collect()
}

/// A name or value; in quotes unless it is a plain word.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}
