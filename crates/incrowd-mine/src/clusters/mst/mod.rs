//! Minimum spanning trees of points, exact at any size.
//!
//! Edges are ordered by length, then by their ends; with that order no two edges are equal, so the tree is unique,
//! however it is found. [`prim`] takes n² distances and no matrix (Prim 1957) and serves up to [`FEW`] points, or more
//! if they have many axes; beyond, [`boruvka`] finds the shortest outgoing edge of every component with a k-d tree
//! (Borůvka 1926; Bentley and Friedman 1978), n log n steps per round where the dimension is low.

mod boruvka;
mod kd;
mod prim;
#[cfg(test)]
mod tests;

use super::points::Points;
use incrowd_core::progress::Progress;
use std::cmp::Ordering;

/// The most points that are spanned by going through all pairs.
const FEW: usize = 20_000;

/// The same with more axes than [`FEW_AXES`], where boxes of a k-d tree leave out little.
const FEW_WITH_MANY_AXES: usize = 100_000;
const FEW_AXES: usize = 8;

/// An edge between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// The squared length.
    pub(super) square: f64,
    /// The smaller of its ends.
    pub(super) a: u32,
    /// The larger.
    pub(super) b: u32,
}

impl Edge {
    /// No edge: longer than all.
    const NONE: Self = Self { square: f64::INFINITY, a: u32::MAX, b: u32::MAX };

    fn new(square: f64, one: u32, other: u32) -> Self {
        Self { square, a: one.min(other), b: one.max(other) }
    }

    /// Shorter first, then by the ends.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.square.total_cmp(&other.square).then_with(|| (self.a, self.b).cmp(&(other.a, other.b)))
    }

    fn is_before(&self, other: &Self) -> bool {
        self.order(other) == Ordering::Less
    }
}

/// The minimum spanning tree of all points; a part of it if cancelled.
pub(super) fn spanning_tree(points: &Points, progress: &dyn Progress) -> Vec<Edge> {
    let few = if points.metric.axes() > FEW_AXES { FEW_WITH_MANY_AXES } else { FEW };
    if points.len() <= few { prim::span(points, progress) } else { boruvka::span(points, progress) }
}
