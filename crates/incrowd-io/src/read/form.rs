//! How typed values become cells: whole numbers, dates, times, decimals and others as text. Parquet files and frames in
//! memory share these rules, so that both give the same table.

use incrowd_core::{Error, Result};
use std::fmt::Display;
use std::io::Write as _;

const DAY: i128 = 86_400;
/// The longest decimal, in bytes, that fits the numbers computed with here.
pub(super) const LONGEST_DECIMAL: i32 = 16;
/// Cells are kept whole.
pub(super) const LONGEST_TEXT: usize = 16 << 20;

/// How the values of a column are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) name: String,
    style: Style,
    /// Whether a `NaN` is a separate value.
    exact: bool,
    /// Whether numbers are taken as they are, because their texts do not matter.
    #[cfg(feature = "arrow")]
    as_numbers: bool,
}

/// The meaning of a value's bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
    Unsigned,
    Date,
    /// Of this many parts per second.
    Time(i128),
    Timestamp {
        parts: i128,
        utc: bool,
    },
    Decimal {
        scale: usize,
    },
    Uuid,
    Half,
}

impl Form {
    pub(super) fn new(name: impl Into<String>, style: Style, exact: bool) -> Self {
        Self {
            name: name.into(),
            style,
            exact,
            #[cfg(feature = "arrow")]
            as_numbers: false,
        }
    }

    /// The same, taking numbers as they are if their texts do not matter.
    #[cfg(feature = "arrow")]
    pub(super) fn taking_numbers(self, as_numbers: bool) -> Self {
        Self { as_numbers, ..self }
    }

    /// Whether numbers are taken as they are.
    #[cfg(feature = "arrow")]
    pub(super) fn takes_numbers(&self) -> bool {
        self.as_numbers
    }

    pub(super) fn put_int32(&self, value: i32, text: &mut Vec<u8>) -> Result<bool> {
        match self.style {
            Style::Unsigned => put(value.cast_unsigned(), text),
            _ => self.put_int64(i64::from(value), text),
        }
    }

    pub(super) fn put_int64(&self, value: i64, text: &mut Vec<u8>) -> Result<bool> {
        match self.style {
            Style::Unsigned => put(value.cast_unsigned(), text),
            Style::Date => put_date(i128::from(value), text),
            Style::Time(parts) => put_time(i128::from(value), parts, text),
            Style::Timestamp { parts, utc } => put_timestamp(i128::from(value), parts, utc, text),
            Style::Decimal { scale } => put_decimal(i128::from(value), scale, text),
            Style::Plain | Style::Uuid | Style::Half => put(value, text),
        }
    }

    /// The shortest text that reads back as the number; a `NaN` is not a value, unless the column is read exactly.
    pub(super) fn put_float(
        &self,
        value: impl Display + Into<f64> + Copy,
        text: &mut Vec<u8>,
    ) -> Result<bool> {
        if value.into().is_nan() && !self.exact { Ok(false) } else { put(value, text) }
    }

    pub(super) fn put_bytes(&self, bytes: &[u8], text: &mut Vec<u8>) -> Result<bool> {
        match self.style {
            Style::Decimal { scale } => put_decimal(big_endian(bytes)?, scale, text),
            Style::Uuid => put_uuid(bytes, text),
            Style::Half => self.put_float(half(bytes), text),
            _ if bytes.len() > LONGEST_TEXT => Err(Error::limit("a cell is longer than 16 megabytes")),
            _ if std::str::from_utf8(bytes).is_err() => Err(Error::input("a text is not UTF-8")
                .help("write the column as text, or exclude it: give it the role `ignored`")),
            _ => {
                text.extend_from_slice(bytes);
                Ok(true)
            }
        }
    }
}

pub(super) fn put_bool(value: bool, text: &mut Vec<u8>) -> Result<bool> {
    put(value, text)
}

/// A timestamp of Parquet's older kind: nanoseconds within a Julian day, the lower half first.
pub(super) fn put_int96(value: &[u32], text: &mut Vec<u8>) -> Result<bool> {
    const UNIX_DAY: i128 = 2_440_588;
    let &[low, high, day] = value else { return Ok(false) };
    let nanos = (i128::from(high) << 32) | i128::from(low);
    let parts = 1_000_000_000;
    put_timestamp((i128::from(day) - UNIX_DAY) * DAY * parts + nanos, parts, false, text)
}

fn put(value: impl Display, text: &mut Vec<u8>) -> Result<bool> {
    write!(text, "{value}").map_err(|_| Error::input("the cell cannot be written as text"))?;
    Ok(true)
}

/// Days since 1970 as a date of the Gregorian calendar.
fn put_date(days: i128, text: &mut Vec<u8>) -> Result<bool> {
    // Years that begin in March, so that the leap day is the last (Hinnant, "chrono-compatible low-level date
    // algorithms").
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i128::from(month <= 2);
    put(format_args!("{year:04}-{month:02}-{date:02}"), text)
}

fn put_time(value: i128, parts: i128, text: &mut Vec<u8>) -> Result<bool> {
    let (second, part) = (value.div_euclid(parts), value.rem_euclid(parts));
    put(format_args!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60), text)?;
    if part > 0 {
        let digits = parts.ilog10() as usize;
        put(format_args!(".{part:0digits$}"), text)?;
        let zeros = text.iter().rev().take_while(|&&byte| byte == b'0').count();
        text.truncate(text.len() - zeros);
    }
    Ok(true)
}

fn put_timestamp(value: i128, parts: i128, utc: bool, text: &mut Vec<u8>) -> Result<bool> {
    let day = DAY * parts;
    put_date(value.div_euclid(day), text)?;
    text.push(b'T');
    put_time(value.rem_euclid(day), parts, text)?;
    text.extend(utc.then_some(b'Z'));
    Ok(true)
}

fn put_decimal(value: i128, scale: usize, text: &mut Vec<u8>) -> Result<bool> {
    let unit = 10_u128.checked_pow(scale as u32).unwrap_or(1);
    let sign = if value < 0 { "-" } else { "" };
    put(format_args!("{sign}{}", value.unsigned_abs() / unit), text)?;
    if scale > 0 {
        put(format_args!(".{:0scale$}", value.unsigned_abs() % unit), text)?;
    }
    Ok(true)
}

fn put_uuid(bytes: &[u8], text: &mut Vec<u8>) -> Result<bool> {
    for (i, byte) in bytes.iter().enumerate() {
        let dash = if matches!(i, 4 | 6 | 8 | 10) { "-" } else { "" };
        put(format_args!("{dash}{byte:02x}"), text)?;
    }
    Ok(true)
}

/// A signed number, highest byte first.
fn big_endian(bytes: &[u8]) -> Result<i128> {
    if bytes.is_empty() || bytes.len() > LONGEST_DECIMAL as usize {
        return Err(Error::input("a decimal of more than 38 digits cannot be read"));
    }
    let start = if bytes[0] & 0x80 == 0 { 0 } else { -1 };
    Ok(bytes.iter().fold(start, |value: i128, &byte| (value << 8) | i128::from(byte)))
}

/// A number of half precision.
fn half(bytes: &[u8]) -> f64 {
    let &[low, high] = bytes else { return f64::NAN };
    let bits = u16::from_le_bytes([low, high]);
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (power, part) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    sign * match power {
        0 => part * 2_f64.powi(-24),
        0x1F if part > 0.0 => f64::NAN,
        0x1F => f64::INFINITY,
        _ => (1024.0 + part) * 2_f64.powi(power - 25),
    }
}
