//! Sets of an attribute's cells and divisions of them, each kept once and named by a number.

use hashbrown::HashMap;
use std::cell::Cell;

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

/// Sets of cells. The first has all of them.
pub(super) struct CellSets {
    all: Vec<Box<[bool]>>,
    number: HashMap<Box<[bool]>, u32>,
    common: HashMap<(u32, u32), u32>,
}

impl CellSets {
    pub(super) fn new(cells: usize) -> Self {
        let mut this = Self { all: Vec::new(), number: HashMap::new(), common: HashMap::new() };
        this.all.push(vec![true; cells].into());
        this.number.insert(this.all[0].clone(), 0);
        this
    }

    pub(super) fn get(&self, set: u32) -> &[bool] {
        &self.all[set as usize]
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The cells of a set, ascending.
    pub(super) fn listed(&self) -> Vec<Vec<u32>> {
        let listed = |set: &[bool]| (0..).zip(set).filter(|&(_, &has)| has).map(|(cell, _)| cell).collect();
        self.all.iter().map(|set| listed(set)).collect()
    }

    /// The cells of a set that take a branch; `None` if there is no room for more sets.
    pub(super) fn taking(&mut self, set: u32, of_cell: &[u32], branch: u32, budget: &Budget) -> Option<u32> {
        budget.step(of_cell.len())?;
        let takes = self.get(set).iter().zip(of_cell).map(|(&has, &own)| has && own == branch);
        self.intern(takes.collect(), budget)
    }

    /// The cells that two sets have in common.
    pub(super) fn common(&mut self, a: u32, b: u32, budget: &Budget) -> Option<u32> {
        match (a, b) {
            (0, other) | (other, 0) => return Some(other),
            _ if a == b => return Some(a),
            _ => {}
        }
        if let Some(&known) = self.common.get(&(a, b)) {
            return Some(known);
        }
        budget.step(self.get(a).len())?;
        let both = self.get(a).iter().zip(self.get(b)).map(|(&a, &b)| a && b).collect();
        let set = self.intern(both, budget)?;
        self.common.insert((a, b), set);
        Some(set)
    }

    fn intern(&mut self, set: Box<[bool]>, budget: &Budget) -> Option<u32> {
        if let Some(&known) = self.number.get(&set) {
            return Some(known);
        }
        budget.keep(2 * set.len())?;
        let number = self.all.len() as u32;
        self.all.push(set.clone());
        self.number.insert(set, number);
        Some(number)
    }
}

/// Divisions of cells: for each cell its part, numbered in order of first appearance. The first has one part.
pub(super) struct Divisions {
    all: Vec<Box<[u32]>>,
    number: HashMap<Box<[u32]>, u32>,
    common: HashMap<(u32, u32), u32>,
    by_sets: HashMap<Vec<u32>, u32>,
}

impl Divisions {
    pub(super) fn new(cells: usize) -> Self {
        let (number, common, by_sets) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut this = Self { all: Vec::new(), number, common, by_sets };
        this.all.push(vec![0; cells].into());
        this.number.insert(this.all[0].clone(), 0);
        this
    }

    /// The parts of the cells, and how many there are.
    pub(super) fn get(&self, division: u32) -> (&[u32], usize) {
        let parts = &self.all[division as usize];
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
        let division = self.intern(parts.into(), budget)?;
        self.by_sets.insert(marks, division);
        Some(division)
    }

    /// Cells that two divisions do not part.
    pub(super) fn common(&mut self, a: u32, b: u32, budget: &Budget) -> Option<u32> {
        match (a, b) {
            (0, other) | (other, 0) => return Some(other),
            _ if a == b => return Some(a),
            _ => {}
        }
        if let Some(&known) = self.common.get(&(a, b)) {
            return Some(known);
        }
        budget.step(self.all[0].len())?;
        let pairs = self.all[a as usize].iter().zip(&self.all[b as usize]);
        let parts = renumbered(pairs.map(|(&a, &b)| (a, b)));
        let division = self.intern(parts.into(), budget)?;
        self.common.insert((a, b), division);
        Some(division)
    }

    fn intern(&mut self, parts: Box<[u32]>, budget: &Budget) -> Option<u32> {
        if let Some(&known) = self.number.get(&parts) {
            return Some(known);
        }
        budget.keep(2 * parts.len())?;
        let number = self.all.len() as u32;
        self.all.push(parts.clone());
        self.number.insert(parts, number);
        Some(number)
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
