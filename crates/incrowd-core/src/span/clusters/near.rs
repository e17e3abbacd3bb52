//! Rows in blocks of neighbours: many questions about centroids have one answer for a whole block.
//!
//! Rows are put in the order of a k-d tree, and a block is a run of them with its bounding box. How much farther one
//! centroid is than another is linear in numbers, so over a box it lies between what it is at the ends. This interval
//! is used like a rounding error: what is certain for every place in the box holds for every row of the block, and the
//! rest is asked row by row. So blocks save work and change nothing.

use super::cells::{CellsOf, is_marked, mark};
use super::choices::Combinations;
use super::measure::Measure;
use super::several::Evidence;
use super::space::{ClusterSpace, Place};
use crate::error::Result;
use rayon::prelude::*;

/// The rows of a block.
pub(super) const BLOCK: usize = 32;

/// Of so many members at most, the widest axis is found.
const SAMPLE: usize = 1 << 10;

/// Above this many members, the halves are ordered in parallel.
const PARALLEL: usize = 1 << 12;

/// Numbers below `count` in an order in which every run of `block` is near each other: the order of a k-d tree, whose
/// nodes are divided at the median of the widest axis. `value` is where a number is on an axis, and `width` how wide an
/// axis is between two such values. Takes n log n steps.
pub fn nearby_order(
    count: usize,
    block: usize,
    axes: usize,
    value: &(impl Fn(usize, u32) -> f64 + Sync),
    width: &(impl Fn(usize, f64, f64) -> f64 + Sync),
) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    if axes > 0 && block > 0 {
        divide(&mut order, block, axes, value, width);
    }
    order
}

fn divide(
    order: &mut [u32],
    block: usize,
    axes: usize,
    value: &(impl Fn(usize, u32) -> f64 + Sync),
    width: &(impl Fn(usize, f64, f64) -> f64 + Sync),
) {
    if order.len() <= block {
        return;
    }
    let step = order.len().div_ceil(SAMPLE);
    let extent = |axis: usize| {
        let sample = order.iter().step_by(step).map(|&member| value(axis, member));
        let (low, high) =
            sample.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        width(axis, low, high)
    };
    let widest =
        (0..axes).map(|axis| (axis, extent(axis))).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let widest = widest.map_or(0, |(axis, _)| axis);
    // All blocks but the last one are full.
    let middle = order.len().div_ceil(block) / 2 * block;
    let key = |member: u32| value(widest, member);
    order.select_nth_unstable_by(middle, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
    let (left, right) = order.split_at_mut(middle);
    if right.len() > PARALLEL {
        rayon::join(|| divide(left, block, axes, value, width), || divide(right, block, axes, value, width));
    } else {
        divide(left, block, axes, value, width);
        divide(right, block, axes, value, width);
    }
}

/// What the rows of a block have on an axis.
#[derive(Clone, Copy)]
pub(super) enum Extent {
    Numbers(f64, f64),
    Name(u32),
    AnyName,
    /// The axis is private, and not looked at.
    Varies,
}

/// Blocks of rows, and what these have on all axes.
pub(super) struct Blocks {
    pub(super) rows: Vec<u32>,
    /// The place of each row or point among those.
    pub(super) place: Vec<u32>,
    extents: Vec<Extent>,
    axes: usize,
}

impl Blocks {
    /// Blocks of some rows by some axes.
    fn new(space: &ClusterSpace<'_>, rows: &[u32], axes: &[usize]) -> Self {
        let at = |axis: usize, member: u32| space.coordinate(axes[axis], rows[member as usize]);
        let width = |axis: usize, low: f64, high: f64| {
            let bound = &space.axes[axes[axis]];
            let gap = if bound.names() > 0 { f64::from(u8::from(low < high)) } else { high - low };
            gap / bound.scale
        };
        let order = nearby_order(rows.len(), BLOCK, axes.len(), &at, &width);
        let mut place = vec![0; order.len()];
        (0..).zip(&order).for_each(|(at, &member)| place[member as usize] = at);
        let rows: Vec<u32> = order.into_iter().map(|member| rows[member as usize]).collect();
        let extents = rows.par_chunks(BLOCK).flat_map_iter(|rows| {
            (0..space.axes.len())
                .map(|axis| if axes.contains(&axis) { extent(space, axis, rows) } else { Extent::Varies })
        });
        Self { extents: extents.collect(), axes: space.axes.len(), rows, place }
    }

    /// The blocks, each with what its rows have on all axes.
    pub(super) fn extents(&self, block: usize) -> &[Extent] {
        &self.extents[block * self.axes..(block + 1) * self.axes]
    }
}

fn extent(space: &ClusterSpace<'_>, axis: usize, rows: &[u32]) -> Extent {
    let values = rows.iter().map(|&row| space.coordinate(axis, row));
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    match space.place(axis, rows[0] as usize) {
        Place::Number(_) => Extent::Numbers(low, high),
        Place::Name(name) if low >= high => Extent::Name(name),
        Place::Name(_) | Place::OtherName => Extent::AnyName,
    }
}

/// The blocks of a space.
pub(super) struct Near {
    /// All rows, by all axes.
    pub(super) rows: Blocks,
    /// The first row of each public point, by public axes. Public points are numbered in this order.
    pub(super) points: Blocks,
}

impl ClusterSpace<'_> {
    /// The same space, prepared to [link](ClusterSpace::link) many centroids quickly. Takes n log n steps.
    #[must_use]
    pub fn in_blocks(mut self) -> Self {
        let all: Vec<usize> = (0..self.axes.len()).collect();
        let rows = Blocks::new(&self, &(0..self.rows as u32).collect::<Vec<u32>>(), &all);
        let points = Blocks::new(&self, &self.points.first_rows(), &self.public);
        self.points.of_row.par_iter_mut().for_each(|point| *point = points.place[*point as usize]);
        self.near = Some(Near { rows, points });
        self
    }
}

