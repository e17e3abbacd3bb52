//! Dates: days of the calendar, read in the usual notations and written in that of ISO 8601.
//!
//! A date is stored as a number of days, so that dates are ordered. A time of day behind a date is dropped.

use std::fmt;

/// What comes first in dates with slashes or dashes whose year comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateOrder {
    /// The day: 31/12/2026.
    DayFirst,
    /// The month: 12/31/2026.
    MonthFirst,
}

/// A day of the calendar, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i32);

impl Date {
    /// The day of a year from 1 to 9999, a month and a day, if there is one.
    pub fn new(year: u32, month: u32, day: u32) -> Option<Self> {
        let is_day = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && day >= 1
            && day <= days_in(year, month);
        is_day.then(|| Self(days_before(year, month) + day as i32 - 1))
    }

    /// Reads a date: `2026-12-31`, `20261231`, `2026/12/31`, `31.12.2026`, and `31/12/2026` or `12/31/2026` if `order`
    /// states what comes first; with or without a time behind it.
    pub fn parse(text: &str, order: Option<DateOrder>) -> Option<Self> {
        let day = without_time(text.trim())?;
        let separator = day.chars().find(|c| !c.is_ascii_digit());
        let Some(separator) = separator else { return Self::parse_digits(day) };
        let mut parts = day.split(separator);
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        if first.len() == 4 {
            return (separator != '.').then(|| Self::of_texts(first, second, third)).flatten();
        }
        if third.len() != 4 {
            return None;
        }
        match (separator, order) {
            ('.', _) | ('/' | '-', Some(DateOrder::DayFirst)) => Self::of_texts(third, second, first),
            ('/' | '-', Some(DateOrder::MonthFirst)) => Self::of_texts(third, first, second),
            _ => None,
        }
    }

    fn parse_digits(day: &str) -> Option<Self> {
        (day.len() == 8).then(|| Self::of_texts(&day[..4], &day[4..6], &day[6..])).flatten()
    }

