//! k-anonymous decision trees.
//!
//! [`mine_tree`] grows a tree from a table so that every span of it meets a guarantee: an attacker who knows every
//! individual's public attributes cannot link anything private to fewer individuals than required. After Friedman,
//! Schuster and Wolff (PKDD 2006; VLDB Journal 2008).
//!
//! | method | splits | thresholds | pruning |
//! | --- | --- | --- | --- |
//! | [`KadetId3`](TreeMethod::KadetId3) | information gain, one branch per value or group | no | no |
//! | [`KadetC45`](TreeMethod::KadetC45) | gain ratio, one branch per value or group | yes | subtrees to leaves, pessimistic |
//! | [`Best`](TreeMethod::Best) | an impurity chosen by cross-validation, two branches | yes | weakest links, by cross-validation |
//!
//! The parts: `task` binds table and policy, `partition` keeps the rows of every leaf, `spans` every individual's span,
//! `watch` checks the guarantee, `grower` combines them; a method is a strategy on top of it. The result is audited
//! ([`incrowd_core::audit`]), which derives the spans again; a tree that fails is an error. Only what dependencies
//! leave possible (`span::ties`) and dates as days (`span::all_in_days`) are computed by code that miner and audit
//! share; the naive twin of the core checks it.
//!
//! The result depends on the table and the parameters alone: not on threads, not on the order of rows, and not on
//! whether equal rows are merged.

mod best;
mod c45;
mod counted;
pub(crate) mod gain;
mod grower;
mod growth;
mod histogram;
mod id3;
mod induce;
mod judge;
mod known;
pub(crate) mod labels;
mod levels;
mod params;
mod part;
pub(crate) mod partition;
mod plain;
mod prune;
mod reach;
mod release;
mod safely;
mod scratch;
mod spans;
pub(crate) mod split;
pub(crate) mod task;
#[cfg(test)]
pub(crate) mod tests;
mod ties;
mod watch;

pub use counted::{
    CellTest, CountedBy, CountedRows, CountedValue, Wanted, check_tree_from_counts, mine_tree_from_counts,
};
pub use induce::induce_tree;
pub use params::{CheckedTreeParams, TreeMethod, TreeParams};
pub use part::{Condition, ConditionValues, DecisionList, ListRule, induce_rules};
pub(crate) use plain::{PlainTree, plain_tree};

use crate::alike::unmet_by_rows;
use crate::refused::unseen;
use grower::Grower;
use incrowd_core::audit::Report;
use incrowd_core::guarantee::{Guarantee, Requirement, SeveralRows, unmet};
use incrowd_core::model::{Detail, Tree};
use incrowd_core::policy::Policy;
use incrowd_core::progress::Progress;
use incrowd_core::span::all_in_days;
use incrowd_core::table::Table;
use incrowd_core::{Error, ErrorKind, Result};
use release::Cut;
use task::Task;

/// A tree that passed its audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinedTree {
    /// The tree, in the requested detail.
    pub tree: Tree,
    /// Its figures.
    pub summary: TreeSummary,
    /// The audit it passed.
    pub report: Report,
    /// What the owner should know.
    pub warnings: Vec<String>,
}

/// The figures of a mined tree.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct TreeSummary {
    /// The rows of the table.
    pub rows: u64,
    /// The individuals they are about.
    pub individuals: u64,
    /// The leaves of the tree, those without individuals included.
    pub leaves: u64,
    /// The number of non-empty spans.
    pub spans: u64,
    /// The largest k that holds.
    pub k: u64,
    /// The classification metric: the individuals with a class other than the most frequent one of their span.
    pub cm: u64,
    /// The individuals exposed to certain inference of something private.
    pub exposed: u64,
    /// The highest confidence an attacker can have in a private value that the guarantee covers; `None` where nothing
    /// was measured.
    pub max_confidence: Option<f64>,
    /// The share of the rows that the tree classifies wrongly.
    pub error: f64,
}

/// Grows a tree from a table under the guarantee of `params`, and audits it.
///
/// Every attribute that is public or private in the policy may be tested, dates by the calendar as numbers are; what an
/// attacker knows includes declared dependencies. The tree is grown and audited as if its leaves contained their exact
/// populations, the worst case for the guarantee; the release may contain less.
///
/// # Errors
/// When the table and the policy do not match, even a tree without tests would break the guarantee, or the audit does
/// not pass the tree: an unsafe tree is never returned.
pub fn mine_tree(
    table: &Table,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let (table, policy) = &all_in_days(table, policy)?;
    let mined = mine_tree_of_names(table, policy, params, progress)?;
    with_warning(mined, params, |params| mine_tree_of_names(table, policy, params, progress))
}

