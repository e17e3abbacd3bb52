//! Columns of numbers with separated thousands, which are not read as numbers: `24.966,72`, `1,234.50`.

use crate::table::{Column, Values};

/// What separates thousands, and what decimals.
const NOTATIONS: [(char, char); 10] = [
    ('.', ','),
    (',', '.'),
    ('\'', '.'),
    ('\'', ','),
    ('\u{2019}', '.'),
    ('\u{2019}', ','),
    ('\u{a0}', ','),
    ('\u{202f}', ','),
    (' ', ','),
    (' ', '.'),
];

/// Whether nearly all values of a column are numbers in one notation with separated thousands. Codes of three digits
/// each, such as `030 112`, are not taken for numbers: with a separator other than a point or a comma, some number must
/// have decimals.
pub(super) fn has_thousands(column: &Column, is_mark: impl Fn(&str) -> bool) -> bool {
    let Values::Categorical(texts) = column.values() else { return false };
    let all = || texts.iter().filter(|text| !is_mark(text));
    let count = all().count();
    NOTATIONS.into_iter().any(|notation| is_written_in(all(), count, notation))
}

/// Whether nearly all of `count` texts are numbers in a notation, some of them with separated thousands. Stops when too
/// many are not.
fn is_written_in<'t>(
    texts: impl Iterator<Item = &'t str>,
    count: usize,
    (thousands, decimal): (char, char),
) -> bool {
    let (mut others, mut has_groups, mut is_certain) = (0, false, matches!(thousands, '.' | ','));
    for text in texts {
        if let Some(number) = grouped(text, thousands, decimal) {
            has_groups |= number.has_groups;
            is_certain |= number.has_decimals;
        } else {
            others += 1;
            if others * 20 > count {
                return false;
            }
        }
    }
    has_groups && is_certain
}

/// A number, and what it has.
struct Grouped {
    has_groups: bool,
    has_decimals: bool,
}

/// A text as a number in a notation.
fn grouped(text: &str, thousands: char, decimal: char) -> Option<Grouped> {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, decimals) =
        text.split_once(decimal).map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(thousands);
    let first = groups.next().filter(|first| are_digits(first))?;
    let rest: Vec<&str> = groups.collect();
    let are_groups = rest.iter().all(|group| group.len() == 3 && are_digits(group));
    let has_groups = !rest.is_empty();
    let is_first = !has_groups || (first.len() <= 3 && !first.starts_with('0'));
    let fits = are_groups && is_first && decimals.is_none_or(are_digits);
    fits.then_some(Grouped { has_groups, has_decimals: decimals.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> bool {
        let texts: Vec<Option<&str>> = texts.iter().copied().map(Some).collect();
        has_thousands(&Column::from_texts("salary", &texts), |text| text == "?")
    }

    #[test]
    fn thousands_are_recognized_in_common_notations() {
        for texts in [
            &["24.966,72", "999,50", "1.234.567,00", "?"][..],
            &["1,234.50", "12.00", "-7"],
            &["1,234", "12,345"],
            &["1'234.50", "1'000.00"],
            &["1\u{a0}234,50", "12"],
            &["1 234,50", "12"],
        ] {
            assert!(found(texts), "{texts:?}");
        }
    }

    #[test]
    fn codes_dates_and_plain_numbers_have_none() {
        for texts in [
            &["3,50", "12,75"][..],
            &["3.50", "12.75", "x"],
            &["01.02.2024", "11.12.2023"],
            &["030 112", "089 110"],
            &["0,123", "0,456"],
            &["192.168.1.2", "10.0.0.1"],
            &["1,234", "a", "b"],
            &["a", "b"],
            &["?"],
            &[],
        ] {
            assert!(!found(texts), "{texts:?}");
        }
    }
}
