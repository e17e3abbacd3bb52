//! The cells that rules publish by themselves.

use super::{Cell, Knowledge};

impl Knowledge {
    /// Notes the cells that a rule publishes by itself, by its left side and both sides together, ascending. Its supports are published apart.
    pub fn note_own(&mut self, left: &[u32], all: &[u32]) {
        let right: Vec<u32> = all.iter().copied().filter(|item| !left.contains(item)).collect();
        let difference = (right.len() == 1).then(|| [left.to_vec(), right]);
        for sides in [[left.to_vec(), Vec::new()], [all.to_vec(), Vec::new()]].into_iter().chain(difference) {
            if self.own.insert(sides.clone()) {
                self.owned.push(sides);
            }
        }
    }

    /// Whether a rule publishes a cell by itself.
    pub fn is_own(&self, cell: &Cell) -> bool {
        self.own.contains(&[cell.present.clone(), cell.absent.clone()])
    }
}
