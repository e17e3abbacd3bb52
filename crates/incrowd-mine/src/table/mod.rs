//! k-anonymous tables for data mining.
//!
//! [`mine_table`] changes the public attributes (quasi-identifiers) until each combination of released public cells is
//! shared by a group (equivalence class) that meets the guarantee; private attributes (sensitive attributes) are
//! unchanged. Methods differ in how groups are found and in what their cells state.
//!
//! | method | groups | cells |
//! | --- | --- | --- |
//! | [`Spans`](TableMethod::Spans) | the spans of a tree made under the guarantee | the branches a span takes |
//! | [`Kactus`](TableMethod::Kactus), [`Kactus2`](TableMethod::Kactus2) | leaves of an unconstrained tree, filled up or merged | values along the path, the others `*` |
//! | [`Aggregate`](TableMethod::Aggregate) | the same on noisy numbers | means and most frequent values |
//! | [`Tds`](TableMethod::Tds), [`Tdr`](TableMethod::Tdr) | equal generalized rows | one cut through each taxonomy |
//! | [`Mondrian`](TableMethod::Mondrian) | parts of a recursive partition | the range of a part |
//! | [`Finest`](TableMethod::Finest) | groups of the least loss that a search finds | the range of a group |
//! | [`Best`](TableMethod::Best) | leaves of a tree made under the guarantee and pruned by cross-validation | the branches of the leaf |
//! | [`Cells`](TableMethod::Cells) | leaves of such a tree, not pruned | the branches of the leaf |
//! | [`Effects`](TableMethod::Effects) | a division by the effects of public attributes on the class | the branches of the part |
//!
//! The parts: `task` binds table and policy, `watch` checks the guarantee for a group of rows, a method makes a `draft`
//! (groups and their cells), `release` writes it out and has it audited ([`incrowd_core::audit`]), which groups the
//! released rows again. A table that fails is an error. The method `spans` and the audit of its tree share the linking
//! (`span::link`), which the naive twin of the core checks.
//!
//! Missing values are a separate value, known to the attacker like any other: a group that shows it shows `?`, a group
//! that mixes it with other values shows a cell that covers both (a group of the taxonomy, a set, or `*`).
//!
//! Rows of a release are sorted by their released cells, so that the source's order reveals nothing.

mod aggregate;
mod best;
mod blind;
mod borrow;
mod branches;
mod cell;
mod climb;
mod closed;
mod discretize;
mod draft;
mod effects;
mod few;
mod finest;
mod induce;
mod kactus;
mod measures;
mod mend;
mod mondrian;
mod params;
mod parts;
mod pure;
mod recoding;
mod release;
mod represent;
mod scale;
mod spans;
mod suppress;
mod task;
#[cfg(test)]
mod tests;
mod top_down;
mod watch;

pub(crate) use best::{public_and_class, requirements_on_class};
pub use discretize::fayyad_irani;
pub use incrowd_core::recoding::Recoding;
pub use measures::{AttributeLoss, Measures};
pub use params::{Average, CheckedTableParams, Common, Criterion, TableMethod, TableParams};

use crate::Structure;
use crate::alike::unmet_by_rows;
use crate::refused::unseen;
use draft::Draft;
use incrowd_core::audit::{Report, undeclared};
use incrowd_core::guarantee::{Requirement, unmet};
use incrowd_core::policy::Policy;
use incrowd_core::progress::Progress;
use incrowd_core::span::known_in_days;
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};
use task::Task;
use watch::Watch;

/// A table that passed its audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinedTable {
    /// The released table.
    pub table: Table,
    /// The row of the source that each of its rows comes from. For the owner alone: it identifies individuals.
    pub source_rows: Vec<u32>,
    /// Its figures.
    pub summary: TableSummary,
    /// Its information loss.
    pub measures: Measures,
    /// How the recoding is applied to new rows.
    pub recoding: Recoding,
    /// The audit it passed; of the first set of attributes, where there are several.
    pub report: Report,
    /// What the owner should know.
    pub warnings: Vec<String>,
}

/// The figures of a released table.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct TableSummary {
    /// The rows released.
    pub rows: u64,
    /// The rows not released.
    pub rows_lost: u64,
    /// The largest k that holds.
    pub k: u64,
    /// The groups of equal public cells.
    pub groups: u64,
    /// The individuals exposed to certain inference of something private.
    pub exposed: u64,
    /// The highest confidence an attacker can have in a private value that the guarantee covers; `None` where nothing
    /// was measured.
    pub max_confidence: Option<f64>,
    /// The share of suppressed public cells.
    pub suppressed: f64,
    /// The share of public cells that are not true.
    pub swapped: f64,
    /// The mean loss per public cell; `None` where it is not defined (see [`Measures::loss`]).
    pub loss: Option<f64>,
    /// The classification metric, where there is a private class.
    pub cm: Option<u64>,
}

