//! Covers rows by groups, the finest combinations of steps first.

use super::group::{Group, count};
use super::ladder::Cover;
use super::{FEW, MOST, Search};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Groups of all rows.
pub(super) struct Covered {
    pub(super) groups: Vec<Group>,
    /// How often a row was looked at.
    pub(super) work: u64,
}

/// A step of an attribute among some rows, and the mean loss of their cells at it.
#[derive(Debug, Clone, Copy)]
struct Rung {
    step: usize,
    loss: f64,
}

/// A combination of steps: for each attribute the place of its rung.
type Combination = Vec<usize>;

/// A cover in the making.
struct Covering<'s, 't> {
    search: &'s Search<'t>,
    rungs: Vec<Vec<Rung>>,
    left: Vec<u32>,
    groups: Vec<Group>,
    work: u64,
}

impl Search<'_> {
    /// Covers rows that may be one group. The losses of each attribute are multiplied by its weight to put combinations
    /// in order.
    pub(super) fn cover(&self, rows: &[u32], weights: &[f64]) -> Covered {
        let mut rungs: Vec<Vec<Rung>> =
            (0..self.ladders.len()).map(|place| self.rungs(rows, place)).collect();
        let mut combinations = combinations(&mut rungs, weights);
        let mut covering = Covering { search: self, rungs, left: rows.to_vec(), groups: Vec::new(), work: 0 };
        if rows.len() as u64 <= FEW.saturating_mul(self.least) {
            covering.keep_promising(&mut combinations);
        }
        covering.take_all(&combinations);
        let Covering { mut groups, left, work, .. } = covering;
        self.join(&mut groups, left);
        Covered { groups, work }
    }

    /// The steps of an attribute that make a difference among some rows.
    fn rungs(&self, rows: &[u32], place: usize) -> Vec<Rung> {
        let ladder = &self.ladders[place];
        let counts = count(rows, |row| self.codes(row)[place]);
        let (mut rungs, mut last) = (Vec::new(), usize::MAX);
        for (step, part_of) in ladder.steps.iter().enumerate() {
            let mut parts: BTreeMap<u32, (Cover, u64)> = BTreeMap::new();
            for &(code, rows) in &counts {
                let (cover, all) = parts.entry(part_of[code as usize]).or_insert((Cover::Nothing, 0));
                *cover = ladder.with(*cover, code, true);
                *all += u64::from(rows);
            }
            if parts.len() < last {
                last = parts.len();
                let loss = parts.values().map(|&(cover, rows)| rows as f64 * ladder.loss(cover)).sum::<f64>();
                rungs.push(Rung { step, loss: loss / rows.len().max(1) as f64 });
            }
        }
        rungs
    }

    /// Puts rows that cannot be a group into the groups that lose least by it: one by one where only their number
    /// matters, else all together with one group, or two, or four, until the guarantee holds.
    fn join(&self, groups: &mut Vec<Group>, left: Vec<u32>) {
        if left.is_empty() {
            return;
        }
        if self.counts_suffice && !groups.is_empty() {
            for row in left {
                if let Some((_, place)) = self.nearest(groups, row, None) {
                    groups[place].put(self, row);
                }
            }
            return;
        }
        let left = Group::new(self, left);
        let mut costs: Vec<(f64, usize)> =
            groups.iter().enumerate().map(|(place, group)| (self.merging(group, &left), place)).collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut take = 1;
        loop {
            let taken: Vec<usize> = costs.iter().take(take).map(|&(_, place)| place).collect();
            let mut rows = left.rows.clone();
            taken.iter().for_each(|&place| rows.extend_from_slice(&groups[place].rows));
            let weight = self.weight(&rows);
            if taken.len() == groups.len() || self.holds(&rows, weight) {
                let mut place = 0..;
                groups.retain(|_| place.next().is_none_or(|place| !taken.contains(&place)));
                groups.push(Group::new(self, rows));
                return;
            }
            take *= 2;
        }
    }

    /// By how much merging two groups raises the loss.
    pub(super) fn merging(&self, a: &Group, b: &Group) -> f64 {
        let joined = |(place, ladder): (usize, &super::Ladder<'_>)| {
            let cover =
                ladder.joined([a.covers[place], b.covers[place]], [&a.counts[place], &b.counts[place]]);
            ladder.loss(cover)
        };
        let loss: f64 = self.ladders.iter().enumerate().map(joined).sum();
        (a.weight + b.weight) as f64 * loss - a.total() - b.total()
    }
}

