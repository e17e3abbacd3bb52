//! The different cells of one column within one block.
//!
//! Cells of up to 16 bytes are compared as two machine words, so the common short cell costs a few instructions.

use super::cells::Span;
#[cfg(feature = "arrow")]
use super::words::Words;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Bytes that must follow every cell, so that it can be loaded as whole words.
pub(super) const PADDING: usize = 16;
/// A power of two: how many recently met cells are found without a search.
pub(super) const RECENT: usize = 256;

/// The meaning of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// No value.
    Missing,
    /// A finite number.
    Number(f64),
    /// Its text.
    Text,
    /// Nothing that the column can contain.
    Wrong,
}

/// A different cell: its first 16 bytes as words (the rest hashed), and where it is first.
#[derive(Debug, Clone, Copy)]
struct Key {
    low: u64,
    high: u64,
    span: Span,
}

/// The cells of a column in one block, each different one numbered in order of first appearance.
#[derive(Debug)]
pub(super) struct LocalColumn {
    hasher: DefaultHashBuilder,
    seed: u64,
    table: HashTable<u32>,
    recent: Vec<u32>,
    keys: Vec<Key>,
    /// The number of each row's cell.
    pub(super) codes: Vec<u32>,
    /// The meaning of each different cell.
    pub(super) meanings: Vec<Meaning>,
}

impl Default for LocalColumn {
    fn default() -> Self {
        let hasher = DefaultHashBuilder::default();
        Self {
            seed: hasher.hash_one(0_u64) | 1,
            hasher,
            table: HashTable::new(),
            recent: vec![0; RECENT],
            keys: Vec::new(),
            codes: Vec::new(),
            meanings: Vec::new(),
        }
    }
}

impl LocalColumn {
    /// Numbers the cells of a column afresh; `bytes` must go on for [`PADDING`] bytes behind each.
    pub(super) fn number(&mut self, bytes: &[u8], cells: impl Iterator<Item = Span>) {
        self.clear();
        let mut codes = std::mem::take(&mut self.codes);
        codes.extend(cells.map(|span| {
            let key = self.key(bytes, span);
            self.code(bytes, key)
        }));
        self.codes = codes;
    }

    /// Numbers typed values afresh, by words that are equal where the values are (none where there is no value).
    /// `write` writes out the value of a row and returns whether the cell has one; it is called once for each different
    /// word.
    #[cfg(feature = "arrow")]
    pub(super) fn number_words(
        &mut self,
        text: &mut Vec<u8>,
        words: impl Iterator<Item = Option<u64>>,
        mut write: impl FnMut(usize, &mut Vec<u8>) -> incrowd_core::Result<bool>,
    ) -> incrowd_core::Result<()> {
        self.clear();
        let (mut known, mut null) = (Words::new(self.seed), None);
        for (row, word) in words.enumerate() {
            let code = match word {
                Some(word) => known.code(word),
                None => *null.get_or_insert_with(|| known.code_of_none()),
            };
            if code as usize == self.keys.len() {
                let start = text.len();
                let has_value = word.is_some() && write(row, text)?;
                let span = if has_value { Span::new(start, text.len()) } else { Span::NULL };
                self.keys.push(Key { low: 0, high: 0, span });
            }
            self.codes.push(code);
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.table.clear();
        self.keys.clear();
        self.codes.clear();
        self.meanings.clear();
    }

    /// The number of different cells.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The position of a different cell; changing it changes what [`LocalColumn::text`] returns.
    pub(super) fn span_mut(&mut self, code: usize) -> &mut Span {
        &mut self.keys[code].span
    }

    /// The text of a different cell, none where it is missing without a mark.
    pub(super) fn text<'a>(&self, bytes: &'a [u8], code: usize) -> Option<&'a [u8]> {
        let span = self.keys[code].span;
        (span != Span::NULL).then(|| span.of(bytes))
    }

    #[inline]
    fn key(&self, bytes: &[u8], span: Span) -> Key {
        let (start, length) = (span.start as usize, span.len as usize);
        let (low, high) = match length {
            0..=8 => (word(bytes, start) & mask(length), 0),
            9..=16 => (word(bytes, start), word(bytes, start + 8) & mask(length - 8)),
            _ => (word(bytes, start), self.hasher.hash_one(span.of(bytes))),
        };
        Key { low, high, span }
    }

    #[inline]
    fn code(&mut self, bytes: &[u8], key: Key) -> u32 {
        let hash = self.hash(key);
        let slot = (hash >> 56) as usize % RECENT;
        let recent = self.recent[slot];
        if self.keys.get(recent as usize).is_some_and(|other| same(bytes, *other, key)) {
            return recent;
        }
        let code = self.search(bytes, key, hash);
        self.recent[slot] = code;
        code
    }

    fn search(&mut self, bytes: &[u8], key: Key, hash: u64) -> u32 {
        let keys = &self.keys;
        let found = self.table.find(hash, |&code| same(bytes, keys[code as usize], key));
        if let Some(&code) = found {
            return code;
        }
        let code = self.keys.len() as u32;
        self.keys.push(key);
        let (seed, keys) = (self.seed, &self.keys);
        self.table.insert_unique(hash, code, |&other| mix(seed, keys[other as usize]));
        code
    }

    #[inline]
    fn hash(&self, key: Key) -> u64 {
        mix(self.seed, key)
    }
}

/// A seeded hash; the seed keeps crafted files from making many cells collide.
#[inline]
fn mix(seed: u64, key: Key) -> u64 {
    let first = fold(key.low ^ seed, 0x9E37_79B9_7F4A_7C15 ^ u64::from(key.span.len));
    fold(first ^ key.high, seed ^ 0x2D35_8DCC_AA6C_78A5)
}

#[inline]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline]
fn same(bytes: &[u8], a: Key, b: Key) -> bool {
    a.low == b.low
        && a.high == b.high
        && a.span.len == b.span.len
        && (a.span.len as usize <= 16 || a.span.of(bytes) == b.span.of(bytes))
}

#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// Keeps the lowest `count` bytes of a word, at most 8.
#[inline]
fn mask(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - 8 * count) }
}
