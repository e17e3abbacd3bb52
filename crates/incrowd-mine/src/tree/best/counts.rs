//! The counts of all attributes of a node, by code and class, in one array.

use crate::tree::task::Task;
use incrowd_core::table::{Code, People};
use incrowd_core::with_codes;
use rayon::prelude::*;

/// Nodes with more rows than this count their attributes in parallel.
const PARALLEL: usize = 1 << 14;

/// Where the counts of each attribute are.
pub(super) struct Layout {
    starts: Vec<usize>,
    classes: usize,
}

impl Layout {
    pub(super) fn new(task: &Task<'_>) -> Self {
        let classes = task.class.count;
        let mut starts = vec![0];
        for attribute in &task.attributes {
            starts.push(starts[starts.len() - 1] + (attribute.column.values().len() + 1) * classes);
        }
        Self { starts, classes }
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.classes
    }

    /// The counts of one attribute: code by code (the missing one last), class by class.
    pub(super) fn of<'c>(&self, counts: &'c [u64], attribute: usize) -> &'c [u64] {
        &counts[self.starts[attribute]..self.starts[attribute + 1]]
    }

    /// Counts every attribute among rows, with their weights.
    pub(super) fn count(&self, task: &Task<'_>, rows: &[u32]) -> Vec<u64> {
        let mut counts = vec![0; self.starts[self.starts.len() - 1]];
        let mut parts = Vec::with_capacity(task.attributes.len());
        let mut rest = counts.as_mut_slice();
        for attribute in 0..task.attributes.len() {
            let (part, others) = rest.split_at_mut(self.starts[attribute + 1] - self.starts[attribute]);
            parts.push((attribute, part));
            rest = others;
        }
        let gathered = gather(task, rows);
        let fill = |(attribute, part): (usize, &mut [u64])| count_one(task, attribute, rows, &gathered, part);
        if rows.len() > PARALLEL {
            parts.into_par_iter().for_each(fill);
        } else {
            parts.into_iter().for_each(fill);
        }
        counts
    }
}

/// Takes the counts of a part away from the whole's: what is left is the other part's.
pub(super) fn subtract(whole: &mut [u64], part: &[u64]) {
    whole.iter_mut().zip(part).for_each(|(all, n)| *all -= n);
}

/// The class of each of some rows, and how much it counts; gathered once for all attributes.
fn gather(task: &Task<'_>, rows: &[u32]) -> (Vec<u32>, Option<Vec<u32>>) {
    let classes = with_codes!(task.class.column.codes(), class => {
        rows.iter().map(|&row| class[row as usize].wide()).collect()
    });
    let weights = match task.table.people() {
        People::Weights(weights) => Some(rows.iter().map(|&row| weights[row as usize]).collect()),
        _ => None,
    };
    (classes, weights)
}

fn count_one(
    task: &Task<'_>,
    attribute: usize,
    rows: &[u32],
    (class, weights): &(Vec<u32>, Option<Vec<u32>>),
    counts: &mut [u64],
) {
    let classes = task.class.count;
    with_codes!(task.attributes[attribute].column.codes(), codes => {
        let slots = rows.iter().zip(class).map(|(&row, &class)| {
            codes[row as usize].wide() as usize * classes + class as usize
        });
        match weights {
            None => slots.for_each(|slot| counts[slot] += 1),
            Some(weights) => {
                slots.zip(weights).for_each(|(slot, &weight)| counts[slot] += u64::from(weight));
            }
        }
    });
}
