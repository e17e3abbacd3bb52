//! Finest cells first: groups that lose as little as possible, whatever the class.
//!
//! 1. **Cover** ([`cover`]). Every attribute has steps from its values to `*`: the levels of its taxonomy, or intervals
//!    that double in width. All combinations of steps are tried, those that lose least first; at each, rows that are
//!    equal become groups if they meet the guarantee, and the others go on. What is left at the end joins the groups
//!    that lose least by it. Some random orders are tried as well, and the best cover is kept. ARX's local recoding
//!    (Prasser, Kohlmayer, Kuhn: *A Generic Method for Assessing the Quality of De-Identified Health Data*, MIE 2016)
//!    proceeds like this in rounds. A group shows no more than its rows need: the lowest common group of the taxonomy,
//!    the interval from the lowest number to the highest. Where the groups of [`mondrian`] by loss lose less, the
//!    search starts with those.
//! 2. **Move** ([`moves`]). Rows that widen the cells of their group (one row, all rows outside a narrower cell, or
//!    the whole group) go to the groups that lose least by them, wherever this lowers the total loss.
//! 3. **Rebuild** ([`rebuild`]). A group and some of its nearest are taken apart and covered again, in another random
//!    order of steps; what loses less is kept.
//!
//! Moving and rebuilding are repeated for a number of rounds, a parameter. Where a table has few groups, this is done
//! from each of the best starts, and the result that loses least is kept.
//!
//! **Guarantee**: every group is checked whenever its rows change, and the table is audited like every other. Groups
//! may overlap (docs/proofs.md, the theorem for tables); groups that read alike are one, and are checked as one.
//!
//! **Running time**: a cover takes O(combinations · rows left · attributes); there are at most [`MOST`] combinations,
//! which leaves out steps of attributes with many. Moving takes O(rows · groups · attributes) and is left out where
//! that is too much ([`MOVED`]); rebuilding takes a fixed amount of work ([`EFFORT`]).
//!
//! **Ties**: the first combination of steps in the order of the table's attributes, the first group. Rows are put in
//! order by their values, so the order of the table does not matter. Random orders follow the seed.

mod cover;
mod group;
mod ladder;
mod moves;
mod rebuild;
#[cfg(test)]
mod tests;

use super::draft::Draft;
use super::mondrian;
use super::params::CheckedTableParams;
use super::task::Task;
use super::watch::Watch;
use group::Group;
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People};
use ladder::Ladder;
use rayon::prelude::*;
use std::cmp::Ordering;

/// The most combinations of steps that are tried.
const MOST: usize = 1 << 14;

/// Where there are at most this many times as many rows as a group needs, the table has few groups. Then few
/// combinations have enough equal rows, and it saves time to find these first; and searches end in different places, so
/// that several are made.
const FEW: u64 = 64;

/// How many orders of combinations the first cover is tried in.
const STARTS: u64 = 4;

/// Rows are moved where rows times groups are at most this many.
const MOVED: u64 = 1 << 28;

/// How many times a row may be put into a group while groups are rebuilt, in each round.
const EFFORT: u64 = 1 << 27;

/// The table as the search sees it.
pub(super) struct Search<'t> {
    task: &'t Task<'t>,
    watch: &'t Watch<'t>,
    ladders: Vec<Ladder<'t>>,
    /// The rows of the table by their public and private values. The search knows a row by its place here, so that
    /// the order of the table does not matter.
    order: Vec<u32>,
    /// The codes of every row, row by row.
    codes: Vec<u32>,
    /// No group can be lighter.
    least: u64,
    /// Whether that is the only requirement.
    counts_suffice: bool,
}

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    let search = Search::new(task, watch);
    let starts = search.starts(mondrian::least_loss(task, watch, progress)?, params);
    let mut searched = Vec::new();
    for (groups, number) in starts.into_iter().zip(0..search.searches(params)) {
        searched.push(search.improved(groups, number, params, progress)?);
    }
    let groups = search.alike_together(best(searched));
    let mut draft = Draft::new(task.table.rows(), task.attributes.len());
    for group in &groups {
        draft.add_rows(&search.in_table(&group.rows), search.cells(group));
    }
    Ok(draft)
}

impl<'t> Search<'t> {
    fn new(task: &'t Task<'t>, watch: &'t Watch<'t>) -> Self {
        let has_subjects = matches!(task.table.people(), People::Subjects { .. });
        let order = in_order(task);
        let of_row = |&row: &u32| task.attributes.iter().map(move |attribute| attribute.code(row));
        Self {
            task,
            watch,
            ladders: task.attributes.par_iter().map(Ladder::new).collect(),
            codes: order.iter().flat_map(of_row).collect(),
            order,
            // Individuals are never more than the weight of their rows.
            least: task.guarantee.asked_k().unwrap_or(1).max(1),
            counts_suffice: watch.only_k().is_some() && !has_subjects,
        }
    }

