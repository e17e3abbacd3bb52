//! How many individuals of one span are in one bin, over all worlds: exact, by maximum flow.
//!
//! Sizes of spans and populations of bins are known, so every world is a way of shipping the spans into the bins they
//! reach. Two worlds differ by cycles of the residual graph (span → bin wherever the bin is in the span, bin → span
//! wherever the world has an individual there). The individuals of span s in bin β can become fewer by as many as can
//! be sent from s to β without that pair, and more by as many as can be sent from β to s. Integrality comes for free.
//!
//! An individual with several rows is not moved: moving one of the rows can change how many *different* individuals a
//! bin has. The result of moving only individuals with one row is a world, so a range found this way may be too narrow,
//! but never too wide: it errs on the safe side.
//!
//! Only cells below a limit are examined, and a search ends once the limit is reached. So the limit is the maximum
//! number of searches per cell. Most searches end at once: an individual of another span is moved from one bin of both
//! spans to the other. Only without such an individual is the whole graph searched, breadth first.

use super::Bins;
use crate::table::{People, Table};
use hashbrown::HashMap;
use rayon::prelude::*;
use std::cmp::Ordering;

/// Spans and bins, and who is where.
pub(super) struct Transport<'a> {
    reach: &'a [Vec<u32>],
    /// For each bin the spans that reach it, each with the bin's place in the span's reach.
    spans_of: Vec<Vec<(u32, u32)>>,
    /// For each span and bin of its reach the individuals who can be moved.
    free: Vec<Vec<u64>>,
    /// The same for those who stay.
    fixed: Vec<Vec<u64>>,
}

impl<'a> Transport<'a> {
    /// With the span of each row, the bins of each span, and the bin of each row.
    pub(super) fn new(table: &Table, span_of_row: &[u32], reach: &'a [Vec<u32>], bins: &Bins) -> Self {
        let mut spans_of = vec![Vec::new(); bins.count];
        for (span, reached) in (0..).zip(reach) {
            (0..).zip(reached).for_each(|(place, &bin)| spans_of[bin as usize].push((span, place)));
        }
        let none: Vec<Vec<u64>> = reach.iter().map(|reached| vec![0; reached.len()]).collect();
        let mut this = Self { reach, spans_of, free: none.clone(), fixed: none };
        let several = rows_of_several(table);
        let mut staying = Vec::new();
        for (row, (&span, &bin)) in span_of_row.iter().zip(&bins.of_row).enumerate() {
            // An individual in a bin can be there: the linking ensures that.
            let Some(place) = this.place(span, bin) else { continue };
            match (table.people(), several.get(row)) {
                (People::Subjects { of_row, .. }, Some(true)) => staying.push((span, place, of_row[row])),
                _ => this.free[span as usize][place] += u64::from(table.weight(row)),
            }
        }
        staying.sort_unstable();
        staying.dedup();
        staying.iter().for_each(|&(span, place, _)| this.fixed[span as usize][place] += 1);
        this
    }

    fn place(&self, span: u32, bin: u32) -> Option<usize> {
        self.reach[span as usize].binary_search(&bin).ok()
    }

    /// For each span the most individuals that one of its cells can have which has 1 to `limit` − 1 in every world; the
    /// smallest of these, or [`u64::MAX`].
    pub(super) fn smallest_cells(&self, limit: u64) -> Vec<u64> {
        let of_span = |flow: &mut Flow<'_>, span: usize| {
            let cells = 0..self.reach[span].len();
            cells.filter_map(|place| self.small(flow, span as u32, place, limit)).min().unwrap_or(u64::MAX)
        };
        (0..self.reach.len()).into_par_iter().map_init(|| Flow::new(self), of_span).collect()
    }

    /// The most individuals a cell can have, if it has 1 to `limit` − 1 in every world.
    fn small(&self, flow: &mut Flow<'_>, span: u32, place: usize, limit: u64) -> Option<u64> {
        let (free, fixed) = (self.free[span as usize][place], self.fixed[span as usize][place]);
        let now = free + fixed;
        if now == 0 || now >= limit {
            return None;
        }
        let pair = (span, place as u32);
        if fixed == 0 && flow.out_of(pair, free) == free {
            return None;
        }
        let more = flow.into(pair, limit - now);
        (now + more < limit).then_some(now + more)
    }
}

/// For each row whether its individual has another one; empty where no individual has.
fn rows_of_several(table: &Table) -> Vec<bool> {
    let People::Subjects { of_row, count } = table.people() else { return Vec::new() };
    let mut rows = vec![0_u32; *count as usize];
    of_row.iter().for_each(|&subject| rows[subject as usize] += 1);
    of_row.iter().map(|&subject| rows[subject as usize] > 1).collect()
}

/// A span and the place of a bin in its reach.
type Pair = (u32, u32);

/// One individual of a span joins a bin, or leaves it.
#[derive(Debug, Clone, Copy)]
struct Step {
    pair: Pair,
    joins: bool,
}

/// A span, or a bin, whose number comes after those of all spans.
type Node = usize;

/// Individuals on their way from one node to another, without one pair.
struct Flow<'t> {
    transport: &'t Transport<'t>,
    without: Pair,
    /// How many more, or fewer, individuals a pair has than actually.
    moved: HashMap<Pair, i64>,
    /// The search in which each node was last found, with the step by which it was.
    found: Vec<(u32, Step)>,
    search: u32,
    queue: Vec<Node>,
}

impl<'t> Flow<'t> {
    fn new(transport: &'t Transport<'t>) -> Self {
        let nodes = transport.reach.len() + transport.spans_of.len();
        let never = (0, Step { pair: (0, 0), joins: false });
        let found = vec![never; nodes];
        Self { transport, without: (0, 0), moved: HashMap::new(), found, search: 0, queue: Vec::new() }
    }

