//! The different values of a column, numbered as they come and sorted at the end.
//!
//! Numbers are distinguished by their bits and texts by their bytes; the hash table contains only their numbers, so
//! that a column with millions of different values stays small.

use super::rules::Job;
use hashbrown::{DefaultHashBuilder, HashTable};
use incrowd_core::table::{Date, Texts, Values};
use std::hash::BuildHasher;

/// No number.
const NONE: u32 = u32::MAX;
/// Whole numbers from here on are searched for.
const SMALL: usize = 1 << 21;
/// How many places for small numbers there may be for each number that is known.
const ROOM: usize = 16;
/// How many there may be in any case.
const LEAST: usize = 1 << 12;

/// The values of a column; a missing value, once met, has a number too.
#[derive(Debug)]
pub(super) struct Dictionary {
    hasher: DefaultHashBuilder,
    table: HashTable<u32>,
    list: List,
    /// The numbers that small whole numbers have, found without a search; [`NONE`] where one is not known.
    small: Vec<u32>,
    missing: Option<u32>,
    /// Whether the order of the numbers is the values' own.
    ranked: bool,
    /// Whether the values are dates, stored as days.
    dates: bool,
}

#[derive(Debug)]
enum List {
    Numbers(Vec<f64>),
    Texts { bytes: Vec<u8>, ends: Vec<usize> },
}

impl Dictionary {
    /// The dictionary of a column: empty, but for values in a declared order.
    pub(super) fn new(job: &Job) -> Self {
        let list = match job {
            Job::Numbers { .. } | Job::Dates(_) => List::Numbers(Vec::new()),
            _ => List::Texts { bytes: Vec::new(), ends: Vec::new() },
        };
        let mut new = Self {
            hasher: DefaultHashBuilder::default(),
            table: HashTable::new(),
            list,
            small: Vec::new(),
            missing: None,
            ranked: matches!(job, Job::Ranked(_)),
            dates: matches!(job, Job::Dates(_)),
        };
        if let Job::Ranked(order) = job {
            order.iter().for_each(|value| {
                new.code_of_text(value.as_bytes());
            });
        }
        new
    }

    /// The number of numbers that are given.
    pub(super) fn len(&self) -> usize {
        match &self.list {
            List::Numbers(numbers) => numbers.len(),
            List::Texts { ends, .. } => ends.len(),
        }
    }

    /// The number of a missing value.
    pub(super) fn code_of_missing(&mut self) -> u32 {
        if let Some(code) = self.missing {
            return code;
        }
        let code = self.len() as u32;
        match &mut self.list {
            List::Numbers(numbers) => numbers.push(f64::NAN),
            List::Texts { bytes, ends } => ends.push(bytes.len()),
        }
        self.missing = Some(code);
        code
    }

    /// Whether a number is that of a missing value.
    pub(super) fn is_missing(&self, code: u32) -> bool {
        self.missing == Some(code)
    }

    /// The number of a number.
    pub(super) fn code_of_number(&mut self, number: f64) -> u32 {
        let Some(place) = place_of(number).filter(|&place| self.has_place(place)) else {
            return self.search_number(number);
        };
        if self.small[place] == NONE {
            let List::Numbers(numbers) = &mut self.list else { return self.code_of_missing() };
            self.small[place] = numbers.len() as u32;
            numbers.push(number);
        }
        self.small[place]
    }

    /// Whether there is a place for a small whole number, which is made unless that takes much memory for few numbers.
    #[inline]
    fn has_place(&mut self, place: usize) -> bool {
        place < self.small.len() || self.make_place(place)
    }

    fn make_place(&mut self, place: usize) -> bool {
        let most = SMALL.min(ROOM.saturating_mul(self.len()).max(LEAST));
        let (List::Numbers(numbers), true) = (&self.list, place < most) else { return false };
        self.small.resize((place + 1).next_power_of_two(), NONE);
        // Those that had no place so far are found there from now on.
        for (code, &number) in (0..).zip(numbers) {
            if let Some(small) = place_of(number).and_then(|place| self.small.get_mut(place)) {
                *small = code;
            }
        }
        true
    }

