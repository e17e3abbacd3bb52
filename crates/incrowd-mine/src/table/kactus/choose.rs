//! Which records a leaf gives to a sibling (kACTUS-2, sections 4.1 and 4.2).
//!
//! One record after the other: of the class whose arrival leaves the receiver with the lowest class entropy, if the
//! giver has one; otherwise of the class whose departure leaves the giver with the lowest. As *n*·log *n* is convex,
//! the first is the receiver's most frequent class and the second the giver's rarest, so entropies need not be
//! computed; the first of several classes is taken. Records of one class are equal to the method: the last in the table
//! goes first.
//!
//! Of several givers, the one left with the lowest entropy is chosen, the first of several.

use crate::table::climb::Group;
use crate::table::task::Task;
use incrowd_core::table::{Column, People};
use std::collections::HashSet;

/// Entropies closer than this are equal.
const CLOSE: f64 = 1e-9;

/// A leaf with its rows by class.
pub(super) struct Leaf {
    pub(super) node: u32,
    /// The rows of each class, ascending.
    by_class: Vec<Vec<u32>>,
    /// The number of them, weights counted.
    counts: Vec<u64>,
}

/// Records a leaf could give.
pub(super) struct Choice {
    /// The number of rows of each class: the last ones.
    of_class: Vec<usize>,
    /// The number that would be left of each class, weights counted.
    left: Vec<u64>,
    /// The class entropy of the rows that would be left.
    pub(super) entropy: f64,
}

impl Leaf {
    pub(super) fn new(task: &Task<'_>, class: &Column, group: &Group) -> Self {
        let mut by_class = vec![Vec::new(); class.code_count()];
        let mut rows = group.rows.clone();
        rows.sort_unstable();
        rows.iter().for_each(|&row| by_class[class.code(row as usize) as usize].push(row));
        let weigh =
            |rows: &Vec<u32>| rows.iter().map(|&row| u64::from(task.table.weight(row as usize))).sum();
        let counts = by_class.iter().map(weigh).collect();
        Self { node: group.node, by_class, counts }
    }

    /// All its rows.
    pub(super) fn rows(&self) -> Vec<u32> {
        self.by_class.concat()
    }

    /// The number of individuals in it.
    pub(super) fn population(&self, task: &Task<'_>) -> u64 {
        match task.table.people() {
            People::Subjects { .. } => task.table.individuals_among(&self.rows()),
            _ => self.counts.iter().sum(),
        }
    }

    /// The records it would give to fill another leaf up to `k` individuals; none if it has not enough.
    pub(super) fn choose_for(&self, task: &Task<'_>, other: &Self, k: u64) -> Option<Choice> {
        let mut received = Received::new(task, other);
        let (mut there, mut here) = (other.counts.clone(), self.counts.clone());
        let mut of_class = vec![0; self.by_class.len()];
        while received.individuals < k {
            let left = |class: usize| self.by_class[class].len() - of_class[class];
            let wanted = most_frequent(&there).filter(|&class| left(class) > 0);
            let class = wanted.or_else(|| rarest(&here, |class| left(class) > 0))?;
            let row = self.by_class[class][left(class) - 1];
            let weight = u64::from(task.table.weight(row as usize));
            of_class[class] += 1;
            there[class] += weight;
            here[class] -= weight;
            received.add(row);
        }
        Some(Choice { of_class, entropy: entropy(&here), left: here })
    }

    /// The rows that are left after a choice.
    pub(super) fn rows_without(&self, choice: &Choice) -> Vec<u32> {
        let left = self.by_class.iter().zip(&choice.of_class).flat_map(|(rows, n)| &rows[..rows.len() - n]);
        left.copied().collect()
    }

    /// The chosen rows.
    pub(super) fn chosen(&self, choice: &Choice) -> Vec<u32> {
        let chosen = self.by_class.iter().zip(&choice.of_class).flat_map(|(rows, n)| &rows[rows.len() - n..]);
        chosen.copied().collect()
    }

    /// Takes the chosen rows out.
    pub(super) fn give(&mut self, choice: &Choice) {
        self.by_class.iter_mut().zip(&choice.of_class).for_each(|(rows, n)| rows.truncate(rows.len() - n));
        self.counts.clone_from(&choice.left);
    }
}

/// The givers of some choices, the best first.
pub(super) fn by_entropy(mut choices: Vec<(usize, Choice)>) -> Vec<(usize, Choice)> {
    let rank = |choice: &Choice| (choice.entropy / CLOSE).round();
    choices.sort_by(|(_, a), (_, b)| rank(a).total_cmp(&rank(b)));
    choices
}

/// The individuals of a leaf with what it is given.
struct Received<'t> {
    people: &'t People,
    individuals: u64,
    subjects: HashSet<u32>,
}

impl<'t> Received<'t> {
    fn new(task: &'t Task<'t>, leaf: &Leaf) -> Self {
        let mut received = Self { people: task.table.people(), individuals: 0, subjects: HashSet::new() };
        leaf.by_class.iter().flatten().for_each(|&row| received.add(row));
        received
    }

    fn add(&mut self, row: u32) {
        self.individuals += match self.people {
            People::Weights(weights) => u64::from(weights[row as usize]),
            People::Subjects { of_row, .. } => u64::from(self.subjects.insert(of_row[row as usize])),
            _ => 1,
        };
    }
}

/// The first class with the highest count.
pub(super) fn most_frequent(counts: &[u64]) -> Option<usize> {
    (0..counts.len()).rev().max_by_key(|&class| counts[class])
}

/// The first class with the lowest count of those that are there.
pub(super) fn rarest(counts: &[u64], is_there: impl Fn(usize) -> bool) -> Option<usize> {
    (0..counts.len()).filter(|&class| is_there(class)).min_by_key(|&class| counts[class])
}

/// The class entropy of a row, in bits.
pub(super) fn entropy(counts: &[u64]) -> f64 {
    let size = counts.iter().sum::<u64>() as f64;
    let bits = counts.iter().filter(|&&n| n > 0).map(|&n| n as f64 / size * (size / n as f64).log2());
    bits.sum()
}
