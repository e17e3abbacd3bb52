//! Sets of an attribute's cells and divisions of them, each kept once and named by a number.

use crate::bits::Bits;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many cells of an attribute may be stored or examined. Beyond it, what the ensemble reveals about the attribute is
/// not computed.
pub(super) struct Budget {
    kept: AtomicUsize,
    steps: AtomicUsize,
}

impl Budget {
    /// The budget of one of some attributes, which share what there is.
    pub(super) fn of_one(attributes: usize) -> Self {
        let share = |all: usize| AtomicUsize::new(all / attributes.max(1));
        Self { kept: share(1 << 27), steps: share(1 << 32) }
    }

    fn keep(&self, cells: usize) -> Option<()> {
        taken(&self.kept, cells)
    }

    pub(super) fn step(&self, cells: usize) -> Option<()> {
        taken(&self.steps, cells)
    }
}

fn taken(from: &AtomicUsize, amount: usize) -> Option<()> {
    let less = |left: usize| left.checked_sub(amount);
    from.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok().map(|_| ())
}

/// Lists with an entry for each cell, each kept once. The first is neutral: what it has in common with another is the
/// other.
struct Interned {
    all: Vec<Box<[u32]>>,
    number: HashMap<Box<[u32]>, u32>,
    common: HashMap<(u32, u32), u32>,
}

impl Interned {
    fn new(neutral: Vec<u32>) -> Self {
        let neutral: Box<[u32]> = neutral.into();
        let number = HashMap::from([(neutral.clone(), 0)]);
        Self { all: vec![neutral], number, common: HashMap::new() }
    }

    fn get(&self, number: u32) -> &[u32] {
        &self.all[number as usize]
    }

    /// The number of a list; `None` without room for more.
    fn intern(&mut self, list: Box<[u32]>, budget: &Budget) -> Option<u32> {
        if let Some(&known) = self.number.get(&list) {
            return Some(known);
        }
        budget.keep(2 * list.len())?;
        let number = self.all.len() as u32;
        self.all.push(list.clone());
        self.number.insert(list, number);
        Some(number)
    }

    /// What two lists have in common, as `both` computes it.
    fn common(
        &mut self,
        a: u32,
        b: u32,
        budget: &Budget,
        both: impl FnOnce(&[u32], &[u32]) -> Box<[u32]>,
    ) -> Option<u32> {
        match (a, b) {
            (0, other) | (other, 0) => return Some(other),
            _ if a == b => return Some(a),
            _ => {}
        }
        if let Some(&known) = self.common.get(&(a, b)) {
            return Some(known);
        }
        budget.step(self.get(a).len())?;
        let number = self.intern(both(self.get(a), self.get(b)), budget)?;
        self.common.insert((a, b), number);
        Some(number)
    }
}

/// Sets of cells, a bit for each cell. The first has all of them.
#[derive(Clone)]
pub(super) struct CellSets {
    cells: usize,
    /// The words of all sets, one after the other.
    all: Vec<u64>,
    /// The numbers of the sets by their words.
    number: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl CellSets {
    pub(super) fn new(cells: usize) -> Self {
        let all = Bits::full(cells.max(1)).words().to_vec();
        let mut sets = Self { cells, all, number: HashTable::new(), hasher: DefaultHashBuilder::default() };
        let hash = sets.hasher.hash_one(sets.get(0));
        sets.number.insert_unique(hash, 0, |_| hash);
        sets
    }

    /// The words of a set.
    pub(super) fn words(&self) -> usize {
        self.cells.max(1).div_ceil(64)
    }

    pub(super) fn get(&self, set: u32) -> &[u64] {
        let words = self.words();
        &self.all[set as usize * words..(set as usize + 1) * words]
    }

    pub(super) fn has(&self, set: u32, cell: usize) -> bool {
        self.get(set)[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// The cells of a set, ascending.
    pub(super) fn listed(&self, set: u32) -> impl Iterator<Item = u32> {
        listed(self.get(set)).take_while(|&cell| (cell as usize) < self.cells)
    }

    /// The cells of any of some sets.
    pub(super) fn union(&self, sets: impl Iterator<Item = u32>) -> Bits {
        let mut union = Bits::new(self.cells);
        sets.for_each(|set| union.add_words(self.get(set)));
        union
    }

    /// The cells of a set that take a branch; `None` without room for more sets.
    pub(super) fn taking(&mut self, set: u32, of_cell: &[u32], branch: u32, budget: &Budget) -> Option<u32> {
        budget.step(of_cell.len())?;
        let takes = Bits::of(self.cells.max(1), |cell| {
            of_cell.get(cell).is_some_and(|&own| own == branch) && self.has(set, cell)
        });
        self.intern(takes.words(), budget)
    }

    /// The number of a set; `None` without room for more.
    pub(super) fn intern(&mut self, set: &[u64], budget: &Budget) -> Option<u32> {
        let hash = self.hasher.hash_one(set);
        if let Some(&known) = self.number.find(hash, |&number| self.get(number) == set) {
            return Some(known);
        }
        let words = self.words();
        budget.keep(8 * words + 8)?;
        let number = (self.all.len() / words) as u32;
        self.all.extend_from_slice(set);
        let (all, hasher) = (&self.all, &self.hasher);
        self.number.insert_unique(hash, number, |&number| {
            hasher.hash_one(&all[number as usize * words..(number as usize + 1) * words])
        });
        Some(number)
    }
}

/// The cells of a set, ascending.
fn listed(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().flat_map(|(place, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(place as u32 * 64 + bit)
        })
    })
}

/// Divisions of cells: for each cell its part, numbered in order of first appearance. The first has one part.
pub(super) struct Divisions {
    all: Interned,
    by_sets: HashMap<Vec<u32>, u32>,
}

impl Divisions {
    pub(super) fn new(cells: usize) -> Self {
        Self { all: Interned::new(vec![0; cells]), by_sets: HashMap::new() }
    }

