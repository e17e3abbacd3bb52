//! Prim's algorithm: the tree grows by the shortest edge that leaves it.

use super::Edge;
use crate::clusters::points::Points;
use incrowd_core::progress::Progress;
use rayon::prelude::*;

/// Points are gone through in blocks of this many.
const BLOCK: usize = 1 << 12;

pub(super) fn span(points: &Points, progress: &dyn Progress) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(points.len().saturating_sub(1));
    // The points outside the tree and the shortest edge from each to it.
    let mut outside: Vec<(u32, Edge)> = (1..points.len() as u32).map(|point| (point, Edge::NONE)).collect();
    let mut last = 0_u32;
    while !outside.is_empty() && !progress.is_cancelled() {
        // No two edges are equal, so the first one is the same however the blocks are done.
        let blocks = outside.par_chunks_mut(BLOCK).enumerate();
        let bests = blocks.map(|(block, outside)| {
            let (place, edge) = shortest(points, outside, last);
            (block * BLOCK + place, edge)
        });
        let best = bests.reduce(|| (0, Edge::NONE), |a, b| if b.1.is_before(&a.1) { b } else { a });
        let (point, edge) = outside.swap_remove(best.0);
        edges.push(edge);
        last = point;
    }
    edges
}

/// Brings the edges of some points up to date with the last one in the tree; the place of the shortest, and itself.
fn shortest(points: &Points, outside: &mut [(u32, Edge)], last: u32) -> (usize, Edge) {
    let mut best = (0, Edge::NONE);
    for (place, (point, edge)) in outside.iter_mut().enumerate() {
        let square = points.square_up_to(last as usize, *point as usize, edge.square);
        if square <= edge.square {
            let new = Edge::new(square, last, *point);
            if new.is_before(edge) {
                *edge = new;
            }
        }
        if edge.is_before(&best.1) {
            best = (place, *edge);
        }
    }
    best
}