/// Makes a table under the guarantee of `params`, and audits it.
///
/// # Errors
/// When the table and the policy do not match, even a table without any public value would break the guarantee, or the
/// audit does not pass the table: an unsafe table is never returned.
pub fn mine_table(
    table: &Table,
    policy: &Policy,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<MinedTable> {
    let (days, policy_of_days) = &known_in_days(table, policy)?;
    if params.structure == Structure::Blind {
        return blind::mine((days, policy_of_days), policy, params, progress);
    }
    let task = Task::new(days, policy_of_days, &params.guarantee)?.audited_under(policy);
    let watch = Watch::new(&task);
    refuse_hopeless(&task, &watch, params.method)?;
    let private: Vec<&str> = task.private.iter().map(|&place| table.columns()[place].name()).collect();
    let undeclared = undeclared(table, policy, &private)?;
    let stage = progress.stage("grouping", None);
    let mut draft = draft(&task, &watch, params, progress)?;
    if params.max_suppressed > 0.0 {
        draft = suppress::suppress(&task, draft, params, progress, |task, watch| {
            self::draft(task, watch, params, progress)
        })?;
    }
    if params.closed {
        draft = closed::close(&task, &watch, draft, params.method, progress)?;
    }
    let tied = pure::tied(&task, params)?;
    draft = pure::divide(&task, &watch, draft, &tied);
    stage.finish()?;
    let _stage = progress.stage("auditing", None);
    let mut made = release::release(&task, &draft, params);
    let is_refused = |made: &Result<MinedTable>| made.as_ref().is_err_and(Error::is_about_the_guarantee);
    if is_refused(&made) && !draft.private.is_empty() {
        draft.leave_out();
        made = release::release(&task, &draft, params);
    }
    // With several rows per individual, groups that keep the guarantee can read alike and break it together, or
    // distinguish individuals by several of them.
    for is_last in [false, true] {
        if is_refused(&made) && !params.as_printed {
            progress.check()?;
            draft = if is_last {
                mend::one_group(&task, &draft)
            } else {
                few::mend_or_show_few(&task, &watch, &draft, params, progress, |task, watch| {
                    self::draft(task, watch, params, progress)
                })?
            };
            if params.closed {
                draft = closed::close(&task, &watch, draft, params.method, progress)?;
            }
            draft = pure::divide(&task, &watch, draft, &tied);
            made = release::release(&task, &draft, params);
        }
    }
    let mut made = made.map_err(unseen)?;
    made.warnings.extend(undeclared);
    Ok(made)
}

/// Audits a table made with these parameters once more, such as one read back from its file.
///
/// # Errors
/// When it cannot be checked, or a requirement does not hold.
pub fn check_table(table: &Table, policy: &Policy, params: &CheckedTableParams) -> Result<Vec<Report>> {
    release::audits(table, policy, params)
}

fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    match params.method {
        TableMethod::Spans => spans::draft(task, params, progress),
        TableMethod::Best | TableMethod::Cells => best::draft(task, watch, params, progress),
        TableMethod::Effects => effects::draft(task, watch, params, progress),
        TableMethod::Mondrian => mondrian::draft(task, watch, params, progress),
        TableMethod::Finest => finest::draft(task, watch, params, progress),
        TableMethod::Tds | TableMethod::Tdr => top_down::draft(task, watch, params, progress),
        TableMethod::Kactus | TableMethod::Kactus2 => kactus::draft(task, watch, params, progress),
        TableMethod::Aggregate => aggregate::draft(task, watch, params, progress),
    }
}

/// Fails where not even every individual together is a group that may be released.
fn refuse_hopeless(task: &Task<'_>, watch: &Watch<'_>, method: TableMethod) -> Result<()> {
    let everyone: Vec<u32> = (0..task.table.rows() as u32).collect();
    let is_of_bins = |broken: &Requirement| task.guarantee.requirement_of_smallest_bin() == Some(broken);
    // The bins of this method are those of its tree, and not all combinations of private values.
    let is_open = |broken: &&Requirement| method == TableMethod::Spans && is_of_bins(broken);
    if let Some(broken) = watch.broken(&everyone).filter(|broken| !is_open(broken)) {
        return Err(if is_of_bins(broken) {
            Error::unsatisfiable(format!(
                "no table with unchanged private values can meet `{broken}`: too few individuals have some of these \
                 values"
            ))
            .help("use the method `spans`, which groups private values; or ignore private columns with rare values, or choose a weaker guarantee")
        } else {
            let columns: Vec<&Column> = task.in_scope.iter().map(|&i| &task.table.columns()[i]).collect();
            unmet("table", broken, task.table.individuals(), (task.table, &columns))
        });
    }
    unmet_by_rows("table", task.table, task.guarantee).map_or(Ok(()), Err)
}
