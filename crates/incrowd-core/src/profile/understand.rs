//! A table as its first policy will read it: which cells are missing values, column by column, and who has several
//! rows.
//!
//! A missing marker is never a frequent value and never a value of the class, so that a policy drops few rows for
//! missing values. Among numbers and dates, where a text cannot be a value, a marker may be frequent, and so may an
//! empty cell; such rows are kept ([`RecognizedTable::keeps_rows`]).

use super::guess::{class_of, subject_of};
use super::strays::{Strays, strays};
use super::thousands::has_thousands;
use super::words::is_among;
use super::{ProfileOptions, each};
use crate::error::Result;
use crate::group::crowds;
use crate::table::{Column, Date, DateOrder, People, RowsLeftOut, Table, Values};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

#[cfg(test)]
mod tests;

/// Markers of a missing number or date, in lower case, besides those of names and those that are only suggested there.
const ONLY_AMONG_FIGURES: [&str; 4] = ["none", "nil", "-", "--"];

/// Common markers of a missing name, in lower case.
const AMONG_NAMES: [&str; 8] = ["", "?", "??", "na", "n/a", "nan", "null", "#n/a"];

/// Texts that may mark a missing name and may as well be a value, in lower case: they are suggested, never read so.
const LIKE_MARKS: [&str; 19] = [
    "n.a.",
    "n. a.",
    "n/k",
    "n.k.",
    "not known",
    "not available",
    "unknown",
    "unk",
    "missing",
    ".",
    "k.a.",
    "k. a.",
    "keine angabe",
    "unbekannt",
    "fehlt",
    "fehlend",
    "n.b.",
    "n. b.",
    "entfällt",
];

/// Markers of a missing name unless there is also a plus: then it is a negative result.
const DASHES: [&str; 2] = ["-", "--"];

/// The texts that mark missing values, by column.
pub type MissingMarks = BTreeMap<String, Vec<String>>;

/// A table with its missing values, numbers and dates recognized.
#[derive(Debug, Clone, PartialEq)]
pub struct RecognizedTable {
    /// The table, where markers are missing values, columns of numbers are numbers, and individuals are distinguished.
    pub table: Table,
    /// The missing markers, by column.
    pub marks: MissingMarks,
    /// Texts that mark missing values elsewhere and are values here, because many rows have them or because the column
    /// is the class; by column.
    pub values_like_marks: BTreeMap<String, Vec<String>>,
    /// The columns of numbers with decimal commas.
    pub decimal_commas: BTreeSet<String>,
    /// The columns that are dates, and what comes first in them where that has to be stated.
    pub dates: BTreeMap<String, Option<DateOrder>>,
    /// The few cells that keep columns from being dates or numbers, by column.
    pub strays: BTreeMap<String, Strays>,
    /// The columns of numbers with separated thousands, which are read as text.
    pub thousands: BTreeSet<String>,
    /// The column that identifies individuals.
    pub subject: Option<String>,
}

/// Recognizes missing values, numbers and dates in a table whose rows were all kept. `read` contains the texts that
/// were read as missing values, by column; none where that is not known. Takes time linear in its cells.
///
/// # Errors
/// When a value is invalid, which never happens for a file that was read.
pub fn understand(table: Table, read: Option<&MissingMarks>) -> Result<RecognizedTable> {
    let few = ProfileOptions::default().few;
    let sizes = each(&table, table.columns(), |column| crowds(&table, &[column], few));
    let class = class_of(&table, &sizes);
    let is_of_rows = *table.people() == People::Rows;
    let subject = subject_of(&table, &sizes).filter(|_| is_of_rows);
    let people = match subject {
        Some(at) => People::from_subject(&table.columns()[at]),
        None => table.people().clone(),
    };
    let subject = subject.map(|at| table.columns()[at].name().to_owned());
    let has_commas = table.columns().iter().any(|column| comma_numbers(column) == Commas::Certain);
    let mut found = Findings { read, has_commas, ..Findings::default() };
    let mut columns = Vec::with_capacity(table.columns().len());
    for (at, column) in table.into_columns().into_iter().enumerate() {
        let stays = Some(at) == class || Some(column.name()) == subject.as_deref();
        let name = column.name().to_owned();
        columns.push(if stays { column } else { found.column(column)? });
        found.add_read(name);
    }
    let Findings { marks, decimal_commas, dates, .. } = found;
    let like_marks = columns.iter().map(|column| (column.name().to_owned(), values_like_marks(column)));
    let values_like_marks = like_marks.filter(|(_, texts)| !texts.is_empty()).collect();
    let stray =
        |column: &Column| strays(column, |text| number(text).or_else(|| comma_number(text)).is_some());
    let strays =
        columns.iter().filter_map(|column| Some((column.name().to_owned(), stray(column)?))).collect();
    let thousands = columns.iter().filter(|column| has_thousands(column, is_mark));
    let thousands = thousands.map(|column| column.name().to_owned()).collect();
    let table = Table::new(columns, people)?;
    Ok(RecognizedTable { table, marks, values_like_marks, decimal_commas, dates, strays, thousands, subject })
}

