//! Tables by suppression along a classification tree.
//!
//! Papers: Kisilevich, Rokach, Elovici and Shapira, "Efficient multidimensional suppression for k-anonymity", TKDE 22
//! (2010) (`kactus`); Kisilevich, Elovici, Shapira and Rokach, "kACTUS 2: privacy preserving in classification tasks
//! using k-anonymity", 2009 (`kactus2`).
//!
//! A tree is grown by C4.5 from the public attributes and the class, with one branch per value, numbers turned into
//! intervals first ([`super::discretize`]). A leaf that may be a group is released with the values along its path;
//! attributes that the path does not test are `*`. From the leaves up, leaves that may not be a group are filled up
//! from siblings that may:
//!
//! - `kactus` pools such siblings and draws records at random; the pool is released at the parent: without the value
//!   that its leaves differ in.
//! - `kactus2` takes each such leaf separately. If at most the share `swapping` of k is lacking, records of a sibling
//!   are given the leaf's value, which is not theirs; otherwise, or if that is not possible, they and the leaf's rows
//!   are released at the parent. Records are chosen by class entropy: see [`choose`](self::choose).
//!
//! What cannot be filled up is left at the parent, which is then a leaf. What is left at the root becomes all `*`, or
//! is suppressed if there are too few.
//!
//! **Guarantee.** Whatever the guarantee of the task requires: a leaf complies if the guarantee holds for its rows, and
//! everything is checked again once all groups are known (docs/proofs.md). Where only a number of individuals is
//! required, fewer than that many are suppressed.
//!
//! **Missing values** are a value with a separate branch, numbers included; a leaf behind it shows `?`. A number
//! without a worthwhile cut is not used, and is `*`.
//!
//! **Running time.** That of the tree, and for each node one pass over the rows of its leaves (for `kactus2` one for
//! each pair of a deficient leaf and a giver).
//!
//! **Deviations.** `kactus2` as printed is unsafe (docs/tables.md): here a leaf that was filled up is final and
//! released together with what it was given, counts are current, and leaves without rows are skipped.
//! [`as_printed`](super::TableParams::as_printed) is the printed algorithm, for comparison. Subtrees are not raised in
//! pruning.

mod choose;
mod printed;
mod random;
mod repaired;
#[cfg(test)]
mod tests;

use super::cell::{Cell, Holds, Interval};
use super::climb::{ClimbResult, as_they_are, climb, settle};
use super::discretize::fayyad_irani;
use super::draft::Draft;
use super::induce::{PublicColumns, induce};
use super::params::{CheckedTableParams, TableMethod};
use super::task::{Attribute, Task};
use super::watch::Watch;
use crate::tree::PlainTree;
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use incrowd_core::table::{Codes, Column, Values};
use rayon::prelude::*;

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    let class = task.learned_class()?;
    let intervals: Vec<Vec<f64>> = task
        .attributes
        .par_iter()
        .map(|attribute| fayyad_irani(task.table, attribute.column, class))
        .collect();
    let tree = induce(task, &seen(task, &intervals)?, progress)?;
    let paths = Paths::new(task, &tree, &intervals);
    let ClimbResult { groups, left } = match params.method {
        TableMethod::Kactus => climb(tree, random::siblings(task, watch, params.seed)),
        _ if params.as_printed => climb(tree, printed::siblings(task, class, params.swapping)),
        _ => climb(tree, repaired::siblings(task, watch, class, params.swapping)),
    };
    let groups = groups.into_iter().map(|group| (paths.cells(group.node), group.rows));
    let nothing = || vec![Cell::Any; task.attributes.len()];
    if params.as_printed {
        let is_enough = task.table.individuals_among(&left) >= task.guarantee.asked_k().unwrap_or(1);
        return Ok(as_they_are(task, groups.chain(is_enough.then(|| (nothing(), left)))));
    }
    Ok(settle(task, watch, groups, left, |_| nothing()))
}

/// What the tree sees: names as they are, numbers as intervals, those without a cut not at all.
fn seen(task: &Task<'_>, intervals: &[Vec<f64>]) -> Result<PublicColumns> {
    let mut seen = PublicColumns::new();
    for (place, (attribute, cuts)) in task.attributes.iter().zip(intervals).enumerate() {
        if !attribute.is_numeric() {
            seen.push((place, attribute.column.clone()));
        } else if !cuts.is_empty() {
            seen.push((place, in_intervals(attribute, cuts)?));
        }
    }
    Ok(seen)
}

/// A column of the intervals between cuts, by their number.
fn in_intervals(attribute: &Attribute<'_>, cuts: &[f64]) -> Result<Column> {
    let numbers = attribute.column.values().numbers().unwrap_or(&[]);
    let interval = |number: &f64| cuts.partition_point(|cut| cut < number) as u32;
    let missing = cuts.len() as u32 + 1;
    let of_code: Vec<u32> = numbers.iter().map(interval).chain([missing]).collect();
    let codes = attribute.column.codes().iter().map(|code| of_code[code as usize]);
    let names: Vec<String> = (0..=cuts.len()).map(|interval| interval.to_string()).collect();
    let codes = Codes::collect(names.len() + 1, codes);
    Column::new(attribute.column.name(), Values::Ordered(names.iter().collect()), codes)
}

/// The cells of the paths to a tree's nodes.
struct Paths {
    attributes: usize,
    /// For each node the one above, the attribute tested there and the cell of the branch.
    steps: Vec<Option<(u32, usize, Cell)>>,
}

impl Paths {
    fn new(task: &Task<'_>, tree: &PlainTree, intervals: &[Vec<f64>]) -> Self {
        let looked_at = (0..task.attributes.len())
            .filter(|&place| !task.attributes[place].is_numeric() || !intervals[place].is_empty());
        let places: Vec<usize> = looked_at.collect();
        let step = |(parent, branch): (u32, u32)| {
            let test = tree.nodes[parent as usize].test.as_ref()?;
            let place = places[test.column];
            let code = test.codes[branch as usize];
            Some((parent, place, cell(&task.attributes[place], &intervals[place], code)))
        };
        let steps = tree.nodes.iter().map(|node| node.parent.and_then(step)).collect();
        Self { attributes: task.attributes.len(), steps }
    }

    /// The cells of a group at a node.
    fn cells(&self, node: u32) -> Vec<Cell> {
        let mut cells = vec![Cell::Any; self.attributes];
        let mut node = node;
        while let Some((parent, place, cell)) = &self.steps[node as usize] {
            cells[*place] = cell.clone();
            node = *parent;
        }
        cells
    }
}

/// The cell of a code that the tree has seen.
fn cell(attribute: &Attribute<'_>, cuts: &[f64], code: u32) -> Cell {
    let number = code as usize;
    match attribute.is_numeric() {
        true if number > cuts.len() => Cell::Value(attribute.column.missing_code()),
        true => Cell::Interval(Interval {
            low: number.checked_sub(1).map(|before| cuts[before]),
            high: cuts.get(number).copied(),
            holds: Holds::High,
            or_missing: false,
        }),
        false => Cell::Value(code),
    }
}