/// A tree with a warning if it is only a leaf. `again` mines with other parameters, to see whether the guarantee is why.
fn with_warning(
    mut mined: MinedTree,
    params: &CheckedTreeParams,
    again: impl FnOnce(&CheckedTreeParams) -> Result<MinedTree>,
) -> Result<MinedTree> {
    if mined.summary.leaves > 1 {
        return Ok(mined);
    }
    let all = match mined.tree.detail() {
        Detail::Labels => "the most frequent class value",
        Detail::Shares { .. } | Detail::Counts => "how often each class value occurs in the whole table",
    };
    let why = if params.max_leaves == 1 {
        "it may have no more leaves (`max_leaves`)"
    } else {
        match again(&params.with_guarantee(Guarantee::k_anonymity(1)?)) {
            Ok(free) if free.summary.leaves > 1 => {
                "with k = 1 and no other requirement it would have tests: a weaker guarantee or more individuals may help"
            }
            Err(stopped) if matches!(stopped.kind, ErrorKind::Cancelled | ErrorKind::Io) => {
                return Err(stopped);
            }
            _ => {
                "with k = 1 and no other requirement it would be one, too, so the guarantee is not the cause: no test \
                 was found that predicts new rows better; other attributes or more rows may help"
            }
        }
    };
    mined.warnings.push(format!(
        "the tree is a single leaf: it contains only {all} and predicts the same class for every row; {why}"
    ));
    Ok(mined)
}

/// The same with dates as ordered names, for tables whose cells are made from a tree.
pub(crate) fn mine_tree_of_names(
    table: &Table,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let table = &*watch::with_individuals_together(table);
    task::check_classes(table, policy)?;
    if let Some(error) = unmet_by_rows("tree", table, &params.guarantee) {
        return Err(error);
    }
    let mined = match mine_once(table, policy, params, progress) {
        Err(error) if error.kind == ErrorKind::Breach && depends_on_the_whole(table, params) => {
            mine_once(table, policy, &params.carefully(), progress)
        }
        mined => mined,
    };
    mined.map_err(unseen)
}

/// Whether something is required that does not depend on a single split.
fn depends_on_the_whole(table: &Table, params: &CheckedTreeParams) -> bool {
    let strict = params.guarantee.several_rows() == SeveralRows::Strict && table.has_several_rows();
    params.guarantee.asked_smallest_bin().is_some() || strict
}

fn mine_once(
    table: &Table,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    if params.method == TreeMethod::Best {
        return best::mine(table, policy, params, progress);
    }
    let task = Task::new(table, policy, params)?;
    let mut grower = Grower::new(&task);
    if let Some(broken) = grower.root_breach() {
        return Err(unmet_at_root(&grower, broken));
    }
    let stage = progress.stage("growing", None);
    match params.method {
        TreeMethod::KadetId3 => id3::grow(&mut grower, progress),
        TreeMethod::KadetC45 | TreeMethod::Best => c45::grow(&mut grower, params, progress),
    }
    stage.finish()?;
    grower.check_size()?;
    let _stage = progress.stage("auditing", None);
    finish(&grower, params, progress)
}

/// The error where even a tree without tests breaks a requirement.
fn unmet_at_root(grower: &Grower<'_>, broken: &Requirement) -> Error {
    let class = &grower.task.class;
    let error = unmet("tree", broken, grower.smallest_root_span(), (class.table, &[class.column]));
    match &error.help {
        Some(help) if class.known && grower.task.guarantee.requirement_of_k() == Some(broken) => {
            let name = class.column.name();
            let why = format!(
                "{help}, since the class `{name}` is public, so that each of its values forms a group of its own; give it the \
                 role \"private\" if an attacker does not know it"
            );
            error.help(why)
        }
        _ => error,
    }
}

fn finish(grower: &Grower<'_>, params: &CheckedTreeParams, progress: &dyn Progress) -> Result<MinedTree> {
    if params.method == TreeMethod::KadetId3 || !params.prune {
        return release::release(grower, &Cut::nothing(grower));
    }
    safely::release_pruned(grower, &prune::prune(grower, params.confidence_factor), params, progress)
}
