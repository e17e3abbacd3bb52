//! The audit straight from the definitions: the reference that the fast [audit](crate::audit) is tested against.
//!
//! A model is applied as a function to every combination of private values (VLDB Journal 2008, Definition 5) that declared
//! dependencies leave, people are grouped by equal sets
//! of bins (Definition 6), individuals are counted one span at a time, measures are taken from lists of exact
//! probabilities, and certain inference is decided by going through all worlds consistent with the release. Numbers are represented by the
//! thresholds of a tree, the ends of their range, a number between any two of these, and those of the table; clusters,
//! whose private domain has no such finite sample, by Fourier and Motzkin's elimination in exact fractions.
//!
//! It shares no code with [`crate::span`] and [`crate::audit`] (only the types of their results), does nothing to be fast, and takes time
//! exponential in the number of private attributes, spans and bins: for tables of some ten rows.

pub mod channels;
mod clusters;
mod columns;
mod domain;
mod enumerate;
mod figures;
mod fraction;
mod known;
mod linked;
mod measures;
mod partition;
mod populations;
mod relations;
mod rules;
#[cfg(test)]
mod tests;
mod tree;
mod units;
mod value;
mod worlds;

pub use columns::{Columns, columns};

use crate::audit::AttributeMeasures;
use crate::error::{Error, Result};
use crate::guarantee::{Guarantee, Requirement};
use crate::model::{Model, Tree};
use crate::policy::Policy;
use crate::table::Table;
use figures::Figures;
use linked::Linked;

/// What a naive audit found; the figures mean what they mean in a [`Report`](crate::audit::Report).
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// For each row the individuals that share its span.
    pub population_of_row: Vec<u64>,
    /// How many spans hold anybody.
    pub spans: u64,
    /// The largest k that holds.
    pub k: u64,
    /// How many spans break the guarantee.
    pub breaches: u64,
    /// How many spans break each requirement.
    pub broken_by: Vec<u64>,
    /// The individuals in spans that break the guarantee.
    pub in_breach: u64,
    /// The individuals exposed to certain inference of some private attribute.
    pub exposed: u64,
    /// The same for each of `attributes`.
    pub exposed_to: Vec<u64>,
    /// The largest share of a span with one value of an attribute the guarantee looks at.
    pub max_confidence: f64,
    /// The population of the smallest bin, where bins count.
    pub smallest_bin: Option<u64>,
    /// The measures of each private attribute that the release speaks of.
    pub attributes: Vec<AttributeMeasures>,
}

/// Audits a model that was made from `table`.
///
/// # Errors
/// When the table, the policy and the model do not fit, or a number is too large for exact arithmetic.
pub fn audit_model(table: &Table, policy: &Policy, model: &Model, guarantee: &Guarantee) -> Result<Audit> {
    policy.check_whole(table)?;
    let linked = match model {
        Model::Tree(tree) => tree::link(table, policy, tree)?,
        Model::Clusters(clusters) => clusters::link(table, policy, clusters)?,
        Model::Rules(rules) => rules::link(table, policy, rules)?,
    };
    let asked = asks_smallest_bin(guarantee);
    let is_rules = matches!(model, Model::Rules(_));
    if is_rules && asked && linked.cells.is_none() {
        return Err(Error::new("the supports are not those of a table with a row for everybody"));
    }
    if !populations::fit(table, &linked, model) {
        return Err(Error::new("the populations in the release are not those of the table"));
    }
    finish(table, policy, &linked, guarantee, asked || !is_rules)
}

/// For each private attribute that a tree speaks of, how many individuals have the same value of it in every world that agrees with what the
/// leaves tell: their populations, their rounded shares, or nothing but a label. Labels are taken for the most frequent class value of their
/// leaf, the first on a tie and where nobody is, so that they tell as much as they can.
///
/// # Errors
/// When the table, the policy and the tree do not fit.
pub fn certain(table: &Table, policy: &Policy, tree: &Tree) -> Result<Vec<u64>> {
    let linked = tree::link(table, policy, tree)?;
    let (groups, guarantee) = (linked.groups(), &Guarantee::default());
    let figures =
        Figures { table, linked: &linked, guarantee, groups, in_scope: Vec::new(), bins_counted: true };
    Ok(figures.certain(tree))
}

/// Audits a table as it stands.
///
/// # Errors
/// When the table and the policy do not fit, or a number is too large for exact arithmetic.
pub fn audit_table(table: &Table, policy: &Policy, guarantee: &Guarantee) -> Result<Audit> {
    let linked = partition::link(table, policy)?;
    finish(table, policy, &linked, guarantee, asks_smallest_bin(guarantee))
}

fn asks_smallest_bin(guarantee: &Guarantee) -> bool {
    guarantee.requirements().iter().any(|r| matches!(r, Requirement::SmallestBin(_)))
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
    figures.audit().ok_or_else(|| Error::new("the numbers are too large for exact arithmetic"))
}
