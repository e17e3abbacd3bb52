//! k-anonymous association rules.
//!
//! [`mine_rules`] finds all rules with enough support and confidence (Agrawal, Imielinski and Swami, SIGMOD 1993) and
//! releases the largest useful subset of them whose joint spans meet a guarantee (VLDB Journal 2008, section 4.3): the
//! rules are tried from the most [useful](Usefulness) on, and each is taken if the guarantee holds with it and all
//! rules taken before.
//!
//! A rule publishes two supports: how many individuals have its left side, and how many have both sides. Measures such
//! as lift need a third one and are shown to the owner alone. No cell of fewer than k individuals may follow from
//! several published supports together, and with a smallest bin no cell below it from any
//! ([`incrowd_core::span::channels`]).
//!
//! The parts: `task` binds table and policy, `eclat` finds the frequent sets, `candidates` their rules, `spans` keeps
//! every individual's span and checks the guarantee, `watch` checks what the supports reveal, `select` takes and leaves
//! rules. The result is audited ([`incrowd_core::audit`]), which derives the spans again; rules that fail are an error.
//! Miner and audit share the code for cells that follow from supports and for what dependencies leave possible; the
//! naive twin of the core checks it.
//!
//! The result depends on the table and the parameters alone: not on threads, not on the order of rows.

mod candidates;
mod eclat;
mod params;
mod people;
mod release;
mod select;
mod spans;
mod task;
#[cfg(test)]
mod tests;
mod watch;

pub use candidates::Counts;
pub use params::{CheckedRuleParams, Items, RuleParams, Usefulness};

use crate::alike::unmet_by_rows;
use incrowd_core::audit::Report;
use incrowd_core::guarantee::unmet;
use incrowd_core::model::Rules;
use incrowd_core::policy::Policy;
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::Table;
use incrowd_core::words::counted;
use incrowd_core::{Error, Result};
use spans::Spans;
use task::Task;

/// A rule by the names of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinedRule {
    /// The items on the left.
    pub antecedent: Vec<String>,
    /// The items on the right.
    pub consequent: Vec<String>,
    /// Its supports. The right side's count is not released.
    pub counts: Counts,
}

/// A rule that is not released, and why: for the owner alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The rule.
    pub rule: MinedRule,
    /// What it would break, together with the rules before it.
    pub why: String,
}

/// Rules that passed their audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinedRules {
    /// What may be released, in the order of items. Without rules there is nothing to release.
    pub rules: Rules,
    /// The same rules, the most useful first, with all their figures: for the owner alone.
    pub useful: Vec<MinedRule>,
    /// The rules left out, the most useful first: for the owner alone.
    pub left_out: Vec<LeftOut>,
    /// The figures.
    pub summary: RuleSummary,
    /// The audit they passed.
    pub report: Report,
    /// What the owner should know.
    pub warnings: Vec<String>,
}

/// The figures of mined rules.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct RuleSummary {
    /// The rows of the table.
    pub rows: u64,
    /// The individuals they are about.
    pub individuals: u64,
    /// The frequent sets of items.
    pub sets: u64,
    /// The rules with enough support and confidence.
    pub candidates: u64,
    /// Those of them that may be released together.
    pub rules: u64,
    /// Those left out.
    pub left_out: u64,
    /// The number of non-empty spans.
    pub spans: u64,
    /// The largest k that holds.
    pub k: u64,
    /// The individuals exposed to certain inference of something private.
    pub exposed: u64,
    /// The highest confidence an attacker can have in a private value that the guarantee covers; `None` where nothing
    /// was measured.
    pub max_confidence: Option<f64>,
}

/// All rules with enough support and confidence, the most useful first, whatever they reveal: for the owner alone.
///
/// # Errors
/// When the table has no individuals, or there are too many rules.
pub fn find_rules(table: &Table, policy: &Policy, params: &CheckedRuleParams) -> Result<Vec<MinedRule>> {
    let task = Task::new(table, policy, params)?;
    let sets = eclat::frequent_sets(&task, params.max_length, params.most, &Silent)?;
    let candidates = candidates::candidates(&sets, table.individuals(), params)?;
    Ok(candidates.iter().map(|rule| release::named(&task, rule)).collect())
}

/// Mines rules from a table under the guarantee of `params`, and audits them.
///
/// # Errors
/// When the table and the policy do not match, no rule is frequent and confident enough, or there are too many; when
/// nothing meets the guarantee; or when the audit does not pass the rules: unsafe rules are never returned.
pub fn mine_rules(
    table: &Table,
    policy: &Policy,
    params: &CheckedRuleParams,
    progress: &dyn Progress,
) -> Result<MinedRules> {
    let task = Task::new(table, policy, params)?;
    if let Some(error) = unmet_by_rows("rule", table, &params.guarantee) {
        return Err(error);
    }
    if let Some(broken) = Spans::new(&task, &params.guarantee)?.broken() {
        return Err(unmet("rule", &broken.requirement, broken.individuals, (table, &[])));
    }
    if params.guarantee.asked_smallest_bin().is_some_and(|n| n > 1) && table.has_several_rows() {
        return Err(Error::input(
            "a smallest bin cannot be checked for rules when individuals have several rows",
        )
        .help("put the items of each individual into one row, or omit the smallest bin"));
    }
    let stage = progress.stage("mining", None);
    let sets = eclat::frequent_sets(&task, params.max_length, params.most, progress)?;
    let candidates = candidates::candidates(&sets, table.individuals(), params)?;
    stage.finish()?;
    if candidates.is_empty() {
        return Err(Error::input(format!(
            "no rule reaches the minimum support and confidence; the minimum support is reached by {} and {}",
            counted(sets.iter().filter(|(items, _)| items.len() == 1).count() as u64, "single item"),
            counted(sets.iter().filter(|(items, _)| items.len() > 1).count() as u64, "larger set")
        ))
        .help("lower the minimum support or confidence"));
    }
    // There can be as many sets as rules, and they are not needed any more.
    let count = sets.len() as u64;
    drop(sets);
    let selection = select::select(&task, params, &candidates, progress)?;
    let _stage = progress.stage("auditing", None);
    release::release(&task, &params.guarantee, &candidates, &selection, count)
}
