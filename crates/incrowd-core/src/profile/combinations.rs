//! The combinations of columns that single out the most individuals.
//!
//! Combinations are searched level by level, as keys are by Apriori-like methods (Mannila and Toivonen 1997): all
//! single columns, then all pairs, and so on. A combination is not extended when it already distinguishes all
//! individuals, nor when one of its columns adds nothing to the others (it then follows from them), so the listed ones
//! are minimal. Of columns that distinguish the same individuals, such as a text and its code, only the first is
//! combined with others.
//!
//! Each combination is evaluated exactly, in time linear in the rows. Where a level would cost more than its part of
//! the budget, only the most identifying combinations of the previous level are extended, the best first, until the
//! part is spent; [`SearchExtent::exhaustive`] is then false. Rows are never sampled.

use super::{ProfileOptions, each, share};
use crate::group::{Crowds, crowds};
use crate::progress::Progress;
use crate::table::{Column, Table};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How identifying some columns are together.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Combination {
    /// The columns' names, in schema order.
    pub columns: Vec<String>,
    /// The share of individuals whose values no other individual has.
    pub unique: f64,
    /// The share of individuals who share their values with few.
    pub few: f64,
    /// The individuals in the smallest group of equals.
    pub smallest: u64,
    /// The number of groups of equals.
    pub groups: u64,
}

/// How combinations were searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct SearchExtent {
    /// The number of columns that were combined.
    pub columns: usize,
    /// The number of combinations examined.
    pub looked_at: usize,
    /// Whether every combination that could matter was examined; otherwise extensions of the best ones only.
    pub exhaustive: bool,
}

/// The most combinations looked at on one level, whatever the budget: more than four of forty columns have.
const MOST_SETS: u64 = 1 << 17;

/// Columns by their position among the candidates, ascending.
type Set = Vec<usize>;

struct Lattice<'a> {
    table: &'a Table,
    columns: &'a [&'a Column],
    few: u64,
    seen: BTreeMap<Set, Crowds>,
    /// Sets that are not extended: their supersets add nothing.
    closed: BTreeSet<Set>,
    /// Columns that are not combined with others because an earlier one does the same.
    twins: BTreeSet<usize>,
}

/// The most identifying combinations of the candidates, and how they were found; fewer if cancelled.
pub(super) fn search(
    table: &Table,
    columns: &[&Column],
    options: &ProfileOptions,
    progress: &dyn Progress,
) -> (Vec<Combination>, SearchExtent) {
    let mut lattice = Lattice::new(table, columns, options.few);
    let mut budget = options.budget / table.rows().max(1) as u64;
    let (mut exhaustive, mut found) = (true, Vec::new());
    let mut level: Vec<Set> = (0..columns.len()).map(|column| vec![column]).collect();
    let levels = options.largest.min(columns.len());
    for size in 1..=levels {
        let stage = progress.stage(&format!("combinations of {size}"), Some(level.len() as u64));
        lattice.look_at(&level, progress);
        if stage.finish().is_err() {
            break;
        }
        budget = budget.saturating_sub(level.len() as u64);
        if size == 1 {
            lattice.find_twins();
        }
        lattice.rank(&mut level);
        let telling = level.iter().filter(|set| lattice.seen[*set].few > 0);
        found.extend(telling.take(options.listed).map(|set| lattice.combination(set)));
        if size < levels {
            // Even when the budget is spent, the best can be extended by every column.
            let most = (budget / (levels - size) as u64).clamp(columns.len() as u64, MOST_SETS);
            let complete;
            (level, complete) = lattice.extensions(&level, most as usize);
            exhaustive &= complete;
        }
    }
    let search = SearchExtent { columns: columns.len(), looked_at: lattice.seen.len(), exhaustive };
    (found, search)
}

impl<'a> Lattice<'a> {
    fn new(table: &'a Table, columns: &'a [&'a Column], few: u64) -> Self {
        let (seen, closed, twins) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Self { table, columns, few, seen, closed, twins }
    }

    fn look_at(&mut self, level: &[Set], progress: &dyn Progress) {
        let look = |set: &Set| {
            if progress.is_cancelled() {
                return Crowds::default();
            }
            let columns: Vec<&Column> = set.iter().map(|&column| self.columns[column]).collect();
            let crowds = crowds(self.table, &columns, self.few);
            progress.advance(1);
            crowds
        };
        let crowds = each(self.table, level, look);
        for (set, crowds) in level.iter().zip(crowds) {
            if crowds.alone == self.table.individuals() || self.adds_nothing(set, crowds) {
                self.closed.insert(set.clone());
            }
            self.seen.insert(set.clone(), crowds);
        }
    }

    /// Finds the columns whose groups are those of an earlier one. All single columns must have been looked at.
    fn find_twins(&mut self) {
        let groups = |set: &Set| self.seen[set].groups;
        let is_twin = |&column: &usize| {
            (0..column).any(|earlier| {
                groups(&vec![earlier]) == groups(&vec![column])
                    && crowds(self.table, &[self.columns[earlier], self.columns[column]], self.few).groups
                        == groups(&vec![column])
            })
        };
        self.twins = (0..self.columns.len()).filter(is_twin).collect();
    }

    /// Whether one of the columns makes no group smaller.
    fn adds_nothing(&self, set: &Set, crowds: Crowds) -> bool {
        if set.len() == 1 {
            return crowds.groups <= 1;
        }
        subsets(set).any(|subset| self.seen.get(&subset).is_some_and(|fewer| fewer.groups == crowds.groups))
    }

    /// Leaves the sets without an idle column, the most identifying first.
    fn rank(&self, level: &mut Vec<Set>) {
        level.retain(|set| !self.adds_nothing(set, self.seen[set]));
        level.sort_by_key(|set| {
            let crowds = self.seen[set];
            (Reverse(crowds.alone), Reverse(crowds.few), Reverse(crowds.groups), set.clone())
        });
    }

    /// The sets with one column more than one of the level and no closed subset, those of the first of the level first;
    /// at most this many, and whether these are all.
    fn extensions(&mut self, level: &[Set], most: usize) -> (Vec<Set>, bool) {
        let combined: Vec<usize> =
            (0..self.columns.len()).filter(|column| !self.twins.contains(column)).collect();
        let (mut known, mut next) = (BTreeSet::new(), Vec::new());
        for set in level.iter().filter(|set| set.iter().all(|column| combined.contains(column))) {
            for &column in combined.iter().filter(|column| !set.contains(column)) {
                let mut longer = set.clone();
                longer.insert(longer.partition_point(|&other| other < column), column);
                if !known.insert(longer.clone()) {
                    continue;
                }
                if subsets(&longer).any(|subset| self.closed.contains(&subset)) {
                    self.closed.insert(longer);
                } else if next.len() == most {
                    return (next, false);
                } else {
                    next.push(longer);
                }
            }
        }
        (next, true)
    }

    fn combination(&self, set: &Set) -> Combination {
        let crowds = self.seen[set];
        Combination {
            columns: set.iter().map(|&column| self.columns[column].name().to_owned()).collect(),
            unique: share(crowds.alone, self.table),
            few: share(crowds.few, self.table),
            smallest: crowds.smallest,
            groups: crowds.groups,
        }
    }
}

/// The sets with one column less.
fn subsets(set: &Set) -> impl Iterator<Item = Set> {
    (0..set.len()).map(|without| {
        set.iter().enumerate().filter(|(i, _)| *i != without).map(|(_, &column)| column).collect()
    })
}
