//! Names and numbers in pictures and reports.

pub use incrowd_core::words::{count, counted};

/// Puts a name on one line: control characters, also those that change the direction of writing, become spaces.
pub fn plain(name: &str) -> String {
    let unseen = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
    };
    name.chars().map(|c| if unseen(c) { ' ' } else { c }).collect()
}

/// Estimates the width of a text as a multiple of the font size. The estimate is rather too large than too small.
pub fn width(text: &str) -> f64 {
    text.chars().map(wide).sum()
}

fn wide(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' => 0.34,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '-' | '/' => 0.45,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        'A'..='Z' | '<' | '>' | '=' | '+' | '≤' => 0.82,
        c if c < '\u{300}' => 0.64,
        _ => 1.1,
    }
}

/// Cuts a text to a width, and marks the cut with `…`.
pub fn shortened(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = wide('…');
    for character in text.chars() {
        used += wide(character);
        if used > most {
            break;
        }
        short.push(character);
    }
    format!("{}…", short.trim_end())
}

/// Escapes text for HTML and SVG, between tags or in quoted attributes, on one line.
pub(crate) fn escape(text: &str) -> String {
    incrowd_core::xml::escape(&plain(text))
}

/// Formats a share in percent: 84.3 %.
pub fn percent(share: f64) -> String {
    format!("{} %", decimals(share * 100.0, 1))
}

/// Formats a number with a number of decimals and separated thousands, without a minus sign before zero.
pub(crate) fn decimals(number: f64, places: usize) -> String {
    let text = format!("{:.places$}", number.abs());
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    let sign = if number < 0.0 && text.contains(|digit| ('1'..='9').contains(&digit)) { "−" } else { "" };
    if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}
