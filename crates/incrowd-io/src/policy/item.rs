//! Values of a policy file together with their place, and the checks common to all of them.

use super::attributes::DeclaredAttribute;
use hashbrown::HashSet;
use incrowd_core::nearest::did_you_mean;
use incrowd_core::policy::Attribute;
use incrowd_core::{Error, Result};
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file being read.
pub(super) struct PolicyText<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

impl PolicyText<'_> {
    /// An error at a byte range of the file.
    pub(super) fn error(&self, at: Range<usize>, what: impl Into<String>) -> Error {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.matches('\n').count() as u64 + 1;
        let since = before.rsplit('\n').next().unwrap_or_default();
        Error::input(what).in_file(self.path).at_line(line).at_column(since.chars().count() as u64 + 1)
    }
}

/// A value with the name and the place of its key.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) source: &'a PolicyText<'a>,
    pub(super) key: &'a str,
    key_at: (usize, usize),
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Item<'a> {
    /// An error at the value.
    pub(super) fn error(&self, what: impl Into<String>) -> Error {
        self.source.error(self.value.span(), what)
    }

    /// An error at the key.
    pub(super) fn error_at_key(&self, what: impl Into<String>) -> Error {
        self.source.error(self.key_at.0..self.key_at.1, what)
    }

    /// Puts the place of the value on an error that has none.
    pub(super) fn place<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| {
            let placed = self.error(error.what);
            error.help.into_iter().fold(placed, Error::help)
        })
    }

    fn wrong_type(&self, expected: &str) -> Error {
        let found = self.value.get_ref().type_str();
        let article = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        let error = self.error(format!("`{}` must be {expected}, not {article} {found}", self.key));
        match (self.value.get_ref(), expected) {
            (DeValue::Float(float), "a whole number") => match float.as_str().split_once('.') {
                Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => {
                    error.help(format!("write {} = {whole}", self.key))
                }
                _ => error.help("write a number without a decimal point"),
            },
            (DeValue::String(text), "a list") => error.help(format!("write {} = [\"{text}\"]", self.key)),
            _ => error,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        self.value.get_ref().is_str()
    }

    pub(super) fn text(&self) -> Result<&'a str> {
        self.value.get_ref().as_str().ok_or_else(|| self.wrong_type("a string"))
    }

    pub(super) fn flag(&self) -> Result<bool> {
        self.value.get_ref().as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// A whole number that is not negative.
    pub(super) fn integer(&self) -> Result<u64> {
        self.integer_from(0)
    }

    /// A whole number that is not negative; the error states the least one that makes sense.
    pub(super) fn integer_from(&self, least: u64) -> Result<u64> {
        let integer = self.value.get_ref().as_integer().ok_or_else(|| self.wrong_type("a whole number"))?;
        u64::from_str_radix(integer.as_str(), integer.radix()).map_err(|_| {
            let is_negative = integer.as_str().starts_with('-');
            let range = if is_negative { format!("of at least {least}") } else { "below 2^64".to_owned() };
            self.error(format!("`{}` must be a whole number {range}", self.key))
        })
    }

    /// A whole number that fits 32 bits.
    pub(super) fn small_integer(&self) -> Result<u32> {
        u32::try_from(self.integer()?).map_err(|_| self.error(format!("`{}` is too large", self.key)))
    }

    /// A finite number, whole or not.
    pub(super) fn number(&self) -> Result<f64> {
        let number = match self.value.get_ref() {
            DeValue::Integer(integer) => {
                i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
            }
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => return Err(self.wrong_type("a number")),
        };
        number
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| self.error(format!("`{}` must be a finite number", self.key)))
    }

    /// One character.
    pub(super) fn character(&self) -> Result<char> {
        let mut characters = self.text()?.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => Err(self.error(format!("`{}` must be one character", self.key))),
        }
    }

    /// The values of a list.
    pub(super) fn list(&self) -> Result<Vec<Self>> {
        let list = self.value.get_ref().as_array().ok_or_else(|| self.wrong_type("a list"))?;
        // A value of a list has no key; errors are reported at the value.
        let item = |value: &'a Spanned<DeValue<'a>>| {
            let at = value.span();
            Self { value, key_at: (at.start, at.end), ..*self }
        };
        Ok(list.iter().map(item).collect())
    }

    /// Strings of a list, none twice.
    pub(super) fn texts(&self) -> Result<Vec<String>> {
        let mut seen = HashSet::new();
        let once = |item: Self| match item.text()? {
            text if seen.insert(text) => Ok(text.to_owned()),
            _ => Err(item.error(format!("`{}` lists this twice", self.key))),
        };
        self.list()?.into_iter().map(once).collect()
    }

    /// Strings of a list with at least one, none twice.
    pub(super) fn some_texts(&self) -> Result<Vec<String>> {
        let texts = self.texts()?;
        if texts.is_empty() {
            return Err(self.error(format!("`{}` must not be empty", self.key)));
        }
        Ok(texts)
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T> {
        let word = self.text()?;
        choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice).ok_or_else(|| {
            self.error(format!("unknown value of `{}`", self.key))
                .help(did_you_mean(word, choices.iter().map(|(name, _)| *name)))
        })
    }

    /// The policy's entry for the attribute of this name.
    pub(super) fn attribute<'d>(&self, declared: &'d [DeclaredAttribute<'_>]) -> Result<&'d Attribute> {
        let name = self.text()?;
        declared.iter().map(|d| &d.attribute).find(|attribute| attribute.name == name).ok_or_else(|| {
            let names = declared.iter().map(|d| d.attribute.name.as_str());
            self.error(format!("`{}` names an attribute that is not listed under `attributes`", self.key))
                .of_attribute(name)
                .help(did_you_mean(name, names))
        })
    }

    /// A table with these keys and no others.
    pub(super) fn section(&self, keys: &[&str]) -> Result<Section<'a>> {
        let table = self.table()?;
        Section::new(self.source, self.key, self.key_at.0..self.key_at.1, table, keys)
    }

    /// The entries of a table with keys of any name, in the order of the file.
    pub(super) fn entries(&self) -> Result<Vec<Self>> {
        let mut entries: Vec<Self> =
            self.table()?.iter().map(|(key, value)| Self::new(self.source, key, value)).collect();
        entries.sort_by_key(|entry| entry.key_at);
        Ok(entries)
    }

    fn table(&self) -> Result<&'a DeTable<'a>> {
        self.value.get_ref().as_table().ok_or_else(|| self.wrong_type("a table"))
    }

    fn new(
        source: &'a PolicyText<'a>,
        key: &'a Spanned<std::borrow::Cow<'a, str>>,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Self {
        let at = key.span();
        Self { source, key: key.get_ref(), key_at: (at.start, at.end), value }
    }
}