    /// The parts of the cells, and how many there are.
    pub(super) fn get(&self, division: u32) -> (&[u32], usize) {
        let parts = self.all.get(division);
        (parts, parts.iter().max().map_or(0, |&last| last as usize + 1))
    }

    /// Cells that are in the same of some sets (by number, ascending) are one.
    pub(super) fn by_sets(&mut self, sets: &CellSets, marks: Vec<u32>, budget: &Budget) -> Option<u32> {
        if let Some(&known) = self.by_sets.get(&marks) {
            return Some(known);
        }
        let mut parts = vec![0; sets.cells];
        for &mark in &marks {
            budget.step(parts.len())?;
            let marked = (0..).zip(&parts).map(|(cell, &part)| (part, u32::from(sets.has(mark, cell))));
            parts = renumbered(marked);
        }
        let division = self.all.intern(parts.into(), budget)?;
        self.by_sets.insert(marks, division);
        Some(division)
    }

    /// Cells that two divisions do not part.
    pub(super) fn common(&mut self, a: u32, b: u32, budget: &Budget) -> Option<u32> {
        self.all.common(a, b, budget, |a, b| renumbered(a.iter().copied().zip(b.iter().copied())).into())
    }
}

/// The largest table of pairs that is kept to number them.
const MOST_PAIRS: usize = 1 << 14;

/// Pairs as numbers, in order of first appearance.
fn renumbered(pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<u32> {
    let most = pairs.clone().fold((0, 0), |most, pair| (most.0.max(pair.0), most.1.max(pair.1)));
    let (wide, size) = (most.1 as usize + 1, (most.0 as usize + 1).saturating_mul(most.1 as usize + 1));
    let mut next = 0;
    if size <= MOST_PAIRS {
        let mut number = vec![u32::MAX; size];
        let of_pair = |(first, second): (u32, u32)| {
            let number = &mut number[first as usize * wide + second as usize];
            next += u32::from(*number == u32::MAX);
            *number = (*number).min(next - 1);
            *number
        };
        return pairs.map(of_pair).collect();
    }
    let mut number: HashMap<(u32, u32), u32> = HashMap::new();
    let of_pair = |pair| {
        let next = number.len() as u32;
        *number.entry(pair).or_insert(next)
    };
    pairs.map(of_pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_alike_in_a_table_and_by_hashing() {
        let pairs = [(3, 1), (0, 0), (3, 1), (0, 2), (1, 0), (0, 0)];
        let expected = vec![0, 1, 0, 2, 3, 1];
        assert_eq!(renumbered(pairs.into_iter()), expected);
        let large = pairs.map(|(first, second)| (first * 10_000, second * 10_000));
        assert_eq!(renumbered(large.into_iter()), expected);
    }

    #[test]
    fn equal_sets_and_divisions_have_one_number() {
        let (budget, mut sets) = (Budget::of_one(1), CellSets::new(4));
        let low = sets.taking(0, &[0, 0, 1, 1], 0, &budget).unwrap();
        let odd = sets.taking(0, &[1, 0, 1, 0], 0, &budget).unwrap();
        let both = [sets.get(low)[0] & sets.get(odd)[0]];
        assert_eq!(sets.intern(&both, &budget), sets.taking(low, &[1, 0, 1, 0], 0, &budget));
        assert_eq!(sets.taking(0, &[0; 4], 0, &budget), Some(0), "the set of all cells is the first");
        assert_eq!(sets.listed(low).collect::<Vec<_>>(), [0, 1]);
        let mut divisions = Divisions::new(4);
        let by_low = divisions.by_sets(&sets, vec![low], &budget).unwrap();
        let by_odd = divisions.by_sets(&sets, vec![odd], &budget).unwrap();
        let by_both = divisions.by_sets(&sets, vec![low, odd], &budget).unwrap();
        assert_eq!(divisions.common(by_low, by_odd, &budget), Some(by_both));
        assert_eq!(divisions.get(by_low), (&[0, 0, 1, 1][..], 2));
        assert_eq!(divisions.get(by_both).1, 4);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let budget = Budget { kept: AtomicUsize::new(16), steps: AtomicUsize::new(100) };
        let mut sets = CellSets::new(4);
        assert!(sets.taking(0, &[0, 0, 1, 1], 0, &budget).is_some());
        assert!(sets.taking(0, &[0, 0, 1, 1], 0, &budget).is_some(), "the same set again takes no room");
        assert!(sets.taking(0, &[0, 0, 1, 1], 1, &budget).is_none());
    }
}
