//! The counts of all attributes of a node, by code and class, in one array.
//!
//! Each row stores the positions of its counts next to each other: a row is counted for all attributes at once, and its
//! positions fit into one or two cache lines. Attributes of many names come last: a small node is not divided by them,
//! so its counts end before.

use super::view::{ENOUGH, MANY};
use crate::tree::grower::Grower;
use crate::tree::task::{Attribute, AttributeTests, Task};
use incrowd_core::table::{Code, People};
use incrowd_core::with_codes;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Nodes with more rows than this are counted in parallel, in blocks of as many.
const PARALLEL: usize = 1 << 14;

/// Rows whose places are computed in one go.
const BLOCK: usize = 1 << 12;

/// Where the counts of each attribute are, and which of them each row is counted in.
pub(super) struct Layout {
    /// The counts of each attribute.
    of_attribute: Vec<Range<usize>>,
    /// The number of counts and of attributes: of all, and without those of many names.
    all: Extent,
    of_small: Extent,
    classes: usize,
    places: Places,
    /// The weight of each row; empty where all count once.
    weights: Vec<u32>,
    /// The counts of all rows.
    whole: Vec<u64>,
}

/// How much is counted.
#[derive(Debug, Clone, Copy)]
struct Extent {
    counts: usize,
    attributes: usize,
}

/// The places of each row's counts, attribute by attribute, in the narrowest width that fits them.
enum Places {
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl Layout {
    pub(super) fn new(task: &Task<'_>) -> Self {
        let classes = task.class.count;
        let mut order: Vec<usize> = (0..task.attributes.len()).collect();
        order.sort_by_key(|&attribute| has_many_names(&task.attributes[attribute]));
        let mut of_attribute = vec![0..0; order.len()];
        let mut all = Extent { counts: 0, attributes: 0 };
        let mut of_small = all;
        for &attribute in &order {
            let own = (task.attributes[attribute].column.values().len() + 1) * classes;
            of_attribute[attribute] = all.counts..all.counts + own;
            all = Extent { counts: all.counts + own, attributes: all.attributes + 1 };
            if !has_many_names(&task.attributes[attribute]) {
                of_small = all;
            }
        }
        let starts: Vec<(usize, usize)> =
            order.iter().map(|&attribute| (attribute, of_attribute[attribute].start)).collect();
        let places = if all.counts <= 1 << 16 {
            Places::U16(places(task, &starts, |place| place as u16))
        } else {
            Places::U32(places(task, &starts, |place| place))
        };
        let weights = match task.table.people() {
            People::Weights(weights) => weights.clone(),
            _ => Vec::new(),
        };
        let mut layout = Self { of_attribute, all, of_small, classes, places, weights, whole: Vec::new() };
        layout.whole = layout.count(&(0..task.table.rows() as u32).collect::<Vec<_>>(), ENOUGH);
        layout
    }

    /// The counts of all rows.
    pub(super) fn whole(&self) -> &[u64] {
        &self.whole
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> usize {
        self.classes
    }

    /// The counts of one attribute: code by code (the missing one last), class by class; none if the node is too small
    /// for it.
    pub(super) fn of<'c>(&self, counts: &'c [u64], attribute: usize) -> Option<&'c [u64]> {
        counts.get(self.of_attribute[attribute].clone())
    }

    /// The counts of a node where only counts are known; none as long as they are not.
    pub(super) fn known(&self, grower: &Grower<'_>, node: u32) -> Option<Vec<u64>> {
        if !grower.is_known(node) {
            return None;
        }
        let mut counts = vec![0; self.extent(grower.node(node).size()).counts];
        for (attribute, place) in self.of_attribute.iter().enumerate() {
            let Some(own) = counts.get_mut(place.clone()) else { continue };
            for (code, by_class) in grower.histogram(node, attribute).iter() {
                own[code as usize * self.classes..][..self.classes].copy_from_slice(by_class);
            }
        }
        Some(counts)
    }