    fn search_number(&mut self, number: f64) -> u32 {
        let List::Numbers(numbers) = &mut self.list else { return self.code_of_missing() };
        let (hasher, bits) = (&self.hasher, number.to_bits());
        let hash = hasher.hash_one(bits);
        if let Some(&code) = self.table.find(hash, |&code| numbers[code as usize].to_bits() == bits) {
            return code;
        }
        let code = numbers.len() as u32;
        numbers.push(number);
        self.table.insert_unique(hash, code, |&code| hasher.hash_one(numbers[code as usize].to_bits()));
        code
    }

    /// The number of a text.
    pub(super) fn code_of_text(&mut self, text: &[u8]) -> u32 {
        let List::Texts { bytes, ends } = &mut self.list else { return self.code_of_missing() };
        let hasher = &self.hasher;
        let hash = hasher.hash_one(text);
        let found = self.table.find(hash, |&code| slice(bytes, ends, code as usize) == text);
        if let Some(&code) = found {
            return code;
        }
        let code = ends.len() as u32;
        bytes.extend_from_slice(text);
        ends.push(bytes.len());
        self.table.insert_unique(hash, code, |&code| hasher.hash_one(slice(bytes, ends, code as usize)));
        code
    }

    /// Forgets how values are looked up: no more come.
    pub(super) fn close(&mut self) {
        self.table = HashTable::new();
    }

    /// Whether all numbers are small and whole, so that their places are their order; `most` are asked for.
    fn are_all_small(&self, most: usize) -> bool {
        let placed = self.small.iter().filter(|&&code| code != NONE).count();
        // Where few are asked for, sorting them is faster than looking at all places.
        placed + usize::from(self.missing.is_some()) == self.len()
            && self.small.len() < ROOM.saturating_mul(most)
    }

    /// The values in their order, only those used, and the rank of each number (of a missing value, the last).
    pub(super) fn sorted(self, used: Option<&[bool]>) -> (Values, Vec<u32>) {
        let missing = self.missing;
        let wanted = |code: &u32| {
            missing != Some(*code) && (self.ranked || used.is_none_or(|used| used[*code as usize]))
        };
        let mut order: Vec<u32> = (0..self.len() as u32).filter(wanted).collect();
        match &self.list {
            List::Numbers(_) if self.are_all_small(order.len()) => {
                order = self.small.iter().copied().filter(|code| *code != NONE && wanted(code)).collect();
            }
            List::Numbers(numbers) => {
                order.sort_unstable_by(|&a, &b| numbers[a as usize].total_cmp(&numbers[b as usize]));
            }
            List::Texts { .. } if self.ranked => {}
            List::Texts { bytes, ends } => {
                order.sort_unstable_by_key(|&code| slice(bytes, ends, code as usize));
            }
        }
        let ranks = ranks(&order, self.len());
        let values = self.list.into_values(&order, self.ranked);
        (if self.dates { as_dates(&values) } else { values }, ranks)
    }
}

/// The place of a number among the small whole ones.
fn place_of(number: f64) -> Option<usize> {
    let whole = number as u32;
    (f64::from(whole).to_bits() == number.to_bits()).then_some(whole as usize)
}

/// Days as ordered dates.
fn as_dates(days: &Values) -> Values {
    let date = |day: &f64| Date::from_days(*day as i32).map_or_else(String::new, |date| date.to_string());
    Values::Ordered(days.numbers().unwrap_or_default().iter().map(date).collect())
}

impl List {
    fn into_values(self, order: &[u32], ranked: bool) -> Values {
        match self {
            Self::Numbers(numbers) => {
                Values::Numeric(order.iter().map(|&code| numbers[code as usize]).collect())
            }
            Self::Texts { bytes, ends } => {
                let text = |&code: &u32| String::from_utf8_lossy(slice(&bytes, &ends, code as usize));
                let texts: Texts = order.iter().map(text).collect();
                if ranked { Values::Ordered(texts) } else { Values::Categorical(texts) }
            }
        }
    }
}

/// The rank of each of `count` numbers; those without one come last.
fn ranks(order: &[u32], count: usize) -> Vec<u32> {
    let mut ranks = vec![order.len() as u32; count];
    for (rank, &code) in order.iter().enumerate() {
        ranks[code as usize] = rank as u32;
    }
    ranks
}

fn slice<'a>(bytes: &'a [u8], ends: &[usize], code: usize) -> &'a [u8] {
    let start = code.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[start..ends[code]]
}
