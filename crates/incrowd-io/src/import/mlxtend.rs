//! Rules of Python's mlxtend: the frame of `association_rules`, written by `to_csv` (sets as `frozenset({'a', 'b'})`)
//! or by `to_json(orient="records")` (sets as lists).

use super::HELP;
use super::csv::records;
use super::rules::{StatedRule, rules};
use incrowd_core::model::Rules;
use incrowd_core::{Error, Result};
use serde_json::{Map, Value};

/// Columns from which, together, the support of the right side does not follow.
const HARMLESS: [&str; 5] = ["antecedents", "consequents", "antecedent support", "support", "confidence"];

/// Whether text looks like such a frame as CSV.
pub(super) fn is_csv(text: &str) -> bool {
    let header = text.lines().next().unwrap_or_default();
    let names: Vec<&str> = header.split(',').map(|name| name.trim().trim_matches('"')).collect();
    names.contains(&"antecedents") && names.contains(&"consequents")
}

/// Whether text looks like such a frame as JSON: a list.
pub(super) fn is_json(text: &str) -> bool {
    text.starts_with('[')
}

pub(super) fn read_csv(text: &str) -> Result<Rules> {
    let mut lines = records(text)?.into_iter();
    let (_, header) = lines.next().unwrap_or_default();
    let place = |name: &str| header.iter().position(|other| other == name);
    let (Some(left), Some(right)) = (place("antecedents"), place("consequents")) else {
        return Err(Error::input("the columns `antecedents` and `consequents` are missing")
            .at_line(1)
            .help(HELP));
    };
    let tells_consequent = tells(header.iter().map(String::as_str));
    let mut told = Vec::new();
    for (line, cells) in lines {
        let side = |place: usize| {
            let cell = cells.get(place).map(String::as_str).unwrap_or_default();
            frozenset(cell).ok_or_else(|| Error::input("this is not a frozenset").at_line(line).help(HELP))
        };
        told.push(StatedRule {
            antecedent: side(left)?,
            consequent: side(right)?,
            count: None,
            tells_consequent,
        });
    }
    rules(&told)
}

pub(super) fn read_json(text: &str) -> Result<Rules> {
    let records: Vec<Map<String, Value>> =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    let mut told = Vec::new();
    for (i, record) in records.iter().enumerate() {
        let side = |name: &str| {
            let items = record.get(name).and_then(Value::as_array);
            let items = items.and_then(|items| items.iter().map(item).collect::<Option<Vec<String>>>());
            items.ok_or_else(|| {
                Error::input(format!("record {}: `{name}` is not a list of items", i + 1)).help(HELP)
            })
        };
        let (antecedent, consequent) = (side("antecedents")?, side("consequents")?);
        let tells_consequent = tells(record.keys().map(String::as_str));
        told.push(StatedRule { antecedent, consequent, count: None, tells_consequent });
    }
    rules(&told)
}

fn tells<'a>(mut columns: impl Iterator<Item = &'a str>) -> bool {
    columns.any(|name| !name.is_empty() && !HARMLESS.contains(&name))
}

fn item(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The items of a set as Python shows it.
fn frozenset(text: &str) -> Option<Vec<String>> {
    let inside = text.trim().strip_prefix("frozenset(")?.strip_suffix(')')?.trim();
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let mut rest = inside.strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut items = Vec::new();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|c| ['\'', '"'].contains(c));
        let (item, after) = if let Some(quote) = quote {
            python_text(&rest[1..], quote)?
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            (rest[..end].trim().to_owned(), &rest[end..])
        };
        items.push(item.trim().to_owned());
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(more) => more.trim_start(),
            None if after.is_empty() => after,
            None => return None,
        };
    }
    Some(items)
}

/// A string as Python shows it, its opening quote taken, and what comes behind it.
fn python_text(text: &str, quote: char) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut characters = text.char_indices();
    while let Some((place, c)) = characters.next() {
        if c == quote {
            return Some((item, &text[place + 1..]));
        }
        if c != '\\' {
            item.push(c);
            continue;
        }
        let mut hex = |digits: usize| {
            let code: String = characters.by_ref().take(digits).map(|(_, c)| c).collect();
            u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)
        };
        let shown = match text[place + 1..].chars().next()? {
            'x' => Some(2),
            'u' => Some(4),
            'U' => Some(8),
            _ => None,
        };
        if let Some(digits) = shown {
            hex(1);
            item.push(hex(digits)?);
            continue;
        }
        item.push(match characters.next()?.1 {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            plain @ ('\\' | '\'' | '"') => plain,
            _ => return None,
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_as_python_shows_them() {
        let set = |text: &str| frozenset(text).map(|items| items.join("|"));
        assert_eq!(set("frozenset({'a', 'b c'})").as_deref(), Some("a|b c"));
        assert_eq!(
            set(r#"frozenset({"it's", 'q"', 'a\\b', '\xe9', '\u20ac'})"#).as_deref(),
            Some("it's|q\"|a\\b|é|€")
        );
        assert_eq!(set("frozenset({1, 20})").as_deref(), Some("1|20"));
        assert_eq!(set("frozenset()").as_deref(), Some(""));
        for wrong in [
            "",
            "{'a'}",
            "frozenset({'a)",
            "frozenset({'a' 'b'})",
            "frozenset({'a\\q'})",
            "frozenset({'\\u12'})",
        ] {
            assert_eq!(set(wrong), None, "{wrong}");
        }
    }
}
