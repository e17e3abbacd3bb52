//! Texts that show a date or a part of one that is more specific than a year, in the usual forms.

/// The names of months, in English and German, and their usual abbreviations.
const MONTHS: [&str; 44] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "januar",
    "jänner",
    "jaenner",
    "februar",
    "feber",
    "märz",
    "maerz",
    "mrz",
    "mär",
    "mai",
    "juni",
    "juli",
    "oktober",
    "okt",
    "dezember",
    "dez",
    "jän",
    "janvier",
    "juin",
    "août",
];

/// Whether a text contains a date, a month, a week or a quarter of a year: `2026-05-31`, `31.12.26`, `May 2026`, `2026-Q2`.
pub(super) fn has_date(text: &str) -> bool {
    let parts = text.split(|letter: char| !(letter.is_alphanumeric() || is_separator(letter)));
    parts.into_iter().any(is_date) || has_named_month(text) || has_quarter(text)
}

/// Whether nearly all texts are days without separators, such as `20260531`. A single one may be a number of any kind.
pub(super) fn are_packed_days<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let (mut days, mut all) = (0_usize, 0_usize);
    for text in texts {
        all += 1;
        days += usize::from(is_packed_day(text));
    }
    days > 0 && days * 20 >= all * 19
}

fn is_packed_day(text: &str) -> bool {
    let part = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (part(0, 4), part(4, 6), part(6, 8)) else { return false };
    text.len() == 8 && is_digits(text) && (1900..2100).contains(&year) && is_day(day, month)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '-' | '/' | '.' | '\u{2013}')
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(part: &str) -> bool {
    part.len() == 4 && part.starts_with(['1', '2']) && is_digits(part)
}

fn is_short(part: &str) -> bool {
    matches!(part.len(), 1 | 2) && is_digits(part)
}

fn is_day(day: u32, month: u32) -> bool {
    (1..=31).contains(&day) && (1..=12).contains(&month)
}

/// Whether two short numbers are a day and a month, in either order.
fn are_day_and_month(one: &str, other: &str) -> bool {
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| is_short(part));
    matches!((number(one), number(other)), (Some(one), Some(other)) if is_day(one, other) || is_day(other, one))
}

/// A letter and a number behind it, such as `Q2` or `W12`.
fn is_marked(part: &str, letter: char) -> bool {
    let rest = part.strip_prefix([letter, letter.to_ascii_lowercase()]);
    rest.is_some_and(is_short)
}

/// Whether a part without spaces is a date.
fn is_date(part: &str) -> bool {
    let day = part.split(['T', 't']).next().filter(|day| day.contains(is_separator)).unwrap_or(part);
    let pieces: Vec<&str> = day.split(is_separator).collect();
    // A number such as 1999.5 is no month.
    let is_decimal = day.contains('.') && pieces.len() == 2;
    match pieces.as_slice() {
        [year, month] if !is_decimal && is_year(year) => {
            is_short(month) || is_marked(month, 'Q') || is_marked(month, 'W')
        }
        [month, year] if !is_decimal && is_year(year) => is_short(month) || is_marked(month, 'Q'),
        [year, month, day] if is_year(year) => is_short(month) && is_short(day),
        [day, month, year] if is_year(year) => is_short(day) && is_short(month),
        // 31.12. without a year, and 31.12.26 with a short one.
        [day, month, ""] => part.contains('.') && are_day_and_month(day, month),
        [day, month, year] => {
            let is_usual = part.contains(['/', '.']) && year.len() == 2 && is_digits(year);
            is_usual && are_day_and_month(day, month)
        }
        _ => false,
    }
}

/// Whether the name of a month stands beside a number.
fn has_named_month(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_month = |word: &str| MONTHS.contains(&word.to_lowercase().as_str());
    let is_beside = |word: &str| is_year(word) || is_short(word);
    words
        .windows(2)
        .any(|two| (is_month(two[0]) && is_beside(two[1])) || (is_beside(two[0]) && is_month(two[1])))
}

/// Whether a quarter and a year are words of the text: `Q2 2026`.
fn has_quarter(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .windows(2)
        .any(|two| (is_marked(two[0], 'Q') && is_year(two[1])) || (is_year(two[0]) && is_marked(two[1], 'Q')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_forms_are_recognized() {
        for text in [
            "05/2026",
            "5/2026",
            "May 2026",
            "31 May 2026",
            "May 31, 2026",
            "31. Mai 2026",
            "Mai 2026",
            "Dec-2026",
            "31.12.26",
            "1/2/26",
            "31.12.",
            "2026-W12",
            "Q2 2026",
            "2026 Q2",
            "2026-Q2",
            "2026-05-31",
            "31.12.2026",
        ] {
            assert!(has_date(text), "{text}");
        }
        for text in [
            "2026",
            "1999.5",
            "[1000, 2000)",
            "10-20",
            "A-12-B",
            "1-2-3",
            "2020-2025",
            "*",
            "",
            "may",
            "mar",
            "Dec",
            "1.2.3",
            "12.5",
            "3.10",
            "Q2",
            "40.50.60",
            "Type 2",
            "Mai",
            "10.000.000",
            "T4",
            "1/2",
        ] {
            assert!(!has_date(text), "{text}");
        }
    }

    #[test]
    fn days_without_separators_are_recognized_in_whole_columns() {
        assert!(are_packed_days(["20260531", "20251201"].into_iter()));
        assert!(!are_packed_days(["20260531", "48211203", "99120042"].into_iter()));
        assert!(!are_packed_days(["20261331"].into_iter()) && !are_packed_days(["2026"].into_iter()));
    }
}
