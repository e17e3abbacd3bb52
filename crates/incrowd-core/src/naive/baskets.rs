//! Cells of rules in every world, one by one.

use crate::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Sees a world: how many baskets have each set of items.
type See<'a> = dyn FnMut(&[(u32, u64)]) + 'a;

/// The error of an audit that would have to go through too many worlds.
pub const TOO_MANY: &str = "there are too many worlds to go through";

/// The most worlds that are gone through.
const MOST: usize = 2_000_000;

/// Individuals with their items, as masks, and what is known of them.
pub(super) struct Baskets {
    /// Baskets and how many individuals have them.
    pub(super) truth: Vec<(u32, u64)>,
    /// The items of attributes that declared dependencies tie together, and for each of the baskets above what its
    /// individuals can have of them.
    pub(super) tied: u32,
    pub(super) possible: Vec<BTreeSet<u32>>,
    /// The items that everyone can see.
    pub(super) public: u32,
    /// For each item its attribute, and how many values that has.
    pub(super) attributes: Vec<(usize, usize)>,
    /// The sets whose supports are published.
    pub(super) published: Vec<u32>,
}

impl Baskets {
    /// The cells (items present, all items) that involve something private and have between one individual and `limit`,
    /// that one excluded, in every world, each with the most it can have.
    pub(super) fn small_cells(&self, limit: u64) -> Result<Vec<(u32, u32, u64)>> {
        let items = self.attributes.len() as u32;
        if items > 12 {
            return Err(Error::input(TOO_MANY));
        }
        let people = |world: &[(u32, u64)], present: u32, all: u32| -> u64 {
            world.iter().filter(|(basket, _)| basket & all == present).map(|(_, people)| people).sum()
        };
        let mut cells: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        for all in (0..1_u32 << items).filter(|all| all & !self.public != 0) {
            for present in (0..=all).filter(|present| present & !all == 0) {
                let truth = people(&self.truth, present, all);
                if (1..limit).contains(&truth) {
                    cells.insert((present, all), (truth, truth));
                }
            }
        }
        self.each_world(&mut |world| {
            cells.retain(|&(present, all), range| {
                let here = people(world, present, all);
                *range = (range.0.min(here), range.1.max(here));
                range.0 >= 1 && range.1 < limit
            });
        })?;
        Ok(cells.into_iter().map(|((present, all), (_, most))| (present, all, most)).collect())
    }

    /// Calls `see` for every world.
    fn each_world(&self, see: &mut See<'_>) -> Result<()> {
        let mut looks: BTreeMap<(u32, &BTreeSet<u32>), u64> = BTreeMap::new();
        for ((basket, people), possible) in self.truth.iter().zip(&self.possible) {
            *looks.entry((basket & self.public, possible)).or_default() += people;
        }
        let looks: Vec<(u32, Vec<u32>, u64)> = looks
            .into_iter()
            .map(|((look, possible), people)| (look, self.baskets_of(look, possible), people))
            .collect();
        let left: Vec<u64> = self
            .published
            .iter()
            .map(|&set| {
                self.truth.iter().filter(|(basket, _)| basket & set == set).map(|(_, people)| people).sum()
            })
            .collect();
        let mut search =
            BasketSearch { published: &self.published, looks: &looks, world: Vec::new(), steps: 0, see };
        search.place(0, 0, looks.first().map_or(0, |look| look.2), &left)
    }

    /// The baskets of someone who looks like this: one value of each attribute at most, and one if all of its values
    /// are items, and what is possible of tied ones.
    pub(super) fn baskets_of(&self, look: u32, possible: &BTreeSet<u32>) -> Vec<u32> {
        let items = self.attributes.len();
        let exists = |basket: u32| {
            self.attributes.iter().all(|&(attribute, values)| {
                let of = |i: &usize| self.attributes[*i].0 == attribute;
                let own = (0..items).filter(of).filter(|i| basket >> i & 1 == 1).count();
                own == 1 || (own == 0 && (0..items).filter(of).count() < values)
            })
        };
        let agrees = |basket: u32| basket & self.public == look && possible.contains(&(basket & self.tied));
        (0..1_u32 << items).filter(|&basket| agrees(basket) && exists(basket)).collect()
    }
}

struct BasketSearch<'a> {
    published: &'a [u32],
    looks: &'a [(u32, Vec<u32>, u64)],
    world: Vec<(u32, u64)>,
    steps: usize,
    see: &'a mut See<'a>,
}

impl BasketSearch<'_> {
    /// Gives `people` of a look the baskets from the given one on, then goes on with the next look.
    fn place(&mut self, look: usize, basket: usize, people: u64, left: &[u64]) -> Result<()> {
        self.steps += 1;
        if self.steps > MOST {
            return Err(Error::input(TOO_MANY));
        }
        let Some((_, baskets, _)) = self.looks.get(look) else {
            if left.iter().all(|&left| left == 0) {
                (self.see)(&self.world);
            }
            return Ok(());
        };
        let Some(&mask) = baskets.get(basket) else {
            let next = self.looks.get(look + 1).map_or(0, |look| look.2);
            return if people == 0 { self.place(look + 1, 0, next, left) } else { Ok(()) };
        };
        for here in 0..=people {
            let less = |(&set, &left): (&u32, &u64)| {
                if mask & set == set { left.checked_sub(here) } else { Some(left) }
            };
            let Some(left) = self.published.iter().zip(left).map(less).collect::<Option<Vec<u64>>>() else {
                break;
            };
            self.world.push((mask, here));
            self.place(look, basket + 1, people - here, &left)?;
            self.world.pop();
        }
        Ok(())
    }
}
