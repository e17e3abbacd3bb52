//! Prim's algorithm: the tree grows by the shortest edge that leaves it.

use super::Edge;
use crate::clusters::points::Points;

pub(super) fn span(points: &Points) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(points.len().saturating_sub(1));
    // The points outside the tree and the shortest edge from each to it.
    let mut outside: Vec<(u32, Edge)> = (1..points.len() as u32).map(|point| (point, Edge::NONE)).collect();
    let mut last = 0_u32;
    while !outside.is_empty() {
        let mut best = (0, Edge::NONE);
        for (place, (point, edge)) in outside.iter_mut().enumerate() {
            let square = points.square(last as usize, *point as usize);
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
        let (point, edge) = outside.swap_remove(best.0);
        edges.push(edge);
        last = point;
    }
    edges
}
