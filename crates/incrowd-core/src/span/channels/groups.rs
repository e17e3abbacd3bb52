//! Which items are looked at together.
//!
//! Cells are made of the items of all published sets. Public-only sets add items to cells, and nothing else: their
//! supports are known anyway. So there are two kinds of groups: with the items of public-only sets, and without them,
//! if these would make a group too large. Of each kind the largest group that fits is searched. The groups that are
//! tried for one kind contain each other. So if sets are published one by one, and each time the groups of the new set
//! are searched, then at the end no group of any set is left to search.
//!
//! Cells of public items alone may be small, and together with a private cell that nearly all individuals are in they
//! are small cells that involve something private. So public items belong to every group, even if no published set
//! connects them with it; and a public item that is published for the first time changes these groups, too.

use super::{Knowledge, KnownSupport, MOST_ITEMS};
use hashbrown::{HashMap, HashSet};

/// The most baskets that are looked at together.
const MOST_BASKETS: usize = 256;

/// The most cells that are looked at together.
const MOST_CELLS: usize = 30_000;

/// Items that are together in published sets, and in how many.
#[derive(Default)]
pub(super) struct Neighbours {
    of: HashMap<u32, HashMap<u32, u32>>,
}

impl Neighbours {
    pub(super) fn add(&mut self, items: &[u32]) {
        for &item in items {
            let near = self.of.entry(item).or_default();
            items.iter().for_each(|&other| *near.entry(other).or_default() += 1);
        }
    }

    pub(super) fn remove(&mut self, items: &[u32]) {
        for &item in items {
            let Some(near) = self.of.get_mut(&item) else { continue };
            items.iter().for_each(|&other| *near.entry(other).or_insert(1) -= 1);
            near.retain(|_, sets| *sets > 0);
            if near.is_empty() {
                self.of.remove(&item);
            }
        }
    }

    fn has(&self, item: u32) -> bool {
        self.of.contains_key(&item)
    }

    fn of(&self, item: u32) -> impl Iterator<Item = u32> {
        self.of.get(&item).into_iter().flat_map(|near| near.keys().copied())
    }

    /// All items, ascending.
    fn items(&self) -> Vec<u32> {
        let mut items: Vec<u32> = self.of.keys().copied().collect();
        items.sort_unstable();
        items
    }
}

/// Through what items are connected, besides published sets with private items.
#[derive(Clone, Copy, Default)]
struct Links {
    /// The published sets of public items alone.
    public_sets: bool,
    /// The attributes of items.
    attributes: bool,
    /// Whatever everyone can see: all public items.
    public_items: bool,
}

const EVERY_LINK: Links = Links { public_sets: true, attributes: true, public_items: true };

impl Knowledge {
    /// The groups of items to search for cells: of every published set with something private, each group once.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let mut seen = HashSet::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for set in self.private_sets() {
            if set.items.iter().all(|item| seen.contains(item)) {
                continue;
            }
            let own = self.groups_of(&set.items);
            seen.extend(own.first().into_iter().flatten().copied());
            for group in own {
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        groups
    }