/// What was found in the columns so far.
#[derive(Default)]
struct Findings<'a> {
    /// The texts that were read as missing values, where they are known.
    read: Option<&'a MissingMarks>,
    /// Whether some column certainly has decimal commas: others, where commas could set thousands apart, have them too.
    has_commas: bool,
    marks: MissingMarks,
    decimal_commas: BTreeSet<String>,
    dates: BTreeMap<String, Option<DateOrder>>,
}

impl Findings<'_> {
    /// Adds the texts of a column that were read as missing values.
    fn add_read(&mut self, name: String) {
        let Some(read) = self.read.and_then(|read| read.get(&name)) else { return };
        let marks = self.marks.entry(name).or_default();
        marks.extend(read.iter().cloned());
        marks.sort();
        marks.dedup();
    }

    /// A column with its marks, numbers and dates understood.
    fn column(&mut self, column: Column) -> Result<Column> {
        let name = column.name().to_owned();
        let (column, marks) = match comma_numbers(&column) {
            Commas::Certain => self.with_commas(&column)?,
            Commas::Possible if self.has_commas => self.with_commas(&column)?,
            _ => marked(column, self.read.is_none())?,
        };
        if !marks.is_empty() {
            self.marks.insert(name.clone(), marks);
        }
        let Some(DateNotation { order }) = date_notation(&column, |_| false) else { return Ok(column) };
        self.dates.insert(name, order);
        column.with_dates(|text| Date::parse(text, order))
    }

    fn with_commas(&mut self, column: &Column) -> Result<(Column, Vec<String>)> {
        self.decimal_commas.insert(column.name().to_owned());
        let texts = (0..column.values().len()).map(|code| column.values().text(code).into_owned());
        Ok((column.with_numbers(comma_number)?, texts.filter(|text| is_mark(text)).collect()))
    }
}

/// Whether the texts of a column are numbers with decimal commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Commas {
    No,
    /// They are, or they are whole numbers with separated thousands: `1,234`.
    Possible,
    Certain,
}

fn comma_numbers(column: &Column) -> Commas {
    let Values::Categorical(texts) = column.values() else { return Commas::No };
    let all = || texts.iter().filter(|text| !is_mark(text));
    let is_grouped = |text: &str| {
        text.split_once(',').is_some_and(|(whole, rest)| {
            let whole = whole.trim_start_matches('-');
            rest.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0')
        })
    };
    // Most columns of names fail at their first text.
    if !all().all(|text| comma_number(text).is_some()) || !all().any(|text| text.contains(',')) {
        Commas::No
    } else if all().all(|text| !text.contains(',') || is_grouped(text)) {
        Commas::Possible
    } else {
        Commas::Certain
    }
}

/// A number with a decimal comma.
fn comma_number(text: &str) -> Option<f64> {
    match (text.contains('.'), text.contains(',')) {
        (true, _) => None,
        (false, true) => number(&text.replace(',', ".")),
        (false, false) => number(text),
    }
}

/// Whether a text is a common marker of a missing number or date.
pub(super) fn is_mark(text: &str) -> bool {
    is_one_of(text, &AMONG_NAMES) || is_one_of(text, &LIKE_MARKS) || is_one_of(text, &ONLY_AMONG_FIGURES)
}

/// Whether a text is one of some markers, in any case. A column can have millions of texts, so none is copied unless
/// it has to be.
fn is_one_of(text: &str, marks: &[&str]) -> bool {
    if text.is_ascii() {
        marks.iter().any(|mark| mark.eq_ignore_ascii_case(text))
    } else {
        marks.contains(&text.to_lowercase().as_str())
    }
}

impl RecognizedTable {
    /// The rows that would be left out for a missing value in one of these columns.
    pub fn left_out(&self, is_read: impl Fn(&str) -> bool) -> RowsLeftOut {
        let table = &self.table;
        let mut left_out = RowsLeftOut { of: table.rows() as u64, ..RowsLeftOut::default() };
        let mut is_left_out = vec![false; table.rows()];
        for column in table.columns().iter().filter(|c| c.has_missing() && is_read(c.name())) {
            let missing = column.missing_code();
            let rows = column.codes().iter().zip(&mut is_left_out).filter(|(code, _)| *code == missing);
            let count = rows.map(|(_, is_left_out)| *is_left_out = true).count();
            left_out.columns.insert(column.name().to_owned(), count as u64);
        }
        left_out.total = is_left_out.iter().filter(|&&is| is).count() as u64;
        if let People::Subjects { count, .. } = table.people() {
            let kept = |row: &u32| !is_left_out[*row as usize];
            let kept: Vec<u32> = (0..table.rows() as u32).filter(kept).collect();
            left_out.individuals = Some(u64::from(*count) - table.individuals_among(&kept));
        }
        left_out
    }

