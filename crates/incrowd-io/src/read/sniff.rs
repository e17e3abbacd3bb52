//! Detects the delimiter and the header of delimited text from its first records.

use super::cells::{self, Fault, Width};
use super::dialect::Dialect;
use super::number;
use super::rules::DeclaredColumn;
use super::scan::CHUNK;
use super::source::Text;
use crate::plan::{ColumnPlan, Format, Quote, ReadPlan, Reading};
use incrowd_core::{Error, Result};

/// The numbers of bytes and lines that are examined.
const SAMPLE: usize = 1 << 18;
const LINES: usize = 200;
/// Delimiters tried, the likelier of two equally good ones first: text contains commas more often than the others.
const DELIMITERS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// What delimited text looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SniffedForm {
    pub(super) dialect: Dialect,
    pub(super) header: bool,
    pub(super) columns: Vec<DeclaredColumn>,
    /// The delimiter that makes several columns of the file, where the plan's makes one.
    pub(super) other_delimiter: Option<u8>,
}

/// Looks at the first records.
pub(super) fn find(text: &mut Text<'_>, format: Format, plan: &ReadPlan) -> Result<SniffedForm> {
    check_plan(plan)?;
    let mut size = SAMPLE;
    loop {
        let whole = text.hold(size)?;
        check_line_ends(text.held())?;
        let sample = Sample::new(text.held(), whole);
        let dialect = dialect(&sample, format, plan);
        let (records, fault) = sample.records(&dialect);
        let other_delimiter = other_delimiter(&sample, &records, &dialect, plan);
        // One record of a sample may be the first of many that are long.
        if records.len() > 1 || (!records.is_empty() && (whole || size > 64 * SAMPLE)) {
            let faulty = fault.is_some() || !whole;
            return found(&records, faulty, dialect, format, plan)
                .map(|form| SniffedForm { other_delimiter, ..form })
                .map_err(|error| error.at_line(text.line()));
        }
        // A record that is too long, or wrong, is for the reading proper to report.
        if whole || size > 64 * SAMPLE {
            return fault.map_or_else(
                || Err(Error::input("the file has no rows").help("check that it is complete")),
                |_| {
                    let columns = vec![DeclaredColumn::named("column1")];
                    Ok(SniffedForm { dialect, header: false, columns, other_delimiter })
                },
            );
        }
        size *= 4;
    }
}

/// The first records, as the delimiter that fits best cuts them; empty cells are cells.
pub(super) fn first_records(text: &mut Text<'_>, format: Format) -> Result<Vec<Vec<String>>> {
    let whole = text.hold(SAMPLE)?;
    let sample = Sample::new(text.held(), whole);
    let dialect = dialect(&sample, format, &ReadPlan::default());
    Ok(sample.records(&dialect).0)
}

fn found(
    records: &[Vec<String>],
    faulty: bool,
    dialect: Dialect,
    format: Format,
    plan: &ReadPlan,
) -> Result<SniffedForm> {
    let header = plan.header.unwrap_or_else(|| format == Format::Csv && looks_like_header(records, plan));
    if header && records.len() == 1 && !faulty {
        return Err(Error::input("the file has a header and no rows")
            .help("if the first line is a row, set `header = false`"));
    }
    let name = |(i, cell): (usize, &String)| match cell.as_str() {
        name if header && !name.is_empty() => DeclaredColumn::of_line(name),
        _ => DeclaredColumn::named(format!("column{}", i + 1)),
    };
    let columns = records[0].iter().enumerate().map(name).collect();
    Ok(SniffedForm { dialect, header, columns, other_delimiter: None })
}

fn check_plan(plan: &ReadPlan) -> Result<()> {
    let bad = |byte: u8| !byte.is_ascii() || matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | 0);
    if plan.delimiter.is_some_and(bad) {
        return Err(
            Error::input("this cannot be a delimiter").help("use a comma, semicolon, tab, bar or space")
        );
    }
    Ok(())
}

/// Carriage returns alone would make one long record of the file.
fn check_line_ends(held: &[u8]) -> Result<()> {
    let inside = &held[..held.len().saturating_sub(1)];
    if memchr::memchr(b'\n', held).is_none()
        && memchr::memchr2(b'\r', b'"', inside).is_some_and(|at| held[at] == b'\r')
    {
        return Err(Error::input("the lines end with carriage returns only")
            .at_line(1)
            .help("save the file with line feeds"));
    }
    Ok(())
}

fn dialect(sample: &Sample, format: Format, plan: &ReadPlan) -> Dialect {
    let quotes: &[u8] = match plan.quote {
        Quote::Double => b"\"",
        Quote::Single => b"'",
        Quote::None => b"",
    };
    let bar = format == Format::Uci && plan.delimiter != Some(b'|');
    let comment = plan.comment.clone().or_else(|| bar.then(|| "|".to_owned()));
    let comment = comment.filter(|mark| !mark.is_empty()).map(String::into_bytes);
    let with =
        |delimiter| Dialect { delimiter, quotes, arff: false, comment: comment.clone(), cuts: Vec::new() };
    match plan.delimiter {
        Some(delimiter) => with(delimiter),
        None => best(sample, with),
    }
}

