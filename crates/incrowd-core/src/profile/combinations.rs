//! The combinations of columns that single out the most individuals.
//!
//! Combinations are searched level by level, as keys are by Apriori-like methods (Mannila and Toivonen 1997): all
//! single columns, then all pairs, and so on. A combination is not extended when it already distinguishes all
//! individuals, nor when one of its columns adds nothing to the others (it then follows from them), so the listed ones
//! are minimal. Of columns that distinguish the same individuals, such as a text and its code, only the first is
//! combined with others.
//!
//! Each combination is evaluated exactly, in time linear in the rows; where individuals have one row each, in time
//! linear in the rows that are not alone in their group without one of the columns. Where a level would cost more than its part of
//! the budget, only the most identifying combinations of the previous level are extended, the best first, until the
//! part is spent; [`SearchExtent::exhaustive`] is then false. In tables of more than a million rows,
//! combinations are chosen on a quarter of a million ([`ProfileOptions::searched_rows`]), evenly spread, and those that
//! are listed are measured on all rows.

use super::{MANY_ROWS, ProfileOptions, each, share};
use crate::group::{Crowds, Stripped, crowds, group_rows};
use crate::progress::Progress;
use crate::table::{Column, People, Table};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How identifying some columns are together.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct ColumnCombination {
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

impl ColumnCombination {
    fn new(table: &Table, columns: Vec<String>, crowds: Crowds) -> Self {
        Self {
            columns,
            unique: share(crowds.alone, table),
            few: share(crowds.few, table),
            smallest: crowds.smallest,
            groups: crowds.groups,
        }
    }
}

/// How combinations were searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SearchExtent {
    /// The number of columns that were combined.
    pub columns: usize,
    /// The number of combinations examined.
    pub looked_at: usize,
    /// The number of rows by which combinations were chosen, if not by all; those listed are measured on all rows.
    pub chosen_on: Option<usize>,
    /// Whether every combination that could matter was examined; otherwise extensions of the best ones only.
    pub exhaustive: bool,
}

/// The most combinations looked at on one level, whatever the budget: more than four of forty columns have.
const MOST_SETS: u64 = 1 << 17;

/// Columns by their position among the candidates, ascending.
type Set = Vec<usize>;

/// A set and the columns that it is combined with.
type Batch = (Set, Vec<usize>);

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
) -> (Vec<ColumnCombination>, SearchExtent) {
    let Some(part) = part(table, columns, options.searched_rows) else {
        return list(Lattice::new(table, columns, options.few), options, progress);
    };
    let own: Vec<&Column> = part.columns().iter().collect();
    let (chosen, search) = list(Lattice::new(&part, &own, options.few), options, progress);
    let measure = |combination: ColumnCombination| {
        let named = |column: &&&Column| combination.columns.iter().any(|name| name == column.name());
        let columns: Vec<&Column> = columns.iter().filter(named).copied().collect();
        (
            columns.len(),
            ColumnCombination::new(table, combination.columns, crowds(table, &columns, options.few)),
        )
    };
    let mut measured: Vec<(usize, ColumnCombination)> = chosen.into_iter().map(measure).collect();
    measured.retain(|(_, combination)| combination.few > 0.0);
    measured.sort_by(|(size, a), (other, b)| {
        let order = b.unique.total_cmp(&a.unique).then(b.few.total_cmp(&a.few));
        size.cmp(other).then(order).then(b.groups.cmp(&a.groups))
    });
    let search = SearchExtent { exhaustive: false, chosen_on: Some(part.rows()), ..search };
    (measured.into_iter().map(|(_, combination)| combination).collect(), search)
}

/// The candidates in some of the rows, evenly spread, if there are more than four times as many. None where individuals
/// have several rows: their groups have other sizes in a part of the rows.
fn part(table: &Table, columns: &[&Column], most: usize) -> Option<Table> {
    if table.rows() <= most.max(1) * 4 || matches!(table.people(), People::Subjects { .. }) {
        return None;
    }
    let rows: Vec<u32> = (0..table.rows() as u32).step_by(table.rows().div_ceil(most.max(1))).collect();
    let people = match table.people() {
        People::Weights(weights) => People::Weights(rows.iter().map(|&row| weights[row as usize]).collect()),
        _ => People::Rows,
    };
    Table::new(columns.iter().map(|column| column.select(&rows)).collect(), people).ok()
}

