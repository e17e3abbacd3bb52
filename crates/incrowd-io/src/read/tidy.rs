//! Cells that were read exactly, shown in the usual form: without spaces and quotes around them.

use hashbrown::HashSet;
use incrowd_core::Result;
use incrowd_core::table::{Codes, Column, Values};

/// The column with tidy texts, unless that makes two of them equal; the unchanged column otherwise.
pub(super) fn tidy(column: Column) -> Result<Column> {
    let Values::Categorical(texts) = column.values() else { return Ok(column) };
    let plain: Vec<String> = texts.iter().map(plain).collect();
    let mut seen = HashSet::with_capacity(plain.len());
    let is_same = plain.iter().zip(texts.iter()).all(|(plain, text)| plain == text);
    if is_same || !plain.iter().all(|text| seen.insert(text.as_str())) {
        return Ok(column);
    }
    let mut order: Vec<u32> = (0..plain.len() as u32).collect();
    order.sort_unstable_by_key(|&code| &plain[code as usize]);
    let mut rank = vec![plain.len() as u32; plain.len() + 1];
    (0..).zip(&order).for_each(|(new, &old)| rank[old as usize] = new);
    let values = Values::Categorical(order.iter().map(|&code| &plain[code as usize]).collect());
    let codes = Codes::collect(plain.len() + 1, column.codes().iter().map(|code| rank[code as usize]));
    Column::new(column.name(), values, codes)
}

/// A text without spaces and one pair of quotes around it.
fn plain(text: &str) -> String {
    let text = text.trim_matches([' ', '\t']);
    for quote in ['"', '\''] {
        let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            let inner = inner.replace([quote, quote].iter().collect::<String>().as_str(), &quote.to_string());
            return if quote == '\'' { unescaped(&inner) } else { inner };
        }
    }
    text.to_owned()
}

/// A text without the backslashes that ARFF puts before quotes and backslashes.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(next) = characters.next() {
        let escaped = if next == '\\' { characters.next() } else { None };
        plain.push(match escaped {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(other) => other,
            None => next,
        });
    }
    plain
}
