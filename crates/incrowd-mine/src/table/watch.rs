//! The check that every method makes: may these individuals be one group of the release?

use super::task::Task;
use incrowd_core::group::group_rows;
use incrowd_core::guarantee::{Crowd, Histogram, Requirement, ValueCounts, Whole};
use incrowd_core::table::{Column, Kind, People};
use std::cell::RefCell;

/// Checks the guarantee for groups of rows. No formula is known here, and this check shares no code with the audit.
///
/// Every requirement is closed under merging groups (docs/proofs.md), so a method may divide what holds as long as
/// every part holds.
pub(crate) struct Watch<'t> {
    task: &'t Task<'t>,
    /// The private columns whose values are looked at.
    looked_at: Vec<(&'t Column, Whole)>,
    /// The bin of each row, its combination of private values, where small bins matter.
    bins: Option<Vec<u32>>,
    /// The required number of individuals, where nothing else is required.
    only_k: Option<u64>,
    /// The joint spans of earlier releases: what is required must hold for the rows of each.
    earlier: Option<&'t Column>,
}

impl<'t> Watch<'t> {
    pub(crate) fn new(task: &'t Task<'t>) -> Self {
        Self::of_released(task, |_| true)
    }

    /// Of a release that contains only some rows: it is these that the audit compares each group with.
    pub(crate) fn of_released(task: &'t Task<'t>, is_released: impl Fn(usize) -> bool) -> Self {
        let columns = looked_at(task).into_iter().map(|column| (column, whole(task, column, &is_released)));
        let looked_at: Vec<_> = columns.collect();
        let asks_bins = task.guarantee.asked_smallest_bin().is_some();
        let bins = asks_bins.then(|| {
            let private: Vec<&Column> = task.private.iter().map(|&i| &task.table.columns()[i]).collect();
            group_rows(task.table.rows(), &private).of_row
        });
        let only_k = task.guarantee.is_only_k().filter(|_| !task.private.is_empty());
        Self { task, looked_at, bins, only_k, earlier: task.policy.earlier_spans(task.table) }
    }

    /// Where the only requirement is this many individuals per group.
    pub(crate) fn only_k(&self) -> Option<u64> {
        self.only_k.filter(|_| self.earlier.is_none())
    }

    /// Whether these rows may be a group of the release. An empty group is always allowed.
    pub(crate) fn holds(&self, rows: &[u32]) -> bool {
        self.broken(rows).is_none()
    }

    /// What a group of these rows would break, alone or together with earlier releases.
    pub(crate) fn broken(&self, rows: &[u32]) -> Option<&'t Requirement> {
        let Some(earlier) = self.earlier else { return self.broken_alone(rows) };
        let mut by_span: Vec<(u32, u32)> =
            rows.iter().map(|&row| (earlier.code(row as usize), row)).collect();
        by_span.sort_unstable();
        let of_span = |part: &[(u32, u32)]| {
            let rows: Vec<u32> = part.iter().map(|&(_, row)| row).collect();
            self.broken_alone(&rows)
        };
        by_span.chunk_by(|one, other| one.0 == other.0).find_map(of_span)
    }

    /// What a group of these rows would break if there were no other release.
    fn broken_alone(&self, rows: &[u32]) -> Option<&'t Requirement> {
        if rows.is_empty() {
            return None;
        }
        let population = self.task.table.individuals_among(rows);
        if self.only_k.is_some_and(|k| population >= k) {
            return None;
        }
        TALLY.with_borrow_mut(|tally| {
            let crowd = Crowd {
                population,
                alike: population,
                single_bin: self.task.private.is_empty(),
                smallest_bin: self.smallest_bin(rows, tally),
                histograms: &[],
            };
            let guarantee = self.task.guarantee;
            let mut broken_values = self.looked_at.iter().filter_map(|(column, whole)| {
                let counts = ValueCounts::Occurring(tally.count(self.task, rows, |row| column.code(row)));
                let values = Histogram::new(counts, population, whole);
                guarantee.broken_by(&Crowd { histograms: &[values], ..crowd }).next()
            });
            guarantee.broken_by(&crowd).next().or_else(|| broken_values.next())
        })
    }

    fn smallest_bin(&self, rows: &[u32], tally: &mut Tally) -> u64 {
        let Some(of_row) = &self.bins else { return u64::MAX };
        let counts = tally.count(self.task, rows, |row| of_row[row]);
        counts.iter().map(|&(_, n)| n).min().unwrap_or(u64::MAX)
    }
}

thread_local! {
    static TALLY: RefCell<Tally> = RefCell::default();
}

/// Counts values; its memory is used again for every group that is tried.
#[derive(Default)]
struct Tally {
    pairs: Vec<(u32, u32)>,
    counts: Vec<(u32, u64)>,
}

impl Tally {
    /// The individuals with each value among some rows, by value.
    fn count(&mut self, task: &Task<'_>, rows: &[u32], value: impl Fn(usize) -> u32) -> &[(u32, u64)] {
        let Self { pairs, counts } = self;
        let of_rows = rows.iter().map(|&row| (value(row as usize), row as usize));
        pairs.clear();
        if let People::Subjects { of_row, .. } = task.table.people() {
            pairs.extend(of_rows.map(|(value, row)| (value, of_row[row])));
            pairs.sort_unstable();
            pairs.dedup();
            pairs.iter_mut().for_each(|(_, individuals)| *individuals = 1);
        } else {
            pairs.extend(of_rows.map(|(value, row)| (value, task.table.weight(row))));
            pairs.sort_unstable_by_key(|&(value, _)| value);
        }
        counts.clear();
        let same_value = |a: &(u32, u32), b: &(u32, u32)| a.0 == b.0;
        let sum = |run: &[(u32, u32)]| (run[0].0, run.iter().map(|&(_, n)| u64::from(n)).sum());
        counts.extend(pairs.chunk_by(same_value).map(sum));
        counts
    }
}

/// The private columns the guarantee looks at: all that the audit will look at.
fn looked_at<'t>(task: &Task<'t>) -> Vec<&'t Column> {
    if !task.guarantee.looks_at_values() {
        return Vec::new();
    }
    task.in_scope.iter().map(|&place| &task.table.columns()[place]).collect()
}

/// How the values of a column are spread over every individual of the rows that are released.
fn whole(task: &Task<'_>, column: &Column, is_released: &impl Fn(usize) -> bool) -> Whole {
    let mut counts = vec![0; column.code_count()];
    let released = column.codes().iter().enumerate().filter(|&(row, _)| is_released(row));
    if let People::Subjects { of_row, .. } = task.table.people() {
        let mut pairs: Vec<(u32, u32)> = released.map(|(row, code)| (code, of_row[row])).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().for_each(|(code, _)| counts[code as usize] += 1);
    } else {
        released.for_each(|(row, code)| counts[code as usize] += u64::from(task.table.weight(row)));
    }
    match column.kind() {
        Kind::Categorical => Whole::new(counts).without_order(),
        _ => Whole::new(counts),
    }
}
