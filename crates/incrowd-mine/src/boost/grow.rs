//! One tree of an ensemble, grown leaf by leaf where the loss decreases most (`LightGBM`: Ke and others, NIPS 2017).
//!
//! Gradients are whole numbers (multiples of 2⁻²⁰), so sums are exact: they depend neither on the order of rows nor on
//! threads, and the histogram of a larger child is the parent's less the smaller one's. Histograms are counted row by row:
//! the sums of a row and its bins take two lines of the cache ([`super::packed`]).
//!
//! Ties: the leaf and the feature that come first, the lowest threshold or the first set.

use super::features::Feature;
use super::packed::{Lines, Packed, Packing};
use super::search::best;
use incrowd_core::group::in_two;
use rayon::prelude::*;
use std::sync::Arc;

/// One, as a gradient or a number of individuals.
pub(crate) const UNIT: f64 = 1_048_576.0;

/// Sums over some rows, in units.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    pub(crate) gradient: i64,
    pub(crate) curvature: i64,
    pub(crate) individuals: i64,
}

impl Sums {
    #[inline]
    pub(crate) fn add(&mut self, other: Self) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.individuals += other.individuals;
    }

    #[inline]
    pub(crate) fn less(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            curvature: self.curvature - other.curvature,
            individuals: self.individuals - other.individuals,
        }
    }

    #[inline]
    pub(crate) fn gain(self, extra: f64) -> f64 {
        let gradient = self.gradient as f64 / UNIT;
        gradient * gradient / (self.curvature as f64 / UNIT + extra)
    }

    /// The correction that decreases the loss most.
    pub(crate) fn correction(self) -> f64 {
        -(self.gradient as f64) / (self.curvature as f64 + UNIT)
    }
}

/// The rows to learn from, with their features.
pub(crate) struct Examples {
    pub(crate) features: Vec<Arc<Feature>>,
    /// For each feature the bins of the rows.
    pub(crate) bins: Vec<Arc<Vec<u8>>>,
    /// For each row the individuals it counts for, in units.
    pub(crate) individuals: Arc<Vec<i64>>,
}

/// How trees are grown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) leaves: usize,
    /// The fewest individuals of a leaf.
    pub(crate) individuals: u64,
}

/// A division of a leaf in two.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Division {
    pub(crate) feature: usize,
    /// Whether each bin goes to the first child.
    pub(crate) first: Vec<bool>,
}

/// A node: a division and its children, or a leaf.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Grown {
    Test(Division, [u32; 2]),
    Leaf(Sums),
}

struct Open {
    node: usize,
    /// Its rows, as a part of all rows.
    rows: std::ops::Range<usize>,
    sums: Packed,
    histogram: Vec<Packed>,
    best: Option<(f64, Division)>,
}

/// The rows that a tree learns from.
pub(crate) struct Material<'a> {
    pub(crate) examples: &'a Examples,
    /// The bins of each row.
    pub(crate) lines: &'a Lines,
    /// The gradients of each row.
    pub(crate) gradients: &'a [Packed],
    pub(crate) packing: Packing,
}

