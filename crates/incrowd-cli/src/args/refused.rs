//! Arguments that cannot be understood.

use crate::text::count;
use clap::error::ContextKind;
use std::process::ExitCode;

/// The standard library's messages about texts that are not whole numbers.
const NOT_WHOLE: [&str; 2] = ["invalid digit found in string", "cannot parse integer from empty string"];

/// The flags that may be 0.
const FROM_ZERO: [&str; 3] = ["--seed", "--threads", "--depth"];

/// The standard library's other messages about invalid numbers, and our wording of each.
const NOT_NUMBERS: [(&str, &str); 3] = [
    ("number too large to fit in target type", "the number is too large"),
    ("invalid float literal", "give a number, such as 0.5"),
    ("cannot parse float from empty string", "give a number, such as 0.5"),
];

/// Prints the error in the arguments (or the requested help), and returns the exit status.
pub(crate) fn refused(error: &clap::Error) -> ExitCode {
    if error.kind() != clap::error::ErrorKind::ValueValidation {
        // If even this cannot be printed, nothing more can be done.
        let _ = error.print();
        return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    let said = whole_in_words(&ranges_in_words(&error.render().ansi().to_string()), &flag_of(error));
    anstream::eprint!("{}", NOT_NUMBERS.iter().fold(said, |said, (theirs, ours)| said.replace(theirs, ours)));
    ExitCode::from(2)
}

/// The flag with the invalid value.
fn flag_of(error: &clap::Error) -> String {
    error.get(ContextKind::InvalidArg).map_or_else(String::new, ToString::to_string)
}

/// The message about a text that is not a whole number in words.
fn whole_in_words(said: &str, flag: &str) -> String {
    let least = u8::from(!FROM_ZERO.contains(&flag.split(' ').next().unwrap_or_default()));
    let ours = format!("give a whole number of at least {least}");
    NOT_WHOLE.iter().fold(said.to_owned(), |said, theirs| said.replace(theirs, &ours))
}

/// Clap's words between a number and the range that it should be in.
const NOT_IN: &str = " is not in ";

/// A range without an end ends with the largest number of its type, the smallest of which is this.
const ENDLESS: u64 = u32::MAX as u64;

/// The message with ranges such as `1..=10000` in words.
fn ranges_in_words(said: &str) -> String {
    let words = |line: &str| {
        let (before, range) = line.split_once(NOT_IN)?;
        let (start, _) = before.rsplit_once(": ")?;
        let (low, high) = range.trim_end().split_once("..")?;
        let high: u64 = high.trim_start_matches('=').parse().ok()?;
        let low = count(low.parse().ok()?);
        Some(match high {
            ENDLESS.. => format!("{start}: give {low} or more"),
            high => format!("{start}: give a number from {low} to {}", count(high)),
        })
    };
    let lines = said.split('\n').map(|line| words(line).unwrap_or_else(|| line.to_owned()));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_whole_number_is_that_of_the_flag() {
        let said = |flag| whole_in_words("for it: invalid digit found in string", flag);
        assert_eq!(said("--k <N>"), "for it: give a whole number of at least 1");
        assert_eq!(said("--seed <N>"), "for it: give a whole number of at least 0");
    }

    #[test]
    fn ranges_are_given_in_words() {
        for (theirs, ours) in [
            (
                "for '--clusters <N>': 0 is not in 1..=10000",
                "for '--clusters <N>': give a number from 1 to 10,000",
            ),
            ("for '--few <N>': 0 is not in 2..18446744073709551615", "for '--few <N>': give 2 or more"),
            (
                "for '--max-leaves <N>': 0 is not in 1..=4294967295\n\nmore",
                "for '--max-leaves <N>': give 1 or more\n\nmore",
            ),
            ("the name is not in the list", "the name is not in the list"),
        ] {
            assert_eq!(ranges_in_words(theirs), ours);
        }
    }
}
