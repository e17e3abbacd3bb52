//! Columns of names of which nearly all are dates or numbers: a few cells decide what kind a column is.

use crate::group::count_by;
use crate::table::{Column, Date, DateOrder, Values};
use crate::with_codes;
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
    let sizes = with_codes!(column.codes(), codes => {
        count_by(codes.len(), &[], texts.len(), |row| codes[row] as usize)
    });
    let counted = |is_stray: &dyn Fn(&str) -> bool, dates: bool| {
        counted(column, texts.iter().map(is_stray).zip(&sizes), (sizes.iter().sum(), dates))
    };
    let orders = [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)];
    let dates =
        orders.into_iter().filter_map(|order| counted(&|text| Date::parse(text, order).is_none(), true));
    dates.chain(counted(&|text| !number(text), false)).min_by_key(|strays| strays.cells)
}

/// Counts strays, given which values are and how many cells have each. Stops when they are too many.
fn counted<'s>(
    column: &Column,
    values: impl Iterator<Item = (bool, &'s u64)>,
    (of, dates): (u64, bool),
) -> Option<Strays> {
    let (mut cells, mut is_stray) = (0, Vec::new());
    for (stray, size) in values {
        cells += if stray { *size } else { 0 };
        if cells * 20 > of {
            return None;
        }
        is_stray.push(stray);
    }
    let stray = |code: u32| is_stray.get(code as usize).is_some_and(|&stray| stray);
    let first = column.codes().iter().position(stray)? as u64 + 1;
    (of >= FEWEST).then_some(Strays { dates, cells, of, first, line: None })
}
