//! Blocks of `key=value` lines.

use super::fault;
use incrowd_core::Result;
use std::collections::HashMap;
use std::str::FromStr;

/// The lines of a block, as far as their keys are used.
pub(super) struct Section<'t> {
    lines: HashMap<&'t str, &'t str>,
}

impl<'t> Section<'t> {
    /// The lines with these keys. A key without a value is a flag.
    pub(super) fn new(text: &'t str, keys: &[&str]) -> Result<Self> {
        let mut lines = HashMap::new();
        for line in text.lines() {
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            if keys.contains(&key) && lines.insert(key, value).is_some() {
                return Err(fault(format!("`{key}` occurs twice")));
            }
        }
        Ok(Self { lines })
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.lines.contains_key(key)
    }

    pub(super) fn text(&self, key: &str) -> Result<&'t str> {
        self.lines.get(key).map(|text| text.trim_end()).ok_or_else(|| fault(format!("`{key}` is missing")))
    }

    pub(super) fn number<T: FromStr>(&self, key: &str) -> Result<T> {
        self.text(key)?.parse().map_err(|_| fault(format!("`{key}` is not a valid number")))
    }

    /// The words of a list.
    pub(super) fn words(&self, key: &str) -> Result<impl Iterator<Item = &'t str> + Clone> {
        Ok(self.text(key)?.split(' ').filter(|word| !word.is_empty()))
    }

    /// A list of this many numbers; a longer one takes no more memory.
    pub(super) fn list<T: FromStr>(&self, key: &str, count: usize) -> Result<Vec<T>> {
        let numbers = self.words(key)?.take(count.saturating_add(1)).map(str::parse);
        let numbers: Vec<T> = numbers
            .collect::<std::result::Result<_, _>>()
            .map_err(|_| fault(format!("`{key}` has an entry that is not a valid number")))?;
        if numbers.len() == count {
            return Ok(numbers);
        }
        Err(fault(format!("`{key}` does not have {count} entries")))
    }
}
