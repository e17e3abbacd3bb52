//! A block of records between the file and the table: split into cells, its columns numbered and parsed.

use super::cells::{self, Fault, Ill, Span, Width};
use super::dialect::Dialect;
#[cfg(feature = "arrow")]
use super::form::Form;
use super::json::{self, Objects};
use super::local::{LocalColumn, Meaning, PADDING};
use super::number;
use super::rules::{Dot, Job, Rule, Rules};
use super::scan::CHUNK;
use crate::plan::{Decimal, Encoding};
use incrowd_core::Error;
use incrowd_core::table::Date;
use incrowd_core::words::counted;
use std::path::Path;
use std::sync::Arc;

/// Whole records and what is made of them. Blocks are used again, so that their memory is taken once.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Its place in the file's order.
    pub(super) seq: u64,
    /// The line (or row, where there are no lines) it begins with, from 1.
    pub(super) line: u64,
    /// The records, and behind `end` whatever their cells need.
    pub(super) text: Vec<u8>,
    pub(super) end: usize,
    /// Whether its only record is too long to be kept whole.
    pub(super) overlong: bool,
    /// The cells, row by row.
    pub(super) cells: Vec<Span>,
    /// The rows of a frame, instead of text and cells.
    #[cfg(feature = "arrow")]
    pub(super) batch: Option<arrow_array::RecordBatch>,
    /// The file it is from, if there are several.
    pub(super) file: Option<Arc<Path>>,
    /// The number of first records without data.
    pub(super) heading: usize,
    /// The number of its lines that are comments.
    pub(super) comments: u64,
    /// The number of its rows of data.
    pub(super) rows: usize,
    /// The columns; those that are skipped stay empty.
    pub(super) columns: Vec<LocalColumn>,
    /// Which rows stay, unless all do.
    pub(super) keep: Option<Vec<bool>>,
    /// The columns with missing values, and in how many rows, where such rows are left out.
    pub(super) missing: Vec<(usize, u64)>,
    /// The columns taken for numbers that are none.
    pub(super) turned: Vec<usize>,
    /// Whether the error is valid only if a column taken as numeric is numeric.
    pub(super) doubtful: bool,
    /// What ends the reading here.
    pub(super) error: Option<Error>,
}

/// How the records of a file are laid out.
#[derive(Debug, Clone)]
pub(super) enum Layout {
    /// Text in a dialect.
    Text(Dialect),
    /// Lines of JSON, and the columns of their keys.
    Objects(Box<Objects>),
    /// Cells found by the source itself; places are rows.
    Ready,
    /// Typed values of other programs, and how those of each column become cells; none where it is skipped.
    #[cfg(feature = "arrow")]
    Frame(Vec<Option<Form>>),
}

impl Block {
    /// Makes an empty block of this one.
    pub(super) fn reset(&mut self) {
        self.cells.clear();
        self.rows = 0;
        self.heading = 0;
        self.comments = 0;
        self.keep = None;
        self.missing.clear();
        self.turned.clear();
        self.error = None;
        self.doubtful = false;
        self.overlong = false;
        self.file = None;
    }

