//! Names within sets: those with commas, braces or quotes are quoted, so that `{"cancer, lung", flu}` has two names.

use std::borrow::Cow;

/// A name as it is written within a set. Quotes within quotes are doubled.
pub fn name_in_set(name: &str) -> Cow<'_, str> {
    let is_plain = !name.contains([',', '{', '}', '"']) && name.trim().len() == name.len();
    if is_plain { Cow::Borrowed(name) } else { Cow::Owned(format!("\"{}\"", name.replace('"', "\"\""))) }
}

/// The parts of a set some of which are quoted; none if no part is, or if quotes do not match.
pub(crate) fn quoted_parts(inside: &str) -> Option<Vec<Cow<'_, str>>> {
    if !inside.contains('"') {
        return None;
    }
    let (mut parts, mut any, mut rest) = (Vec::new(), false, inside);
    loop {
        rest = rest.trim_start();
        let (part, after) = if let Some(quoted) = rest.strip_prefix('"') {
            any = true;
            let end = end_of_quotes(quoted)?;
            (Cow::Owned(quoted[..end].replace("\"\"", "\"")), quoted[end + 1..].trim_start())
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            (Cow::Borrowed(rest[..end].trim_end()), &rest[end..])
        };
        parts.push(part);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (any && after.is_empty()).then_some(parts),
        }
    }
}

/// The place of the quote that ends a quoted name.
fn end_of_quotes(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('"')?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_reads_back() {
        let names = ["cancer, lung", "a", "{b}", "say \"c\"", "\"", "\"\"", ",", " d", "", "é, è"];
        for first in names {
            for second in names {
                let set = format!("{}, {}", name_in_set(first), name_in_set(second));
                let plain = !set.contains('"');
                match quoted_parts(&set) {
                    Some(parts) => assert_eq!(parts, [first, second], "{set}"),
                    None => assert!(plain, "{set}"),
                }
            }
        }
        assert_eq!((name_in_set("flu"), name_in_set("a b")), ("flu".into(), "a b".into()));
    }

    #[test]
    fn quotes_that_do_not_match_are_not_quotes() {
        for set in ["a, b", "5\" screen, b", "\"a, b", "\"a\"b, c", "a\", \"b"] {
            assert_eq!(quoted_parts(set), None, "{set}");
        }
        assert_eq!(quoted_parts("\"a, b\",c ,\"d\" "), Some(vec!["a, b".into(), "c".into(), "d".into()]));
    }
}
