//! The day on which a dossier is made.

use incrowd_core::table::Date;
use incrowd_core::{Error, Result};
use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 86_400;

/// Today in UTC, or the day that the environment variable `SOURCE_DATE_EPOCH` states, so that a dossier can be made
/// again byte by byte.
///
/// # Errors
/// When the variable is not a number of seconds since 1970-01-01.
pub fn today() -> Result<Date> {
    let stated = std::env::var("SOURCE_DATE_EPOCH").ok();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    today_of(stated.as_deref(), now)
}

/// The day of a number of seconds since 1970-01-01, or of the one that is stated instead.
///
/// # Errors
/// As [`today`].
pub(super) fn today_of(stated: Option<&str>, now: u64) -> Result<Date> {
    let seconds = match stated {
        Some(stated) => stated.trim().parse().map_err(|_| not_seconds())?,
        None => now,
    };
    let days = i32::try_from(seconds / SECONDS_PER_DAY).map_err(|_| not_seconds())?;
    Date::from_days(days).ok_or_else(not_seconds)
}

fn not_seconds() -> Error {
    Error::parameters("SOURCE_DATE_EPOCH is not a number of seconds since 1970-01-01")
        .help("set it to such a number, or remove the variable")
}