/// Grows a tree that may test some features. Returns its nodes, parents before children, and where rows end.
pub(crate) fn grow(material: &Material<'_>, limits: Limits, tested: &[usize]) -> (Vec<Grown>, Ends) {
    let examples = material.examples;
    let grower = Grower { material, tested, starts: starts(&examples.features, tested), limits };
    let mut order: Vec<u32> = (0..material.gradients.len() as u32).collect();
    let (sums, histogram) = grower.count(&order, limits.leaves > 1);
    let mut nodes = vec![Grown::Leaf(material.packing.sums(sums))];
    let first = grower.open(0, 0..order.len(), sums, histogram);
    let mut open = vec![first];
    let mut behind = Vec::new();
    while open.len() < limits.leaves {
        let gain = |open: &Open| open.best.as_ref().map_or(0.0, |best| best.0);
        // The first of several with the highest gain.
        let chosen = (0..open.len()).rev().max_by(|&a, &b| gain(&open[a]).total_cmp(&gain(&open[b])));
        let Some(chosen) = chosen.filter(|&place| open[place].best.is_some()) else { break };
        let parent = open.remove(chosen);
        let Some((_, division)) = parent.best else { break };
        let own = &mut order[parent.rows.clone()];
        let middle =
            parent.rows.start + divide(own, &examples.bins[division.feature], &division.first, &mut behind);
        let parts = [parent.rows.start..middle, middle..parent.rows.end];
        let children = [nodes.len() as u32, nodes.len() as u32 + 1];
        nodes[parent.node] = Grown::Test(division, children);
        let small = usize::from(parts[1].len() < parts[0].len());
        let is_last = open.len() + 2 >= limits.leaves;
        let (sums, histogram) = grower.count(&order[parts[small].clone()], !is_last);
        let rest = parent.sums.less(sums);
        let mut of_large = parent.histogram;
        of_large.iter_mut().zip(&histogram).for_each(|(all, part)| *all = all.less(*part));
        let mut made = [(sums, histogram), (rest, of_large)];
        if small == 1 {
            made.reverse();
        }
        for ((child, rows), (sums, histogram)) in children.into_iter().zip(parts).zip(made) {
            nodes.push(Grown::Leaf(material.packing.sums(sums)));
            open.push(if is_last {
                Open { node: child as usize, rows, sums, histogram, best: None }
            } else {
                grower.open(child as usize, rows, sums, histogram)
            });
        }
    }
    let leaves = open.into_iter().map(|leaf| (leaf.node, leaf.rows)).collect();
    (nodes, Ends { order, leaves })
}

/// The leaf that each row ends in.
pub(crate) struct Ends {
    /// The rows leaf by leaf, ascending in each.
    order: Vec<u32>,
    /// The leaves with their parts of the rows.
    leaves: Vec<(usize, std::ops::Range<usize>)>,
}

impl Ends {
    /// Calls `each` with every leaf and its rows among some consecutive ones.
    pub(crate) fn among(&self, rows: std::ops::Range<usize>, mut each: impl FnMut(usize, &[u32])) {
        for (leaf, own) in &self.leaves {
            let own = &self.order[own.clone()];
            let from = own.partition_point(|&row| (row as usize) < rows.start);
            let to = own.partition_point(|&row| (row as usize) < rows.end);
            each(*leaf, &own[from..to]);
        }
    }
}

/// Calls `each` with the leaf of every row of other rows. The rows of a node are divided in one go, without a jump that
/// depends on a row's data.
pub(crate) fn for_leaves(
    nodes: &[Grown],
    examples: &Examples,
    rows: usize,
    mut each: impl FnMut(usize, u32),
) {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    let (mut behind, mut work) = (Vec::new(), vec![(0, 0..rows)]);
    while let Some((node, range)) = work.pop() {
        let own = &mut order[range.clone()];
        match &nodes[node] {
            Grown::Leaf(_) => own.iter().for_each(|&row| each(node, row)),
            Grown::Test(division, children) => {
                let first = divide(own, &examples.bins[division.feature], &division.first, &mut behind);
                let middle = range.start + first;
                let parts = [range.start..middle, middle..range.end];
                work.extend(children.iter().map(|&child| child as usize).zip(parts));
            }
        }
    }
}

/// Puts the rows of the first child before the others, both in their order; returns how many they are.
pub(crate) fn divide(rows: &mut [u32], bins: &[u8], first: &[bool], behind: &mut Vec<u32>) -> usize {
    // As long as there can be bins, so that no place needs to be checked.
    let mut second = [false; 256];
    second.iter_mut().zip(first).for_each(|(second, first)| *second = !first);
    if rows.len() >= MANY {
        return divide_many(rows, bins, &second, behind);
    }
    behind.resize(behind.len().max(rows.len()), 0);
    in_two(rows, behind, |row| second[usize::from(bins[row as usize])])
}