/// An interval by its middle and half its width.
type Interval = (f64, f64);

impl Measure {
    /// How much farther centroid `j` is than centroid `i` on an axis, as squared distances from anywhere in a block.
    fn between(&self, (axis, extent): (usize, Extent), tried: &[Place], j: usize, i: usize) -> Interval {
        match extent {
            Extent::Numbers(low, high) => {
                let (low, high) =
                    (self.on(axis, Place::Number(low), j, i), self.on(axis, Place::Number(high), j, i));
                (f64::midpoint(low, high), (high - low).abs() / 2.0)
            }
            Extent::Name(name) => (self.on(axis, Place::Name(name), j, i), 0.0),
            Extent::AnyName => self.spread(axis, j, i),
            Extent::Varies => (self.on(axis, tried[axis], j, i), 0.0),
        }
    }
}

/// What is known about all rows of a block: cells that are reached, and cells that are not.
pub(super) struct Settled {
    pub(super) reached: Vec<u64>,
    pub(super) barred: Vec<u64>,
}

impl CellsOf<'_, '_> {
    /// By how much farther centroid `j` is than centroid `i` over some axes: the middle, and how far from it the truth
    /// can be, rounding included.
    fn bounds(
        &self,
        (extents, tried): (&[Extent], &[Place]),
        axes: &[usize],
        (j, i): (usize, usize),
        rounding: f64,
    ) -> Interval {
        let parts = axes.iter().map(|&axis| self.measure.between((axis, extents[axis]), tried, j, i));
        let (middle, half) = parts.fold((0.0, 0.0), |(middle, half), part| (middle + part.0, half + part.1));
        // Both ends of a number, the middle between them, and half their distance each have the error of one place.
        (middle, half + 8.0 * rounding)
    }

    /// The centroids that can be nearest to rows of a block, in their order.
    pub(super) fn candidates(&self, extents: &[Extent], tried: &[Place], found: &mut Vec<usize>) {
        let block = (extents, tried);
        let farther = |j: usize, i: usize| self.bounds(block, &self.all, (j, i), self.error);
        let mut near = (0, 0.0);
        for j in 1..self.centers.len() {
            let middle = farther(j, 0).0;
            if middle < near.1 {
                near = (j, middle);
            }
        }
        let can_be_nearest = |j: &usize| {
            let (middle, half) = farther(*j, near.0);
            *j == near.0 || middle.partial_cmp(&half) != Some(std::cmp::Ordering::Greater)
        };
        found.clear();
        found.extend((0..self.centers.len()).filter(can_be_nearest));
    }

    /// Decides for the rows of a block at once which cells they can be in, as far as that is clear.
    pub(super) fn settle(
        &self,
        rows: &[u32],
        extents: &[Extent],
        evidence: &mut Evidence,
    ) -> Result<Settled> {
        let words = self.centers.len().div_ceil(64).max(1);
        let (mut reached, mut open) = (vec![0; words], vec![0; words]);
        if !self.space.choices.are_alike(rows) {
            return Ok(Settled::nothing(words));
        }
        let row = rows[0] as usize;
        let mut places: Vec<Place> = self.space.places(row).collect();
        self.space.choices.each(row, &self.representatives, &mut places, |tried| {
            self.settle_one((extents, tried), &mut reached, &mut open, evidence);
            let all = reached.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
            Ok(if all == self.centers.len() { Combinations::Enough } else { Combinations::Next })
        })?;
        let mut settled = Settled { reached, barred: vec![0; words] };
        (0..self.centers.len())
            .filter(|&cell| !is_marked(&settled.reached, cell) && !is_marked(&open, cell))
            .for_each(|cell| mark(&mut settled.barred, cell));
        Ok(settled)
    }

    /// The same for one combination of private names.
    fn settle_one(
        &self,
        (extents, tried): (&[Extent], &[Place]),
        reached: &mut [u64],
        open: &mut [u64],
        evidence: &mut Evidence,
    ) {
        let rounding = self.measure.error(self.size_of_fixed);
        let lead = |j: usize, i: usize| self.bounds((extents, tried), &self.fixed, (j, i), rounding);
        let mut note = |cell: usize, found: Option<bool>| match found {
            Some(true) => mark(reached, cell),
            Some(false) => {}
            None => mark(open, cell),
        };
        match self.space.ranges[..] {
            [] => {
                let mut candidates = Vec::new();
                self.candidates(extents, tried, &mut candidates);
                let is_clear = candidates.len() == 1;
                candidates.into_iter().for_each(|cell| note(cell, is_clear.then_some(true)));
            }
            [range] => {
                (0..self.centers.len()).for_each(|i| note(i, self.is_left(i, range, |j| lead(j, i))));
            }
            _ => {
                for i in 0..self.centers.len() {
                    let leads =
                        || (0..self.centers.len()).map(|j| if i == j { (0.0, 0.0) } else { lead(j, i) });
                    let least: Vec<f64> = leads().map(|(middle, half)| middle - half).collect();
                    let most: Vec<f64> = leads().map(|(middle, half)| middle + half).collect();
                    note(i, evidence.settles(&least, &most, i));
                }
            }
        }
    }
}

impl Settled {
    pub(super) fn nothing(words: usize) -> Self {
        Self { reached: vec![0; words], barred: vec![0; words] }
    }

    /// Whether every cell is decided, given the marks of a row.
    pub(super) fn decides(&self, marks: &[u64], cells: usize) -> bool {
        (0..cells).all(|cell| is_marked(marks, cell) || is_marked(&self.barred, cell))
    }
}