    fn everyone(&self) -> Vec<u32> {
        (0..self.order.len() as u32).collect()
    }

    /// Some covers and other groups, those that lose least first.
    fn starts(&self, divided: Vec<Vec<u32>>, params: &CheckedTableParams) -> Vec<Vec<Group>> {
        let starts = if params.rounds > 0 { STARTS } else { 1 };
        let weights = |start: u64| -> Vec<f64> {
            let mut random = Random::of(params.seed, start);
            let weight = |_: &Ladder<'_>| if start == 0 { 1.0 } else { 0.7 + 0.6 * random.unit() };
            self.ladders.iter().map(weight).collect()
        };
        let everyone = self.everyone();
        let cover = |start: u64| self.cover(&everyone, &weights(start)).groups;
        let mut all: Vec<Vec<Group>> = (0..starts).into_par_iter().map(cover).collect();
        all.push(self.groups_of(divided));
        all.sort_by(|a, b| total(a).total_cmp(&total(b)));
        all
    }

    /// How many of the starts are improved.
    fn searches(&self, params: &CheckedTableParams) -> u64 {
        let rows = self.order.len() as u64;
        if params.rounds > 0 && rows <= FEW.saturating_mul(self.least) { STARTS } else { 1 }
    }

    /// Groups after all rounds of improvement. The first search follows the seed, the others further ones.
    fn improved(
        &self,
        mut groups: Vec<Group>,
        number: u64,
        params: &CheckedTableParams,
        progress: &dyn Progress,
    ) -> Result<Vec<Group>> {
        let seed = params.seed.wrapping_add(number << 32);
        for round in 0..u64::from(params.rounds) {
            self.move_rows(&mut groups, progress);
            progress.check()?;
            self.rebuild(&mut groups, seed.wrapping_add(round), progress);
            progress.check()?;
        }
        if params.rounds > 0 {
            self.move_rows(&mut groups, progress);
            progress.check()?;
        }
        Ok(groups)
    }

    /// How often a row counts.
    fn weight_of(&self, row: u32) -> u32 {
        self.task.table.weight(self.order[row as usize] as usize)
    }

    /// The numbers of rows in the table.
    fn in_table(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.order[row as usize]).collect()
    }

    /// Whether these rows may be a group.
    fn holds(&self, rows: &[u32], weight: u64) -> bool {
        weight >= self.least && (self.counts_suffice || self.watch.holds(&self.in_table(rows)))
    }

    /// Puts groups that read alike together. Where that breaks the guarantee (docs/proofs.md: it can where individuals
    /// have several rows), all rows become one group.
    fn alike_together(&self, groups: Vec<Group>) -> Vec<Group> {
        let mut together: Vec<Group> = Vec::with_capacity(groups.len());
        let mut place = hashbrown::HashMap::with_capacity(groups.len());
        let mut changed = Vec::new();
        for group in groups {
            let next = together.len();
            let first = *place.entry(self.cells(&group)).or_insert(next);
            if first == next {
                together.push(group);
            } else {
                group.rows.iter().for_each(|&row| together[first].put(self, row));
                changed.push(first);
            }
        }
        if changed.iter().all(|&group| self.holds(&together[group].rows, together[group].weight)) {
            return together;
        }
        vec![Group::new(self, self.everyone())]
    }

    /// Groups of rows of the table.
    fn groups_of(&self, groups: Vec<Vec<u32>>) -> Vec<Group> {
        let mut place = vec![0; self.order.len()];
        (0..).zip(&self.order).for_each(|(number, &row)| place[row as usize] = number);
        let own = |rows: Vec<u32>| rows.iter().map(|&row| place[row as usize]).collect();
        groups.into_par_iter().map(|rows| Group::new(self, own(rows))).collect()
    }

    fn cells(&self, group: &Group) -> Vec<super::cell::Cell> {
        self.ladders.iter().zip(&group.counts).map(|(ladder, counts)| ladder.cell(counts)).collect()
    }
}

/// The rows by what they have in public, then in private columns; of equal ones the first.
fn in_order(task: &Task<'_>) -> Vec<u32> {
    let columns = task.table.columns();
    let public = task.attributes.iter().map(|attribute| attribute.column);
    let all: Vec<&Column> = public.chain(task.private.iter().map(|&place| &columns[place])).collect();
    let mut order: Vec<u32> = (0..task.table.rows() as u32).collect();
    order.par_sort_by(|&a, &b| {
        let compared = all.iter().map(|column| column.code(a as usize).cmp(&column.code(b as usize)));
        compared.fold(Ordering::Equal, Ordering::then)
    });
    order
}

/// The groups that lose least, the first of equals.
fn best(all: Vec<Vec<Group>>) -> Vec<Group> {
    all.into_iter().min_by(|a, b| total(a).total_cmp(&total(b))).unwrap_or_default()
}

/// The loss of all rows.
fn total(groups: &[Group]) -> f64 {
    groups.iter().map(Group::total).sum()
}
