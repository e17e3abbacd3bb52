//! What the populations of bins allow an attacker to rule out: exact, by transport.
//!
//! The attacker knows how many individuals each span has (from the public table) and each bin (from the release). Every
//! way of shipping span sizes into the bins they reach is a world that the attacker must consider. `(span, bin)` is
//! empty in *every* world iff it is empty in the true one and no cycle of the residual graph passes through it; that
//! is, span and bin are in different strongly connected components of the graph with an edge span → bin wherever the
//! bin is in the span, and bin → span wherever the true world has an individual there. (Flow theory: two feasible flows
//! differ by residual cycles; Régin 1994 uses the same fact to filter assignments.) Integrality comes for free. Time
//! O(rows log rows + edges).

use super::{BLOCK, Bins};
use rayon::prelude::*;

/// The largest table of spans by bins in which pairs are ticked off; larger ones are sorted.
const TICKED: usize = 1 << 22;

/// For each span and each bin it reaches, whether some world puts an individual of the span into the bin.
pub(super) fn possible(span_of_row: &[u32], bins: &Bins) -> Vec<Vec<bool>> {
    let spans = bins.reach.len();
    let pairs = occupied_pairs(span_of_row, spans, &bins.of_row, bins.count);
    let mut back: Vec<Vec<u32>> = vec![Vec::new(); bins.count];
    pairs.iter().for_each(|&(span, bin)| back[bin as usize].push(span));
    let component = components(spans, &bins.reach, &back);
    let open = |span: usize, bin: u32| {
        component[span] == component[spans + bin as usize] || pairs.binary_search(&(span as u32, bin)).is_ok()
    };
    let of_span = |(span, reach): (usize, &Vec<u32>)| reach.iter().map(|&bin| open(span, bin)).collect();
    bins.reach.iter().enumerate().map(of_span).collect()
}

/// All non-empty (span, bin) pairs, ascending.
pub(super) fn occupied_pairs(
    span_of_row: &[u32],
    spans: usize,
    bin_of_row: &[u32],
    bins: usize,
) -> Vec<(u32, u32)> {
    match spans.checked_mul(bins) {
        Some(size) if size <= TICKED.min(span_of_row.len()) => ticked(span_of_row, bin_of_row, bins, size),
        _ => sorted(span_of_row, bin_of_row),
    }
}

fn ticked(span_of_row: &[u32], bin_of_row: &[u32], bins: usize, size: usize) -> Vec<(u32, u32)> {
    let none = || vec![false; size];
    let tick = |mut ticked: Vec<bool>, (spans, of_bin): (&[u32], &[u32])| {
        let rows = spans.iter().zip(of_bin);
        rows.for_each(|(&span, &bin)| ticked[span as usize * bins + bin as usize] = true);
        ticked
    };
    let join = |a: Vec<bool>, b: Vec<bool>| a.into_iter().zip(b).map(|(a, b)| a | b).collect();
    let blocks = span_of_row.par_chunks(BLOCK).zip(bin_of_row.par_chunks(BLOCK));
    let ticked: Vec<bool> = blocks.fold(none, tick).reduce(none, join);
    let pair = |(place, _)| ((place / bins) as u32, (place % bins) as u32);
    ticked.into_iter().enumerate().filter(|&(_, ticked)| ticked).map(pair).collect()
}

