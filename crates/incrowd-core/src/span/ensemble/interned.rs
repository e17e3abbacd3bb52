//! Sets of an attribute's cells and divisions of them, each kept once and named by a number.

use hashbrown::HashMap;
use std::cell::Cell;
use std::hash::Hash;

/// How many cells may be stored or examined, shared by the attributes of an ensemble. Beyond it, what the ensemble
/// reveals about an attribute is not computed.
pub(super) struct Budget {
    kept: Cell<usize>,
    steps: Cell<usize>,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { kept: Cell::new(1 << 27), steps: Cell::new(1 << 32) }
    }

    fn keep(&self, cells: usize) -> Option<()> {
        self.kept.set(self.kept.get().checked_sub(cells)?);
        Some(())
    }

    fn step(&self, cells: usize) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(cells)?);
        Some(())
    }
}

/// Lists with an entry for each cell, each kept once. The first is neutral: what it has in common with another is the
/// other.
struct Interned<T> {
    all: Vec<Box<[T]>>,
    number: HashMap<Box<[T]>, u32>,
    common: HashMap<(u32, u32), u32>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn new(neutral: Vec<T>) -> Self {
        let neutral: Box<[T]> = neutral.into();
        let number = HashMap::from([(neutral.clone(), 0)]);
        Self { all: vec![neutral], number, common: HashMap::new() }
    }

    fn get(&self, number: u32) -> &[T] {
        &self.all[number as usize]
    }

    /// The number of a list; `None` without room for more.
    fn intern(&mut self, list: Box<[T]>, budget: &Budget) -> Option<u32> {
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
        both: impl FnOnce(&[T], &[T]) -> Box<[T]>,
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

/// Sets of cells: for each cell whether the set has it. The first has all of them.
pub(super) struct CellSets(Interned<bool>);

impl CellSets {
    pub(super) fn new(cells: usize) -> Self {
        Self(Interned::new(vec![true; cells]))
    }

    pub(super) fn get(&self, set: u32) -> &[bool] {
        self.0.get(set)
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.0.all.len()
    }

    /// The cells of a set, ascending.
    pub(super) fn listed(&self) -> Vec<Vec<u32>> {
        let listed = |set: &[bool]| (0..).zip(set).filter(|&(_, &has)| has).map(|(cell, _)| cell).collect();
        self.0.all.iter().map(|set| listed(set)).collect()
    }

    /// The cells of a set that take a branch; `None` without room for more sets.
    pub(super) fn taking(&mut self, set: u32, of_cell: &[u32], branch: u32, budget: &Budget) -> Option<u32> {
        budget.step(of_cell.len())?;
        let takes = self.get(set).iter().zip(of_cell).map(|(&has, &own)| has && own == branch);
        self.0.intern(takes.collect(), budget)
    }

    /// The cells that two sets have in common.
    pub(super) fn common(&mut self, a: u32, b: u32, budget: &Budget) -> Option<u32> {
        self.0.common(a, b, budget, |a, b| a.iter().zip(b).map(|(&a, &b)| a && b).collect())
    }
}

/// Divisions of cells: for each cell its part, numbered in order of first appearance. The first has one part.
pub(super) struct Divisions {
    all: Interned<u32>,
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
        let mut parts = vec![0; sets.get(0).len()];
        for &mark in &marks {
            budget.step(parts.len())?;
            let mark = sets.get(mark);
            parts = renumbered(parts.iter().zip(mark).map(|(&part, &marked)| (part, u32::from(marked))));
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

/// Pairs as numbers, in order of first appearance.
fn renumbered(pairs: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
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
    fn equal_sets_and_divisions_have_one_number() {
        let (budget, mut sets) = (Budget::new(), CellSets::new(4));
        let low = sets.taking(0, &[0, 0, 1, 1], 0, &budget).unwrap();
        let odd = sets.taking(0, &[1, 0, 1, 0], 0, &budget).unwrap();
        assert_eq!(sets.common(low, odd, &budget), sets.taking(low, &[1, 0, 1, 0], 0, &budget));
        assert_eq!(sets.common(0, odd, &budget), Some(odd));
        assert_eq!(sets.listed()[low as usize], [0, 1]);
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
        let budget = Budget { kept: Cell::new(8), steps: Cell::new(100) };
        let mut sets = CellSets::new(4);
        assert!(sets.taking(0, &[0, 0, 1, 1], 0, &budget).is_some());
        assert!(sets.taking(0, &[0, 0, 1, 1], 0, &budget).is_some(), "the same set again takes no room");
        assert!(sets.taking(0, &[0, 0, 1, 1], 1, &budget).is_none());
    }
}
