//! JSON lines: one object per line, its keys the columns.
//!
//! Values behave like the same values in CSV: numbers, `true` and `false` are cells as they are written, strings are
//! cells without their quotes. `null` is missing, and so is a key that a line lacks. A list or an object as a value is
//! an error unless its column is skipped. In columns that are read exactly, a string and a number of the same text
//! differ.

mod scan;

use super::block::{Block, lines_before};
use super::cells::Span;
use super::dialect::Dialect;
use super::rules::{DeclaredColumn, Job, Rules};
use super::source::{BlockSource, Records, Text};
use crate::bounds::check_columns;
use crate::plan::{ReadPlan, Reading};
use hashbrown::{HashMap, HashSet};
use incrowd_core::{Error, Result};
use scan::{Ill, Quoted, Value, object, unescape};

/// The number of bytes in which the keys of a pipe are looked for.
const SAMPLE: usize = 1 << 18;

/// How lines become records; a line break is never inside a string.
pub(super) fn dialect() -> Dialect {
    Dialect { delimiter: b',', quotes: b"", arff: false, comment: None, cuts: Vec::new() }
}

/// Whether the first line of a text is an object.
pub(super) fn begins_with_object(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty()).is_some_and(|line| object::<Ill>(line, |_, _| Ok(())).is_ok())
}

/// The columns of a file: its keys in the order of their first appearance.
#[derive(Debug, Default)]
pub(super) struct Keys {
    names: Vec<String>,
    known: HashSet<String>,
}

impl Keys {
    /// Learns the keys of a file that can be read again, by reading all of it.
    pub(super) fn learn(&mut self, text: Text<'_>) -> Result<()> {
        let mut records = Records::new(text, dialect());
        let mut block = Block::default();
        while records.fill(&mut block)? {
            if block.overlong {
                return Err(too_long().at_line(block.line));
            }
            self.learn_lines(&block.text[..block.end], block.line)?;
            block.reset();
        }
        Ok(())
    }

    /// Learns the keys at the beginning of a pipe, and those that the plan names.
    pub(super) fn learn_first(&mut self, text: &mut Text<'_>, plan: &ReadPlan) -> Result<()> {
        let is_whole = text.hold(SAMPLE)?;
        let held = text.held();
        let end = if is_whole { held.len() } else { memchr::memrchr(b'\n', held).map_or(0, |at| at + 1) };
        let (line, held) = (text.line(), held[..end].to_vec());
        self.learn_lines(&held, line)?;
        let is_read = |reading: Reading| reading != Reading::Skip;
        let named = plan.columns.iter().filter(|(_, column)| is_read(column.reading) && !column.optional);
        named.for_each(|(name, _)| self.add(name));
        Ok(())
    }

    fn learn_lines(&mut self, text: &[u8], first: u64) -> Result<()> {
        for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let mut key = String::new();
            // What is wrong with a line is reported when its cells are read, in the order of lines.
            let _ = object::<Ill>(line, |quoted, _| {
                key.clear();
                let mut bytes = Vec::new();
                unescape(&line[quoted.start..quoted.end], |part| bytes.extend_from_slice(part));
                key.push_str(&String::from_utf8_lossy(&bytes));
                self.add(&key);
                Ok(())
            });
            check_columns(self.names.len()).map_err(|error| error.at_line(first + number as u64))?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str) {
        if !self.known.contains(name) {
            self.known.insert(name.to_owned());
            self.names.push(name.to_owned());
        }
    }

    /// What the file states about its columns.
    pub(super) fn columns(&self) -> Result<Vec<DeclaredColumn>> {
        if self.names.is_empty() {
            return Err(Error::input("no line of the file is a JSON object with keys").at_line(1).help(
                "write one object per line, such as {\"age\": 34, \"sex\": \"F\"}; a list of objects must be taken apart first",
            ));
        }
        Ok(self.names.iter().map(DeclaredColumn::named).collect())
    }
}

/// How objects become rows: the column of each key.
#[derive(Debug, Clone)]
pub(super) struct Objects {
    column_of: HashMap<Vec<u8>, usize>,
    /// Whether cells are made of each column, and whether strings keep their quotes.
    kept: Vec<Option<Quotes>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Go,
    Stay,
}

impl Objects {
    /// The layout under the rules of all columns; `keys` are their names in the file.
    pub(super) fn new(keys: Vec<DeclaredColumn>, rules: &Rules) -> Self {
        let column_of = keys.into_iter().enumerate().map(|(i, key)| (key.name.into_bytes(), i)).collect();
        let quotes = |exact: bool| if exact { Quotes::Stay } else { Quotes::Go };
        let kept = rules.columns.iter().map(|rule| (rule.job != Job::Skip).then(|| quotes(rule.exact)));
        Self { column_of, kept: kept.collect() }
    }

    /// Cuts a block of lines into cells.
    pub(super) fn cut(&self, block: &mut Block, rules: &Rules) {
        if block.overlong {
            block.error = Some(too_long().at_line(block.line));
            return;
        }
        if let Err(error) = std::str::from_utf8(&block.text[..block.end]) {
            let line = block.line + lines_before(&block.text, error.valid_up_to());
            block.error = Some(super::block::not_utf8().at_line(line));
            return;
        }
        let mut start = 0;
        let mut number = block.line;
        while start < block.end {
            let end = memchr::memchr(b'\n', &block.text[start..block.end]).map_or(block.end, |at| start + at);
            let before = block.cells.len();
            if !block.text[start..end].trim_ascii().is_empty()
                && let Err(fault) = self.row(&mut block.text, &mut block.cells, start, end)
            {
                // What is wrong in an earlier line is reported first, so the lines before stay.
                block.cells.truncate(before);
                block.error = Some(fault.describe(rules).at_line(number));
                return;
            }
            start = end + 1;
            number += 1;
        }
    }