    /// Whether it has neither cells nor rows.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.rows == 0
    }

    /// Cuts the text into cells and numbers them by column.
    pub(super) fn number(&mut self, layout: &Layout, rules: &Rules) {
        let width = rules.columns.len();
        #[cfg(feature = "arrow")]
        if let Layout::Frame(forms) = layout {
            self.columns.resize_with(width, LocalColumn::default);
            self.error = super::frame::number(self, forms).err();
            self.respell(rules);
            return;
        }
        match layout {
            Layout::Text(dialect) => self.cut(dialect, rules),
            Layout::Objects(objects) => objects.cut(self, rules),
            // The cells of a frame are numbered above.
            #[cfg(feature = "arrow")]
            Layout::Frame(_) => {}
            Layout::Ready => {}
        }
        self.text.extend_from_slice(&[0; PADDING]);
        self.rows = (self.cells.len() / width).saturating_sub(self.heading);
        self.columns.resize_with(width, LocalColumn::default);
        let first = self.heading * width;
        for (i, (column, rule)) in self.columns.iter_mut().zip(&rules.columns).enumerate() {
            if rule.job != Job::Skip {
                let cells = self.cells.get(first + i..).unwrap_or_default();
                column.number(&self.text, cells.iter().step_by(width).copied());
            }
        }
        self.respell(rules);
    }

    /// Replaces texts by the values whose spellings they are, behind the text.
    fn respell(&mut self, rules: &Rules) {
        let columns = self.columns.iter_mut().zip(&rules.columns);
        for (column, rule) in columns.filter(|(_, rule)| rule.job != Job::Skip && !rule.speller.is_exact()) {
            for code in 0..column.len() {
                let text = column.text(&self.text, code);
                let Some(value) = text.and_then(|text| rule.speller.respelled(text)) else { continue };
                let start = self.text.len();
                self.text.extend_from_slice(value.as_bytes());
                *column.span_mut(code) = Span::new(start, self.text.len());
            }
        }
    }

    fn cut(&mut self, dialect: &Dialect, rules: &Rules) {
        let width = rules.columns.len();
        let exactly = Width::Exactly(width);
        let bad = std::str::from_utf8(&self.text[..self.end]).err().map(|error| error.valid_up_to());
        let done = cells::cut(&mut self.text, self.end, dialect, exactly, &mut self.cells, |_, _| {});
        self.comments += *done.as_ref().unwrap_or(&0);
        let fault = match (bad, done) {
            (Some(at), _) => Some(self.not_utf8(at, dialect, width)),
            (None, Err(fault)) if self.overlong && fault.ill == Ill::Unclosed => {
                Some(Fault { ill: Ill::TooLong, ..fault })
            }
            (None, Ok(_)) if self.overlong => Some(Fault { at: 0, cell: 1, ill: Ill::TooLong }),
            (None, done) => done.err(),
        };
        self.error = fault.map(|fault| self.error_of(fault, rules));
    }

    /// Cuts again what comes before the first byte that is not UTF-8: something there may be wrong before it.
    fn not_utf8(&mut self, at: usize, dialect: &Dialect, width: usize) -> Fault {
        let line = memchr::memrchr(b'\n', &self.text[..at]).map_or(0, |end| end + 1);
        self.text.truncate(at);
        self.text.push(b'\n');
        self.end = self.text.len();
        self.text.extend_from_slice(&[0; CHUNK]);
        self.cells.clear();
        let exactly = Width::Exactly(width);
        let cell = match cells::cut(&mut self.text, self.end, dialect, exactly, &mut self.cells, |_, _| {}) {
            Err(fault) if fault.at < line && fault.ill != Ill::Unclosed => return fault,
            Err(fault) => fault.cell,
            // The record looks whole because the bad byte is in its last cell.
            Ok(_) if at > line => {
                self.cells.truncate(self.cells.len().saturating_sub(width));
                width
            }
            Ok(_) => 1,
        };
        Fault { at, cell, ill: Ill::NotUtf8 }
    }

    fn error_of(&self, fault: Fault, rules: &Rules) -> Error {
        let line = self.line + lines_before(&self.text, fault.at);
        if fault.ill == Ill::NotUtf8 && rules.encoding != Encoding::Utf8 {
            return Error::input(format!("the text is not {}", rules.encoding.name()))
                .at_line(line)
                .help("check `encoding`, and that the file is complete");
        }
        if let (Some(other), true) = (rules.other_delimiter, is_of_layout(fault.ill)) {
            return wrong_delimiter(other).at_line(line);
        }
        let error = describe(fault.ill).at_line(line).at_column(fault.cell as u64);
        // Where the layout is wrong, the first line may be a row that was divided wrongly.
        let shown = rules.columns.get(fault.cell - 1).and_then(|rule| rule.shown.as_ref());
        match shown {
            Some(name) if !matches!(fault.ill, Ill::Ragged { .. }) => error.of_attribute(name),
            _ => error,
        }
    }

    /// Settles the jobs still open by what the numbered cells look like.
    pub(super) fn settle(&self, rules: &mut Rules) {
        let open = rules.columns.iter_mut().zip(&self.columns).filter(|(rule, _)| rule.job == Job::Find);
        for (rule, column) in open {
            let text = |code| column.text(&self.text, code).unwrap_or_default();
            let numbers = (0..column.len()).map(text).all(|cell| {
                rule.is_missing(cell)
                    || rule.number(cell).is_some()
                    || rule.number(without_dot(cell, rule.dot)).is_some()
            });
            rule.job = if numbers { Job::Numbers { guessed: true } } else { Job::Texts };
        }
    }

    /// Understands the numbered cells; the error that remains is the one of the lowest row.
    pub(super) fn understand(&mut self, layout: &Layout, rules: &Rules) {
        let last = rules.columns.len() - 1;
        for (i, rule) in rules.columns.iter().enumerate().filter(|(_, rule)| rule.job != Job::Skip) {
            let column = &mut self.columns[i];
            if i == last && rule.dot != Dot::Stays {
                drop_dots(column, &self.text, rule.dot);
            }
            for code in 0..column.len() {
                let number = column.number_of(code).map(Meaning::Number);
                let meaning = number.unwrap_or_else(|| meaning(column.text(&self.text, code), rule));
                column.meanings.push(meaning);
            }
            if rule.job == (Job::Numbers { guessed: true }) && column.meanings.contains(&Meaning::Wrong) {
                self.turned.push(i);
            }
        }
        self.find_wrong(layout, rules);
        self.mark_rows(rules);
    }

    fn find_wrong(&mut self, layout: &Layout, rules: &Rules) {
        let bad = |i: usize| {
            let refuses = rules.columns[i].refuses();
            move |meaning: &Meaning| *meaning == Meaning::Wrong || (refuses && *meaning == Meaning::Missing)
        };
        let kept =
            |i: &usize| rules.columns[*i].job != Job::Skip && self.columns[*i].meanings.iter().any(bad(*i));
        let first = (0..rules.columns.len())
            .filter(kept)
            .filter_map(|i| {
                let column = &self.columns[i];
                let bad = bad(i);
                let row = column.codes.iter().position(|&code| bad(&column.meanings[code as usize]))?;
                Some((row, i))
            })
            .min();
        if let Some((row, i)) = first {
            let rule = &rules.columns[i];
            let code = self.columns[i].codes[row] as usize;
            let meaning = self.columns[i].meanings[code];
            let empty = self.columns[i].text(&self.text, code).is_some_and(<[u8]>::is_empty);
            self.doubtful = empty && rule.job == (Job::Numbers { guessed: true });
            let error =
                describe_cell(meaning, rule, self.columns[i].text(&self.text, code)).of_attribute(&rule.name);
            self.error = Some(self.at_row(error, row, layout, rules).at_column(i as u64 + 1));
        }
    }

    fn mark_rows(&mut self, rules: &Rules) {
        for (i, (column, rule)) in self.columns.iter().zip(&rules.columns).enumerate() {
            let leaves_out = rule.leaves_out() && rule.job != Job::Skip;
            if !leaves_out || !column.meanings.contains(&Meaning::Missing) {
                continue;
            }
            let keep = self.keep.get_or_insert_with(|| vec![true; self.rows]);
            let mut missing = 0;
            for (keep, &code) in keep.iter_mut().zip(&column.codes) {
                let is_missing = column.meanings[code as usize] == Meaning::Missing;
                *keep &= !is_missing;
                missing += u64::from(is_missing);
            }
            self.missing.push((i, missing));
        }
    }

    /// Names the line of a row, found by cutting the text once more.
    fn at_row(&self, mut error: Error, row: usize, layout: &Layout, rules: &Rules) -> Error {
        if let Layout::Objects(_) = layout {
            return error.at_line(json::line_of_row(self, row));
        }
        let Layout::Text(dialect) = layout else {
            error.what = format!("{} in row {}", error.what, self.line + row as u64);
            return error;
        };
        let width = rules.columns.len();
        let behind = (row + self.heading + 1) * width;
        let mut text = self.text[..self.end + CHUNK].to_vec();
        let mut at = 0;
        // Whatever is wrong further down does not matter here.
        let _ = cells::cut(
            &mut text,
            self.end,
            dialect,
            Width::Exactly(width),
            &mut Vec::new(),
            |count, start| {
                if count == behind {
                    at = start;
                }
            },
        );
        error.at_line(self.line + lines_before(&self.text, at))
    }
}