/// A table whose keys are all known.
pub(super) struct Section<'a> {
    pub(super) source: &'a PolicyText<'a>,
    name: &'a str,
    at: Range<usize>,
    table: &'a DeTable<'a>,
}

impl<'a> Section<'a> {
    /// Checks that the table has no other keys.
    pub(super) fn new(
        source: &'a PolicyText<'a>,
        name: &'a str,
        at: Range<usize>,
        table: &'a DeTable<'a>,
        keys: &[&str],
    ) -> Result<Self> {
        let unknown = table.keys().filter(|key| !keys.contains(&&**key.get_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(Self { source, name, at, table }),
            Some(key) => Err(source.error(key.span(), format!("unknown key `{}`", key.get_ref())).help(
                known_as(key.get_ref(), keys)
                    .unwrap_or_else(|| did_you_mean(key.get_ref(), keys.iter().copied())),
            )),
        }
    }

    /// The value of a key, if there.
    pub(super) fn get(&self, key: &str) -> Option<Item<'a>> {
        self.table.get_key_value(key).map(|(key, value)| Item::new(self.source, key, value))
    }

    /// The value of a key that must be there.
    pub(super) fn require(&self, key: &str) -> Result<Item<'a>> {
        self.get(key).ok_or_else(|| {
            let what = format!("`{}` lacks the key `{key}`", self.name);
            self.source.error(self.at.clone(), what)
        })
    }

    /// The table under a key, if there.
    pub(super) fn section(&self, key: &str, keys: &[&str]) -> Result<Option<Section<'a>>> {
        self.get(key).map(|item| item.section(keys)).transpose()
    }

    /// The one key of a table that is a choice.
    pub(super) fn only(&self, of: &str) -> Result<Item<'a>> {
        let mut entries: Vec<Item<'a>> =
            self.table.iter().map(|(key, value)| Item::new(self.source, key, value)).collect();
        match (entries.pop(), entries.is_empty()) {
            (Some(entry), true) => Ok(entry),
            _ => Err(self
                .source
                .error(self.at.clone(), format!("`{}` must be exactly one of: {of}", self.name))),
        }
    }
}

/// The key that another program or paper calls by another name, as a question.
fn known_as(word: &str, keys: &[&str]) -> Option<String> {
    const NAMES: [(&str, &str); 8] = [
        ("l-diversity", "distinct-l"),
        ("l", "distinct-l"),
        ("k-anonymity", "k"),
        ("t", "t-closeness"),
        ("min-size", "k"),
        ("sensitive", "role"),
        ("separator", "delimiter"),
        ("charset", "encoding"),
    ];
    let word = word.to_lowercase().replace('_', "-");
    let (_, key) = NAMES.iter().find(|(name, key)| *name == word && keys.contains(key))?;
    Some(format!("did you mean `{key}`?"))
}
