//! What a released cell covers.

use super::set_text::quoted_parts;
use crate::span::{days_of_cell, extent_of_numbers};
use crate::table::{Date, Kind};
use crate::taxonomy::{ANY, MISSING};

/// The values that a released cell covers: the union of what is listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extent {
    /// Whether it covers everything, missing values included.
    pub any: bool,
    /// Whether it covers a missing value.
    pub missing: bool,
    /// Names, ascending, each once.
    pub names: Vec<String>,
    /// Numbers, or dates as days since 1970-01-01; ascending.
    pub ranges: Vec<NumberRange>,
    /// Codes by their first characters.
    pub codes: Vec<MaskedCode>,
}

/// Numbers between two bounds; a missing bound means no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberRange {
    /// The lower bound.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
    /// Whether the lower bound is covered.
    pub from_low: bool,
    /// Whether the upper bound is covered.
    pub to_high: bool,
}

/// Codes of one length that begin alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaskedCode {
    /// The first characters.
    pub shown: String,
    /// The number of characters of a code.
    pub length: u32,
    /// What shorter codes are filled up with on the left.
    pub pad: Option<char>,
}

impl MaskedCode {
    /// The most characters of a code.
    pub const MOST_CHARACTERS: u32 = 256;
}

impl NumberRange {
    /// One number.
    pub fn point(number: f64) -> Self {
        Self { low: Some(number), high: Some(number), from_low: true, to_high: true }
    }

    /// Whether a number is between the bounds.
    pub fn contains(&self, number: f64) -> bool {
        self.low.is_none_or(|low| low < number || self.from_low && low <= number)
            && self.high.is_none_or(|high| number < high || self.to_high && number <= high)
    }

    /// The distance of a number to the nearest bound; none if it is between the bounds.
    pub(super) fn gap(&self, number: f64) -> Option<f64> {
        if self.contains(number) {
            return None;
        }
        let below = self.low.map_or(0.0, |low| low - number);
        let above = self.high.map_or(0.0, |high| number - high);
        Some(below.max(above).clamp(0.0, f64::MAX))
    }
}

impl Extent {
    /// Everything.
    pub fn anything() -> Self {
        Self { any: true, missing: true, ..Self::default() }
    }

    /// A missing value.
    pub fn missing() -> Self {
        Self { missing: true, ..Self::default() }
    }

    /// One name.
    pub fn name(name: impl Into<String>) -> Self {
        Self { names: vec![name.into()], ..Self::default() }
    }

    /// Some numbers or days.
    pub fn range(range: NumberRange) -> Self {
        Self { ranges: vec![range], ..Self::default() }
    }

    /// What at least one of them covers.
    pub fn union(extents: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for extent in extents {
            all.any |= extent.any;
            all.missing |= extent.missing;
            all.names.extend(extent.names);
            all.ranges.extend(extent.ranges);
            all.codes.extend(extent.codes);
        }
        if all.any {
            return Self::anything();
        }
        all.names.sort_unstable();
        all.names.dedup();
        all.codes.sort_unstable();
        all.codes.dedup();
        let bound = |bound: Option<f64>, open: f64| bound.unwrap_or(open);
        all.ranges.sort_by(|a, b| {
            let key =
                |range: &NumberRange| (bound(range.low, f64::NEG_INFINITY), bound(range.high, f64::INFINITY));
            let ((a, a_high), (b, b_high)) = (key(a), key(b));
            a.total_cmp(&b).then(a_high.total_cmp(&b_high))
        });
        all.ranges.dedup();
        all
    }

    /// What a cell covers by its text alone: `*`, `?`, a value, a set, an interval, a part of the calendar. None if the
    /// text of a number or date is none of these.
    pub fn of_text(kind: Kind, text: &str) -> Option<Self> {
        match text {
            ANY => return Some(Self::anything()),
            MISSING => return Some(Self::missing()),
            _ => {}
        }
        match kind {
            Kind::Numeric => extent_of_numbers(text),
            Kind::Date => of_dates(text),
            _ => Some(of_names(text)),
        }
    }
}

fn of_names(text: &str) -> Extent {
    let set = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let Some(inside) = set.filter(|inside| !inside.trim().is_empty()) else { return Extent::name(text) };
    let part = |part: &str| match part {
        MISSING => Extent::missing(),
        name => Extent::name(name),
    };
    match quoted_parts(inside) {
        Some(parts) => Extent::union(parts.iter().map(|name| part(name))),
        None => Extent::union(inside.split(", ").map(part)),
    }
}

fn of_dates(text: &str) -> Option<Extent> {
    if let Some(days) = days_of_cell(text) {
        return extent_of_numbers(&days);
    }
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let part = |part: &str| match part {
        MISSING => Some(Extent::missing()),
        part => of_calendar(part),
    };
    match inside {
        Some(inside) => Some(Extent::union(inside.split(", ").map(part).collect::<Option<Vec<_>>>()?)),
        None => of_calendar(text),
    }
}

/// A day, a month (`2026-05`), a quarter (`2026-Q2`) or a year.
fn of_calendar(text: &str) -> Option<Extent> {
    if let Some(date) = Date::parse(text, None) {
        return Some(Extent::range(NumberRange::point(f64::from(date.days()))));
    }
    let (year, part) = text.split_once('-').map_or((text, None), |(year, part)| (year, Some(part)));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let year: u32 = Some(year).filter(|year| year.len() == 4 && is_number(year))?.parse().ok()?;
    let number = |text: &str| is_number(text).then(|| text.parse::<u32>().ok()).flatten();
    let (first, last) = match part.map(|part| part.strip_prefix('Q').ok_or(part)) {
        None => (1, 12),
        Some(Ok(quarter)) => {
            let last = number(quarter)?.checked_mul(3)?;
            (last.checked_sub(2)?, last)
        }
        Some(Err(month)) => {
            let month = number(month).filter(|_| month.len() == 2)?;
            (month, month)
        }
    };
    let day = |year: u32, month: u32| Date::new(year, month, 1).map(|date| f64::from(date.days()));
    let after = if last == 12 { day(year + 1, 1) } else { day(year, last + 1) };
    // The last year has no day after it.
    let after = after.or_else(|| Date::new(year, 12, 31).map(|date| f64::from(date.days()) + 1.0))?;
    Some(Extent::range(NumberRange {
        low: Some(day(year, first)?),
        high: Some(after - 1.0),
        from_low: true,
        to_high: true,
    }))
}