fn sorted(span_of_row: &[u32], bin_of_row: &[u32]) -> Vec<(u32, u32)> {
    let of_block = |(spans, bins): (&[u32], &[u32])| {
        let pair = |(&span, &bin): (&u32, &u32)| u64::from(span) << 32 | u64::from(bin);
        let mut pairs: Vec<u64> = spans.iter().zip(bins).map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    let blocks = span_of_row.par_chunks(BLOCK).zip(bin_of_row.par_chunks(BLOCK));
    let mut pairs: Vec<u64> = blocks.flat_map_iter(of_block).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs.into_iter().map(|pair| ((pair >> 32) as u32, pair as u32)).collect()
}

/// Strongly connected components of the bipartite graph; nodes are the spans, then the bins. Tarjan's algorithm with
/// its own stack, since the graph may be as deep as there are individuals.
fn components(spans: usize, reach: &[Vec<u32>], back: &[Vec<u32>]) -> Vec<u32> {
    let mut search = ComponentSearch::new(spans + back.len());
    let next = |node: usize, edge: usize| -> Option<usize> {
        if node < spans {
            reach[node].get(edge).map(|&bin| spans + bin as usize)
        } else {
            back[node - spans].get(edge).map(|&span| span as usize)
        }
    };
    for root in 0..spans + back.len() {
        search.from(root, &next);
    }
    search.component
}

struct ComponentSearch {
    order: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<usize>,
    visited: u32,
}

impl ComponentSearch {
    const NONE: u32 = u32::MAX;

    fn new(nodes: usize) -> Self {
        let none = vec![Self::NONE; nodes];
        Self { order: none.clone(), low: none.clone(), component: none, stack: Vec::new(), visited: 0 }
    }

    fn from(&mut self, root: usize, next: &dyn Fn(usize, usize) -> Option<usize>) {
        if self.order[root] != Self::NONE {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some(&(node, edge)) = path.last() {
            if let Some(top) = path.last_mut() {
                top.1 += 1;
            }
            match next(node, edge) {
                Some(other) if self.order[other] == Self::NONE => {
                    self.enter(other);
                    path.push((other, 0));
                }
                Some(other) if self.component[other] == Self::NONE => {
                    self.low[node] = self.low[node].min(self.order[other]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(node);
                    if let Some(&(parent, _)) = path.last() {
                        self.low[parent] = self.low[parent].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = self.visited;
        self.low[node] = self.visited;
        self.visited += 1;
        self.stack.push(node);
    }

    fn leave(&mut self, node: usize) {
        if self.low[node] != self.order[node] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.component[member] = node as u32;
            if member == node {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Both ways to find the pairs, on blocks of rows.
    #[test]
    fn pairs_are_the_same_however_they_are_found() {
        let random = &mut Random::of(1, 0);
        for (rows, spans, bins) in [(1, 1, 1), (20, 3, 4), (30, 7, 2), (BLOCK + 9, 5, 3)] {
            let span_of_row: Vec<u32> = (0..rows).map(|_| random.below(spans)).collect();
            let bin_of_row: Vec<u32> = (0..rows).map(|_| random.below(bins)).collect();
            let all: std::collections::BTreeSet<(u32, u32)> =
                span_of_row.iter().copied().zip(bin_of_row.iter().copied()).collect();
            let all: Vec<(u32, u32)> = all.into_iter().collect();
            let size = (spans * bins) as usize;
            assert_eq!(ticked(&span_of_row, &bin_of_row, bins as usize, size), all);
            assert_eq!(sorted(&span_of_row, &bin_of_row), all);
            assert_eq!(occupied_pairs(&span_of_row, spans as usize, &bin_of_row, bins as usize), all);
        }
        // Too many pairs to be ticked off.
        let far: [u32; 2] = [1 << 20, 7];
        assert_eq!(occupied_pairs(&far, usize::MAX, &[3, 4], usize::MAX), [(7, 4), (1 << 20, 3)]);
    }

    /// Reachability both ways, tried pair by pair.
    #[test]
    fn components_are_nodes_that_reach_each_other() {
        for seed in 0..300 {
            let random = &mut Random::of(seed, 1);
            let (spans, bins) = (1 + random.below(4) as usize, 1 + random.below(4) as usize);
            let edges = |from: usize, to: usize, random: &mut Random| -> Vec<Vec<u32>> {
                let of_node = |random: &mut Random| (0..to as u32).filter(|_| random.percent(35)).collect();
                (0..from).map(|_| of_node(random)).collect()
            };
            let (reach, back) = (edges(spans, bins, random), edges(bins, spans, random));
            let mut leads: Vec<Vec<bool>> = (0..spans + bins)
                .map(|a| {
                    (0..spans + bins)
                        .map(|b| match (a < spans, b < spans) {
                            (true, false) => reach[a].contains(&((b - spans) as u32)),
                            (false, true) => back[a - spans].contains(&(b as u32)),
                            _ => a == b,
                        })
                        .collect()
                })
                .collect();
            for via in 0..spans + bins {
                for a in 0..spans + bins {
                    for b in 0..spans + bins {
                        leads[a][b] |= leads[a][via] && leads[via][b];
                    }
                }
            }
            let component = components(spans, &reach, &back);
            for a in 0..spans + bins {
                for b in 0..spans + bins {
                    assert_eq!(component[a] == component[b], leads[a][b] && leads[b][a], "seed {seed}");
                }
            }
        }
    }
}
