//! Names and numbers in pictures.

/// A number with its thousands apart: 30,162.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 leaf", "2 leaves".
pub(super) fn leaves(number: u32) -> String {
    if number == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(u64::from(number))) }
}

/// A name on one line: what is not a character to see becomes a blank.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '\u{2028}' || c == '\u{2029}' { ' ' } else { c }).collect()
}

/// About how wide a text is, as a multiple of the font's size; rather too much than too little.
pub(super) fn width(text: &str) -> f64 {
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

/// A text cut to a width, with `…` where something is left out.
pub(super) fn shortened(text: &str, most: f64) -> String {
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
