//! The strict reading of k: a table of few attributes where one of all attributes would lose nearly everything.
//!
//! If k individuals must have the same groups over all of their rows, a draft with many groups leaves few individuals
//! alike, and [`mend`] takes the public values of most of them. Groups of fewer attributes may keep more: often everyone
//! can be shown with their sex alone. So, starting with no attribute, the one is added with which the mended table loses
//! least, for as long as that helps; the other attributes are `*`. It is kept if it loses less than the mended draft of
//! all attributes.
//!
//! **Guarantee**: every draft is mended and audited like any other; this only chooses among them.
//!
//! **Running time**: that of the method and of mending for each attribute that is tried, at most the square of their
//! number.

use super::cell::Cell;
use super::draft::{Draft, LOST};
use super::measures::measure;
use super::mend::mend;
use super::params::CheckedTableParams;
use super::task::{Attribute, Task};
use super::watch::Watch;
use crate::alike::strict_k;
use incrowd_core::progress::Progress;
use incrowd_core::{ErrorKind, Result};

/// Mends a draft; in the strict reading of k, or one of fewer attributes that `group` makes, if that loses less.
///
/// # Errors
/// When the work is cancelled.
pub(super) fn mend_or_show_few(
    task: &Task<'_>,
    watch: &Watch<'_>,
    draft: &Draft,
    params: &CheckedTableParams,
    progress: &dyn Progress,
    group: impl Fn(&Task<'_>, &Watch<'_>) -> Result<Draft>,
) -> Result<Draft> {
    let mended = |draft: &Draft| {
        let draft = mend(task, watch, draft);
        let measures = measure(task, &draft, params.method);
        (measures.loss.unwrap_or(measures.suppressed), draft)
    };
    let mut best = mended(draft);
    if strict_k(task.table, task.guarantee).is_none() {
        return Ok(best.1);
    }
    let mut shown: Vec<usize> = Vec::new();
    loop {
        let mut found: Option<(usize, (f64, Draft))> = None;
        for place in (0..task.attributes.len()).filter(|place| !shown.contains(place)) {
            progress.check()?;
            let mut few = [shown.as_slice(), &[place]].concat();
            few.sort_unstable();
            let one = match of_few(task, &few, &group) {
                Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
                // A method that finds nothing with these attributes may with others.
                Err(_) => continue,
                Ok(draft) => mended(&draft),
            };
            if one.0 < found.as_ref().map_or(best.0, |(_, (loss, _))| *loss) {
                found = Some((place, one));
            }
        }
        let Some((place, better)) = found else { return Ok(best.1) };
        shown.push(place);
        best = better;
    }
}

/// A draft that shows only the attributes at these places of the task.
fn of_few(
    task: &Task<'_>,
    few: &[usize],
    group: &impl Fn(&Task<'_>, &Watch<'_>) -> Result<Draft>,
) -> Result<Draft> {
    let attribute = |&place: &usize| {
        let Attribute { column, place, ref taxonomy, range, weight } = task.attributes[place];
        Attribute { column, place, taxonomy: taxonomy.clone(), range, weight }
    };
    let part = Task {
        attributes: few.iter().map(attribute).collect(),
        private: task.private.clone(),
        in_scope: task.in_scope.clone(),
        ..*task
    };
    let of_part = group(&part, &Watch::new(&part))?;
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); of_part.groups()];
    for (row, &group) in (0..).zip(&of_part.group_of_row).filter(|&(_, &group)| group != LOST) {
        rows[group as usize].push(row);
    }
    let mut whole = Draft::new(task.table.rows(), task.attributes.len());
    for (group, rows) in rows.iter().enumerate() {
        let mut cells = vec![Cell::Any; task.attributes.len()];
        for (column, &place) in of_part.columns.iter().zip(few) {
            cells[place] = column.cells[column.of_group[group] as usize].clone();
        }
        whole.add_rows(rows, cells);
    }
    whole.private = of_part.private;
    Ok(whole)
}