/// The delimiter that cuts most records into as many cells as the first, at least two; spaces only if no other does.
/// Where none does because quotes are wrong, quotes count as ordinary characters: the error then names the right cell.
fn best(sample: &Sample, with: impl Fn(u8) -> Dialect) -> Dialect {
    let score = |delimiter: u8| {
        let dialect = with(delimiter);
        if dialect.comment.as_deref() == Some(&[delimiter]) {
            return (0, dialect);
        }
        (sample.alike(&dialect), dialect)
    };
    let scored = DELIMITERS.map(score);
    let highest = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    let blank = score(b' ');
    match scored.into_iter().find(|(score, _)| *score == highest && highest > 0) {
        Some((_, dialect)) => dialect,
        None if blank.0 > 0 => blank.1,
        None => with(best_without_quotes(sample, &with).unwrap_or(b',')),
    }
}

/// The delimiter, of those under which a quote is wrong, that would fit best if quotes were ordinary characters.
fn best_without_quotes(sample: &Sample, with: impl Fn(u8) -> Dialect) -> Option<u8> {
    let is_faulty = |delimiter: &u8| sample.records(&with(*delimiter)).1.is_some();
    let score = |delimiter: u8| (sample.alike(&Dialect { quotes: b"", ..with(delimiter) }), delimiter);
    let scored = DELIMITERS.into_iter().filter(is_faulty).map(score);
    // Of equally good ones, the first.
    let scored = scored.filter(|(score, _)| *score > 0).rev();
    scored.max_by_key(|(score, _)| *score).map(|(_, delimiter)| delimiter)
}

/// A delimiter that cuts most records into several cells, where the plan's makes one cell of the first.
fn other_delimiter(
    sample: &Sample,
    records: &[Vec<String>],
    dialect: &Dialect,
    plan: &ReadPlan,
) -> Option<u8> {
    let own = plan.delimiter.filter(|_| records.first().is_none_or(|first| first.len() == 1))?;
    let with = |delimiter| Dialect { delimiter, ..dialect.clone() };
    let others = DELIMITERS.into_iter().filter(|&delimiter| delimiter != own);
    let scored = others.map(|delimiter| (sample.alike(&with(delimiter)), delimiter));
    scored.filter(|(score, _)| *score > 0).max_by_key(|(score, _)| *score).map(|(_, delimiter)| delimiter)
}

/// Whether the first record has every column that is needed by its name; where none is, one that is looked for.
fn names_all(first: &[String], plan: &ReadPlan) -> bool {
    let is_sought = |column: &ColumnPlan| !matches!(column.reading, Reading::Skip | Reading::Bystander);
    let sought = || plan.columns.iter().filter(|(_, column)| is_sought(column));
    let mut needed = sought().filter(|(_, column)| !column.optional).peekable();
    match needed.peek() {
        Some(_) => needed.all(|(name, _)| first.contains(name)),
        None => sought().any(|(name, _)| first.contains(name)),
    }
}

/// Whether the first record reads like names rather than values.
fn looks_like_header(records: &[Vec<String>], plan: &ReadPlan) -> bool {
    let (first, rest) = (&records[0], &records[1..]);
    let empty = |cell: &String| cell.is_empty() || plan.missing.contains(cell);
    let numeric = |cell: &String| number::parse_with(cell.as_bytes(), plan.decimal).is_some();
    if plan.names.as_ref() == Some(first) || names_all(first, plan) {
        return true;
    }
    if first.iter().any(numeric) {
        return false;
    }
    let below = |i: usize| rest.iter().filter_map(move |record| record.get(i));
    let over_numbers = |i: usize| {
        let mut filled = below(i).filter(|cell| !empty(cell)).peekable();
        filled.peek().is_some() && filled.all(numeric)
    };
    if (0..first.len()).any(|i| !empty(&first[i]) && over_numbers(i)) {
        return true;
    }
    // Tables written with row numbers have no name over these.
    let unnamed = |i: usize| empty(&first[i]) && (i > 0 || !over_numbers(0));
    let repeats = (0..first.len()).any(|i| first[..i].contains(&first[i]) || unnamed(i));
    let is_value = (0..first.len()).all(|i| below(i).any(|cell| *cell == first[i]));
    !repeats && !is_value
}

/// The first lines of a file.
struct Sample {
    text: Vec<u8>,
    end: usize,
    lines: usize,
}

impl Sample {
    fn new(held: &[u8], whole: bool) -> Self {
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', held).take(LINES).collect();
        let cut = ends.len() == LINES || !whole;
        let end = ends.last().filter(|_| cut).map_or(held.len(), |end| end + 1);
        let mut text = held[..end].to_vec();
        if whole && text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
        let end = text.len();
        text.extend_from_slice(&[0; CHUNK]);
        let lines =
            text[..end].split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        Self { text, end, lines }
    }

    /// How many records a dialect cuts into as many cells as the first, at least two; 0 where these are no more than
    /// half of the lines, which chance would do as well.
    fn alike(&self, dialect: &Dialect) -> usize {
        let (records, _) = self.records(dialect);
        let width = records.first().map_or(0, Vec::len);
        let alike = records.iter().filter(|record| record.len() == width && width > 1).count();
        if 2 * alike > self.lines { alike } else { 0 }
    }

    /// The records up to the first fault.
    fn records(&self, dialect: &Dialect) -> (Vec<Vec<String>>, Option<Fault>) {
        let (mut text, mut cells, mut ends) = (self.text.clone(), Vec::new(), Vec::new());
        let fault =
            cells::cut(&mut text, self.end, dialect, Width::Any, &mut cells, |end, _| ends.push(end)).err();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let read = |(start, &end): (usize, &usize)| {
            cells[start..end]
                .iter()
                .map(|cell| String::from_utf8_lossy(cell.of(&text)).into_owned())
                .collect()
        };
        (starts.zip(&ends).map(read).collect(), fault)
    }
}
