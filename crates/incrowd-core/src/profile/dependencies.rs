//! Functional dependencies between columns, exact and nearly exact.
//!
//! The error of a dependency is Kivinen and Mannila's g3 (1995): the share of individuals that must be left out to make
//! it exact. An individual with several rows is counted if one of their rows does not follow; this can count more
//! individuals than necessary, but never fewer. A missing value counts as a value.
//!
//! Every small table has accidental dependencies. A dependency is reported only if all of these hold (the figures are
//! [`DependencyRule`]'s defaults):
//! - the determining columns have support: at least half of the individuals are in groups of 5 or more;
//! - the determined column varies: guessing its most frequent value for all individuals is wrong for at least 5 % of
//!   them;
//! - those left out are at most 1 % of the individuals in such groups, and at most a fifth of those for whom the guess
//!   is wrong.
//!
//! Time is linear in the rows for each pair of columns. Pairs that are far from dependent are recognized on the first
//! sixteenth of the rows: individuals that must be left out there must be left out in the whole table as well, so
//! nothing is missed.

use super::each;
use crate::error::Result;
use crate::group::{Grouping, code_sizes, count_by, group_rows, row_weights};
use crate::progress::{Progress, Silent};
use crate::table::{Column, People, Table};
use crate::with_codes;

/// The largest table of counts by group and code.
const COUNTED: usize = 1 << 21;

/// What counts as a dependency.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct DependencyRule {
    /// The individuals a group of the determining columns must have to support the dependency.
    pub group: u64,
    /// The share of individuals that must be in such groups.
    pub support: f64,
    /// The share of individuals that guessing the most frequent value must misclassify.
    pub baseline: f64,
    /// The maximum number of exceptions, as a share of the individuals in such groups.
    pub error: f64,
    /// The maximum number of exceptions, as a share of those that guessing the most frequent value misclassifies.
    pub remainder: f64,
    /// Whether to look for columns that follow from two others but from neither alone.
    pub pairs: bool,
}

impl Default for DependencyRule {
    fn default() -> Self {
        Self { group: 5, support: 0.5, baseline: 0.05, error: 0.01, remainder: 0.2, pairs: false }
    }
}

/// A column that follows from others in the data.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct FoundDependency {
    /// The columns that determine, in schema order.
    pub from: Vec<String>,
    /// The column that is determined.
    pub to: String,
    /// The number of individuals who must be left out to make it exact: zero if it is.
    pub left_out: u64,
    /// The same as a share of all individuals (g3).
    pub error: f64,
    /// The share of individuals that guessing the most frequent value misclassifies.
    pub baseline: f64,
    /// Whether the determining column follows from the determined one as well; never so for two.
    pub both_ways: bool,
}

impl FoundDependency {
    /// Whether the dependency is exact.
    pub fn is_exact(&self) -> bool {
        self.left_out == 0
    }
}

/// The dependencies of `to` columns on `from` columns that the data shows.
///
/// # Errors
/// When the table has no column of one of the names.
pub fn find_dependencies(
    table: &Table,
    from: &[&str],
    to: &[&str],
    rule: &DependencyRule,
) -> Result<Vec<FoundDependency>> {
    let columns = |names: &[&str]| names.iter().map(|name| table.require(name)).collect::<Result<Vec<_>>>();
    Ok(find(table, &columns(from)?, &columns(to)?, rule, &Silent))
}

/// The dependencies of `to` columns on `from` columns, single determining columns first; fewer if cancelled.
pub(super) fn find(
    table: &Table,
    from: &[&Column],
    to: &[&Column],
    rule: &DependencyRule,
    progress: &dyn Progress,
) -> Vec<FoundDependency> {
    let targets = targets(table, to, rule);
    let single: Vec<Vec<&Column>> = from.iter().map(|column| vec![*column]).collect();
    let mut found = look_at(table, &single, &targets, &[], rule, progress);
    if rule.pairs {
        let pairs = from.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| from[i + 1..].iter().map(|b| vec![*a, *b])).collect::<Vec<_>>();
        let more = look_at(table, &pairs, &targets, &found, rule, progress);
        found.extend(more);
    }
    found
}

/// A column that varies enough to be worth determining.
struct Target<'a> {
    column: &'a Column,
    /// The number of individuals that guessing the most frequent value misclassifies.
    wrong: u64,
}

impl Target<'_> {
    /// The number of individuals who may be left out to make it follow, if that many are in groups that are large
    /// enough.
    fn most(&self, supported: u64, rule: &DependencyRule) -> f64 {
        (rule.error * supported as f64).min(rule.remainder * self.wrong as f64)
    }
}

