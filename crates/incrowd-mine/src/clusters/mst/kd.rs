//! A k-d tree: points split repeatedly at the median of the value in which they differ most.

use crate::clusters::metric::Metric;
use crate::clusters::points::Points;

/// The most points of a leaf.
const LEAF: usize = 12;

/// A k-d tree. Points are known by their place in it; those of a node are contiguous.
pub(super) struct Tree {
    metric: Metric,
    pub(super) nodes: Vec<Node>,
    /// The point at each place.
    pub(super) points: Vec<u32>,
    values: Vec<f64>,
    /// For each node its lowest, then its highest values.
    boxes: Vec<f64>,
}

/// A node; children come after it.
pub(super) struct Node {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) children: Option<(u32, u32)>,
}

impl Tree {
    pub(super) fn new(points: &Points) -> Self {
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let mut tree = Self {
            metric: points.metric.clone(),
            nodes: Vec::new(),
            points: Vec::new(),
            values: Vec::new(),
            boxes: Vec::new(),
        };
        tree.divide(points, &mut order, 0);
        tree.values = order.iter().flat_map(|&point| points.at(point as usize)).copied().collect();
        tree.points = order;
        tree
    }

    /// Makes the node of some points, which are at `from` and after; halves are as deep as their logarithm.
    fn divide(&mut self, points: &Points, order: &mut [u32], from: u32) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Node { from, to: from + order.len() as u32, children: None });
        let widest = self.push_box(points, order);
        if order.len() > LEAF {
            let middle = order.len() / 2;
            let key = |point: u32| points.at(point as usize)[widest];
            order.select_nth_unstable_by(middle, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
            let (left, right) = order.split_at_mut(middle);
            let left = self.divide(points, left, from);
            let right = self.divide(points, right, from + middle as u32);
            self.nodes[number].children = Some((left, right));
        }
        number as u32
    }

    /// Adds the box of some points; the value in which they differ most.
    fn push_box(&mut self, points: &Points, order: &[u32]) -> usize {
        let start = self.boxes.len();
        let width = self.metric.axes();
        self.boxes.resize(start + width, f64::INFINITY);
        self.boxes.resize(start + 2 * width, f64::NEG_INFINITY);
        let (low, high) = self.boxes[start..].split_at_mut(width);
        for &point in order {
            for ((low, high), &x) in low.iter_mut().zip(high.iter_mut()).zip(points.at(point as usize)) {
                *low = low.min(x);
                *high = high.max(x);
            }
        }
        let extent = |i: usize| self.metric.extent(i, low[i], high[i]);
        (0..width).max_by(|&i, &j| extent(i).total_cmp(&extent(j))).unwrap_or(0)
    }

    pub(super) fn at(&self, place: usize) -> &[f64] {
        let width = self.metric.axes();
        &self.values[place * width..(place + 1) * width]
    }

    /// The squared distance of the points at two places, or any number above `most` if it is more than that.
    pub(super) fn square_up_to(&self, a: usize, b: usize, most: f64) -> f64 {
        self.metric.square_up_to(self.at(a), self.at(b), most)
    }

    /// A squared distance that no point of the node falls below.
    pub(super) fn least(&self, place: usize, node: u32) -> f64 {
        let width = self.metric.axes();
        let start = node as usize * 2 * width;
        let (low, high) = self.boxes[start..start + 2 * width].split_at(width);
        self.metric.least(self.at(place), low, high)
    }
}
