//! Items of one attribute, which exclude each other; and the cells that single rules publish.

use super::{Cell, Knowledge};
use hashbrown::HashMap;

/// What is known about an item besides who has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemFacts {
    /// Whether an attacker knows who has it.
    pub public: bool,
    /// Its attribute: no individual has two items of one.
    pub attribute: u32,
    /// The number of values that the attribute has in all, a missing one included; 0 where that is not known.
    pub values: u32,
}

/// A cell by what it leaves of each of its attributes, equal for all ways to write it: its values where all are items,
/// otherwise those it excludes, behind [`NOT`].
pub(super) type Shape = Vec<(u32, Vec<u32>)>;

const NOT: u32 = u32::MAX;

pub(super) fn by_attribute(facts: &[ItemFacts]) -> HashMap<u32, Vec<u32>> {
    let mut of_attribute: HashMap<u32, Vec<u32>> = HashMap::new();
    (0..).zip(facts).for_each(|(item, facts)| of_attribute.entry(facts.attribute).or_default().push(item));
    of_attribute
}

impl Knowledge {
    /// Whether no individual has both items.
    pub(super) fn exclude(&self, item: u32, other: u32) -> bool {
        item != other && self.facts[item as usize].attribute == self.facts[other as usize].attribute
    }

    /// Whether no individual has all of these items, two of which exclude each other.
    pub(super) fn is_empty(&self, items: &[u32]) -> bool {
        items.iter().enumerate().any(|(i, &item)| items[..i].iter().any(|&other| self.exclude(item, other)))
    }

    /// Whether every individual has one of an attribute's items that `has` lists.
    pub(super) fn is_complete(&self, attribute: u32, has: &dyn Fn(u32) -> bool) -> bool {
        let Some(items) = self.of_attribute.get(&attribute) else { return false };
        let values = items.first().map_or(0, |&item| self.facts[item as usize].values);
        values > 0 && items.iter().filter(|&&item| has(item)).count() >= values as usize
    }

    /// The cell without redundant items: an individual with an item has no other item of its attribute.
    pub(super) fn simplest(&self, mut cell: Cell) -> Cell {
        let present = cell.present.clone();
        cell.absent.retain(|&item| !present.iter().any(|&other| self.exclude(item, other)));
        cell
    }

    fn shape(&self, present: &[u32], absent: &[u32]) -> Shape {
        let attribute = |item: &u32| self.facts[*item as usize].attribute;
        let mut attributes: Vec<u32> = present.iter().chain(absent).map(attribute).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let left = |attribute: u32| {
            let of = |items: &[u32]| -> Vec<u32> {
                items
                    .iter()
                    .copied()
                    .filter(|item| self.facts[*item as usize].attribute == attribute)
                    .collect()
            };
            let (has, mut lacks) = (of(present), of(absent));
            if !has.is_empty() {
                return has;
            }
            if self.is_complete(attribute, &|_| true) {
                let all = self.of_attribute[&attribute].iter();
                return all.copied().filter(|item| !lacks.contains(item)).collect();
            }
            lacks.insert(0, NOT);
            lacks
        };
        attributes.into_iter().map(|attribute| (attribute, left(attribute))).collect()
    }

    /// Notes the cells that a single rule publishes, by its left side and both sides together, ascending. Its supports
    /// are published separately.
    pub fn note_own(&mut self, left: &[u32], all: &[u32]) {
        let right: Vec<u32> = all.iter().copied().filter(|item| !left.contains(item)).collect();
        let difference = (right.len() == 1).then(|| self.shape(left, &right));
        let shapes = [self.shape(left, &[]), self.shape(all, &[])];
        for shape in shapes.into_iter().chain(difference) {
            if self.own.insert(shape.clone()) {
                self.owned.push(shape);
            }
        }
    }

    /// Whether a single rule publishes a cell.
    pub fn is_own(&self, cell: &Cell) -> bool {
        self.own.contains(&self.shape(&cell.present, &cell.absent))
    }
}
