//! A suppression limit: a few individuals are left out of the table where that lets the others lose much less.
//!
//! What counts is the mean loss of the rows that are released. Leaving rows out lowers it if, for each of them, the group
//! as a whole loses less by more than this mean. Every group proposes the best of its ways: to leave out one row, all
//! rows with one value, or the whole group. The best of all groups is taken, until none pays or the limit is reached. Then the rest of the table is grouped afresh: without outliers,
//! parts can be divided that could not be before. What loses less is kept, and all of this is repeated.
//!
//! **Guarantee**: what remains of a group is checked whenever rows leave it, and groups are checked again beside the
//! rows that are released, where a requirement compares with the whole table; the audit sees the released table alone.
//! Those left out are in no group, so the table states nothing about them. Which rows leave depends on public values
//! alone where a number of individuals is the only requirement.
//!
//! **Running time**: O(rows · attributes) for the first proposals, and as much for a group whenever it changes, times
//! the number of its different values.

use super::draft::{Draft, LOST};
use super::measures::measure;
use super::params::CheckedTableParams;
use super::pure::close_to_released;
use super::scale::Scale;
use super::task::{Attribute, Task};
use super::watch::Watch;
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How often the rest of the table is grouped afresh.
const ROUNDS: usize = 3;

/// Of groups with more rows than this, only values are proposed, not single rows.
const LARGE: usize = 512;

/// Leaves out individuals within the limit of the parameters, and groups the others with `group`.
///
/// # Errors
/// When individuals have several rows, or grouping fails.
pub(super) fn suppress(
    task: &Task<'_>,
    draft: Draft,
    params: &CheckedTableParams,
    progress: &dyn Progress,
    group: impl Fn(&Task<'_>, &Watch<'_>) -> Result<Draft>,
) -> Result<Draft> {
    if task.table.has_several_rows() {
        return Err(Error::parameters("a limit on suppressed individuals needs one row per individual")
            .of_parameter("max_suppressed")
            .help("combine the rows of each individual into one, or leave the limit out"));
    }
    let limit = (params.max_suppressed * task.table.individuals() as f64).floor() as u64;
    let mut best = Trial::new(task, draft, params);
    for _ in 0..ROUNDS {
        progress.check()?;
        let Some(shaved) = shaved(task, &best.draft, limit) else { break };
        let shaved = Trial::new(task, shaved, params);
        let afresh = Trial::new(task, afresh(task, &shaved.draft, &group)?, params);
        let next = if afresh.loss < shaved.loss { afresh } else { shaved };
        // A limit is not to be exceeded, whatever else is lost on the way.
        if next.lost > limit || next.loss >= best.loss {
            break;
        }
        best = next;
    }
    Ok(best.draft)
}

/// A draft with what its released rows lose.
struct Trial {
    draft: Draft,
    loss: f64,
    lost: u64,
}

impl Trial {
    fn new(task: &Task<'_>, draft: Draft, params: &CheckedTableParams) -> Self {
        let measures = measure(task, &draft, params.method);
        Self { draft, loss: measures.loss_released.unwrap_or(1.0), lost: measures.rows_lost }
    }
}

/// The rows that a draft releases, grouped afresh.
fn afresh(
    task: &Task<'_>,
    draft: &Draft,
    group: &impl Fn(&Task<'_>, &Watch<'_>) -> Result<Draft>,
) -> Result<Draft> {
    let kept: Vec<u32> =
        (0_u32..).zip(&draft.group_of_row).filter(|&(_, &group)| group != LOST).map(|(row, _)| row).collect();
    let table = task.table.select(&kept);
    let attribute = |attribute: &Attribute<'_>| Attribute {
        // Codes are those of the whole table, and so are taxonomies and ranges.
        column: &table.columns()[attribute.place],
        place: attribute.place,
        taxonomy: attribute.taxonomy.clone(),
        range: attribute.range,
        weight: attribute.weight,
    };
    let rest = Task {
        table: &table,
        attributes: task.attributes.iter().map(attribute).collect(),
        private: task.private.clone(),
        in_scope: task.in_scope.clone(),
        ..*task
    };
    let watch = Watch::new(&rest);
    let of_rest = group(&rest, &watch)?;
    let mut whole = Draft::new(task.table.rows(), task.attributes.len());
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); of_rest.groups()];
    for (&row, &group) in kept.iter().zip(&of_rest.group_of_row).filter(|&(_, &group)| group != LOST) {
        rows[group as usize].push(row);
    }
    for (group, rows) in rows.iter().enumerate() {
        let cells =
            of_rest.columns.iter().map(|column| column.cells[column.of_group[group] as usize].clone());
        whole.add_rows(rows, cells);
    }
    Ok(whole)
}

/// The draft without rows whose leaving pays; none if none pays.
fn shaved(task: &Task<'_>, draft: &Draft, limit: u64) -> Option<Draft> {
    let kept = |row: usize| draft.group_of_row[row] != LOST;
    let watch = Watch::of_released(task, kept);
    let scales: Vec<Scale<'_>> = task.attributes.iter().map(Scale::new).collect();
    let mut shaver = Shaver { task, watch: &watch, scales, mean: 0.0 };
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); draft.groups()];
    (0_u32..).zip(&draft.group_of_row).filter(|&(_, &group)| group != LOST).for_each(|(row, &group)| {
        groups[group as usize].push(row);
    });
    shaver.mean = shaver.mean(&groups);
    let lost: u64 =
        (0..task.table.rows()).filter(|&row| !kept(row)).map(|row| weight(task, row as u32)).sum();
    let mut left = limit.saturating_sub(lost);
    let first: Vec<Option<Proposal>> =
        groups.par_iter().enumerate().map(|(group, rows)| shaver.propose(group, rows, left)).collect();
    let mut heap: BinaryHeap<Proposal> = first.into_iter().flatten().collect();
    let mut is_changed = false;
    while let Some(proposal) = heap.pop() {
        let rows = &mut groups[proposal.group];
        if proposal.weight <= left {
            left -= proposal.weight;
            rows.retain(|row| proposal.leaving.binary_search(row).is_err());
            is_changed = true;
        }
        // One that does not fit any more proposes something smaller.
        heap.extend(shaver.propose(proposal.group, rows, left.min(proposal.limit(left))));
    }
    is_changed.then(|| close_to_released(task, shaver.draft(&groups)))
}

