//! Borůvka's algorithm over a k-d tree: in every round each component takes its shortest edge to another one, so the
//! number of components at least halves.
//!
//! What was found for a point in earlier rounds is kept. Its nearest point of another component stays the nearest while
//! it is in another one, and the distance searched without success stays a lower bound, as components only grow. A
//! point that cannot beat the best edge its component has found so far is skipped. That best edge is shared between
//! threads and only saves work: the edge taken is the first in the order of edges, whichever thread finds it.

use super::Edge;
use super::kd::Tree;
use crate::clusters::points::Points;
use incrowd_core::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Places are searched in blocks of this many.
const BLOCK: usize = 1 << 10;

/// A node with points of several components.
const MIXED: u32 = u32::MAX;

pub(super) fn span(points: &Points, progress: &dyn Progress) -> Vec<Edge> {
    let tree = Tree::new(points);
    let mut forest = Forest::new(&tree);
    let mut edges = Vec::with_capacity(points.len().saturating_sub(1));
    while edges.len() + 1 < points.len() {
        let before = edges.len();
        forest.label();
        forest.search(progress);
        forest.join(&mut edges);
        if edges.len() == before {
            // Only distances that are not numbers, or cancelling, can bring a round to nothing.
            break;
        }
    }
    edges
}

/// What a place knows of the nearest point outside its component.
#[derive(Clone, Copy)]
struct NearestOutside {
    /// The edge to it.
    edge: Edge,
    /// Its place; of no meaning without an edge.
    other: u32,
    /// No point outside is nearer than this.
    least: f64,
}

struct Forest<'t> {
    tree: &'t Tree,
    parent: Vec<u32>,
    /// The component of each place, and of each node.
    of_place: Vec<u32>,
    of_node: Vec<u32>,
    known: Vec<NearestOutside>,
    /// The squared length of the shortest edge found so far for each component, as bits: these are in the order of the
    /// numbers.
    best: Vec<AtomicU64>,
}

impl<'t> Forest<'t> {
    fn new(tree: &'t Tree) -> Self {
        let count = tree.points.len();
        let nothing = NearestOutside { edge: Edge::NONE, other: 0, least: 0.0 };
        Self {
            tree,
            parent: (0..count as u32).collect(),
            of_place: vec![0; count],
            of_node: vec![MIXED; tree.nodes.len()],
            known: vec![nothing; count],
            best: (0..count).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn root(&mut self, place: u32) -> u32 {
        let mut place = place;
        while self.parent[place as usize] != place {
            let above = self.parent[self.parent[place as usize] as usize];
            self.parent[place as usize] = above;
            place = above;
        }
        place
    }

    /// Names the component of every place and node, and starts from what is still known.
    fn label(&mut self) {
        for place in 0..self.parent.len() as u32 {
            self.of_place[place as usize] = self.root(place);
        }
        for (number, node) in self.tree.nodes.iter().enumerate().rev() {
            let first = self.of_place[node.from as usize];
            let own = self.of_place[node.from as usize..node.to as usize].iter();
            let one = match node.children {
                None => own.skip(1).all(|&component| component == first),
                Some((left, right)) => {
                    self.of_node[left as usize] == first && self.of_node[right as usize] == first
                }
            };
            self.of_node[number] = if one { first } else { MIXED };
        }
        let Self { best, known, of_place, .. } = self;
        best.par_iter().for_each(|best| best.store(f64::INFINITY.to_bits(), Ordering::Relaxed));
        known.par_iter().zip(of_place.par_iter()).for_each(|(known, &own)| {
            if is_open(known, own, of_place) {
                best[own as usize].fetch_min(known.edge.square.to_bits(), Ordering::Relaxed);
            }
        });
    }

    fn search(&mut self, progress: &dyn Progress) {
        let Self { tree, of_place, of_node, known, best, .. } = self;
        let search = NearestSearch { tree, of_place, of_node };
        let blocks = known.par_chunks_mut(BLOCK).enumerate();
        blocks.filter(|_| !progress.is_cancelled()).for_each(|(block, known)| {
            for (known, place) in known.iter_mut().zip(block * BLOCK..) {
                let own = of_place[place];
                let best = &best[own as usize];
                if !is_open(known, own, of_place) && known.least <= bound(best) {
                    search.nearest(place, best, known);
                }
            }
        });
    }

    /// Takes the shortest edge of every component.
    fn join(&mut self, edges: &mut Vec<Edge>) {
        let mut first: Vec<(Edge, u32)> = vec![(Edge::NONE, 0); self.parent.len()];
        for (known, &own) in self.known.iter().zip(&self.of_place) {
            let best = &mut first[own as usize];
            if is_open(known, own, &self.of_place) && known.edge.is_before(&best.0) {
                *best = (known.edge, known.other);
            }
        }
        for (own, (edge, other)) in (0..).zip(first) {
            if edge == Edge::NONE {
                continue;
            }
            let (own, other) = (self.root(own), self.root(other));
            if own != other {
                self.parent[own.max(other) as usize] = own.min(other);
                edges.push(edge);
            }
        }
    }
}

/// Whether what is known is an edge that still leads out of the component.
fn is_open(known: &NearestOutside, own: u32, of_place: &[u32]) -> bool {
    known.edge != Edge::NONE && of_place[known.other as usize] != own
}

fn bound(best: &AtomicU64) -> f64 {
    f64::from_bits(best.load(Ordering::Relaxed))
}

struct NearestSearch<'t> {
    tree: &'t Tree,
    of_place: &'t [u32],
    of_node: &'t [u32],
}

impl NearestSearch<'_> {
    /// Finds the first edge from a place out of its component, unless the component has a shorter one.
    fn nearest(&self, place: usize, best: &AtomicU64, known: &mut NearestOutside) {
        known.edge = Edge::NONE;
        self.visit(place, 0, best, known);
        let found = bound(best);
        if known.edge != Edge::NONE && known.edge.square <= found {
            known.least = known.edge.square;
            best.fetch_min(known.edge.square.to_bits(), Ordering::Relaxed);
        } else {
            // Whatever was left out was farther than the best edge at that time, which only became shorter; there may
            // be a nearer point than the one found, and neither can win this round.
            known.edge = Edge::NONE;
            known.least = known.least.max(found);
        }
    }

    fn visit(&self, place: usize, node: u32, best: &AtomicU64, known: &mut NearestOutside) {
        let own = self.of_place[place];
        if self.of_node[node as usize] == own {
            return;
        }
        let Some((left, right)) = self.tree.nodes[node as usize].children else {
            return self.look(place, node, known);
        };
        let (near, far) = (self.tree.least(place, left), self.tree.least(place, right));
        let ways = if far < near { [(far, right), (near, left)] } else { [(near, left), (far, right)] };
        for (least, child) in ways {
            // Not farther: an edge of equal length may come first by its ends.
            if least <= known.edge.square.min(bound(best)) {
                self.visit(place, child, best, known);
            }
        }
    }

    fn look(&self, place: usize, leaf: u32, known: &mut NearestOutside) {
        let node = &self.tree.nodes[leaf as usize];
        for other in node.from as usize..node.to as usize {
            if self.of_place[other] == self.of_place[place] {
                continue;
            }
            let square = self.tree.square_up_to(place, other, known.edge.square);
            if square <= known.edge.square {
                let edge = Edge::new(square, self.tree.points[place], self.tree.points[other]);
                if edge.is_before(&known.edge) {
                    (known.edge, known.other) = (edge, other as u32);
                }
            }
        }
    }
}
