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

/// How many words are numbered at once: few enough to stay in a processor's cache.
#[cfg(feature = "arrow")]
const WORDS: usize = 1 << 11;

/// The rows after which it is known whether values repeat.
#[cfg(feature = "arrow")]
const SAMPLE: usize = 16 * WORDS;

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

/// A typed value of another program as a cell.
#[cfg(feature = "arrow")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Written {
    /// There is no value.
    Nothing,
    /// A finite number, not written.
    Number(f64),
    /// A text, written.
    Text,
}

/// The typed values of a column.
#[cfg(feature = "arrow")]
pub(super) trait TypedCells {
    /// Appends the words of some rows, which are equal where the values are; any word where there is no value.
    fn words(&self, rows: std::ops::Range<usize>, to: &mut Vec<u64>);

    /// Whether a row may have no value.
    fn have_nulls(&self) -> bool;

    /// Whether a row has no value.
    fn is_null(&self, row: usize) -> bool;

    /// Returns the value of a row or writes it out; called once for each different word, unless that is cheap.
    fn write(&self, row: usize, text: &mut Vec<u8>) -> incrowd_core::Result<Written>;

    /// Whether writing a value takes hardly any time.
    fn are_cheap(&self) -> bool;
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
    /// The numbers that cells are, where this is known without their texts; `NaN` elsewhere.
    numbers: Vec<f64>,
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
            numbers: Vec::new(),
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

    /// Numbers typed values afresh, by words that are equal where the values are. Cells that are `cheap` to write may
    /// get several numbers if most of them differ, since looking for equal ones would take longer.
    #[cfg(feature = "arrow")]
    pub(super) fn number_words(
        &mut self,
        text: &mut Vec<u8>,
        rows: usize,
        cells: &impl TypedCells,
    ) -> incrowd_core::Result<()> {
        self.clear();
        self.codes.reserve(rows);
        let (mut known, mut null, mut repeats) = (Words::new(self.seed), None, true);
        let mut words = Vec::with_capacity(WORDS);
        for start in (0..rows).step_by(WORDS) {
            words.clear();
            cells.words(start..rows.min(start + WORDS), &mut words);
            if repeats && !cells.have_nulls() && known.put_known(&words, &mut self.codes) {
                continue;
            }
            repeats &= start < SAMPLE || self.keys.len() < start / 4 * 3 || !cells.are_cheap();
            for (row, &word) in (start..).zip(&words) {
                let is_null = cells.is_null(row);
                let code = match (repeats, is_null) {
                    (true, false) => known.code(word),
                    (true, true) => *null.get_or_insert_with(|| known.code_of_none()),
                    (false, _) => self.keys.len() as u32,
                };
                if code as usize == self.keys.len() {
                    let start = text.len();
                    let written = if is_null { Written::Nothing } else { cells.write(row, text)? };
                    self.learn(written, start..text.len());
                }
                self.codes.push(code);
            }
        }
        Ok(())
    }

    /// Adds a different cell; `text` is where its text is, if it has one.
    #[cfg(feature = "arrow")]
    fn learn(&mut self, written: Written, text: std::ops::Range<usize>) {
        let (span, number) = match written {
            Written::Nothing => (Span::NULL, f64::NAN),
            Written::Number(number) => (Span::NULL, number),
            Written::Text => (Span::new(text.start, text.end), f64::NAN),
        };
        self.keys.push(Key { low: 0, high: 0, span });
        self.numbers.push(number);
    }

    fn clear(&mut self) {
        self.table.clear();
        self.keys.clear();
        self.numbers.clear();
        self.codes.clear();
        self.meanings.clear();
    }

    /// The number of different cells.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number that a different cell is, if this is known without its text.
    pub(super) fn number_of(&self, code: usize) -> Option<f64> {
        self.numbers.get(code).copied().filter(|number| !number.is_nan())
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
