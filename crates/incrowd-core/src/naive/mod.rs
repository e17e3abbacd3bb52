//! The audit straight from the definitions: the reference that the fast [audit](crate::audit) is tested against.
//!
//! A model is applied as a function to every combination of private values (VLDB Journal 2008, Definition 5) that
//! declared dependencies leave, individuals are grouped by equal sets of bins (Definition 6) and counted one span at a
//! time, measures are taken from lists of exact probabilities, and certain inference is decided by going through all
//! worlds consistent with the release. Numbers are represented by the thresholds of a tree, the ends of their range, a
//! number between any two of these, and those of the table; clusters, whose private domain has no such finite sample,
//! by Fourier–Motzkin elimination in exact fractions.
//!
//! It shares no code with [`crate::span`] and [`crate::audit`] (only the types of their results), does nothing to be
//! fast, and takes time exponential in the number of private attributes, spans and bins: it is for tables of about ten
//! rows.

mod baskets;
mod cells;
pub mod channels;
mod clusters;
mod columns;
mod commas;
mod domain;
mod enumerate;
mod figures;
mod fraction;
mod joint;
mod known;
mod linked;
mod measures;
mod partition;
mod persons;
mod populations;
mod printed;
mod relations;
mod rules;
mod said;
#[cfg(test)]
mod tests;
mod tree;
mod units;
mod value;
mod worlds;

pub use columns::{Columns, columns};
pub use joint::{audit_together, joint_population_of_rows};
pub use printed::rare_values;

use crate::audit::AttributeMeasures;
use crate::error::{Error, Result};
use crate::guarantee::Guarantee;
use crate::model::{Model, Tree};
use crate::policy::Policy;
use crate::span::in_days;
use crate::table::Table;
use figures::Figures;
use linked::Linked;

/// The error of an audit of rules that would have to go through too many worlds.
pub use baskets::TOO_MANY;

/// What a naive audit found; the figures mean what they mean in a [`Report`](crate::audit::Report).
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// For each row the individuals that share its span.
    pub population_of_row: Vec<u64>,
    /// The number of non-empty spans.
    pub spans: u64,
    /// The largest k that holds.
    pub k: u64,
    /// The number of spans that break the guarantee.
    pub breaches: u64,
    /// The number of spans that break each requirement.
    pub broken_by: Vec<u64>,
    /// The individuals in spans that break the guarantee.
    pub in_breach: u64,
    /// The individuals exposed to certain inference of some private attribute.
    pub exposed: u64,
    /// The same for each of `attributes`.
    pub exposed_to: Vec<u64>,
    /// The individuals for whom a value of some private attribute is excluded.
    pub excluded: u64,
    /// The same for each of `attributes`.
    pub excluded_to: Vec<u64>,
    /// The largest share of a span with one value of an attribute the guarantee looks at.
    pub max_confidence: f64,
    /// The population of the smallest bin, where bins count.
    pub smallest_bin: Option<u64>,
    /// The measures of each private attribute of the release.
    pub attributes: Vec<AttributeMeasures>,
}

/// Audits a model that was made from `table`.
///
/// # Errors
/// When the table, the policy and the model do not fit, or a number is too large for exact arithmetic.
pub fn audit_model(table: &Table, policy: &Policy, model: &Model, guarantee: &Guarantee) -> Result<Audit> {
    let (table, policy) = &as_seen(table, policy, model)?;
    policy.check_whole(table)?;
    let mut linked = link(table, policy, model)?;
    let asked = guarantee.asked_smallest_bin();
    if let (Model::Rules(rules), Some(limit)) = (model, asked) {
        linked.cells = Some(match limit {
            0 | 1 => vec![u64::MAX; table.rows()],
            _ => rules::smallest_cells(table, policy, rules, limit)?,
        });
    }
    if !populations::fit(table, &linked, model) {
        return Err(Error::input("the populations in the release are not those of the table"));
    }
    finish(table, policy, &linked, guarantee, asked.is_some() || !matches!(model, Model::Rules(_)))
}