    /// Adds the cells of one line. Strings with escapes are written out behind the text.
    fn row(
        &self,
        text: &mut Vec<u8>,
        cells: &mut Vec<Span>,
        start: usize,
        end: usize,
    ) -> std::result::Result<(), Fault> {
        let first = cells.len();
        cells.resize(first + self.kept.len(), Span::NULL);
        let mut seen = vec![false; self.kept.len()];
        let mut written: Vec<(usize, Quoted, Quotes)> = Vec::new();
        let line = &text[start..end];
        object::<Fault>(line, |key, value| {
            let column = self.column(line, key).ok_or(Fault::Unknown)?;
            if std::mem::replace(&mut seen[column], true) {
                return Err(Fault::Twice(column));
            }
            let Some(quotes) = self.kept[column] else { return Ok(()) };
            cells[first + column] = match (value, quotes) {
                (Value::Null, _) => Span::NULL,
                (Value::Nested, _) => return Err(Fault::Nested(column)),
                (Value::Plain { start: from, end: to }, _) => Span::new(start + from, start + to),
                (Value::Text(quoted), _) if quoted.escaped => {
                    written.push((column, quoted, quotes));
                    Span::NULL
                }
                (Value::Text(quoted), Quotes::Go) => Span::new(start + quoted.start, start + quoted.end),
                (Value::Text(quoted), Quotes::Stay) => {
                    Span::new(start + quoted.start - 1, start + quoted.end + 1)
                }
            };
            Ok(())
        })?;
        for (column, quoted, quotes) in written {
            let from = start + quoted.start;
            cells[first + column] = write_out(text, from, from + (quoted.end - quoted.start), quotes);
        }
        Ok(())
    }

    fn column(&self, line: &[u8], key: Quoted) -> Option<usize> {
        let raw = &line[key.start..key.end];
        if !key.escaped {
            return self.column_of.get(raw).copied();
        }
        let mut name = Vec::new();
        unescape(raw, |part| name.extend_from_slice(part));
        self.column_of.get(&name).copied()
    }
}

/// Writes a string with escapes out behind the text. Where quotes stay, those inside are doubled, as in CSV.
fn write_out(text: &mut Vec<u8>, from: usize, to: usize, quotes: Quotes) -> Span {
    let raw = text[from..to].to_vec();
    let start = text.len();
    match quotes {
        Quotes::Go => unescape(&raw, |part| text.extend_from_slice(part)),
        Quotes::Stay => {
            text.push(b'"');
            unescape(&raw, |part| {
                for &byte in part {
                    text.push(byte);
                    if byte == b'"' {
                        text.push(byte);
                    }
                }
            });
            text.push(b'"');
        }
    }
    Span::new(start, text.len())
}

/// The line of a row, of those of a block.
pub(super) fn line_of_row(block: &Block, row: usize) -> u64 {
    let lines = block.text[..block.end].split(|&byte| byte == b'\n').enumerate();
    let mut filled = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    block.line + filled.nth(row).map_or(0, |(number, _)| number as u64)
}

/// What is wrong with a line.
enum Fault {
    Line(Ill),
    /// A key that no column has.
    Unknown,
    Twice(usize),
    Nested(usize),
}

impl From<Ill> for Fault {
    fn from(ill: Ill) -> Self {
        Self::Line(ill)
    }
}

impl Fault {
    fn describe(self, rules: &Rules) -> Error {
        match self {
            Self::Line(Ill::NotObject) => Error::input("the line is not a JSON object")
                .help("write one object per line, such as {\"age\": 34, \"sex\": \"F\"}, without brackets and commas around them"),
            Self::Line(Ill::Invalid) => Error::input("the line is not valid JSON")
                .help("check its quotes, commas and brackets; each line must be a whole object; a missing number is null, not NaN"),
            Self::Line(Ill::Behind) => {
                Error::input("text follows the JSON object").help("write one object per line")
            }
            Self::Line(Ill::TooDeep) => Error::limit("the JSON is nested more than 128 deep"),
            // The key is not shown: only those of the first lines are certainly names of columns.
            Self::Unknown => Error::input("the line has a key that the first lines do not have").help(
                "give the first line every key, with null where there is no value; or read from a file",
            ),
            Self::Twice(column) => of(Error::input("the line has this key twice"), rules, column)
                .help("keep one of the two values"),
            Self::Nested(column) => of(Error::input("the value is a list or an object"), rules, column)
                .help("write its parts under keys of their own, or give the column the role `ignored`"),
        }
    }
}

fn of(error: Error, rules: &Rules, column: usize) -> Error {
    match rules.columns.get(column) {
        Some(rule) => error.of_attribute(&rule.name),
        None => error,
    }
}

fn too_long() -> Error {
    Error::limit("the line is too long").help("a line can have at most 16 megabytes; check the line endings")
}