    /// How many individuals of a pair, up to `most`, can be elsewhere.
    fn out_of(&mut self, pair: Pair, most: u64) -> u64 {
        let (span, bin) = self.ends(pair);
        self.push(pair, (span, bin), most, Self::short_way_out)
    }

    /// How many more individuals, up to `most`, the pair can have.
    fn into(&mut self, pair: Pair, most: u64) -> u64 {
        let (span, bin) = self.ends(pair);
        self.push(pair, (bin, span), most, Self::short_way_in)
    }

    fn ends(&self, (span, place): Pair) -> (Node, Node) {
        let bin = self.transport.reach[span as usize][place as usize];
        (span as usize, self.transport.reach.len() + bin as usize)
    }

    fn held(&self, pair: Pair) -> u64 {
        let free = self.transport.free[pair.0 as usize][pair.1 as usize];
        if self.moved.is_empty() {
            return free;
        }
        free.saturating_add_signed(self.moved.get(&pair).copied().unwrap_or(0))
    }

    /// Sends up to `most` individuals from one node to another without a pair; how many could be sent.
    fn push(
        &mut self,
        without: Pair,
        (from, to): (Node, Node),
        most: u64,
        short: impl Fn(&Self) -> Option<Vec<Step>>,
    ) -> u64 {
        self.without = without;
        self.moved.clear();
        let mut sent = 0;
        while sent < most {
            let Some(path) = short(self).or_else(|| self.path(from, to)) else { break };
            let room = path.iter().filter(|step| !step.joins).map(|step| self.held(step.pair)).min();
            let many = room.unwrap_or(0).min(most - sent);
            if many == 0 {
                break;
            }
            for step in path {
                let sign = if step.joins { 1 } else { -1 };
                *self.moved.entry(step.pair).or_insert(0) += sign * many as i64;
            }
            sent += many;
        }
        sent
    }

    /// One individual of the span goes to a bin that someone of another span leaves, for the pair's bin.
    fn short_way_out(&self) -> Option<Vec<Step>> {
        self.over_another(|own, other_leaves| {
            let leaves = Step { pair: other_leaves, joins: false };
            (self.held(other_leaves) > 0).then_some([Step { pair: own, joins: true }, leaves])
        })
    }

    /// Someone of another span leaves the pair's bin for one that an individual of the span leaves.
    fn short_way_in(&self) -> Option<Vec<Step>> {
        self.over_another(|own, other_joins| {
            let joins = Step { pair: other_joins, joins: true };
            (self.held(own) > 0).then_some([Step { pair: own, joins: false }, joins])
        })
    }

    /// The steps along another span that reaches the pair's bin, and another bin of both.
    fn over_another(&self, steps: impl Fn(Pair, Pair) -> Option<[Step; 2]>) -> Option<Vec<Step>> {
        let (span, place) = self.without;
        let own = &self.transport.reach[span as usize];
        let bin = own[place as usize];
        let others = self.transport.spans_of[bin as usize].iter();
        others.filter(|(other, _)| *other != span).find_map(|&there| {
            let reached = &self.transport.reach[there.0 as usize];
            common(own, reached).filter(|&(here, _)| here as u32 != place).find_map(|(here, other)| {
                let [first, second] = steps((span, here as u32), (there.0, other as u32))?;
                // The other span's individual does the opposite in the pair's bin.
                let last = Step { pair: there, joins: !second.joins };
                (last.joins || self.held(there) > 0).then(|| vec![first, second, last])
            })
        })
    }

    /// A shortest path along which one more individual can be sent.
    fn path(&mut self, from: Node, to: Node) -> Option<Vec<Step>> {
        self.search += 1;
        self.found[from].0 = self.search;
        self.queue.clear();
        self.queue.push(from);
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            if node < self.transport.reach.len() {
                self.join(node);
            } else {
                self.leave(node);
            }
            if self.found[to].0 == self.search {
                return Some(self.way_back(from, to));
            }
        }
        None
    }

    /// The bins that an individual of a span can join.
    fn join(&mut self, span: Node) {
        let transport = self.transport;
        for (place, &bin) in (0..).zip(&transport.reach[span]) {
            self.find(transport.reach.len() + bin as usize, Step { pair: (span as u32, place), joins: true });
        }
    }

    /// The spans of which an individual can leave a bin.
    fn leave(&mut self, bin: Node) {
        let transport = self.transport;
        for &pair in &transport.spans_of[bin - transport.reach.len()] {
            if self.held(pair) > 0 {
                self.find(pair.0 as usize, Step { pair, joins: false });
            }
        }
    }

    fn find(&mut self, node: Node, step: Step) {
        if step.pair != self.without && self.found[node].0 != self.search {
            self.found[node] = (self.search, step);
            self.queue.push(node);
        }
    }

    fn way_back(&self, from: Node, to: Node) -> Vec<Step> {
        let mut path = Vec::new();
        let mut node = to;
        while node != from {
            let step = self.found[node].1;
            path.push(step);
            let (span, bin) = self.ends(step.pair);
            node = if step.joins { span } else { bin };
        }
        path
    }
}

/// The places of what two ascending lists have in common.
fn common<'l>(left: &'l [u32], right: &'l [u32]) -> impl Iterator<Item = (usize, usize)> + 'l {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        while i < left.len() && j < right.len() {
            match left[i].cmp(&right[j]) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => {
                    (i, j) = (i + 1, j + 1);
                    return Some((i - 1, j - 1));
                }
            }
        }
        None
    })
}