/// For each row the individuals that share its span: what k is about, and no more, so for tables of some hundred rows.
///
/// # Errors
/// When the table, the policy and the model do not fit.
pub fn population_of_rows(table: &Table, policy: &Policy, model: &Model) -> Result<Vec<u64>> {
    let (table, policy) = &as_seen(table, policy, model)?;
    policy.check_whole(table)?;
    let spans = link(table, policy, model)?.spans;
    let shared = |own: &linked::Bins| linked::individuals(table, |row| spans[row] == *own);
    Ok(spans.iter().map(shared).collect())
}

/// Dates as days, and what cells define as columns.
fn as_seen(table: &Table, policy: &Policy, model: &Model) -> Result<(Table, Policy)> {
    let (table, policy) = in_days(table, policy, model)?;
    cells::with_cells(&table, &policy, model)
}

fn link(table: &Table, policy: &Policy, model: &Model) -> Result<Linked> {
    match model {
        Model::Tree(_) | Model::Ensemble(_) => tree::link(table, policy, &model.trees()),
        Model::Clusters(clusters) => clusters::link(table, policy, clusters),
        Model::Rules(rules) => Ok(Linked { overlapping: true, ..rules::link(table, policy, rules)? }),
    }
}

/// For each private attribute of a tree, how many individuals have the same value of it in every world that agrees with
/// the contents of the leaves: their populations, their rounded shares, or nothing but a label. Where all labels are
/// the most frequent class value of their leaf, the first on a tie and where there are no individuals, they are taken
/// for that, so that they reveal as much as possible; where one is not, as in a tree made by other programs, labels are
/// part of the model and reveal nothing about the counts.
///
/// # Errors
/// When the table, the policy and the tree do not fit.
pub fn certain(table: &Table, policy: &Policy, tree: &Tree) -> Result<Vec<u64>> {
    let model = Model::Tree(tree.clone());
    let (table, policy) = &in_days(table, policy, &model)?;
    let linked = tree::link(table, policy, &[tree])?;
    let (groups, guarantee) = (linked.groups(), &Guarantee::default());
    let figures =
        Figures { table, linked: &linked, guarantee, groups, in_scope: Vec::new(), bins_counted: true };
    Ok(figures.certain(tree))
}

/// What is certain of individuals with several rows, from all worlds: every way to put their rows into bins such that
/// each bin has its population of different individuals.
///
/// # Errors
/// When the table, the policy and the model do not fit.
pub fn certain_of_persons(table: &Table, policy: &Policy, model: &Model, limit: u64) -> Result<OfPersons> {
    let (table, policy) = &as_seen(table, policy, model)?;
    let linked = link(table, policy, model)?;
    let (groups, guarantee) = (linked.groups(), &Guarantee::default());
    let figures =
        Figures { table, linked: &linked, guarantee, groups, in_scope: Vec::new(), bins_counted: true };
    Ok(figures.certain_of_persons(limit))
}

/// What is certain of individuals with several rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfPersons {
    /// For each attribute the individuals of whom some row has the same value in every world.
    pub exposed_to: Vec<u64>,
    /// Whether some part of a span's individuals who are in one bin has between one individual and the limit, that one
    /// excluded, in every world.
    pub small_cell: bool,
    /// For each individual whether someone else's rows could be theirs: how many individuals have, in some world, the
    /// bins that they have actually.
    pub crowd: Vec<u64>,
}

/// Audits a table as is.
///
/// # Errors
/// When the table and the policy do not match, or a number is too large for exact arithmetic.
pub fn audit_table(table: &Table, policy: &Policy, guarantee: &Guarantee) -> Result<Audit> {
    let table = &said::plain(table, policy)?;
    let linked = partition::link(table, policy)?;
    finish(table, policy, &linked, guarantee, guarantee.asked_smallest_bin().is_some())
}

fn finish(
    table: &Table,
    policy: &Policy,
    linked: &Linked,
    guarantee: &Guarantee,
    bins_counted: bool,
) -> Result<Audit> {
    let in_scope = figures::scope(policy, linked, guarantee)?;
    let groups = linked.groups();
    let figures = Figures { table, linked, guarantee, groups, in_scope, bins_counted };
    if figures.asks_too_much() {
        return Err(Error::input("cells overlap"));
    }
    figures.audit().ok_or_else(|| Error::input("the numbers are too large for exact arithmetic"))
}
