//! Columns of names of which nearly all are dates or numbers: a few cells decide what kind a column is.

use crate::table::{Column, Date, DateOrder, Values};
use crate::words::count;
use std::fmt;

/// Fewer cells than this say nothing about a column.
const FEWEST: u64 = 20;

/// The cells of a column that are not what nearly all others are. Displays as a clause, without any cell's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strays {
    /// What nearly all cells are: dates, or else numbers.
    pub dates: bool,
    /// The cells that are not.
    pub cells: u64,
    /// All cells that are not missing.
    pub of: u64,
    /// The first row with one, counted from 1.
    pub first: u64,
    /// The line of the file in which this row begins, if known.
    pub line: Option<u64>,
}

impl fmt::Display for Strays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cells, of) = (count(self.cells), count(self.of));
        let (is, a, s) = if self.cells == 1 { ("is", "a ", "") } else { ("are", "", "s") };
        let kind = if self.dates { "date" } else { "number" };
        let first = match self.line {
            Some(line) => format!("line {}", count(line)),
            None => format!("row {}", count(self.first)),
        };
        write!(f, "{cells} of {of} cells {is} not {a}{kind}{s} (first in {first})")
    }
}

/// The few cells that keep a column from being one of dates or numbers; none if it is one, or if many cells do.
pub(super) fn strays(column: &Column, number: impl Fn(&str) -> bool) -> Option<Strays> {
    let Values::Categorical(texts) = column.values() else { return None };
    let orders = [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)];
    let dates = orders.into_iter().filter_map(|order| {
        let is_stray: Vec<bool> = texts.iter().map(|text| Date::parse(text, order).is_none()).collect();
        counted(column, &is_stray, true)
    });
    let is_stray: Vec<bool> = texts.iter().map(|text| !number(text)).collect();
    dates.chain(counted(column, &is_stray, false)).min_by_key(|strays| strays.cells)
}

fn counted(column: &Column, is_stray: &[bool], dates: bool) -> Option<Strays> {
    let is_present = |code: &u32| (*code as usize) < is_stray.len();
    let of = column.codes().iter().filter(is_present).count() as u64;
    let stray = |code: &u32| is_present(code) && is_stray[*code as usize];
    let cells = column.codes().iter().filter(stray).count() as u64;
    let first = column.codes().iter().position(|code| stray(&code))? as u64 + 1;
    (of >= FEWEST && cells * 20 <= of).then_some(Strays { dates, cells, of, first, line: None })
}
