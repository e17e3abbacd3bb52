//! What supports reveal, from the definitions: every subset, every cell, every world.

use std::collections::{BTreeMap, BTreeSet};

/// A set of items.
pub type Set = BTreeSet<u32>;

/// The lowest and the highest a number can be.
pub type Range = (i64, i64);

/// What deduction leaves of the supports of all subsets of published sets, and of the unions of two known ones that
/// differ in one item each and must overlap. `support` is the truth, of which the published sets, the sets of public
/// items alone and the empty set are known. It ends at the first empty range, which no baskets lead to.
pub fn deduced(published: &[Set], public: &Set, support: &dyn Fn(&Set) -> u64) -> BTreeMap<Set, Range> {
    let everyone = support(&Set::new()) as i64;
    let mut ranges: BTreeMap<Set, Range> = BTreeMap::new();
    let below: BTreeSet<Set> = published.iter().flat_map(subsets).collect();
    let known: Vec<&Set> = below.iter().filter(|s| published.contains(s) || s.is_subset(public)).collect();
    let mut tops = published.to_vec();
    for (one, other) in known.iter().flat_map(|one| known.iter().map(move |other| (*one, *other))) {
        let common: Set = one.intersection(other).copied().collect();
        let alike = one.len() == other.len() && common.len() + 1 == one.len();
        let union: Set = one.union(other).copied().collect();
        if alike && support(one) + support(other) > support(&common) && !union.is_subset(public) {
            tops.push(union);
        }
    }
    for set in tops.iter().flat_map(subsets).chain([Set::new()]) {
        let known = published.contains(&set) || set.is_subset(public);
        let exact = support(&set) as i64;
        ranges.insert(set, if known { (exact, exact) } else { (0, everyone) });
    }
    let is_possible = |ranges: &BTreeMap<Set, Range>| ranges.values().all(|(low, high)| low <= high);
    while let Some(narrower) = narrowed(&ranges).filter(|_| is_possible(&ranges)) {
        ranges = narrower;
    }
    ranges
}

/// The lowest and highest population of the cell of those who have all of `present` and none of `all` besides.
pub fn cell(ranges: &BTreeMap<Set, Range>, present: &Set, all: &Set) -> Range {
    let (mut low, mut high) = (0, 0);
    for set in subsets(all).into_iter().filter(|set| set.is_superset(present)) {
        let (least, most) = ranges[&set];
        if (set.len() - present.len()).is_multiple_of(2) {
            (low, high) = (low + least, high + most);
        } else {
            (low, high) = (low - most, high - least);
        }
    }
    (low.max(0), high)
}

/// One round: every support against every cell it is part of, which must not be negative; `None` if nothing follows.
fn narrowed(ranges: &BTreeMap<Set, Range>) -> Option<BTreeMap<Set, Range>> {
    let mut next = ranges.clone();
    for all in ranges.keys() {
        for present in subsets(all) {
            let (_, high) = cell(ranges, &present, all);
            for set in subsets(all).into_iter().filter(|set| set.is_superset(&present)) {
                let (least, most) = ranges[&set];
                let range = next.get_mut(&set)?;
                if (set.len() - present.len()).is_multiple_of(2) {
                    range.0 = range.0.max(most - high);
                } else {
                    range.1 = range.1.min(least + high);
                }
            }
        }
    }
    (next != *ranges).then_some(next)
}

/// All subsets, itself included.
pub fn subsets(set: &Set) -> Vec<Set> {
    let mut all = vec![Set::new()];
    for &item in set {
        let with = |subset: &Set| subset.iter().copied().chain([item]).collect();
        let more: Vec<Set> = all.iter().map(with).collect();
        all.extend(more);
    }
    all
}

/// The lowest and highest population of every cell of a universe of some few items over all worlds: all ways to give
/// the individuals baskets, of those that exist, such that every known set has its support. Cells are by the masks of
/// the items present, and of all items.
pub fn over_all_worlds(
    items: u32,
    individuals: u64,
    known: &[(u32, u64)],
    exists: &dyn Fn(u32) -> bool,
) -> BTreeMap<(u32, u32), (u64, u64)> {
    let mut ranges = BTreeMap::new();
    let mut world = Vec::new();
    let baskets: Vec<u32> = (0..1 << items).filter(|basket| exists(*basket)).collect();
    worlds(baskets.len(), individuals, &mut world, &mut |world: &[u64]| {
        let has = |present: u32, all: u32| -> u64 {
            let within = baskets.iter().zip(world).filter(|(basket, _)| *basket & all == present);
            within.map(|(_, people)| people).sum()
        };
        if known.iter().any(|&(set, support)| has(set, set) != support) {
            return;
        }
        for all in 0..1 << items {
            for present in (0..=all).filter(|present| present & !all == 0) {
                let people = has(present, all);
                let range = ranges.entry((present, all)).or_insert((people, people));
                *range = (range.0.min(people), range.1.max(people));
            }
        }
    });
    ranges
}

/// Calls `see` for every way to divide individuals among baskets.
fn worlds(baskets: usize, people: u64, world: &mut Vec<u64>, see: &mut dyn FnMut(&[u64])) {
    if world.len() + 1 == baskets {
        world.push(people);
        see(world);
        world.pop();
        return;
    }
    for here in 0..=people {
        world.push(here);
        worlds(baskets, people - here, world, see);
        world.pop();
    }
}
