//! The check that every method makes: may these individuals be one group of the release?

use super::task::Task;
use incrowd_core::group::group_rows;
use incrowd_core::guarantee::{Crowd, Histogram, Requirement, Whole};
use incrowd_core::table::{Column, Kind, People};

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
}

impl<'t> Watch<'t> {
    pub(crate) fn new(task: &'t Task<'t>) -> Self {
        let columns = looked_at(task).into_iter().map(|column| (column, whole(task, column)));
        let looked_at: Vec<_> = columns.collect();
        let asks_bins = task.guarantee.asked_smallest_bin().is_some();
        let bins = asks_bins.then(|| {
            let private: Vec<&Column> = task.private.iter().map(|&i| &task.table.columns()[i]).collect();
            group_rows(task.table.rows(), &private).of_row
        });
        let only_k = task.guarantee.is_only_k().filter(|_| !task.private.is_empty());
        Self { task, looked_at, bins, only_k }
    }

    /// Where the only requirement is this many individuals per group.
    pub(crate) fn only_k(&self) -> Option<u64> {
        self.only_k
    }

    /// Whether these rows may be a group of the release. An empty group is always allowed.
    pub(crate) fn holds(&self, rows: &[u32]) -> bool {
        self.broken(rows).is_none()
    }

    /// What a group of these rows would break.
    pub(crate) fn broken(&self, rows: &[u32]) -> Option<&'t Requirement> {
        if rows.is_empty() {
            return None;
        }
        let population = self.task.table.individuals_among(rows);
        if self.only_k.is_some_and(|k| population >= k) {
            return None;
        }
        let counted: Vec<_> =
            self.looked_at.iter().map(|(column, _)| self.count(rows, |row| column.code(row))).collect();
        let histograms: Vec<Histogram<'_>> = counted
            .iter()
            .zip(&self.looked_at)
            .map(|(counts, (_, whole))| {
                let total = counts.iter().map(|&(_, n)| n).sum();
                Histogram { counts, total, individuals: population, whole }
            })
            .collect();
        let crowd = Crowd {
            population,
            alike: population,
            single_bin: self.task.private.is_empty(),
            smallest_bin: self.smallest_bin(rows),
            histograms: &histograms,
        };
        let asked = vec![true; histograms.len()];
        let broken = self.task.guarantee.broken_by(&crowd, &asked).next()?;
        self.task.guarantee.requirements().iter().find(|requirement| *requirement == broken)
    }

    /// The individuals with each value among some rows, by value.
    fn count(&self, rows: &[u32], value: impl Fn(usize) -> u32) -> Vec<(u32, u64)> {
        let mut pairs: Vec<(u32, u32)> = match self.task.table.people() {
            People::Subjects { of_row, .. } => {
                let pair = |&row: &u32| (value(row as usize), of_row[row as usize]);
                let mut pairs: Vec<_> = rows.iter().map(pair).collect();
                pairs.sort_unstable();
                pairs.dedup();
                pairs.into_iter().map(|(value, _)| (value, 1)).collect()
            }
            _ => {
                rows.iter().map(|&row| (value(row as usize), self.task.table.weight(row as usize))).collect()
            }
        };
        pairs.sort_unstable_by_key(|&(value, _)| value);
        let mut counts: Vec<(u32, u64)> = Vec::new();
        for (value, n) in pairs {
            match counts.last_mut() {
                Some((last, count)) if *last == value => *count += u64::from(n),
                _ => counts.push((value, u64::from(n))),
            }
        }
        counts
    }

    fn smallest_bin(&self, rows: &[u32]) -> u64 {
        let Some(of_row) = &self.bins else { return u64::MAX };
        self.count(rows, |row| of_row[row]).into_iter().map(|(_, n)| n).min().unwrap_or(u64::MAX)
    }
}

/// The private columns the guarantee looks at: all that the audit will look at.
fn looked_at<'t>(task: &Task<'t>) -> Vec<&'t Column> {
    if !task.guarantee.looks_at_values() {
        return Vec::new();
    }
    task.in_scope.iter().map(|&place| &task.table.columns()[place]).collect()
}

/// How the values of a column are spread over every individual.
fn whole(task: &Task<'_>, column: &Column) -> Whole {
    let mut counts = vec![0; column.code_count()];
    if let People::Subjects { of_row, .. } = task.table.people() {
        let mut pairs: Vec<(u32, u32)> = column.codes().iter().zip(of_row.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().for_each(|(code, _)| counts[code as usize] += 1);
    } else {
        let weighed = column.codes().iter().enumerate();
        weighed.for_each(|(row, code)| counts[code as usize] += u64::from(task.table.weight(row)));
    }
    match column.kind() {
        Kind::Categorical => Whole::new(counts).without_order(),
        _ => Whole::new(counts),
    }
}