fn targets<'a>(table: &Table, to: &[&'a Column], rule: &DependencyRule) -> Vec<Target<'a>> {
    let wrong = |column: &Column| match code_sizes(table, column) {
        Some(sizes) => sizes.iter().sum::<u64>() - sizes.iter().max().copied().unwrap_or(0),
        None => left_out(table, &group_rows(table.rows(), &[]), column),
    };
    let target = |column: &&'a Column| Target { column, wrong: wrong(column) };
    let mut targets = each(table, to, target);
    targets.retain(|target| {
        target.wrong as f64 >= rule.baseline * table.individuals() as f64 && target.wrong > 0
    });
    targets
}

fn look_at(
    table: &Table,
    determinants: &[Vec<&Column>],
    targets: &[Target<'_>],
    known: &[FoundDependency],
    rule: &DependencyRule,
    progress: &dyn Progress,
) -> Vec<FoundDependency> {
    let _stage = progress.stage("dependencies", Some(determinants.len() as u64));
    let found = each(table, determinants, |from| {
        if progress.is_cancelled() {
            return Vec::new();
        }
        let found = of_determinant(table, from, targets, known, rule);
        progress.advance(1);
        found
    });
    found.concat()
}

fn of_determinant(
    table: &Table,
    from: &[&Column],
    targets: &[Target<'_>],
    known: &[FoundDependency],
    rule: &DependencyRule,
) -> Vec<FoundDependency> {
    let names: Vec<&str> = from.iter().map(|column| column.name()).collect();
    // What follows from fewer columns is not repeated.
    let follows_from_less = |to: &str| {
        known.iter().any(|d| d.to == to && d.from.iter().all(|name| names.contains(&name.as_str())))
    };
    let is_new = |target: &&Target<'_>| {
        let to = target.column.name();
        !names.contains(&to) && !follows_from_less(to)
    };
    let mut targets: Vec<&Target<'_>> = targets.iter().filter(is_new).collect();
    if targets.is_empty() || names.iter().any(|name| follows_from_less(name)) {
        return Vec::new();
    }
    if matches!(from, [one] if lacks_support(table, one, rule)) {
        return Vec::new();
    }
    for start in starts(table) {
        // What fails among the first rows fails among all of them, even if all of them are supported.
        let start = group_rows(start, from);
        let most = |target: &Target<'_>| target.most(table.individuals(), rule);
        targets.retain(|target| left_out(table, &start, target.column) as f64 <= most(target));
        if targets.is_empty() {
            return Vec::new();
        }
    }
    let Some(determinant) = Determinant::new(table, from, rule) else { return Vec::new() };
    let found = |target: &&Target<'_>| {
        let left_out = determinant.left_out(target)?;
        Some(report(table, from, target, left_out, rule))
    };
    targets.iter().filter_map(found).collect()
}

fn report(
    table: &Table,
    from: &[&Column],
    target: &Target<'_>,
    left_out: u64,
    rule: &DependencyRule,
) -> FoundDependency {
    let individuals = table.individuals().max(1) as f64;
    FoundDependency {
        from: from.iter().map(|column| column.name().to_owned()).collect(),
        to: target.column.name().to_owned(),
        left_out,
        error: left_out as f64 / individuals,
        baseline: target.wrong as f64 / individuals,
        both_ways: matches!(from, [one] if follows(table, target.column, one, rule)),
    }
}

/// Whether `to` follows from the one column `from`.
fn follows(table: &Table, from: &Column, to: &Column, rule: &DependencyRule) -> bool {
    let target = targets(table, &[to], rule).pop();
    let determinant = Determinant::new(table, &[from], rule);
    target.zip(determinant).is_some_and(|(target, determinant)| determinant.left_out(&target).is_some())
}

/// Whether a column is known to have too little support, such as one of ID numbers; before anything is grouped by it.
fn lacks_support(table: &Table, from: &Column, rule: &DependencyRule) -> bool {
    let Some(sizes) = code_sizes(table, from) else { return false };
    is_too_little(sizes.into_iter().filter(|&size| size >= rule.group).sum(), table, rule)
}

/// Whether enough individuals are in groups of a column that are large enough to show a dependency on it.
pub(crate) fn supports(table: &Table, from: &Column, rule: &DependencyRule) -> bool {
    Determinant::new(table, &[from], rule).is_some()
}

