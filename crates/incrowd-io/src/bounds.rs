//! Size limits of files that contain releases and models. Such files are untrusted, so their memory is counted before
//! it is allocated.
//!
//! A model takes less than 1 GB whatever its file contains. Files are read whole, so the first limit is their size;
//! JSON in memory is limited by the number of its values, and the tests of a tree by the values of their attributes.

use incrowd_core::{Error, Result};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The largest file of a model, a release or one made by other programs: 64 MiB, some hundred thousand nodes or rules.
pub const MAX_MODEL_BYTES: u64 = 64 << 20;

/// The most values a JSON file may have: numbers, texts, lists and objects, counted by the marks that separate them.
pub const MAX_JSON_VALUES: usize = 1 << 22;

/// The most values that all tests of a tree may cover. A test names only some values of its attribute but sends all of
/// them somewhere, so a small file could require much memory: eight bytes for each.
pub const MAX_CELLS: usize = 1 << 24;

/// The most columns a table may have.
pub const MAX_COLUMNS: usize = 1 << 15;

/// Refuses a file that is too large.
pub(crate) fn check_bytes(bytes: u64) -> Result<()> {
    if bytes <= MAX_MODEL_BYTES {
        return Ok(());
    }
    Err(Error::limit(format!("the file exceeds the limit of {} MiB for models", MAX_MODEL_BYTES >> 20))
        .help("check that it is a release or a model, or make a smaller one"))
}

/// Refuses JSON of too many values, before any of them takes memory.
pub(crate) fn check_json(text: &str) -> Result<()> {
    // Marks inside texts are counted, too: a text that is all commas is not a name.
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values <= MAX_JSON_VALUES {
        return Ok(());
    }
    Err(Error::limit(format!("the JSON has more than {MAX_JSON_VALUES} values"))
        .help("check that it is a release or a model, or make a smaller one"))
}

/// Refuses JSON whose lists and objects are nested too deep.
pub(crate) fn check_depth(text: &str, most: usize) -> Result<()> {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match (in_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b'[' | b'{') => depth += 1,
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > most {
            return Err(Error::limit(format!("the JSON is nested more than {most} deep"))
                .help("check that the file is complete and not changed"));
        }
    }
    Ok(())
}

/// Refuses to write a release that would be refused when it is read.
pub(crate) fn check_written(text: &str) -> Result<()> {
    if check_bytes(text.len() as u64).is_ok() && check_json(text).is_ok() {
        return Ok(());
    }
    Err(Error::limit(format!(
        "the release is too large to be written: the limits are {MAX_JSON_VALUES} values and {} MiB",
        MAX_MODEL_BYTES >> 20
    ))
    .help("leave out attributes with many values, or give them a coarser taxonomy"))
}

/// Refuses a tree whose tests cover too many values.
pub(crate) fn check_cells(cells: usize) -> Result<()> {
    if cells <= MAX_CELLS {
        return Ok(());
    }
    Err(Error::limit(format!("the tests of the tree cover more than {MAX_CELLS} values"))
        .help("generalize the attributes with the most values, or make a smaller tree"))
}

/// Refuses a table of too many columns.
pub(crate) fn check_columns(columns: usize) -> Result<()> {
    if columns <= MAX_COLUMNS {
        return Ok(());
    }
    Err(Error::limit(format!("the table has more than {MAX_COLUMNS} columns"))
        .help("check the delimiter and the line endings, or remove columns"))
}

/// A value of a header: short ones are kept, of others nothing is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Text(String),
    Whole(u64),
    Other,
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
        Ok(if text.len() <= 64 { Scalar::Text(text.to_owned()) } else { Scalar::Other })
    }

    fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
        Ok(Scalar::Whole(number))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Scalar, E> {
        Ok(Scalar::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Scalar, E> {
        Ok(Scalar::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Scalar, E> {
        Ok(Scalar::Other)
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_core::model::Tree;

    #[test]
    fn headers_keep_short_values_only() {
        let read = |text: &str| serde_json::from_str::<Scalar>(text).unwrap();
        assert_eq!(read("\"tree\""), Scalar::Text("tree".to_owned()));
        assert_eq!(read("1"), Scalar::Whole(1));
        for other in ["-1", "0.5", "true", "null", "[[1], 2]", "{\"a\": {}}"] {
            assert_eq!(read(other), Scalar::Other, "{other}");
        }
        assert_eq!(read(&format!("\"{}\"", "a".repeat(65))), Scalar::Other);
    }

    #[test]
    fn what_cannot_be_read_is_not_written() {
        let text = "[],".repeat(MAX_JSON_VALUES / 2 + 1);
        assert!(check_written(&text).is_err_and(|error| error.what.contains("too large to be written")));
        assert!(check_written("{}").is_ok());
        // Miners stop where a file would end.
        assert!(
            Tree::check_listed(MAX_JSON_VALUES).is_ok() && Tree::check_listed(MAX_JSON_VALUES + 1).is_err()
        );
    }

    #[test]
    fn values_of_json_are_counted() {
        assert!(check_json(&"[],".repeat(MAX_JSON_VALUES / 2)).is_ok());
        assert!(check_json(&"[],".repeat(MAX_JSON_VALUES / 2 + 1)).is_err());
    }
}