/// The same by several threads: each block of rows is divided, then written to its two places.
fn divide_many(rows: &mut [u32], bins: &[u8], second: &[bool; 256], into: &mut Vec<u32>) -> usize {
    let is_second = |row: u32| second[usize::from(bins[row as usize])];
    let kept: Vec<usize> = rows
        .par_chunks_mut(BLOCK)
        .map_init(|| vec![0; BLOCK], |behind, block| in_two(block, behind, is_second))
        .collect();
    let all: usize = kept.iter().sum();
    into.resize(into.len().max(rows.len()), 0);
    let into = &mut into[..rows.len()];
    let (mut left, mut right) = into.split_at_mut(all);
    let mut targets = Vec::with_capacity(kept.len());
    for (block, &kept) in rows.chunks(BLOCK).zip(&kept) {
        let (own_left, rest_left) = left.split_at_mut(kept);
        let (own_right, rest_right) = right.split_at_mut(block.len() - kept);
        targets.push((block, own_left, own_right));
        (left, right) = (rest_left, rest_right);
    }
    targets.into_par_iter().for_each(|(block, left, right)| {
        let (kept, others) = block.split_at(left.len());
        left.copy_from_slice(kept);
        right.copy_from_slice(others);
    });
    rows.par_chunks_mut(BLOCK).zip(into.par_chunks(BLOCK)).for_each(|(rows, own)| rows.copy_from_slice(own));
    all
}

/// Where the bins of each feature that may be tested begin, and the number of all bins.
pub(crate) fn starts(features: &[Arc<Feature>], tested: &[usize]) -> Vec<usize> {
    let mut starts = vec![0];
    for &place in tested {
        starts.push(starts[starts.len() - 1] + features[place].count);
    }
    starts
}

/// Rows from which on several threads work on a leaf.
pub(crate) const MANY: usize = 1 << 14;

/// Rows that one thread works on in one go.
const BLOCK: usize = 1 << 12;

/// Rows that are fetched before they are added up.
const NEAR: usize = 1 << 8;

struct Grower<'a> {
    material: &'a Material<'a>,
    tested: &'a [usize],
    starts: Vec<usize>,
    limits: Limits,
}

impl Grower<'_> {
    fn open(&self, node: usize, rows: std::ops::Range<usize>, sums: Packed, histogram: Vec<Packed>) -> Open {
        let found = Histogram { packing: self.material.packing, bins: &histogram, starts: &self.starts };
        let best = best(&self.material.examples.features, self.tested, &found, sums, self.limits);
        Open { node, rows, sums, histogram, best }
    }

    /// The sums of some rows, and those of each bin if they are asked for.
    fn count(&self, rows: &[u32], with_bins: bool) -> (Packed, Vec<Packed>) {
        let bins = if with_bins { self.starts[self.tested.len()] } else { 0 };
        let nothing = || (Packed::default(), vec![Packed::default(); bins]);
        if rows.len() < MANY {
            return self.add(nothing(), rows);
        }
        // Sums are exact, so it does not matter how the blocks are divided among threads.
        rows.par_chunks(BLOCK)
            .fold(nothing, |counted, block| self.add(counted, block))
            .reduce_with(|(mut all, mut bins), (other, of_other)| {
                all.add(other);
                bins.iter_mut().zip(&of_other).for_each(|(own, other)| own.add(*other));
                (all, bins)
            })
            .unwrap_or_else(nothing)
    }

    /// Adds some rows to the sums of all and, unless there are none, to those of each bin.
    fn add(&self, (mut all, mut histogram): (Packed, Vec<Packed>), rows: &[u32]) -> (Packed, Vec<Packed>) {
        let Material { lines, gradients, .. } = self.material;
        if histogram.is_empty() {
            rows.iter().for_each(|&row| all.add(gradients[row as usize]));
            return (all, histogram);
        }
        let mut of_rows = [Packed::default(); NEAR];
        for near in rows.chunks(NEAR) {
            // First only what is far away is fetched, for many rows at a time: the processor waits for several of them at
            // once, which it cannot do while it adds up.
            let mut fetched = 0_u8;
            for (own, &row) in of_rows.iter_mut().zip(near) {
                *own = gradients[row as usize];
                fetched ^= lines.first_of(row);
            }
            std::hint::black_box(fetched);
            for (&own, &row) in of_rows.iter().zip(near) {
                all.add(own);
                let line = lines.of(row);
                for (&place, &start) in self.tested.iter().zip(&self.starts) {
                    histogram[start + usize::from(line[place])].add(own);
                }
            }
        }
        (all, histogram)
    }
}

/// The sums of the bins of the features that may be tested, one after the other.
pub(crate) struct Histogram<'a> {
    pub(crate) packing: Packing,
    pub(crate) bins: &'a [Packed],
    pub(crate) starts: &'a [usize],
}