pub(super) fn lines_before(text: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &text[..at.min(text.len())]).count() as u64
}

fn without_dot(cell: &[u8], dot: Dot) -> &[u8] {
    if dot == Dot::Goes { cell.strip_suffix(b".").unwrap_or(cell) } else { cell }
}

fn drop_dots(column: &mut LocalColumn, text: &[u8], dot: Dot) {
    for code in 0..column.len() {
        let Some(cell) = column.text(text, code) else { continue };
        if cell.ends_with(b".") && (dot == Dot::Goes || number::parse(cell).is_none()) {
            column.span_mut(code).len -= 1;
        }
    }
}

/// The meaning of a cell under a rule.
fn meaning(cell: Option<&[u8]>, rule: &Rule) -> Meaning {
    let Some(text) = cell else { return Meaning::Missing };
    if rule.is_missing(text) {
        return Meaning::Missing;
    }
    if let Job::Numbers { .. } = rule.job {
        return rule.number(text).map_or(Meaning::Wrong, Meaning::Number);
    }
    if let Job::Dates(order) = rule.job {
        let date = std::str::from_utf8(text).ok().and_then(|text| Date::parse(text, order));
        return date.map_or(Meaning::Wrong, |date| Meaning::Number(f64::from(date.days())));
    }
    let allowed =
        |values: &hashbrown::HashSet<String>| std::str::from_utf8(text).is_ok_and(|t| values.contains(t));
    if rule.allowed.as_ref().is_none_or(allowed) { Meaning::Text } else { Meaning::Wrong }
}