fn weight(task: &Task<'_>, row: u32) -> u64 {
    u64::from(task.table.weight(row as usize))
}

/// A way in which rows of a group leave.
#[derive(Debug, PartialEq)]
struct Proposal {
    /// What the group loses less for each individual who leaves, in cells.
    gain: f64,
    group: usize,
    /// Ascending.
    leaving: Vec<u32>,
    weight: u64,
}

impl Proposal {
    /// The most that the group may propose next.
    fn limit(&self, left: u64) -> u64 {
        if self.weight > left { self.weight - 1 } else { left }
    }
}

impl Eq for Proposal {}

impl Ord for Proposal {
    /// The highest gain first; of equals, the first group.
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then_with(|| other.group.cmp(&self.group))
    }
}

impl PartialOrd for Proposal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Shaver<'t> {
    task: &'t Task<'t>,
    watch: &'t Watch<'t>,
    scales: Vec<Scale<'t>>,
    /// The mean loss of a row, in cells.
    mean: f64,
}

impl Shaver<'_> {
    /// The mean loss of the rows of some groups.
    fn mean(&self, groups: &[Vec<u32>]) -> f64 {
        let of = |rows: &Vec<u32>| {
            let weight: u64 = rows.iter().map(|&row| weight(self.task, row)).sum();
            (weight as f64 * self.loss(rows), weight)
        };
        // The sum is in the order of the groups, which does not depend on threads.
        let sums: Vec<(f64, u64)> = groups.par_iter().map(of).collect();
        let all: u64 = sums.iter().map(|&(_, weight)| weight).sum();
        sums.iter().map(|&(loss, _)| loss).sum::<f64>() / all.max(1) as f64
    }

    /// The best way for rows of a group to leave, of at most this many individuals; none if no way pays.
    fn propose(&self, group: usize, rows: &[u32], most: u64) -> Option<Proposal> {
        if rows.is_empty() || most == 0 {
            return None;
        }
        let all: u64 = rows.iter().map(|&row| weight(self.task, row)).sum();
        let loss = self.loss(rows);
        let mut best: Option<Proposal> = None;
        for leaving in self.candidates(rows) {
            let away: u64 = leaving.iter().map(|&row| weight(self.task, row)).sum();
            if away > most {
                continue;
            }
            let rest: Vec<u32> =
                rows.iter().copied().filter(|row| leaving.binary_search(row).is_err()).collect();
            let after = self.loss(&rest) * (all - away) as f64;
            let gain = (loss * all as f64 - after) / away as f64;
            let pays = gain > self.mean + 1e-9;
            if pays && best.as_ref().is_none_or(|best| gain > best.gain) && self.watch.holds(&rest) {
                best = Some(Proposal { gain, group, leaving, weight: away });
            }
        }
        best
    }

    /// Rows that may leave together, each ascending: all, each alone, and those with one value of an attribute at an end
    /// or seldom.
    fn candidates(&self, rows: &[u32]) -> Vec<Vec<u32>> {
        let mut candidates: Vec<Vec<u32>> = vec![rows.to_vec()];
        for attribute in &self.task.attributes {
            let mut by_code: Vec<(u32, u32)> = rows.iter().map(|&row| (attribute.code(row), row)).collect();
            by_code.sort_unstable();
            let runs: Vec<&[(u32, u32)]> = by_code.chunk_by(|a, b| a.0 == b.0).collect();
            let is_numeric = attribute.is_numeric();
            let is_end = |i: usize| i == 0 || i + 2 >= runs.len();
            let few = |run: &[(u32, u32)]| 2 * run.len() < rows.len();
            let of_run = |run: &&[(u32, u32)]| run.iter().map(|&(_, row)| row).collect::<Vec<_>>();
            let runs = runs.iter().enumerate().filter(|&(i, run)| few(run) && (!is_numeric || is_end(i)));
            candidates.extend(runs.map(|(_, run)| of_run(run)));
        }
        if rows.len() <= LARGE {
            candidates.extend(rows.iter().map(|&row| vec![row]));
        }
        candidates.iter_mut().for_each(|rows| rows.sort_unstable());
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }

    /// What a row of a group loses, in cells.
    fn loss(&self, rows: &[u32]) -> f64 {
        self.scales.iter().map(|scale| scale.loss(&codes(scale.attribute, rows))).sum()
    }

    fn draft(&self, groups: &[Vec<u32>]) -> Draft {
        let mut draft = Draft::new(self.task.table.rows(), self.task.attributes.len());
        for rows in groups.iter().filter(|rows| !rows.is_empty()) {
            draft.add_rows(rows, self.scales.iter().map(|scale| scale.cell(&codes(scale.attribute, rows))));
        }
        draft
    }
}

/// The codes that occur among rows, ascending.
fn codes(attribute: &Attribute<'_>, rows: &[u32]) -> Vec<u32> {
    let mut codes: Vec<u32> = rows.iter().map(|&row| attribute.code(row)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}