    /// The items of groups that are too large to be searched as a whole, ascending. If there are none, every cell was
    /// looked at: private items that are not connected with others vary independently of them, so a small cell of both
    /// is one of a part that is small by itself; if that part is public, the cell is in the group of the private one.
    pub fn unsearched(&self) -> Vec<u32> {
        let all = self.all_items();
        if self.ties.is_some() {
            let fits = self.tied(all.clone()).is_some_and(|all| self.is_small(&all));
            return if fits || self.private_sets().next().is_none() { Vec::new() } else { all };
        }
        if self.is_small(&all) {
            return Vec::new();
        }
        let large = self.private_groups(EVERY_LINK).into_iter().filter(|(_, group)| !self.is_small(group));
        let mut found: Vec<u32> = large.flat_map(|(_, group)| group).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The groups to search after a set was published: with the items of public-only sets first.
    pub fn groups_of(&self, items: &[u32]) -> Vec<Vec<u32>> {
        let is_private = items.iter().any(|&item| !self.facts[item as usize].public);
        // A set of public items alone may be connected with different groups by each of its items.
        let starts: Vec<&[u32]> =
            if is_private || items.is_empty() { vec![items] } else { items.chunks(1).collect() };
        let apart = self.parts_apart(items);
        let starts = starts.into_iter().chain(apart.iter().map(Vec::as_slice));
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for start in starts {
            for group in self.with_public_sets(start).into_iter().chain(self.without_public_sets(start)) {
                if !groups.iter().any(|other| group.iter().all(|item| other.contains(item))) {
                    groups.push(group);
                }
            }
        }
        groups
    }

    /// Where a set publishes a public item for the first time: a published set of each group that nothing connects with
    /// public items.
    fn parts_apart(&self, items: &[u32]) -> Vec<Vec<u32>> {
        let within = |set: &u32| self.sets[*set as usize].items.iter().all(|item| items.contains(item));
        let is_new = |item: &u32| {
            self.facts[*item as usize].public
                && self.published_with.get(item).is_some_and(|sets| sets.iter().all(within))
        };
        if !items.iter().any(is_new) {
            return Vec::new();
        }
        let links = Links { public_items: false, ..EVERY_LINK };
        let is_public = |&item: &u32| self.facts[item as usize].public;
        let apart = self.private_groups(links).into_iter().filter(|(_, group)| !group.iter().any(is_public));
        apart.map(|(set, _)| set.to_vec()).collect()
    }

    /// A published private set of each group that the links connect, with the items of the group.
    fn private_groups(&self, links: Links) -> Vec<(&[u32], Vec<u32>)> {
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for set in self.private_sets() {
            if set.items.iter().all(|item| seen.contains(item)) {
                continue;
            }
            let group = self.linked(&set.items, links, usize::MAX).unwrap_or_default();
            seen.extend(group.iter().copied());
            found.push((set.items.as_slice(), group));
        }
        found
    }

    fn with_public_sets(&self, items: &[u32]) -> Option<Vec<u32>> {
        let few = self.published_with.len() <= MOST_ITEMS;
        let all = || few.then(|| self.all_items()).filter(|all| self.is_small(all));
        if self.ties.is_some() {
            return self.tied(self.all_items()).filter(|all| self.is_small(all));
        }
        let linked = |links: Links| self.linked(items, links, MOST_ITEMS).filter(|all| self.is_small(all));
        let touched = |attributes: bool| {
            let group = self.linked(items, Links { attributes, ..Links::default() }, MOST_ITEMS)?;
            Some(self.with_touching(group)).filter(|all| self.is_small(all))
        };
        all()
            .or_else(|| linked(EVERY_LINK))
            .or_else(|| linked(Links { public_items: false, ..EVERY_LINK }))
            .or_else(|| touched(true))
            .or_else(|| touched(false))
    }

    fn without_public_sets(&self, items: &[u32]) -> Option<Vec<u32>> {
        let all = self.near_by_private_sets.items();
        if self.ties.is_some() {
            return self.tied(all).filter(|all| self.is_small(all));
        }
        let linked = |attributes: bool| {
            let links = Links { attributes, ..Links::default() };
            self.linked(items, links, MOST_ITEMS).filter(|all| self.is_small(all))
        };
        Some(all).filter(|all| self.is_small(all)).or_else(|| linked(true)).or_else(|| linked(false))
    }

    fn private_sets(&self) -> impl Iterator<Item = &KnownSupport> {
        self.published.iter().map(|&set| &self.sets[set as usize]).filter(|set| set.private)
    }

    /// All published items, ascending.
    fn all_items(&self) -> Vec<u32> {
        let mut items: Vec<u32> = self.published_with.keys().copied().collect();
        items.sort_unstable();
        items
    }

    /// A group with the items of the public-only sets that share an item with it.
    fn with_touching(&self, mut group: Vec<u32>) -> Vec<u32> {
        let more: Vec<u32> = group.iter().flat_map(|&item| self.near_by_public_sets.of(item)).collect();
        group.extend(more);
        group.sort_unstable();
        group.dedup();
        group
    }

    /// The items connected with these, ascending; `None` if there are more than `most`.
    fn linked(&self, items: &[u32], links: Links, most: usize) -> Option<Vec<u32>> {
        let is_public = |item: u32| self.facts[item as usize].public;
        let counts = |item: u32| {
            self.near_by_private_sets.has(item) || (links.public_sets && self.near_by_public_sets.has(item))
        };
        let (mut group, mut seen) = (items.to_vec(), items.iter().copied().collect::<HashSet<u32>>());
        let (mut next, mut saw_public) = (0, false);
        while let Some(&item) = group.get(next) {
            if group.len() > most {
                return None;
            }
            let mut near: Vec<u32> = self.near_by_private_sets.of(item).collect();
            if links.public_sets {
                near.extend(self.near_by_public_sets.of(item));
            }
            if links.attributes {
                let same = &self.of_attribute[&self.facts[item as usize].attribute];
                near.extend(same.iter().copied().filter(|&other| counts(other)));
            }
            if links.public_items && is_public(item) && !std::mem::replace(&mut saw_public, true) {
                near.extend(self.published_with.keys().copied().filter(|&item| is_public(item)));
            }
            group.extend(near.into_iter().filter(|&other| seen.insert(other)));
            next += 1;
        }
        if links.public_items && !saw_public {
            group.extend(self.published_with.keys().copied().filter(|&item| is_public(item)));
        }
        group.sort_unstable();
        (group.len() <= most).then_some(group)
    }

    /// Whether few enough baskets and cells are made of some items.
    pub(super) fn is_small(&self, items: &[u32]) -> bool {
        if items.len() > MOST_ITEMS {
            return false;
        }
        let (baskets, cells) = self.baskets_and_cells(items);
        baskets <= MOST_BASKETS && cells <= MOST_CELLS
    }

    /// The number of baskets that few items make: the unknowns of a program.
    pub fn baskets(&self, items: &[u32]) -> usize {
        self.baskets_and_cells(items).0
    }

    fn baskets_and_cells(&self, items: &[u32]) -> (usize, usize) {
        let (mut baskets, mut cells) = (1_usize, 1_usize);
        for (attribute, of_group) in self.attributes_of(items) {
            let complete = self.is_complete(attribute, &|item| items.contains(&item));
            baskets *= of_group.len() + usize::from(!complete);
            cells *= of_group.len() + (1 << of_group.len());
        }
        (baskets, cells)
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
