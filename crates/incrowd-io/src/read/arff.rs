//! The header of an ARFF file: what Weka's attribute-relation format declares before its rows.
//!
//! `numeric`, `real` and `integer` attributes are numbers; nominal ones are categorical and may contain only the values
//! listed; `string` and `date` are text. `?` is a missing value. Relational attributes must be skipped, sparse rows are
//! refused.

use super::dialect::Dialect;
use super::rules::DeclaredColumn;
use super::source::Text;
use incrowd_core::table::Kind;
use incrowd_core::{Error, Result};

/// How ARFF rows are written.
pub(super) fn dialect() -> Dialect {
    Dialect { delimiter: b',', quotes: b"'\"", arff: true, comment: Some(b"%".to_vec()), cuts: Vec::new() }
}

/// Takes the head up to and with the `@data` line: its columns, and how many of its lines are comments.
pub(super) fn head(text: &mut Text<'_>) -> Result<(Vec<DeclaredColumn>, u64)> {
    let (mut columns, mut comments) = (Vec::new(), 0);
    // The header is untrusted as well: it is kept whole, so it must end.
    let mut left = 64_usize << 20;
    loop {
        let number = text.line();
        let Some(line) = text.take_line()? else {
            return Err(Error::input("the file has no `@data` line")
                .at_line(number)
                .help("check that it is ARFF"));
        };
        left = left
            .checked_sub(line.len() + 1)
            .ok_or_else(|| Error::limit("the header of the file is too long"))?;
        let line = std::str::from_utf8(&line).map_err(|_| {
            Error::input("the text is not UTF-8").at_line(number).help("save the file as UTF-8")
        })?;
        match declaration(line).map_err(|error| error.at_line(number))? {
            Some(Line::Attribute(column)) => columns.push(column),
            Some(Line::Data) if columns.is_empty() => {
                return Err(Error::input("the file declares no attributes").at_line(number));
            }
            Some(Line::Data) => return Ok((columns, comments)),
            None => comments += u64::from(line.trim_start().starts_with('%')),
        }
    }
}

enum Line {
    Attribute(DeclaredColumn),
    Data,
}

fn declaration(line: &str) -> Result<Option<Line>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('%') {
        return Ok(None);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match word.to_ascii_lowercase().as_str() {
        "@attribute" => attribute(rest.trim()).map(|column| Some(Line::Attribute(column))),
        "@data" => Ok(Some(Line::Data)),
        "@relation" => Ok(None),
        _ => Err(Error::input("this line does not belong in an ARFF header")
            .help("expected `@relation`, `@attribute`, `@data` or a comment that begins with `%`")),
    }
}

fn attribute(rest: &str) -> Result<DeclaredColumn> {
    let (name, rest) = word(rest)?;
    let rest = rest.trim();
    let mut column = DeclaredColumn::named(name);
    if let Some(list) = rest.strip_prefix('{') {
        column.kind = Some(Kind::Categorical);
        column.values = Some(values(list)?);
        return Ok(column);
    }
    let kind = rest.split(char::is_whitespace).next().unwrap_or_default().to_ascii_lowercase();
    match kind.as_str() {
        "numeric" | "real" | "integer" => column.kind = Some(Kind::Numeric),
        "string" | "date" => column.kind = Some(Kind::Categorical),
        "relational" => {
            return Err(Error::input("relational attributes cannot be read").of_attribute(column.name));
        }
        _ => {
            return Err(Error::input("the attribute's type is unknown")
                .of_attribute(column.name)
                .help("expected numeric, real, integer, string, date, or values in braces"));
        }
    }
    Ok(column)
}

/// The values up to the closing brace.
fn values(mut rest: &str) -> Result<Vec<String>> {
    let mut values = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.starts_with('}') {
            return Ok(values);
        }
        let (value, behind) = word(rest)?;
        values.push(value);
        rest = behind;
    }
}

/// The first word or quoted string, and what follows it.
fn word(text: &str) -> Result<(String, &str)> {
    let broken = || Error::input("the declaration is incomplete").help("check its quotes and braces");
    let quote = text.chars().next().ok_or_else(broken)?;
    if quote != '\'' && quote != '"' {
        let end =
            text.find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}')).unwrap_or(text.len());
        return if end == 0 { Err(broken()) } else { Ok((text[..end].to_owned(), &text[end..])) };
    }
    let mut word = String::new();
    let mut rest = text[1..].chars();
    while let Some(next) = rest.next() {
        match next {
            '\\' => word.push(unescaped(rest.next().ok_or_else(broken)?)),
            _ if next == quote => return Ok((word, rest.as_str())),
            _ => word.push(next),
        }
    }
    Err(broken())
}

fn unescaped(next: char) -> char {
    match next {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}