/// Searches level by level; fewer if cancelled.
fn list(
    mut lattice: Lattice<'_>,
    options: &ProfileOptions,
    progress: &dyn Progress,
) -> (Vec<ColumnCombination>, SearchExtent) {
    let columns = lattice.columns;
    let mut budget = options.budget / lattice.table.rows().max(1) as u64;
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
    let looked_at = lattice.seen.len();
    (found, SearchExtent { columns: columns.len(), looked_at, chosen_on: None, exhaustive })
}

impl<'a> Lattice<'a> {
    fn new(table: &'a Table, columns: &'a [&'a Column], few: u64) -> Self {
        let (seen, closed, twins) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Self { table, columns, few, seen, closed, twins }
    }

    fn look_at(&mut self, level: &[Set], progress: &dyn Progress) {
        let looked: Vec<(Set, Crowds)> = if self.shares_groups(level) {
            let batches = self.batches(level);
            each(self.table, &batches, |batch| self.look_at_batch(batch, progress)).concat()
        } else {
            each(self.table, level, |set| (set.clone(), self.look_at_set(set, progress)))
        };
        for (set, crowds) in looked {
            let set = &set;
            if crowds.alone == self.table.individuals() || self.adds_nothing(set, crowds) {
                self.closed.insert(set.clone());
            }
            self.seen.insert(set.clone(), crowds);
        }
    }

    fn look_at_set(&self, set: &Set, progress: &dyn Progress) -> Crowds {
        if progress.is_cancelled() {
            return Crowds::default();
        }
        let crowds = crowds(self.table, &self.columns_of(set), self.few);
        progress.advance(1);
        crowds
    }

    fn columns_of(&self, set: &Set) -> Vec<&'a Column> {
        set.iter().map(|&column| self.columns[column]).collect()
    }

    /// Whether sets are looked at in batches: in large tables the rows of a group are too far apart.
    fn shares_groups(&self, level: &[Set]) -> bool {
        let counts_rows = !matches!(self.table.people(), People::Subjects { .. });
        counts_rows && self.table.rows() <= MANY_ROWS && level.iter().all(|set| set.len() > 1)
    }

    /// The sets by the subset of one column less that has the most groups, so that groups are found once for many sets
    /// and few rows are left in those of several rows.
    fn batches(&self, level: &[Set]) -> Vec<Batch> {
        let mut batches: BTreeMap<Set, Vec<usize>> = BTreeMap::new();
        for set in level {
            let groups = |without: &usize| {
                let subset = all_but(set, *without);
                (self.seen.get(&subset).map_or(0, |crowds| crowds.groups), Reverse(*without))
            };
            let without = (0..set.len()).max_by_key(groups).unwrap_or_default();
            batches.entry(all_but(set, without)).or_default().push(set[without]);
        }
        batches.into_iter().collect()
    }

    fn look_at_batch(&self, (set, columns): &Batch, progress: &dyn Progress) -> Vec<(Set, Crowds)> {
        let grouping = group_rows(self.table.rows(), &self.columns_of(set));
        let (stripped, mut counts) = (Stripped::new(self.table, &grouping, self.few), Vec::new());
        let look = |&column: &usize| {
            let longer = with(set, column);
            let crowds = match &stripped {
                _ if progress.is_cancelled() => Crowds::default(),
                Some(stripped) => stripped.divided_by(self.columns[column], &mut counts),
                None => crowds(self.table, &self.columns_of(&longer), self.few),
            };
            progress.advance(1);
            (longer, crowds)
        };
        columns.iter().map(look).collect()
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
                let longer = with(set, column);
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

    fn combination(&self, set: &Set) -> ColumnCombination {
        let names = set.iter().map(|&column| self.columns[column].name().to_owned()).collect();
        ColumnCombination::new(self.table, names, self.seen[set])
    }
}

/// The sets with one column less.
fn subsets(set: &Set) -> impl Iterator<Item = Set> {
    (0..set.len()).map(|without| all_but(set, without))
}

/// The set without the column at a place.
fn all_but(set: &Set, without: usize) -> Set {
    set.iter().enumerate().filter(|(i, _)| *i != without).map(|(_, &column)| column).collect()
}

/// The set with one column more.
fn with(set: &Set, column: usize) -> Set {
    let mut longer = set.clone();
    longer.insert(longer.partition_point(|&other| other < column), column);
    longer
}
