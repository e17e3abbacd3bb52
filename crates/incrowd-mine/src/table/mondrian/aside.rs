//! Sets aside the few individuals that keep many others from being distinguished.

use super::super::cell::Cell;
use super::divide::Mondrian;
use incrowd_core::progress::Progress;
use rayon::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What those set aside are expected to lose of each cell. On Adult the loss differs by at most 3.3 % from 0.4 to 0.7.
pub(super) const EXPECTED: f64 = 0.55;

/// Every individual in groups that keep the guarantee, some of them of individuals who were set aside; none if groups
/// that read alike break it together.
pub(super) fn with_setting_aside(mondrian: &Mondrian<'_>, progress: &dyn Progress) -> Option<Vec<Vec<u32>>> {
    alike_together(mondrian, rounds(mondrian, progress))
}

fn rounds(mondrian: &Mondrian<'_>, progress: &dyn Progress) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    let mut rows = mondrian.everyone();
    loop {
        // Of the rows of each round some are not set aside, so this ends.
        let (parts, aside) = mondrian.run(rows, true, progress);
        groups.extend(parts);
        if aside.is_empty() {
            return groups;
        }
        if !mondrian.watch.holds(&aside) {
            return joined(mondrian, groups, &aside);
        }
        rows = aside;
    }
}

/// Puts groups that would read alike together. Mostly that keeps the guarantee, but not where individuals have several
/// rows (docs/proofs.md).
fn alike_together(mondrian: &Mondrian<'_>, groups: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
    let cells: Vec<Vec<Cell>> = groups.par_iter().map(|rows| mondrian.cells(rows)).collect();
    let mut together: Vec<(Vec<u32>, bool)> = Vec::with_capacity(groups.len());
    let mut place: HashMap<Vec<Cell>, usize> = HashMap::with_capacity(groups.len());
    for (rows, cells) in groups.into_iter().zip(cells) {
        match place.entry(cells) {
            Entry::Vacant(vacant) => {
                vacant.insert(together.len());
                together.push((rows, false));
            }
            Entry::Occupied(same) => {
                together[*same.get()].0.extend(rows);
                together[*same.get()].1 = true;
            }
        }
    }
    let holds = |(rows, is_new): &(Vec<u32>, bool)| !is_new || mondrian.watch.holds(rows);
    together.iter().all(holds).then(|| together.into_iter().map(|(rows, _)| rows).collect())
}

/// Merges rows that cannot be a group with the groups that lose least by it: one, or two, or four, until the guarantee
/// holds. In the end it does, since all individuals together meet it.
fn joined(mondrian: &Mondrian<'_>, groups: Vec<Vec<u32>>, aside: &[u32]) -> Vec<Vec<u32>> {
    let codes = mondrian.codes(aside);
    let weight = mondrian.weight(aside);
    let cost = |rows: &Vec<u32>| {
        let own = mondrian.codes(rows);
        let both: Vec<Vec<u32>> = own.iter().zip(&codes).map(|(own, other)| union(own, other)).collect();
        let of_rows = mondrian.weight(rows);
        (of_rows + weight) as f64 * mondrian.loss_of_codes(&both)
            - of_rows as f64 * mondrian.loss_of_codes(&own)
    };
    let costs: Vec<f64> = groups.par_iter().map(cost).collect();
    // The order of the groups is that of the divisions, whatever the order of the rows.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
    let mut take = 1;
    loop {
        let taken = &order[..take.min(order.len())];
        let mut together = aside.to_vec();
        taken.iter().for_each(|&group| together.extend_from_slice(&groups[group]));
        if taken.len() == groups.len() || mondrian.watch.holds(&together) {
            let mut is_taken = vec![false; groups.len()];
            taken.iter().for_each(|&group| is_taken[group] = true);
            let rest = groups.into_iter().zip(is_taken).filter(|(_, taken)| !taken).map(|(rows, _)| rows);
            return rest.chain([together]).collect();
        }
        take *= 2;
    }
}

/// The codes of both, ascending.
fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}
