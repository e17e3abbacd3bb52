//! Cells of few items by integer programming.
//!
//! A world gives every individual a basket, and only sums over baskets are known: over the baskets that contain a
//! published set, and over those with the same public items. Published sets are connected if they share items or
//! attributes, directly or through others ([`super::groups`]). Over the items of connected sets (of all sets, if they
//! are few) these sums are equations in the populations of baskets, which are whole numbers. There are no baskets with
//! two items of one attribute, and no baskets without any item of an attribute whose values are all items.
//!
//! A cell is cleared by a world in which it is empty or has as many individuals as required. The world is in whole
//! numbers and is checked against every equation, so an error of the solver never clears a cell: a cell for which no
//! world is found counts as small, which errs on the safe side. The table itself is the first world; others are found
//! by branch and bound over linear programs ([`super::world`]), and each clears as many cells as it can, so most cells
//! never need a search.

use super::determined::Determined;
use super::world::{Goal, Program, SearchResult, Sides};
use super::{Cell, Knowledge, KnownSupport, Limits};
use hashbrown::HashSet;

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
    /// What follows about the cells over all items connected with those of a published set. `support` is called for any
    /// set; with `first` one cell is enough. Cells that are `known` already are left out.
    pub fn exact(
        &self,
        items: &[u32],
        limits: &Limits,
        support: &dyn Fn(&[u32]) -> u64,
        first: bool,
        known: &[Cell],
    ) -> Exact {
        let mut all = Exact::Unknown;
        for group in self.groups_of(items) {
            match (self.exact_within(&group, limits, support, first, known), &mut all) {
                (Exact::Contradiction, _) => return Exact::Contradiction,
                (Exact::Cells(cells), _) if first && !cells.is_empty() => return Exact::Cells(cells),
                (Exact::Cells(more), Exact::Cells(cells)) => cells.extend(more),
                (Exact::Cells(cells), _) => all = Exact::Cells(cells),
                (Exact::Unknown, _) => (),
            }
        }
        if let Exact::Cells(cells) = &mut all {
            cells.sort_unstable();
            cells.dedup();
        }
        all
    }

    /// The same for the cells over the items of one of the [groups](Knowledge::groups).
    pub fn exact_within(
        &self,
        group: &[u32],
        limits: &Limits,
        support: &dyn Fn(&[u32]) -> u64,
        first: bool,
        known: &[Cell],
    ) -> Exact {
        if group.iter().all(|&item| self.facts[item as usize].public) {
            return Exact::Cells(Vec::new());
        }
        let Some(program) = Program::new(self, group, support) else { return Exact::Contradiction };
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

    /// Whether no cell of a group has between 1 and `least` − 1 individuals in every world, and each item is lacked by
    /// at least `least` − 1 individuals in some world, and had by as many in some.
    pub(super) fn is_clear(&self, group: &[u32], least: u64, support: &dyn Fn(&[u32]) -> u64) -> bool {
        let Some(program) = Program::new(self, group, support) else { return false };
        let Some(truth) = program.truth(support) else { return false };
        let is_found = |goal: &Goal| matches!(program.find(goal), SearchResult::World(_));
        let most = program.individuals().saturating_sub(least.saturating_sub(1));
        let is_lacked =
            |sides: Sides| program.has_at_most(sides, most, &truth) || is_found(&Goal::AtMost(sides, most));
        if !program.single_items().all(is_lacked) {
            return false;
        }
        let cells = program.cells(self).into_iter();
        let mut open: Vec<(Sides, u64)> = cells.map(|sides| (sides, least)).collect();
        program.keep(&mut open, &truth, 0);
        while let Some((sides, least)) = open.pop() {
            let goals = [Goal::AtMost(sides, 0), Goal::AtLeast(sides, least)];
            let other = goals.iter().find_map(|goal| match program.find(goal) {
                SearchResult::World(world) => Some(world),
                SearchResult::None | SearchResult::Unknown => None,
            });
            match other {
                Some(other) => program.keep(&mut open, &other, 0),
                None => return false,
            }
        }
        true
    }

    /// The published sets made of some items alone.
    pub(super) fn published_within<'k>(&'k self, items: &'k [u32]) -> impl Iterator<Item = &'k KnownSupport> {
        let with = |item: &u32| self.published_with.get(item).map_or(&[][..], Vec::as_slice);
        // Each where its first item is.
        let sets = items.iter().flat_map(move |item| with(item).iter().map(move |set| (item, *set)));
        let sets = sets.map(|(item, set)| (item, &self.sets[set as usize]));
        sets.filter(|(item, set)| {
            set.items.first() == Some(item) && set.items.iter().all(|i| items.contains(i))
        })
        .map(|(_, set)| set)
    }
}
