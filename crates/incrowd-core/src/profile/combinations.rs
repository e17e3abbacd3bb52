//! The combinations of columns that single most people out.
//!
//! Combinations are searched level by level, as keys are by Apriori-like methods (Mannila and Toivonen 1997): all single
//! columns, then all pairs, and so on. A combination is not extended when it already tells everybody apart, nor when one
//! of its columns adds nothing to the others (it then follows from them), so what is listed is minimal.
//!
//! Each look at a combination is exact and takes time linear in the rows. Where a level would cost more than its part of
//! the budget, only the most identifying combinations of the level before are extended, the best first, until the part is
//! spent; [`Search::exhaustive`] then is false. Rows are never sampled.

use super::{ProfileOptions, share};
use crate::group::{Crowds, crowds};
use crate::progress::Progress;
use crate::table::{Column, Table};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How identifying some columns are together.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Combination {
    /// The columns' names, in schema order.
    pub columns: Vec<String>,
    /// The share of individuals whose values nobody else has.
    pub unique: f64,
    /// The share of individuals who share their values with few.
    pub few: f64,
    /// The individuals in the smallest group of equals.
    pub smallest: u64,
    /// How many groups of equals there are.
    pub groups: u64,
}

/// How combinations were looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Search {
    /// How many columns were combined.
    pub columns: usize,
    /// How many combinations were looked at.
    pub looked_at: usize,
    /// Whether every combination that could matter was looked at; otherwise extensions of the best ones only.
    pub exhaustive: bool,
}

/// Columns by their position among the candidates, ascending.
type Set = Vec<usize>;

struct Lattice<'a> {
    table: &'a Table,
    columns: &'a [&'a Column],
    few: u64,
    seen: BTreeMap<Set, Crowds>,
    /// Sets that need not be extended, and whose supersets say nothing new.
    closed: BTreeSet<Set>,
}

/// The most identifying combinations of the candidates, and how they were found.
pub(super) fn search(
    table: &Table,
    columns: &[&Column],
    options: &ProfileOptions,
    progress: &dyn Progress,
) -> (Vec<Combination>, Search) {
    let mut lattice =
        Lattice { table, columns, few: options.few, seen: BTreeMap::new(), closed: BTreeSet::new() };
    let mut budget = options.budget / table.rows().max(1) as u64;
    let (mut exhaustive, mut found) = (true, Vec::new());
    let mut level: Vec<Set> = (0..columns.len()).map(|column| vec![column]).collect();
    let levels = options.largest.min(columns.len());
    for size in 1..=levels {
        progress.begin(&format!("combinations of {size}"), Some(level.len() as u64));
        lattice.look_at(&level, progress);
        progress.end();
        budget = budget.saturating_sub(level.len() as u64);
        lattice.rank(&mut level);
        found.extend(level.iter().take(options.listed).map(|set| lattice.combination(set)));
        // Even when the budget is spent, the best can be extended by every column.
        let most = (budget / (levels - size).max(1) as u64).max(columns.len() as u64);
        let next = lattice.extensions(&level);
        exhaustive &= size == levels || next.len() as u64 <= most;
        level = next.into_iter().take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
    }
    let search = Search { columns: columns.len(), looked_at: lattice.seen.len(), exhaustive };
    (found, search)
}

impl Lattice<'_> {
    fn look_at(&mut self, level: &[Set], progress: &dyn Progress) {
        let look = |set: &Set| {
            let columns: Vec<&Column> = set.iter().map(|&column| self.columns[column]).collect();
            let crowds = crowds(self.table, &columns, self.few);
            progress.advance(1);
            crowds
        };
        let crowds: Vec<Crowds> = level.par_iter().map(look).collect();
        for (set, crowds) in level.iter().zip(crowds) {
            if crowds.alone == self.table.individuals() || self.adds_nothing(set, crowds) {
                self.closed.insert(set.clone());
            }
            self.seen.insert(set.clone(), crowds);
        }
    }

    /// Whether one of the columns makes no group smaller.
    fn adds_nothing(&self, set: &Set, crowds: Crowds) -> bool {
        if set.len() == 1 {
            return crowds.groups <= 1;
        }
        subsets(set).any(|subset| self.seen.get(&subset).is_some_and(|fewer| fewer.groups == crowds.groups))
    }

    /// Leaves the sets that single somebody out without an idle column, the most identifying first.
    fn rank(&self, level: &mut Vec<Set>) {
        level.retain(|set| !self.adds_nothing(set, self.seen[set]));
        level.sort_by_key(|set| {
            let crowds = self.seen[set];
            (Reverse(crowds.alone), Reverse(crowds.few), Reverse(crowds.groups), set.clone())
        });
    }

    /// All sets with one column more than one of the level and no closed subset, those of the first of the level first.
    fn extensions(&self, level: &[Set]) -> Vec<Set> {
        let mut known = BTreeSet::new();
        let mut next = Vec::new();
        for set in level.iter().filter(|set| !self.closed.contains(*set)) {
            for column in (0..self.columns.len()).filter(|column| !set.contains(column)) {
                let mut longer = set.clone();
                longer.insert(longer.partition_point(|&other| other < column), column);
                if !subsets(&longer).any(|subset| self.closed.contains(&subset))
                    && known.insert(longer.clone())
                {
                    next.push(longer);
                }
            }
        }
        next
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
