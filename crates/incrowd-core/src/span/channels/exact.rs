//! Cells of few items by integer programming.
//!
//! A world gives every individual a basket, and only sums over baskets are known: over the baskets that contain a
//! published set, and over those with the same public items. Published sets are connected if they share items or
//! attributes, directly or through others. Over the items of connected sets (of all sets, if they are few) these sums
//! are equations in the populations of baskets, which are whole numbers. There are no baskets with two items of one
//! attribute, and no baskets without any item of an attribute whose values are all items.
//!
//! A cell is cleared by a world in which it is empty or has as many individuals as required. The world is in whole
//! numbers and is checked against every equation, so an error of the solver never clears a cell: a cell for which no
//! world is found counts as small, which errs on the safe side. The table itself is the first world; others are found
//! by branch and bound over linear programs ([`super::world`]), and each clears as many cells as it can, so most cells
//! never need a search.

use super::determined::Determined;
use super::world::{Goal, Program, SearchResult, Sides};
use super::{Cell, Knowledge, Known, Limits, MOST_ITEMS};
use hashbrown::HashSet;

/// The most baskets that are looked at together.
const MOST_BASKETS: usize = 256;

/// The most cells that are looked at together.
const MOST_CELLS: usize = 30_000;

/// What integer programs determine about the cells of a group of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exact {
    /// Nothing: too many items are connected, or the solver failed.
    Unknown,
    /// No world agrees with the supports.
    Contradiction,
    /// The cells that are certainly not empty, but have fewer individuals than required, by their items.
    Cells(Vec<Cell>),
}

impl Knowledge {
    /// What follows about the cells over all items connected with these through published sets. `support` is called for
    /// any set; with `first` one cell is enough. Cells that are `known` already are left out.
    pub fn exact(
        &self,
        items: &[u32],
        limits: &Limits,
        support: &dyn Fn(&[u32]) -> u64,
        first: bool,
        known: &[Cell],
    ) -> Exact {
        let Some(group) = self.group(items) else { return Exact::Unknown };
        let Some(program) = Program::new(self, &group, support) else { return Exact::Contradiction };
        let world = match program.truth(support) {
            Some(truth) => truth,
            None => match program.find(&Goal::Any) {
                SearchResult::World(world) => world,
                SearchResult::None => return Exact::Contradiction,
                SearchResult::Unknown => return Exact::Unknown,
            },
        };
        let least = |sides: Sides| limits.of(self.is_own(&program.cell(sides, 1, 1)));
        let mut open: Vec<(Sides, u64)> = program.cells(self).into_iter().map(|sides| (sides, 0)).collect();
        // Most cells are actually empty or large enough.
        program.keep(&mut open, &world, limits.most());
        let known: HashSet<(&[u32], &[u32])> =
            known.iter().map(|cell| (cell.present.as_slice(), cell.absent.as_slice())).collect();
        open.retain(|(sides, _)| {
            let cell = program.cell(*sides, 1, 1);
            !known.contains(&(cell.present.as_slice(), cell.absent.as_slice()))
        });
        open.iter_mut().for_each(|(sides, asked)| *asked = least(*sides));
        program.keep(&mut open, &world, 0);
        // To find one cell, a search is faster.
        let mut determined = (!first).then(|| Determined::by_sums(&program));
        if let Some(determined) = &mut determined
            && open.len() > world.len()
        {
            determined.add_fixed(&program, &world, &mut open);
        }
        let mut found = Vec::new();
        while let Some((sides, least)) = open.pop() {
            if determined.as_ref().is_some_and(|determined| determined.has(&program, sides)) {
                found.push(program.determined(sides, &world));
                continue;
            }
            let goals = [Goal::AtMost(sides, 0), Goal::AtLeast(sides, least)];
            let other = goals.iter().find_map(|goal| match program.find(goal) {
                SearchResult::World(world) => Some(world),
                SearchResult::None | SearchResult::Unknown => None,
            });
            match other {
                Some(other) => program.keep(&mut open, &other, 0),
                None => found.push(program.range(sides, least, &world)),
            }
            if first && !found.is_empty() {
                break;
            }
        }
        found.sort_unstable();
        Exact::Cells(found)
    }

