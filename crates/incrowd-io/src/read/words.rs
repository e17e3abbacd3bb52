//! The different words of a column of typed values within one block.

use super::local::{RECENT, fold};
use hashbrown::HashTable;

/// Words below this are found without a search.
const SMALL: usize = 1 << 12;

/// Words, numbered in order of first appearance.
pub(super) struct Words {
    seed: u64,
    /// The numbers of small words; the highest number where a word has none.
    small: Vec<u32>,
    table: HashTable<u32>,
    recent: [u32; RECENT],
    known: Vec<u64>,
}

impl Words {
    /// None so far; the seed keeps crafted words from colliding.
    pub(super) fn new(seed: u64) -> Self {
        let small = vec![u32::MAX; SMALL];
        Self { seed, small, table: HashTable::new(), recent: [u32::MAX; RECENT], known: Vec::new() }
    }

    /// The number of a word.
    #[inline]
    pub(super) fn code(&mut self, word: u64) -> u32 {
        if let Some(code) = usize::try_from(word).ok().and_then(|word| self.small.get_mut(word)) {
            if *code == u32::MAX {
                *code = self.known.len() as u32;
                self.known.push(word);
            }
            return *code;
        }
        let hash = mix(self.seed, word);
        let slot = (hash >> 56) as usize % RECENT;
        let recent = self.recent[slot];
        if self.known.get(recent as usize) == Some(&word) {
            return recent;
        }
        let code = self.search(word, hash);
        self.recent[slot] = code;
        code
    }

    /// Appends the numbers of words that are all known and small; returns whether they are, and appends none if not.
    pub(super) fn put_known(&self, words: &[u64], codes: &mut Vec<u32>) -> bool {
        if words.iter().fold(0, |all, &word| all | word) >= SMALL as u64 {
            return false;
        }
        let start = codes.len();
        codes.extend(words.iter().map(|&word| self.small[word as usize % SMALL]));
        let is_known = codes[start..].iter().fold(0, |highest, &code| code.max(highest)) != u32::MAX;
        if !is_known {
            codes.truncate(start);
        }
        is_known
    }

    /// A number that no word has.
    pub(super) fn code_of_none(&mut self) -> u32 {
        // What is neither in the table nor among the recent words is never found.
        self.known.push(0);
        self.known.len() as u32 - 1
    }

    fn search(&mut self, word: u64, hash: u64) -> u32 {
        let known = &mut self.known;
        if let Some(&code) = self.table.find(hash, |&code| known[code as usize] == word) {
            return code;
        }
        let (seed, code) = (self.seed, known.len() as u32);
        known.push(word);
        self.table.insert_unique(hash, code, |&code| mix(seed, known[code as usize]));
        code
    }
}

#[inline]
fn mix(seed: u64, word: u64) -> u64 {
    fold(word ^ seed, 0x9E37_79B9_7F4A_7C15 ^ seed.rotate_left(32))
}