    /// Whether rows with a missing value are kept, because leaving them out would lose many.
    pub fn keeps_rows(left_out: &RowsLeftOut) -> bool {
        left_out.share() > RowsLeftOut::MANY
    }
}

/// A column with its marks understood. `is_unread` states that it is not known which texts were read as missing values.
fn marked(column: Column, is_unread: bool) -> Result<(Column, Vec<String>)> {
    let Values::Categorical(texts) = column.values() else {
        // An empty cell of a column of numbers is missing without a mark, and a policy has to name it.
        let marks = if is_unread && column.has_missing() { vec![String::new()] } else { Vec::new() };
        return Ok((column, marks));
    };
    let marks: Vec<String> = texts.iter().filter(|text| is_mark(text)).map(str::to_owned).collect();
    let has_others = texts.len() > marks.len() && !marks.is_empty();
    let is_number = |text: &str| number(text).is_some() && !is_code(text);
    if has_others && texts.iter().all(|text| is_mark(text) || is_number(text)) {
        return Ok((column.with_numbers(number)?, marks));
    }
    let are_dates = has_others && date_notation(&column, is_mark).is_some();
    let marks = if are_dates { marks } else { marks_among_names(&column) };
    if marks.is_empty() {
        return Ok((column, marks));
    }
    let column = column.without_values(|text| marks.iter().any(|mark| mark == text))?;
    Ok((column, marks))
}

/// How the dates of a column are written.
#[derive(Debug, Clone, Copy)]
struct DateNotation {
    /// What comes first, where that has to be stated.
    order: Option<DateOrder>,
}

/// The notation of a column all of whose values are dates but for some marks. Where day and month could be either, they
/// are not taken for dates.
fn date_notation(column: &Column, is_mark: impl Fn(&str) -> bool) -> Option<DateNotation> {
    let values = column.values();
    let is_named = super::words::words(column.name()).iter().any(|word| is_among(word, super::words::DATES));
    let may_be = values.numbers().is_none() || is_named;
    let is_date = |text: &str, order| is_mark(text) || Date::parse(text, order).is_some();
    let all = |order| (0..values.len()).all(|code| is_date(&values.text(code), order));
    if values.is_empty() || !may_be {
        return None;
    }
    match (all(None), all(Some(DateOrder::DayFirst)), all(Some(DateOrder::MonthFirst))) {
        (true, ..) => Some(DateNotation { order: None }),
        (_, true, false) => Some(DateNotation { order: Some(DateOrder::DayFirst) }),
        (_, false, true) => Some(DateNotation { order: Some(DateOrder::MonthFirst) }),
        _ => None,
    }
}

/// A finite number, as the reader reads it.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a text of digits is a code and not a number, by a zero before the first other digit: `01738`.
pub(super) fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    matches!(digits, [b'0', next, ..] if next.is_ascii_digit())
}

/// The values of a column that are markers of missing values in other columns.
fn values_like_marks(column: &Column) -> Vec<String> {
    let values = column.values();
    if values.numbers().is_some() {
        return Vec::new();
    }
    let texts = (0..values.len()).map(|code| values.text(code));
    let is_like = |text: &Cow<'_, str>| {
        is_one_of(text, &AMONG_NAMES) || DASHES.contains(&text.as_ref()) || is_one_of(text, &LIKE_MARKS)
    };
    texts.filter(is_like).map(Cow::into_owned).collect()
}

/// The marks among names: an empty cell, and others that few rows have.
fn marks_among_names(column: &Column) -> Vec<String> {
    let values = column.values();
    let most = (column.len() as f64 * RowsLeftOut::MANY) as usize;
    let is_rare = |code: u32| column.codes().iter().filter(|&other| other == code).count() <= most;
    let texts = || (0..).zip((0..values.len()).map(|code| values.text(code)));
    let has_plus = texts().any(|(_, text)| text.starts_with('+'));
    let stands_for_none = |text: &str| is_one_of(text, &AMONG_NAMES) || (DASHES.contains(&text) && !has_plus);
    // A column of nothing but empty cells has no other value.
    let others = texts().any(|(_, text)| !text.is_empty());
    let is_mark = |(code, text): &(u32, Cow<'_, str>)| {
        stands_for_none(text) && (is_rare(*code) || (text.is_empty() && others))
    };
    texts().filter(is_mark).map(|(_, text)| text.into_owned()).collect()
}
