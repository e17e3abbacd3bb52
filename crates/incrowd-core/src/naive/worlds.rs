//! All worlds that an attacker must consider: every assignment of the individuals of the spans to bins that gives all
//! populations.

use std::collections::{BTreeMap, BTreeSet};

/// For each span the bins that some world puts someone of it into.
///
/// `sizes` are the spans', `populations` the bins', and `reach` contains the bins of each span.
pub(super) fn possible(sizes: &[u64], populations: &[u64], reach: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    possible_where(sizes, populations, reach, &|left| left.iter().all(|&left| left == 0))
}

/// The same for all worlds in which the bins have room for every individual and what is left of it is as it should be.
pub(super) fn possible_where(
    sizes: &[u64],
    room: &[u64],
    reach: &[Vec<usize>],
    fits: &dyn Fn(&[u64]) -> bool,
) -> Vec<BTreeSet<usize>> {
    let ranges = ranges_where(sizes, room, reach, fits);
    let open = |bins: BTreeMap<usize, Range>| bins.into_iter().filter(|(_, (_, most))| *most > 0);
    ranges.into_iter().map(|bins| open(bins).map(|(bin, _)| bin).collect()).collect()
}

/// The fewest and the most individuals of a span in a bin.
pub(super) type Range = (u64, u64);

/// For each span and each bin it contains how many individuals of the span are in the bin, over all worlds.
pub(super) fn ranges(
    sizes: &[u64],
    populations: &[u64],
    reach: &[Vec<usize>],
) -> Vec<BTreeMap<usize, Range>> {
    ranges_where(sizes, populations, reach, &|left| left.iter().all(|&left| left == 0))
}

fn ranges_where(
    sizes: &[u64],
    room: &[u64],
    reach: &[Vec<usize>],
    fits: &dyn Fn(&[u64]) -> bool,
) -> Vec<BTreeMap<usize, Range>> {
    let ranges = vec![BTreeMap::new(); sizes.len()];
    let mut search = WorldSearch { sizes, reach, fits, ranges, seen: BTreeMap::new() };
    search.complete(0, room);
    search.ranges
}

struct WorldSearch<'a> {
    sizes: &'a [u64],
    reach: &'a [Vec<usize>],
    fits: &'a dyn Fn(&[u64]) -> bool,
    ranges: Vec<BTreeMap<usize, Range>>,
    /// Whether the spans from the first number on can fill the room that is left.
    seen: BTreeMap<(usize, Vec<u64>), bool>,
}

impl WorldSearch<'_> {
    /// Goes through all ways to put the spans from `span` on into the room that is left; whether there is one.
    fn complete(&mut self, span: usize, room: &[u64]) -> bool {
        if span == self.sizes.len() {
            return (self.fits)(room);
        }
        let state = (span, room.to_vec());
        if let Some(&known) = self.seen.get(&state) {
            return known;
        }
        let mut any = false;
        for left in placements(self.sizes[span], &self.reach[span], room) {
            if self.complete(span + 1, &left) {
                any = true;
                for &bin in &self.reach[span] {
                    let here = room[bin] - left[bin];
                    let range = self.ranges[span].entry(bin).or_insert((here, here));
                    *range = (range.0.min(here), range.1.max(here));
                }
            }
        }
        self.seen.insert(state, any);
        any
    }
}

/// The room that is left after each way of putting `people` into the bins.
fn placements(people: u64, bins: &[usize], room: &[u64]) -> Vec<Vec<u64>> {
    let Some((&bin, others)) = bins.split_first() else {
        return if people == 0 { vec![room.to_vec()] } else { Vec::new() };
    };
    let mut all = Vec::new();
    for here in 0..=people.min(room[bin]) {
        let mut left = room.to_vec();
        left[bin] -= here;
        all.extend(placements(people - here, others, &left));
    }
    all
}