impl Covering<'_, '_> {
    /// Leaves out the combinations at which equal rows are never enough for a group: without counting, those of which a
    /// coarser one has too few. Nothing else changes, since the rows that are left only become fewer.
    fn keep_promising(&mut self, combinations: &mut Vec<Combination>) {
        let mut strides = Vec::with_capacity(self.rungs.len());
        let mut size = 1;
        for rungs in &self.rungs {
            strides.push(size);
            size *= rungs.len();
        }
        if size != combinations.len() {
            return; // A chain: there is nothing to derive.
        }
        let index = |combination: &Combination| -> usize {
            combination.iter().zip(&strides).map(|(at, stride)| at * stride).sum()
        };
        let mut coarsest_first: Vec<&Combination> = combinations.iter().collect();
        coarsest_first.sort_by_key(|combination| Reverse(combination.iter().sum::<usize>()));
        let mut promising = vec![false; size];
        for combination in coarsest_first {
            let own = index(combination);
            let is_promising = |(place, stride): (usize, &usize)| {
                combination[place] + 1 == self.rungs[place].len() || promising[own + stride]
            };
            if strides.iter().enumerate().all(is_promising) {
                let keys = self.keys(combination);
                promising[own] = self.weights(&keys).values().any(|&weight| weight >= self.search.least);
            }
        }
        combinations.retain(|combination| promising[index(combination)]);
    }

    /// Makes groups at one combination after the other. Where many rows are equal at none of several combinations,
    /// there are not many at a coarser one either: if that holds for what is coarser than all of the next few, these
    /// are left out, and more of them next time.
    fn take_all(&mut self, combinations: &[Combination]) {
        let (mut next, mut block) = (0, 1);
        while next < combinations.len() && !self.left.is_empty() {
            let end = combinations.len().min(next + block);
            if block > 1 {
                let coarser = coarser(&combinations[next..end]);
                let keys = self.keys(&coarser);
                if self.weights(&keys).values().all(|&weight| weight < self.search.least) {
                    next = end;
                    block *= 2;
                } else {
                    block /= 2;
                }
                continue;
            }
            block = if self.take_equal(&combinations[next]) { 1 } else { 2 };
            next = end;
        }
    }

    /// A hash of what each row shows at a combination.
    fn keys(&mut self, combination: &Combination) -> Vec<u64> {
        self.work += self.left.len() as u64;
        let (search, rungs) = (self.search, &self.rungs);
        let steps: Vec<&[u32]> = (0..rungs.len())
            .map(|place| search.ladders[place].steps[rungs[place][combination[place]].step].as_slice())
            .collect();
        let key = |&row: &u32| {
            let parts = search.codes(row).iter().zip(&steps).map(|(&code, step)| step[code as usize]);
            parts.fold(0_u64, mixed)
        };
        self.left.iter().map(key).collect()
    }

    /// How much the rows of each key weigh.
    fn weights(&self, keys: &[u64]) -> HashMap<u64, u64> {
        let mut weights = HashMap::with_capacity(keys.len() / 2);
        for (&row, key) in self.left.iter().zip(keys) {
            *weights.entry(*key).or_insert(0) += u64::from(self.search.weight_of(row));
        }
        weights
    }

