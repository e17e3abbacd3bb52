//! A k-d tree: points divided at the median of their widest coordinate, over and over.

use crate::clusters::points::{Points, square};

/// The most points of a leaf.
const LEAF: usize = 12;

/// A k-d tree. Points are known by their place in it; those of a node stand side by side.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The point at each place.
    pub(super) points: Vec<u32>,
    width: usize,
    coordinates: Vec<f64>,
    /// For each node its lowest, then its highest coordinates.
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
            nodes: Vec::new(),
            points: Vec::new(),
            width: points.width,
            coordinates: Vec::new(),
            boxes: Vec::new(),
        };
        tree.divide(points, &mut order, 0);
        tree.coordinates = order.iter().flat_map(|&point| points.at(point as usize)).copied().collect();
        tree.points = order;
        tree
    }

    /// Makes the node of some points, which stand at `from` and after; halves are as deep as their logarithm.
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

    /// Adds the box of some points; its widest coordinate.
    fn push_box(&mut self, points: &Points, order: &[u32]) -> usize {
        let start = self.boxes.len();
        let width = self.width;
        self.boxes.resize(start + width, f64::INFINITY);
        self.boxes.resize(start + 2 * width, f64::NEG_INFINITY);
        let (low, high) = self.boxes[start..].split_at_mut(width);
        for &point in order {
            for ((low, high), &x) in low.iter_mut().zip(high.iter_mut()).zip(points.at(point as usize)) {
                *low = low.min(x);
                *high = high.max(x);
            }
        }
        let extent = |i: usize| high[i] - low[i];
        (0..width).max_by(|&i, &j| extent(i).total_cmp(&extent(j))).unwrap_or(0)
    }

    pub(super) fn at(&self, place: usize) -> &[f64] {
        &self.coordinates[place * self.width..(place + 1) * self.width]
    }

    pub(super) fn square(&self, a: usize, b: usize) -> f64 {
        square(self.at(a), self.at(b))
    }

    /// A squared distance that no point of the node falls below, not even by rounding: every step of it is rounded as for a point of
    /// the box, and rounding keeps order.
    pub(super) fn least(&self, place: usize, node: u32) -> f64 {
        let start = node as usize * 2 * self.width;
        let (low, high) = self.boxes[start..start + 2 * self.width].split_at(self.width);
        let gap = |((&x, &low), &high): ((&f64, &f64), &f64)| {
            let gap = (low - x).max(x - high).max(0.0);
            gap * gap
        };
        self.at(place).iter().zip(low).zip(high).map(gap).sum()
    }
}
