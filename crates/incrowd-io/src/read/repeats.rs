//! Identifiers that repeat. Then an individual may have several rows, and k must count individuals.

use super::source::{BlockSource, Sizes};
use super::{Block, Reader, TableRead, crew_of, read_in};
use crate::plan::{ColumnPlan, MissingRows, ReadPlan, Reading, Unlisted};
use incrowd_core::Result;
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, Kind};
use incrowd_core::words::count;
use std::path::Path;

/// The blocks at the beginning of a file that are looked at: about 16 MiB of text.
pub(super) const BLOCKS: u64 = 16;

/// The smallest share of rows that must repeat, one in so many, unless one value does so often. Two rows with one value
/// may be a typing error.
const FEWEST: u64 = 50;

/// The rows of one value from which on it is no typing error: a group of so many rows may be one individual.
const OFTEN: u64 = 3;

/// An identifier whose values repeat among the first rows of a table: many of them, or one of them often.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepeatedIdentifier {
    /// Its name.
    pub name: String,
    /// The rows that have the same value as an earlier row.
    pub rows: u64,
    /// The rows that were looked at.
    pub of: u64,
    /// Another identifier, no value of which repeats.
    pub other: Option<String>,
}

impl RepeatedIdentifier {
    /// An identifier with these counts, if that many rows repeat: `rows` with the same value as another row before them,
    /// `most` with one value, `of` all rows.
    pub fn of_counts(name: &str, (rows, most): (u64, u64), of: u64) -> Option<Self> {
        let repeats = rows > 0 && (rows * FEWEST >= of || most >= OFTEN);
        repeats.then(|| Self { name: name.to_owned(), rows, of, other: None })
    }

    /// The warning that k counts rows.
    pub fn warning(&self) -> String {
        let Self { name, rows, of, .. } = self;
        format!(
            "every row counts as an individual, and `{name}` repeats: {} of the first {} rows have the same `{name}` as an \
             earlier row; if they are about the same individual, set `subject = \"{name}\"` in the policy, and k counts \
             individuals{}",
            count(*rows),
            count(*of),
            match &self.other {
                Some(other) =>
                    format!("; if `{other}`, which no two rows share, numbers individuals, ignore this"),
                None => String::new(),
            }
        )
    }
}

/// Finds the identifiers many of whose values repeat, among the first rows of a file. Their values are not kept. Nothing
/// is found in a pipe, which cannot be read twice.
///
/// # Errors
/// When the file cannot be read.
pub fn repeated_identifiers(
    path: &Path,
    plan: &ReadPlan,
    identifiers: &[String],
    threads: usize,
) -> Result<Vec<RepeatedIdentifier>> {
    let plan = plan_of(plan, identifiers);
    let reader = Reader::new(path, &plan, crew_of(threads), Sizes::default(), &Silent)?;
    if identifiers.is_empty() || !reader.is_regular() {
        return Ok(Vec::new());
    }
    let read = read_in(&Reader { blocks: Some(BLOCKS), ..reader }).map_err(|error| error.in_file(path))?;
    Ok(repeated(&read))
}

/// How only the identifiers are read.
pub(super) fn plan_of(plan: &ReadPlan, identifiers: &[String]) -> ReadPlan {
    let mut plan = plan.clone().with_unlisted(Unlisted::Skip).with_missing_rows(MissingRows::Keep);
    plan.columns.values_mut().for_each(|column| *column = ColumnPlan::new(Reading::Skip));
    for name in identifiers {
        let column = ColumnPlan { kind: Some(Kind::Categorical), optional: true, ..ColumnPlan::default() };
        plan.columns.insert(name.clone(), column);
    }
    plan
}

/// The columns of a table many of whose values repeat.
pub(super) fn repeated(read: &TableRead) -> Vec<RepeatedIdentifier> {
    let of = read.table.rows() as u64;
    let differs = |column: &&Column| repetitions(column) == (0, 1);
    let other = read.table.columns().iter().find(differs).map(|column| column.name().to_owned());
    let one = |column: &Column| {
        let found = RepeatedIdentifier::of_counts(column.name(), repetitions(column), of)?;
        Some(RepeatedIdentifier { other: other.clone(), ..found })
    };
    read.table.columns().iter().filter_map(one).collect()
}

/// The rows with a value that an earlier row has, and the most rows of one value. Empty cells are not the same individual.
fn repetitions(column: &Column) -> (u64, u64) {
    let values = column.values();
    let is_value = |code: usize| code < values.len() && !values.text(code).is_empty();
    let mut rows = vec![0_u64; values.len() + 1];
    column.codes().iter().for_each(|code| rows[code as usize] += 1);
    let of_values =
        || rows.iter().enumerate().filter(|&(code, &rows)| is_value(code) && rows > 0).map(|(_, &rows)| rows);
    (of_values().map(|rows| rows - 1).sum(), of_values().max().unwrap_or(0))
}

/// The first blocks of a source.
pub(super) struct Beginning<'a> {
    pub(super) source: Box<dyn BlockSource + 'a>,
    pub(super) left: u64,
}

impl BlockSource for Beginning<'_> {
    fn fill(&mut self, block: &mut Block) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.source.fill(block)
    }
}
