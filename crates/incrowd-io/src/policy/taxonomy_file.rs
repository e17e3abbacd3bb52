//! Taxonomy files in ARX's layout: one line per value, `value;group;…;root`.
//!
//! Cells are separated by `;`, or by `,` where the first line has no `;` outside quotes. A cell may be in double
//! quotes, which are doubled inside; spaces around unquoted cells are dropped. Empty lines are skipped.

use super::text;
use incrowd_core::taxonomy::{TaxonomySpec, TreeSpec};
use incrowd_core::{Error, Result};
use std::path::Path;

/// Reads a taxonomy file.
///
/// # Errors
/// When the file cannot be read, is not text, is empty, or is not a tree: ragged lines, two roots, a cycle, a label
/// under two parents. The error names the file, the line and the cell.
pub fn read_taxonomy(path: impl AsRef<Path>) -> Result<TaxonomySpec> {
    let path = path.as_ref();
    parse_taxonomy(&text::read(path, "taxonomy")?).map_err(|error| error.in_file(path))
}

/// Reads a taxonomy from text.
///
/// # Errors
/// As [`read_taxonomy`].
pub fn parse_taxonomy(text: &str) -> Result<TaxonomySpec> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = || (1u64..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let delimiter = delimiter(lines().next().map_or("", |(_, line)| line));
    let cells = lines()
        .map(|(number, line)| {
            let cells = split(line, delimiter).map_err(|error| error.at_line(number))?;
            Ok((number, cells))
        })
        .collect::<Result<Vec<_>>>()?;
    TreeSpec::from_lines(cells).map(TaxonomySpec::Tree)
}

fn delimiter(line: &str) -> char {
    let outside_quotes = line.split('"').step_by(2);
    let has = |delimiter: char| outside_quotes.clone().any(|part| part.contains(delimiter));
    if !has(';') && has(',') { ',' } else { ';' }
}

fn split(line: &str, delimiter: char) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let column = cells.len() as u64 + 1;
        let (cell, after) = cell(rest, delimiter).map_err(|error| error.at_column(column))?;
        cells.push(cell);
        match after {
            Some(after) => rest = after,
            None => return Ok(cells),
        }
    }
}

/// The next cell, and what comes after the delimiter if there is one.
fn cell(text: &str, delimiter: char) -> Result<(String, Option<&str>)> {
    let Some(quoted) = text.trim_start().strip_prefix('"') else {
        return Ok(match text.split_once(delimiter) {
            Some((cell, after)) => (cell.trim().to_owned(), Some(after)),
            None => (text.trim().to_owned(), None),
        });
    };
    let (cell, after) = unquote(quoted)?;
    let after = after.trim_start_matches([' ', '\t', '\r']);
    match after.strip_prefix(delimiter) {
        Some(after) => Ok((cell, Some(after))),
        None if after.is_empty() => Ok((cell, None)),
        None => Err(Error::input("text follows the closing quote").help("double a quote inside quotes")),
    }
}

/// The text up to the closing quote, and what comes after it.
fn unquote(text: &str) -> Result<(String, &str)> {
    let mut cell = String::new();
    let mut rest = text;
    while let Some((part, after)) = rest.split_once('"') {
        cell.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                cell.push('"');
                rest = after;
            }
            None => return Ok((cell, after)),
        }
    }
    Err(Error::input("the quote is not closed on its line").help("close it, or double it inside quotes"))
}