    fn of_texts(year: &str, month: &str, day: &str) -> Option<Self> {
        let number = |text: &str| {
            let is_number =
                !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse().ok()).flatten()
        };
        Self::new(number(year)?, number(month)?, number(day)?)
    }

    /// The days since 1970-01-01.
    pub fn days(self) -> i32 {
        self.0
    }

    /// The date this many days after 1970-01-01, if its year is from 1 to 9999.
    pub fn from_days(days: i32) -> Option<Self> {
        let (first, last) = (Self::new(1, 1, 1)?, Self::new(9999, 12, 31)?);
        (first.0..=last.0).contains(&days).then_some(Self(days))
    }

    /// The date of a number of days since 1970-01-01, in words; a fraction belongs to its day, and one beyond the years
    /// from 1 to 9999 stays a number.
    pub fn text_of_days(days: f64) -> String {
        let day = days.floor();
        let date = (day.abs() < f64::from(i32::MAX)).then(|| Self::from_days(day as i32)).flatten();
        date.map_or_else(|| days.to_string(), |date| date.to_string())
    }

    /// A day that separates two days, the first and those before it from the second and those after it: the end of a
    /// year, quarter or month between them, or else the day in the middle. It is neither of the two, except the first
    /// if they are neighbouring days.
    pub fn day_between(first: f64, second: f64) -> f64 {
        let (next, last) = (first.floor() + 1.0, second.ceil() - 1.0);
        if next > last {
            return first;
        }
        let ends = Self::from_days(next as i32).map(Self::ends).into_iter().flatten();
        let end = ends.map(f64::from).find(|end| *end <= last);
        end.unwrap_or_else(|| f64::midpoint(next, last).floor())
    }

    /// The last days of the year, the quarter and the month that contain a day.
    fn ends(self) -> [i32; 3] {
        let (year, month, _) = self.parts();
        [12, month.div_ceil(3) * 3, month]
            .map(|month| days_before(year, month) + days_in(year, month) as i32 - 1)
    }

    /// The year, the month and the day.
    pub fn parts(self) -> (u32, u32, u32) {
        // Years have 365.2425 days on average, so the guess is off by one at most.
        let guess = (f64::from(self.0) / 365.2425).floor() as i32 + 1970;
        let year = [guess + 1, guess, guess - 1]
            .into_iter()
            .filter_map(|year| u32::try_from(year).ok())
            .find(|&year| days_before(year, 1) <= self.0)
            .unwrap_or(1);
        let month = (1..=12).rev().find(|&month| days_before(year, month) <= self.0).unwrap_or(1);
        (year, month, (self.0 - days_before(year, month)) as u32 + 1)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// The date of a text that may go on with a time: `2026-12-31T10:00:00Z`, `31.12.2026 10:00`.
fn without_time(text: &str) -> Option<&str> {
    let Some(end) = text.find(['T', ' ']) else { return Some(text) };
    let time = text[end + 1..].trim_start();
    let is_time = time.contains(':') && time.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    is_time.then_some(&text[..end])
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 => 28 + u32::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 1970-01-01 to the first of a month.
fn days_before(year: u32, month: u32) -> i32 {
    let before = year as i32 - 1;
    let of_years = before * 365 + before / 4 - before / 100 + before / 400;
    let of_months: u32 = (1..month).map(|month| days_in(year, month)).sum();
    of_years + of_months as i32 - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_notations_are_read() {
        use DateOrder::{DayFirst, MonthFirst};
        let cases = [
            ("2026-12-31", None),
            ("20261231", None),
            ("2026/12/31", None),
            ("31.12.2026", None),
            ("31.12.2026 23:59", None),
            ("2026-12-31T00:00:00Z", None),
            ("2026-12-31 10:00:00.5+01:00", Some(MonthFirst)),
            ("31/12/2026", Some(DayFirst)),
            ("12/31/2026", Some(MonthFirst)),
            ("12-31-2026", Some(MonthFirst)),
        ];
        for (text, order) in cases {
            assert_eq!(
                Date::parse(text, order).map(|date| date.to_string()).as_deref(),
                Some("2026-12-31"),
                "{text}"
            );
        }
        let wrong = [
            "",
            "2026",
            "2026-13-01",
            "2026-02-29",
            "31/12/2026",
            "1.2.26",
            "2026-1",
            "10 Jan",
            "2026-12-31x",
        ];
        for text in wrong {
            assert_eq!(Date::parse(text, None), None, "{text}");
        }
        assert_eq!(Date::parse("12/31/2026", Some(DayFirst)), None);
    }

    #[test]
    fn bounds_between_days_are_ends_of_the_calendar() {
        let day = |text: &str| f64::from(Date::parse(text, None).expect("a date").days());
        let between = |a: &str, b: &str| Date::text_of_days(Date::day_between(day(a), day(b)));
        assert_eq!(between("2023-03-05", "2024-02-01"), "2023-12-31");
        assert_eq!(between("2023-03-05", "2023-05-01"), "2023-03-31");
        assert_eq!(between("2023-04-05", "2023-05-07"), "2023-04-30");
        assert_eq!(between("2023-04-05", "2023-04-09"), "2023-04-07");
        assert_eq!(between("2023-12-31", "2024-02-02"), "2024-01-31");
        assert_eq!(between("2023-04-05", "2023-04-06"), "2023-04-05");
        assert_eq!(Date::text_of_days(0.5), "1970-01-01");
        assert_eq!(Date::text_of_days(-0.5), "1969-12-31");
        assert_eq!(Date::text_of_days(1e300), 1e300.to_string());
    }

    #[test]
    fn days_and_dates_agree() {
        assert_eq!(Date::new(1970, 1, 1).map(Date::days), Some(0));
        assert_eq!(Date::new(2000, 3, 1).map(Date::days), Some(11_017));
        let mut before: Option<Date> = None;
        for days in (-719_162..2_932_896).step_by(97) {
            let date = Date::from_days(days).expect("within the years");
            let (year, month, day) = date.parts();
            assert_eq!(Date::new(year, month, day), Some(date), "{days}");
            assert!(before.is_none_or(|before| before.to_string() < date.to_string()));
            before = Some(date);
        }
        assert_eq!((Date::from_days(-719_163), Date::from_days(2_932_897)), (None, None));
    }
}