    /// The groups of connected published sets, by one set of each: those with few enough items.
    pub fn groups(&self) -> Vec<&[u32]> {
        let mut seen = HashSet::new();
        let mut groups = Vec::new();
        for &set in &self.published {
            let items = &self.sets[set as usize].items;
            if items.iter().all(|item| seen.contains(item)) {
                continue;
            }
            if let Some(group) = self.group(items) {
                seen.extend(group);
                groups.push(items.as_slice());
            }
        }
        groups
    }

    /// The published sets made of some items alone.
    pub(super) fn published_within<'k>(&'k self, items: &'k [u32]) -> impl Iterator<Item = &'k Known> {
        let with = |item: &u32| self.published_with.get(item).map_or(&[][..], Vec::as_slice);
        // Each where its first item is.
        let sets = items.iter().flat_map(move |item| with(item).iter().map(move |set| (item, *set)));
        let sets = sets.map(|(item, set)| (item, &self.sets[set as usize]));
        sets.filter(|(item, set)| {
            set.items.first() == Some(item) && set.items.iter().all(|i| items.contains(i))
        })
        .map(|(_, set)| set)
    }

    /// All items connected with these, ascending: simply all, if they are few enough; otherwise those that share sets
    /// and attributes, or sets alone. `None` if there are too many. What follows from fewer items is true, though it
    /// need not be all.
    pub(super) fn group(&self, items: &[u32]) -> Option<Vec<u32>> {
        let all = || {
            let mut all: Vec<u32> = self.published_with.keys().copied().collect();
            all.sort_unstable();
            all
        };
        let few = self.published_with.len() <= MOST_ITEMS;
        let fitting = |group: &Vec<u32>| self.is_small(group);
        if let Some(tied) = self.tied_group() {
            return Some(tied).filter(fitting);
        }
        let linked = |by_attribute: bool| self.linked(items, by_attribute).filter(fitting);
        few.then(all).filter(fitting).or_else(|| linked(true)).or_else(|| linked(false))
    }

    /// The items connected with these through published sets and, if requested, through attributes.
    fn linked(&self, items: &[u32], by_attribute: bool) -> Option<Vec<u32>> {
        let mut group = items.to_vec();
        let mut next = 0;
        while let Some(&item) = group.get(next) {
            if group.len() > MOST_ITEMS {
                return None;
            }
            let sets = self.published_with.get(&item).map_or(&[][..], Vec::as_slice);
            let of_sets = sets.iter().flat_map(|&set| &self.sets[set as usize].items);
            let same = &self.of_attribute[&self.facts[item as usize].attribute];
            let same = same.iter().filter(|other| by_attribute && self.published_with.contains_key(*other));
            for &other in of_sets.chain(same) {
                if !group.contains(&other) {
                    group.push(other);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        Some(group)
    }

    /// Whether few enough baskets and cells are made of some items.
    pub(super) fn is_small(&self, items: &[u32]) -> bool {
        if items.len() > MOST_ITEMS {
            return false;
        }
        let (mut baskets, mut cells) = (1_usize, 1_usize);
        for (attribute, of_group) in self.attributes_of(items) {
            let complete = self.is_complete(attribute, &|item| items.contains(&item));
            baskets *= of_group.len() + usize::from(!complete);
            cells *= of_group.len() + (1 << of_group.len());
        }
        baskets <= MOST_BASKETS && cells <= MOST_CELLS
    }

    /// The attributes of some items, each with the places of its items among them.
    pub(super) fn attributes_of(&self, items: &[u32]) -> Vec<(u32, Vec<usize>)> {
        let mut attributes: Vec<(u32, Vec<usize>)> = Vec::new();
        for (place, &item) in items.iter().enumerate() {
            let attribute = self.facts[item as usize].attribute;
            match attributes.iter_mut().find(|(other, _)| *other == attribute) {
                Some((_, places)) => places.push(place),
                None => attributes.push((attribute, vec![place])),
            }
        }
        attributes
    }
}
