//! The counts of all attributes of a node, by code and class, in one array.
//!
//! Each row stores the positions of its counts next to each other: a row is counted for all attributes at once, and its
//! positions fit into one or two cache lines.

use crate::tree::task::Task;
use incrowd_core::table::{Code, People};
use incrowd_core::with_codes;
use rayon::prelude::*;

/// Nodes with more rows than this are counted in parallel, in blocks of as many.
const PARALLEL: usize = 1 << 14;

/// Rows whose places are computed in one go.
const BLOCK: usize = 1 << 12;

/// Where the counts of each attribute are, and which of them each row is counted in.
pub(super) struct Layout {
    starts: Vec<usize>,
    classes: usize,
    places: Places,
    /// The weight of each row; empty where all count once.
    weights: Vec<u32>,
    /// The counts of all rows.
    whole: Vec<u64>,
}

/// The places of each row's counts, attribute by attribute, in the narrowest width that fits them.
enum Places {
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl Layout {
    pub(super) fn new(task: &Task<'_>) -> Self {
        let classes = task.class.count;
        let mut starts = vec![0];
        for attribute in &task.attributes {
            starts.push(starts[starts.len() - 1] + (attribute.column.values().len() + 1) * classes);
        }
        let places = if starts[starts.len() - 1] <= 1 << 16 {
            Places::U16(places(task, &starts, |place| place as u16))
        } else {
            Places::U32(places(task, &starts, |place| place))
        };
        let weights = match task.table.people() {
            People::Weights(weights) => weights.clone(),
            _ => Vec::new(),
        };
        let mut layout = Self { starts, classes, places, weights, whole: Vec::new() };
        layout.whole = layout.count(&(0..task.table.rows() as u32).collect::<Vec<_>>());
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

    /// The counts of one attribute: code by code (the missing one last), class by class.
    pub(super) fn of<'c>(&self, counts: &'c [u64], attribute: usize) -> &'c [u64] {
        &counts[self.starts[attribute]..self.starts[attribute + 1]]
    }

    /// Counts every attribute among rows, with their weights.
    pub(super) fn count(&self, rows: &[u32]) -> Vec<u64> {
        let none = || vec![0; self.starts[self.starts.len() - 1]];
        if rows.len() <= PARALLEL {
            return self.add(none(), rows);
        }
        let sum = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(sum, n)| *sum += n);
            a
        };
        rows.par_chunks(PARALLEL).fold(none, |counts, rows| self.add(counts, rows)).reduce(none, sum)
    }

    fn add(&self, mut counts: Vec<u64>, rows: &[u32]) -> Vec<u64> {
        let width = self.starts.len() - 1;
        match &self.places {
            Places::U16(places) => add(&mut counts, rows, places, width, &self.weights),
            Places::U32(places) => add(&mut counts, rows, places, width, &self.weights),
        }
        counts
    }
}

/// Takes the counts of a part away from the whole's: what is left is the other part's.
pub(super) fn subtract(whole: &mut [u64], part: &[u64]) {
    whole.iter_mut().zip(part).for_each(|(all, n)| *all -= n);
}

fn add<P: Code>(counts: &mut [u64], rows: &[u32], places: &[P], width: usize, weights: &[u32]) {
    for &row in rows {
        let from = row as usize * width;
        let weight = weights.get(row as usize).map_or(1, |&weight| u64::from(weight));
        places[from..from + width].iter().for_each(|place| counts[place.wide() as usize] += weight);
    }
}

/// The places of each row's counts.
fn places<P: Code + Default>(task: &Task<'_>, starts: &[usize], narrow: impl Fn(u32) -> P + Sync) -> Vec<P> {
    let (width, classes) = (task.attributes.len(), task.class.count);
    let mut places = vec![P::default(); task.table.rows() * width];
    places.par_chunks_mut((BLOCK * width).max(1)).enumerate().for_each(|(block, places)| {
        let from = block * BLOCK;
        let rows = places.len() / width;
        for (attribute, &start) in (0..width).zip(starts) {
            let own = places.iter_mut().skip(attribute).step_by(width);
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
