//! Text in XML, HTML and SVG: the one escaper.

/// Text as written in XML, between tags or in an attribute's quotes. What XML cannot represent (most control
/// characters) is replaced by U+FFFD, and characters that an XML reader would change on input are written as numbers.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", character as u32)),
            other if sayable(other) => escaped.push(other),
            _ => escaped.push('\u{fffd}'),
        }
    }
    escaped
}

/// Whether XML 1.0 can represent every character of the text.
pub fn can_say(text: &str) -> bool {
    text.chars().all(sayable)
}

fn sayable(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r')
        || (character >= ' ' && !matches!(character, '\u{fffe}' | '\u{ffff}'))
}