    /// Makes groups of the rows that are equal at a combination where these meet the guarantee; whether there were any.
    fn take_equal(&mut self, combination: &Combination) -> bool {
        let keys = self.keys(combination);
        let weights = self.weights(&keys);
        if weights.values().all(|&weight| weight < self.search.least) {
            return false;
        }
        // In the order of their first rows.
        let (mut place, mut parts): (HashMap<u64, usize>, Vec<Vec<u32>>) = (HashMap::new(), Vec::new());
        let heavy = |(_, key): &(&u32, &u64)| weights[*key] >= self.search.least;
        for (&row, key) in self.left.iter().zip(&keys).filter(heavy) {
            let next = parts.len();
            let part = *place.entry(*key).or_insert(next);
            if part == next {
                parts.push(Vec::new());
            }
            parts[part].push(row);
        }
        let holds: Vec<bool> = parts.iter().map(|rows| self.search.holds(rows, self.search.least)).collect();
        let is_taken = |key: &u64| place.get(key).is_some_and(|&part| holds[part]);
        let others = self.left.iter().zip(&keys).filter(|(_, key)| !is_taken(key));
        self.left = others.map(|(&row, _)| row).collect();
        let taken = parts.into_iter().zip(&holds).filter(|(_, holds)| **holds);
        self.groups.extend(taken.map(|(rows, _)| Group::new(self.search, rows)));
        holds.contains(&true)
    }
}

/// A hash of a list, number by number. Should two lists ever have one hash, their rows would be in one group, which
/// shows what they have in common and is checked like every other.
fn mixed(hash: u64, part: u32) -> u64 {
    (hash.rotate_left(23) ^ u64::from(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The combinations of steps, those of the least loss first. Where there are too many, attributes with many steps are
/// left with fewer; where there still are, the steps of all attributes are taken one after the other, the one that
/// adds least next.
fn combinations(rungs: &mut [Vec<Rung>], weights: &[f64]) -> Vec<Combination> {
    for (rungs, weight) in rungs.iter_mut().zip(weights) {
        rungs.iter_mut().for_each(|rung| rung.loss *= weight);
    }
    while size(rungs).is_none_or(|size| size > MOST) {
        let longest = (0..rungs.len()).max_by_key(|&place| (rungs[place].len(), Reverse(place)));
        let Some(longest) = longest.filter(|&place| rungs[place].len() > 2) else { return chain(rungs) };
        let middle = rungs[longest].len() / 2;
        rungs[longest].remove(middle);
    }
    let mut all: Vec<(f64, Combination)> = vec![(0.0, Vec::new())];
    for rungs in rungs.iter() {
        let extend = |(loss, places): &(f64, Combination)| {
            let (loss, places) = (*loss, places.clone());
            rungs.iter().enumerate().map(move |(at, rung)| (loss + rung.loss, [&places[..], &[at]].concat()))
        };
        all = all.iter().flat_map(extend).collect();
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, places)| places).collect()
}

fn size(rungs: &[Vec<Rung>]) -> Option<usize> {
    rungs.iter().try_fold(1_usize, |size, rungs| size.checked_mul(rungs.len()))
}

fn chain(rungs: &[Vec<Rung>]) -> Vec<Combination> {
    let mut at: Combination = vec![0; rungs.len()];
    let mut chain = vec![at.clone()];
    loop {
        let added = |place: usize| rungs[place][at[place] + 1].loss - rungs[place][at[place]].loss;
        let open = (0..rungs.len()).filter(|&place| at[place] + 1 < rungs[place].len());
        let Some(next) = open.min_by(|&a, &b| added(a).total_cmp(&added(b))) else { return chain };
        at[next] += 1;
        chain.push(at.clone());
    }
}

/// The finest combination that is as coarse as each of these.
fn coarser(combinations: &[Combination]) -> Combination {
    let mut coarsest = combinations[0].clone();
    for combination in combinations {
        coarsest.iter_mut().zip(combination).for_each(|(most, &at)| *most = at.max(*most));
    }
    coarsest
}