/// What is wrong with a cell. Its text decides on the advice, and is not shown.
fn describe_cell(meaning: Meaning, rule: &Rule, text: Option<&[u8]>) -> Error {
    let text = text.and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
    let is_respelled = rule.allowed.as_ref().is_some_and(|allowed| {
        let plain = |text: &str| text.trim().to_lowercase();
        allowed.iter().any(|value| plain(value) == plain(text))
    });
    match (meaning, &rule.job) {
        (Meaning::Missing, Job::Subject { required: true }) => Error::input(
            "the column that identifies individuals has no value in this row, so individuals cannot be counted",
        )
        .help("fill it in, or remove the row from the table"),
        (Meaning::Missing, _) => Error::input("a value is missing").help(
            "set `missing-rows`: \"drop\" leaves such rows out, \"keep\" treats missing as a value",
        ),
        (_, Job::Ranked(_)) if is_respelled => {
            Error::input("the value is not in the declared order").help(RESPELLED)
        }
        (_, Job::Ranked(_)) => Error::input("the value is not in the declared order").help("add it to the order"),
        (_, Job::Dates(_)) if has_short_year(text) => {
            Error::input("the cell is not a date").help("write years with four digits")
        }
        (_, Job::Dates(_)) if is_no_day(text) => {
            Error::input("the cell is not a date").help("this day does not exist: correct the cell")
        }
        (_, Job::Dates(None)) => Error::input("the cell is not a date").help(
            "dates look like 2026-12-31 or 31.12.2026; for 31/12/2026 set dates = \"day-first\", for 12/31/2026 \"month-first\"",
        ),
        (_, Job::Dates(_)) => Error::input("the cell is not a date").help("check `dates`: day-first or month-first"),
        (_, Job::Numbers { .. }) => Error::input("the cell is not a finite number").help(match rule.decimal {
            Decimal::Point => {
                "if the text marks a missing value, add it to `missing`; if the column contains words or codes, set kind = \"categorical\"; if numbers look like 3,5, set decimal = \",\"; remove units and separators of thousands"
            }
            Decimal::Comma => {
                "if the text marks a missing value, add it to `missing`; otherwise check `decimal`: numbers must look like 3,5, without points; remove units"
            }
        }),
        _ if is_respelled => {
            Error::input("the value is not among those that the file declares").help(RESPELLED)
        }
        _ => Error::input("the value is not among those that the file declares")
            .help("add it to the attribute's declaration"),
    }
}

