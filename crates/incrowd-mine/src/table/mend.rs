//! Repairs a draft whose audit fails: rows of groups that break the guarantee lose all public values.
//!
//! Every method checks the guarantee of each group it makes. Where individuals have several rows, groups with equal
//! cells in the release can together break what each meets (docs/proofs.md, "Individuals, weights, subjects"). Such
//! rows are put into one group without public values, which takes in the smallest other groups until it meets the
//! guarantee; at the latest this ends with all rows in one group, which was checked before anything else. With the
//! strict reading of k it takes in groups until every individual has the same groups in all rows as k − 1 others.

use super::cell::Cell;
use super::draft::{Draft, Private};
use super::parts::{Part, parts};
use super::task::Task;
use super::watch::Watch;
use crate::alike::{Alike, strict_k};
use incrowd_core::table::People;

/// The draft with every group that breaks the guarantee, as it reads in the release, put into one without public
/// values.
pub(super) fn mend(task: &Task<'_>, watch: &Watch<'_>, draft: &Draft) -> Draft {
    let (mut kept, mut rest): (Vec<Part>, Vec<u32>) = (Vec::new(), Vec::new());
    for part in parts(task, draft) {
        let says_nothing = !part.suppressed.contains(&false);
        if says_nothing || !watch.holds(&part.rows) { rest.extend(part.rows) } else { kept.push(part) }
    }
    // The smallest at the end, to be taken first; of equals, the last one as it reads.
    kept.sort_by_key(|part| std::cmp::Reverse(part.rows.len()));
    while !watch.holds(&rest) {
        let Some(part) = kept.pop() else { break };
        rest.extend(part.rows);
    }
    hide_combinations(task, &mut kept, &mut rest);
    let mut mended = Draft::new(task.table.rows(), task.attributes.len());
    kept.into_iter().for_each(|part| mended.add_rows(&part.rows, part.cells));
    if !rest.is_empty() {
        mended.add_rows(&rest, nothing(task));
    }
    mended.private = leave_out_again(draft);
    mended
}

/// Puts groups into the one without public values until every individual has the same groups over all rows as many
/// others, where k is required in the strict reading. Groups of those who have too few others go first, the smallest
/// quarter of them at a time, so that it ends after few rounds.
fn hide_combinations(task: &Task<'_>, kept: &mut Vec<Part>, rest: &mut Vec<u32>) {
    let (Some((k, _)), People::Subjects { of_row, .. }) =
        (strict_k(task.table, task.guarantee), task.table.people())
    else {
        return;
    };
    while !kept.is_empty() {
        let mut group_of_row: Vec<Option<u32>> = vec![None; task.table.rows()];
        rest.iter().for_each(|&row| group_of_row[row as usize] = Some(0));
        for (group, part) in (1..).zip(&*kept) {
            part.rows.iter().for_each(|&row| group_of_row[row as usize] = Some(group));
        }
        let alike = Alike::new(task.table, |row| group_of_row[row]);
        if alike.fewest().is_none_or(|fewest| fewest >= k) {
            return;
        }
        let is_few = |&row: &u32| alike.of_individual[of_row[row as usize] as usize].is_some_and(|n| n < k);
        let has_few: Vec<bool> = kept.iter().map(|part| part.rows.iter().any(is_few)).collect();
        let concerned = has_few.iter().filter(|&&few| few).count();
        // Those who have too few others may be in the group without public values already.
        let mut to_take = concerned.div_ceil(4).max(1);
        for place in (0..kept.len()).rev() {
            if to_take > 0 && (has_few[place] || concerned == 0) {
                rest.extend(kept.remove(place).rows);
                to_take -= 1;
            }
        }
    }
}

/// All rows in one group without public values.
pub(super) fn one_group(task: &Task<'_>, draft: &Draft) -> Draft {
    let mut one = Draft::new(task.table.rows(), task.attributes.len());
    one.add_rows(&(0..task.table.rows() as u32).collect::<Vec<_>>(), nothing(task));
    one.private = leave_out_again(draft);
    one
}

fn nothing(task: &Task<'_>) -> Vec<Cell> {
    vec![Cell::Any; task.attributes.len()]
}

/// Private attributes that were not released as they are had been left out before.
fn leave_out_again(draft: &Draft) -> Vec<(usize, Private)> {
    draft.private.iter().map(|&(place, _)| (place, Private::LeftOut)).collect()
}
