//! The different words of a column of typed values within one block.

use super::local::{RECENT, fold};
use hashbrown::HashTable;

/// Words, numbered in order of first appearance.
pub(super) struct Words {
    seed: u64,
    table: HashTable<u32>,
    recent: [u32; RECENT],
    known: Vec<u64>,
}

impl Words {
    /// None so far; the seed keeps crafted words from colliding.
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, table: HashTable::new(), recent: [u32::MAX; RECENT], known: Vec::new() }
    }

    /// The number of a word.
    #[inline]
    pub(super) fn code(&mut self, word: u64) -> u32 {
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