/// Whether a column has enough individuals beside its most frequent value for a dependency to mean something.
pub(crate) fn varies(table: &Table, to: &Column, rule: &DependencyRule) -> bool {
    !targets(table, &[to], rule).is_empty()
}

/// Whether so many individuals in groups that are large enough are too few.
fn is_too_little(supported: u64, table: &Table, rule: &DependencyRule) -> bool {
    supported == 0 || (supported as f64) < rule.support * table.individuals() as f64
}

/// The number of rows to examine first, before all of them, where that is worth it.
fn starts(table: &Table) -> impl Iterator<Item = usize> {
    // The parts of subjects left out of the first rows need not be left out of all rows.
    let counts_rows = !matches!(table.people(), People::Subjects { .. });
    let many = counts_rows && table.rows() > 1 << 14;
    [16, 4].into_iter().filter(move |_| many).map(|part| table.rows() / part)
}

/// Columns with enough support to determine others.
struct Determinant<'a> {
    table: &'a Table,
    rule: &'a DependencyRule,
    grouping: Grouping,
    /// The individuals in groups that are large enough.
    supported: u64,
}

impl<'a> Determinant<'a> {
    fn new(table: &'a Table, from: &[&Column], rule: &'a DependencyRule) -> Option<Self> {
        let grouping = group_rows(table.rows(), from);
        let supported = supported(table, &grouping, rule.group);
        if is_too_little(supported, table, rule) {
            return None;
        }
        Some(Self { table, rule, grouping, supported })
    }

    /// The number of individuals who must be left out to make the target follow, if the rule allows that many.
    fn left_out(&self, target: &Target<'_>) -> Option<u64> {
        let left_out = left_out(self.table, &self.grouping, target.column);
        (left_out as f64 <= target.most(self.supported, self.rule)).then_some(left_out)
    }
}

/// The number of individuals who are in a group of at least this size.
fn supported(table: &Table, grouping: &Grouping, least: u64) -> u64 {
    let sizes = grouping.sizes(table);
    let People::Subjects { of_row, count } = table.people() else {
        return sizes.into_iter().filter(|&size| size >= least).sum();
    };
    let mut supported = vec![false; *count as usize];
    for (&group, &subject) in grouping.of_row.iter().zip(of_row) {
        supported[subject as usize] |= sizes[group as usize] >= least;
    }
    supported.into_iter().filter(|&supported| supported).count() as u64
}

/// The number of individuals who must be left out to make `to` follow from the group, looking only at the rows of the
/// grouping.
fn left_out(table: &Table, grouping: &Grouping, to: &Column) -> u64 {
    if let Some(counted) = left_out_by_counts(table, grouping, to) {
        return counted;
    }
    let refined = grouping.refined(to);
    let sizes = refined.sizes(table);
    let first_rows = refined.first_rows();
    // The largest part of each group is kept, the first of equals.
    let mut kept: Vec<Option<usize>> = vec![None; grouping.count as usize];
    for (part, &row) in first_rows.iter().enumerate() {
        let largest = &mut kept[grouping.of_row[row as usize] as usize];
        if largest.is_none_or(|other| sizes[part] > sizes[other]) {
            *largest = Some(part);
        }
    }
    if let People::Subjects { of_row, count } = table.people() {
        let stays = |row: usize| kept[grouping.of_row[row] as usize] == Some(refined.of_row[row] as usize);
        let mut leaves = vec![false; *count as usize];
        (0..grouping.of_row.len())
            .filter(|&row| !stays(row))
            .for_each(|row| leaves[of_row[row] as usize] = true);
        return leaves.into_iter().filter(|&leaves| leaves).count() as u64;
    }
    sizes.iter().sum::<u64>() - kept.into_iter().flatten().map(|part| sizes[part]).sum::<u64>()
}

/// The same by a table of counts, where that is small and individuals have one row each.
fn left_out_by_counts(table: &Table, grouping: &Grouping, to: &Column) -> Option<u64> {
    let (weights, rows, codes) = (row_weights(table)?, grouping.of_row.len(), to.code_count());
    let size = codes.checked_mul(grouping.count as usize)?;
    if size > COUNTED.min(rows.saturating_mul(4)) {
        return None;
    }
    let counts = with_codes!(to.codes(), to => {
        count_by(rows, weights, size, |row| grouping.of_row[row] as usize * codes + to[row] as usize)
    });
    let left_out =
        |of_group: &[u64]| of_group.iter().sum::<u64>() - of_group.iter().max().copied().unwrap_or(0);
    Some(counts.chunks_exact(codes.max(1)).map(left_out).sum())
}