/// Whether a wrong delimiter can cause this.
fn is_of_layout(ill: Ill) -> bool {
    matches!(ill, Ill::Ragged { .. } | Ill::Unclosed | Ill::AfterQuote | Ill::StrayQuote)
}

/// The advice on a value that another case or spaces around it make a declared one.
const RESPELLED: &str = "it differs from a declared value by case or spaces only: set spelling = \"ignore-case\", or correct the cell";

/// The parts of a text that is written like a date.
fn parts_of_date(text: &str) -> Option<[&str; 3]> {
    let parts: Vec<&str> = text.trim().split(['.', '-', '/']).collect();
    let are_numbers = parts
        .iter()
        .all(|part| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()));
    <[&str; 3]>::try_from(parts).ok().filter(|_| are_numbers)
}

fn has_short_year(text: &str) -> bool {
    parts_of_date(text).is_some_and(|parts| parts.iter().all(|part| part.len() <= 2))
}

/// Whether a text is written like a date, with a day that no month has, or a month that no year has.
fn is_no_day(text: &str) -> bool {
    let Some([first, middle, last]) = parts_of_date(text) else { return false };
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    let (day, month) =
        if first.len() == 4 { (number(last), number(middle)) } else { (number(first), number(middle)) };
    // With slashes, day and month may be the other way around.
    let is_clear = first.len() == 4 || text.contains('.');
    is_clear && (!(1..=12).contains(&month) || day == 0 || day > 28)
}

fn wrong_delimiter(other: u8) -> Error {
    let word = if other == b'\t' { "tab".to_owned() } else { char::from(other).to_string() };
    Error::input(format!(
        "the delimiter that is set does not fit this file: it leaves one column, and `{word}` makes several"
    ))
    .help(format!(
        "leave `delimiter` out, so that it is detected in each file; or set `delimiter` to '{word}'"
    ))
}

/// The error of text in another encoding than declared.
pub(super) fn not_utf8() -> Error {
    Error::input("the text is not UTF-8").help(
        "declare its encoding, such as `encoding = \"windows-1252\"`, if it is another one; or save the file as UTF-8",
    )
}

fn describe(ill: Ill) -> Error {
    match ill {
        Ill::Ragged { expected, found } => {
            Error::input(format!("expected {}, found {found}", counted(expected as u64, "cell"))).help(
                "quote cells that contain the delimiter; check the delimiter and the lines before the table; if each line \
                 is a basket of items, describe them under [items] in a policy",
            )
        }
        Ill::Unclosed => Error::input("the quote that opens here is never closed")
            .help("close it; if quotes are ordinary characters in this file, set `quote = \"none\"`"),
        Ill::AfterQuote => Error::input("text follows a closing quote").help(
            "double quotes inside a quoted cell; if quotes are ordinary characters, set `quote = \"none\"`",
        ),
        Ill::StrayQuote => Error::input("an unquoted cell contains a quote")
            .help("quote the whole cell; if quotes are ordinary characters, set `quote = \"none\"`"),
        Ill::TooLong => Error::limit("the record is too long, or a quote in it is never closed")
            .help("a record can have at most 16 megabytes; check its quotes and line endings"),
        Ill::NotUtf8 => not_utf8(),
        Ill::Sparse => Error::input("sparse ARFF records cannot be read")
            .help("convert the file to dense ARFF first, for example with Weka's SparseToNonSparse filter"),
    }
}
