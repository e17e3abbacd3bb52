//! Takes neighbouring groups apart and covers their rows again.

use super::group::Group;
use super::{EFFORT, Search};
use incrowd_core::progress::Progress;
use incrowd_core::random::Random;
use rayon::prelude::*;

/// How many places are rebuilt at a time, whatever the number of threads.
const BATCH: u64 = 16;

/// The most neighbours that are rebuilt with a group.
const NEIGHBOURS: u32 = 6;

/// So many batches in a row without success end the search.
const PATIENCE: u32 = 12;

/// What became of some groups.
struct Rebuilt {
    places: Vec<usize>,
    groups: Option<Vec<Group>>,
    work: u64,
}

impl Search<'_> {
    /// Rebuilds groups here and there until a fixed amount of work is done.
    pub(super) fn rebuild(&self, groups: &mut Vec<Group>, seed: u64, progress: &dyn Progress) {
        let (mut work, mut batch, mut failures) = (0, 0, 0);
        while work < EFFORT && failures < PATIENCE && groups.len() > 1 && !progress.is_cancelled() {
            let pools = self.pools(groups, |number| Random::of(seed, batch * BATCH + number));
            let rebuilt: Vec<Rebuilt> = pools
                .into_par_iter()
                .map(|(places, mut random)| self.rebuilt(groups, places, &mut random))
                .collect();
            batch += 1;
            failures += 1;
            for rebuilt in rebuilt {
                // Looking for neighbours takes time as well.
                work += rebuilt.work + groups.len() as u64;
                let Some(new) = rebuilt.groups else { continue };
                failures = 0;
                rebuilt.places.iter().for_each(|&place| groups[place].rows.clear());
                groups.extend(new);
            }
            groups.retain(|group| !group.rows.is_empty());
            progress.advance(1);
        }
    }

    /// Groups that are rebuilt together, no group in two of these lists.
    fn pools(&self, groups: &[Group], random: impl Fn(u64) -> Random) -> Vec<(Vec<usize>, Random)> {
        let mut is_taken = vec![false; groups.len()];
        let mut pools = Vec::new();
        for number in 0..BATCH {
            let mut random = random(number);
            let first = random.below(groups.len() as u32) as usize;
            if is_taken[first] {
                continue;
            }
            let near = |place: usize, random: &mut Random| {
                let both = (groups[first].weight + groups[place].weight) as f64;
                self.merging(&groups[first], &groups[place]) / both * (0.7 + 0.6 * random.unit())
            };
            let others = (0..groups.len()).filter(|&place| place != first && !is_taken[place]);
            let mut others: Vec<(f64, usize)> =
                others.map(|place| (near(place, &mut random), place)).collect();
            others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let many = 1 + random.below(NEIGHBOURS) as usize;
            let pool: Vec<usize> =
                std::iter::once(first).chain(others.iter().take(many).map(|o| o.1)).collect();
            pool.iter().for_each(|&place| is_taken[place] = true);
            pools.push((pool, random));
        }
        pools
    }

    /// Covers the rows of some groups again; no groups where that gains nothing.
    fn rebuilt(&self, groups: &[Group], places: Vec<usize>, random: &mut Random) -> Rebuilt {
        let mut rows: Vec<u32> = places.iter().flat_map(|&place| &groups[place].rows).copied().collect();
        rows.sort_unstable();
        let weights: Vec<f64> = self.ladders.iter().map(|_| 0.4 + 1.6 * random.unit()).collect();
        let covered = self.cover(&rows, &weights);
        let before: f64 = places.iter().map(|&place| groups[place].total()).sum();
        let is_better = super::total(&covered.groups) < before - 1e-9;
        Rebuilt { places, groups: is_better.then_some(covered.groups), work: covered.work }
    }
}