    /// How much is counted of a node of this size, weights counted.
    fn extent(&self, size: u64) -> Extent {
        if size < ENOUGH { self.of_small } else { self.all }
    }

    /// Counts every attribute among the rows of a node of this size, with their weights.
    pub(super) fn count(&self, rows: &[u32], size: u64) -> Vec<u64> {
        let Extent { counts, attributes } = self.extent(size);
        let none = || vec![0; counts];
        if rows.len() <= PARALLEL {
            return self.added(none(), rows, attributes);
        }
        let sum = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(sum, n)| *sum += n);
            a
        };
        let blocks = rows.par_chunks(PARALLEL);
        blocks.fold(none, |counts, rows| self.added(counts, rows, attributes)).reduce(none, sum)
    }

    /// What is left of the counts of a node without some rows, which have these counts if they are known; `size` is
    /// that of the others.
    pub(super) fn without(
        &self,
        mut counts: Vec<u64>,
        rows: &[u32],
        known: Option<&[u64]>,
        size: u64,
    ) -> Vec<u64> {
        let extent = self.extent(size);
        counts.truncate(extent.counts);
        if rows.len() * extent.attributes <= counts.len() {
            self.change(&mut counts, rows, extent.attributes, |count, weight| *count -= weight);
            return counts;
        }
        let known = known.filter(|known| known.len() >= counts.len());
        let known = known.map_or_else(|| Cow::Owned(self.count(rows, size)), Cow::Borrowed);
        counts.iter_mut().zip(&*known).for_each(|(all, n)| *all -= n);
        counts
    }

    fn added(&self, mut counts: Vec<u64>, rows: &[u32], attributes: usize) -> Vec<u64> {
        self.change(&mut counts, rows, attributes, |count, weight| *count += weight);
        counts
    }

    /// Changes the counts that rows are counted in, of the first so many attributes.
    fn change(&self, counts: &mut [u64], rows: &[u32], attributes: usize, change: impl Fn(&mut u64, u64)) {
        let (width, weights) = (self.all.attributes, &self.weights);
        match &self.places {
            Places::U16(places) => change_all(counts, rows, (places, width), attributes, weights, change),
            Places::U32(places) => change_all(counts, rows, (places, width), attributes, weights, change),
        }
    }
}

/// Whether an attribute has so many names that a small node is not divided by it.
fn has_many_names(attribute: &Attribute<'_>) -> bool {
    matches!(attribute.kind, AttributeTests::Names(_)) && attribute.column.values().len() as u32 + 1 > MANY
}

fn change_all<P: Code>(
    counts: &mut [u64],
    rows: &[u32],
    (places, width): (&[P], usize),
    attributes: usize,
    weights: &[u32],
    change: impl Fn(&mut u64, u64),
) {
    for &row in rows {
        let from = row as usize * width;
        let weight = weights.get(row as usize).map_or(1, |&weight| u64::from(weight));
        places[from..from + attributes]
            .iter()
            .for_each(|place| change(&mut counts[place.wide() as usize], weight));
    }
}

/// The places of each row's counts.
fn places<P: Code + Default>(
    task: &Task<'_>,
    starts: &[(usize, usize)],
    narrow: impl Fn(u32) -> P + Sync,
) -> Vec<P> {
    let (width, classes) = (starts.len(), task.class.count);
    let mut places = vec![P::default(); task.table.rows() * width];
    places.par_chunks_mut((BLOCK * width).max(1)).enumerate().for_each(|(block, places)| {
        let from = block * BLOCK;
        let rows = places.len() / width;
        for (place, &(attribute, start)) in starts.iter().enumerate() {
            let own = places.iter_mut().skip(place).step_by(width);
            with_codes!(task.class.column.codes(), class => {
                with_codes!(task.attributes[attribute].column.codes(), codes => {
                    let cells = codes[from..from + rows].iter().zip(&class[from..from + rows]);
                    for (place, (code, class)) in own.zip(cells) {
                        *place = narrow((start + code.wide() as usize * classes) as u32 + class.wide());
                    }
                });
            });
        }
    });
    places
}
