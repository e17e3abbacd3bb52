//! Texts that differ only in spelling, read as one value.

use crate::plan::Spelling;
use hashbrown::HashMap;
use std::borrow::Cow;

/// Reads texts that differ only in spelling as one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Speller {
    spelling: Spelling,
    /// Declared values by their common form.
    known: HashMap<String, String>,
}

impl Speller {
    /// A speller that knows some values; of two that differ in spelling alone, texts become the first.
    pub(super) fn new(spelling: Spelling, known: impl IntoIterator<Item = String>) -> Self {
        let mut speller = Self { spelling, known: HashMap::new() };
        if spelling != Spelling::Exact {
            for value in known {
                speller.known.entry(common_form(&value, spelling)).or_insert(value);
            }
        }
        speller
    }

    /// Whether texts stay as they are.
    pub(super) fn is_exact(&self) -> bool {
        self.spelling == Spelling::Exact
    }

    /// The value that a text is; none if it is the text itself.
    pub(super) fn respelled(&self, text: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(text).ok().filter(|_| !self.is_exact())?;
        let form = common_form(text, self.spelling);
        let value = self.known.get(&form).cloned().unwrap_or(form);
        (value != text).then_some(value)
    }

    /// The same for a missing marker, which is none of the values.
    pub(super) fn marker(&self, mark: String) -> String {
        common_form_of(mark, self.spelling)
    }
}

fn common_form_of(text: String, spelling: Spelling) -> String {
    if spelling == Spelling::Exact { text } else { common_form(&text, spelling) }
}

/// What texts of one value have in common.
pub(crate) fn common_form(text: &str, spelling: Spelling) -> String {
    let words: Cow<'_, str> = match spelling {
        Spelling::Exact => return text.to_owned(),
        _ => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
    };
    if spelling == Spelling::IgnoreCase { words.to_lowercase() } else { words.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_the_declared_value() {
        let known = ["Aachen", "New York", "aachen"].map(str::to_owned);
        let of = |spelling, text: &str| Speller::new(spelling, known.clone()).respelled(text.as_bytes());
        assert_eq!(of(Spelling::IgnoreCase, "AACHEN "), Some("Aachen".to_owned()));
        assert_eq!(of(Spelling::IgnoreCase, "Aachen"), None);
        assert_eq!(of(Spelling::IgnoreCase, " new\u{a0} york"), Some("New York".to_owned()));
        assert_eq!(of(Spelling::IgnoreCase, "BONN"), Some("bonn".to_owned()));
        assert_eq!(of(Spelling::Trim, "BONN  am Rhein "), Some("BONN am Rhein".to_owned()));
        assert_eq!(of(Spelling::Trim, "AACHEN"), None);
        assert_eq!(of(Spelling::Exact, " Bonn"), None);
    }
}
