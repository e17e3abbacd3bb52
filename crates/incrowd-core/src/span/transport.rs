//! How many individuals of one span are in one bin, over all worlds: exact, by maximum flow.
//!
//! Sizes of spans and populations of bins are known, so every world is a way of shipping the spans into the bins they
//! reach. Two worlds differ by cycles of the residual graph (span → bin wherever the bin is in the span, bin → span
//! wherever the world has an individual there). The individuals of span s in bin β can become fewer by as many as can
//! be sent from s to β without that pair, and more by as many as can be sent from β to s. Integrality comes for free.
//!
//! An individual with several rows is not moved: moving one of the rows can change how many *different* individuals a
//! bin has. Worlds in which only individuals with one row move are worlds, so a range found this way may be too narrow,
//! never too wide: it errs on the safe side.
//!
//! Only cells below a limit are looked at, and a search ends once the limit is reached. So a cell takes at most as many
//! searches as the limit is high.

use super::Bins;
use crate::table::{People, Table};
use hashbrown::HashMap;
use rayon::prelude::*;
use std::collections::VecDeque;

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
        let of_span = |span: usize| {
            let cells = 0..self.reach[span].len();
            cells.filter_map(|place| self.small(span as u32, place, limit)).min().unwrap_or(u64::MAX)
        };
        (0..self.reach.len()).into_par_iter().map(of_span).collect()
    }

    /// The most individuals a cell can have, if it has 1 to `limit` − 1 in every world.
    fn small(&self, span: u32, place: usize, limit: u64) -> Option<u64> {
        let (free, fixed) = (self.free[span as usize][place], self.fixed[span as usize][place]);
        let now = free + fixed;
        if now == 0 || now >= limit {
            return None;
        }
        let (here, there) = (Node::Span(span), Node::Bin(self.reach[span as usize][place]));
        let flow = |from, to, most| Flow::new(self, (span, place as u32)).push(from, to, most);
        if fixed == 0 && flow(here, there, free) == free {
            return None;
        }
        let more = flow(there, here, limit - now);
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Span(u32),
    Bin(u32),
}

/// A span and the place of a bin in its reach.
type Pair = (u32, u32);

/// Individuals on their way from one node to another, without one pair.
struct Flow<'t> {
    transport: &'t Transport<'t>,
    without: Pair,
    /// How many more, or fewer, individuals a pair has than actually.
    moved: HashMap<Pair, i64>,
}

impl<'t> Flow<'t> {
    fn new(transport: &'t Transport<'t>, without: Pair) -> Self {
        Self { transport, without, moved: HashMap::new() }
    }

    fn held(&self, pair: Pair) -> u64 {
        let free = self.transport.free[pair.0 as usize][pair.1 as usize];
        free.saturating_add_signed(self.moved.get(&pair).copied().unwrap_or(0))
    }

    /// Sends up to `most` individuals from one node to another; how many could be sent.
    fn push(&mut self, from: Node, to: Node, most: u64) -> u64 {
        let mut sent = 0;
        while sent < most {
            let Some(path) = self.path(from, to) else { break };
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

    /// A shortest path along which one more individual can be sent.
    fn path(&self, from: Node, to: Node) -> Option<Vec<Step>> {
        let mut came_by: HashMap<Node, (Node, Step)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for (next, step) in self.steps(node) {
                if next == from || came_by.contains_key(&next) {
                    continue;
                }
                came_by.insert(next, (node, step));
                if next == to {
                    return Some(way_back(&came_by, from, to));
                }
                queue.push_back(next);
            }
        }
        None
    }

    fn steps(&self, node: Node) -> Vec<(Node, Step)> {
        let allowed = |pair: &Pair| *pair != self.without;
        match node {
            Node::Span(span) => {
                let reached = (0..).zip(&self.transport.reach[span as usize]);
                let joining = reached.filter(|(place, _)| allowed(&(span, *place)));
                joining
                    .map(|(place, &bin)| (Node::Bin(bin), Step { pair: (span, place), joins: true }))
                    .collect()
            }
            Node::Bin(bin) => {
                let pairs = self.transport.spans_of[bin as usize].iter();
                let leaving = pairs.filter(|pair| allowed(pair) && self.held(**pair) > 0);
                leaving.map(|&pair| (Node::Span(pair.0), Step { pair, joins: false })).collect()
            }
        }
    }
}

/// One individual of a span joins a bin, or leaves it.
#[derive(Debug, Clone, Copy)]
struct Step {
    pair: Pair,
    joins: bool,
}

fn way_back(came_by: &HashMap<Node, (Node, Step)>, from: Node, to: Node) -> Vec<Step> {
    let mut path = Vec::new();
    let mut node = to;
    while node != from {
        let (before, step) = came_by[&node];
        path.push(step);
        node = before;
    }
    path
}
