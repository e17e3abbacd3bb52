//! The audit: whether a release is safe, and who is exposed.
//!
//! [`audit_model`] and [`audit_table`] carry out the linking attack ([`crate::span`]), check every span against a
//! guarantee and measure what the release reveals. They derive the spans of a release again and use nothing of a
//! miner's bookkeeping. Some span code is called by a miner and by the audit: all of it for clusters, the cells that
//! follow from supports for rules, what dependencies leave possible for trees and rules, dates as days for trees and
//! clusters, and the linking for the table method `spans`. For shared code the audit is not an independent check of the
//! miner, but the naive twin (`naive`) is: it shares no code with [`crate::span`] and this module except the types of
//! their results, and tests compare the two on small random cases. The result is a [`Report`]; a release may be written
//! only if [`Report::holds`].
//!
//! Two things are distinguished, as in the papers. *Anonymity* is the size of the group that an individual is linked
//! to. *Inference* concerns the private values of the group: an individual is **exposed** when the populations leave a
//! single possibility for a private attribute that the release distinguishes (exactly, over all worlds consistent with
//! the release, not by ratios of bins), whatever the size of the group. Populations are taken as released exactly,
//! which is the worst case, even where a tree contains only rounded shares or labels: shares are functions of the
//! populations, and labels are too or are part of the model, so what is certain or possible with populations bounds
//! what shares and labels can reveal (`docs/proofs.md`).
//!
//! Running time: linear in the rows, plus a sort within each span for its private values.

mod attackers;
mod blurred;
mod census;
mod certainty;
mod columns;
mod counted;
mod dependencies;
mod exchange;
mod joint;
mod judged;
mod measures;
mod persons;
mod populations;
mod preset;
mod quick;
mod report;
mod risk;
mod stated;
mod statements;
#[cfg(test)]
mod tests;
mod unchanging;
mod view;

pub use crate::span::FirstTrees;
pub use attackers::listed_sets;
pub use columns::{ColumnBreach, Naming, NotJudged, Unjudged};
pub use counted::{CountedTree, PublicCell, TreeAttributes};
pub use dependencies::refuse_contradicted;
pub use joint::{
    JointContent, JointFinding, JointRelease, JointReport, audit_last, audit_together, joint_populations,
    joint_spans,
};
pub use measures::{AttributeMeasures, Recursive};
pub use preset::{
    PresetAnswer, PresetReport, SafeHarborIdentifier, safe_harbor_breaks, safe_harbor_identifier,
};
pub use quick::holds;
pub use report::{AllAttributes, Channel, ExposedTo, Group, Report, RequirementResult, SizeClass};
pub use risk::{
    DEFAULT_THRESHOLD, OtherEstimate, PopulationFigures, PopulationGroups, PopulationSource,
    PopulationUniques, Presence, Risk, RiskFigures, population_of_model, population_of_table,
};
pub use stated::{StatedPeople, audit_stated_table};
pub use statements::{StatedRequirement, Statements};
pub use unchanging::unchanging;

use crate::error::{Error, Result};
use crate::guarantee::{Guarantee, PrivateItem, ResolvedScope};
use crate::model::{Detail, Model, Rule};
use crate::policy::{Policy, Undeclared};
use crate::printed::{RareValues, rare_in_model, rare_in_table, required_holders};
use crate::recoding::Legend;
use crate::span::{
    Linking, Sensitive, as_model_sees, canonical, in_days, link, link_columns, released_in_days,
};
use crate::table::{Column, Kind, Table};
use census::Census;

/// The maximum number of groups in a report.
const LISTED: usize = 10;

/// Audits a model that was made from `table`.
///
/// # Errors
/// When it cannot be checked: the table and the model do not match, the policy gives an attribute no usable role, the
/// released populations or shares are not those of the table, or the policy refuses undeclared dependencies that were
/// found.
pub fn audit_model(table: &Table, policy: &Policy, model: &Model, guarantee: &Guarantee) -> Result<Report> {
    let warnings = {
        // Without what cells define, which follows from public attributes.
        let (table, policy) = &in_days(table, policy, model)?;
        undeclared(table, policy, &model.attribute_names())
    };
    let (table, policy) = &as_model_sees(table, policy, model)?;
    let rare_values = || rare_in_model(table, policy, model, guarantee);
    audit_seen(table, policy, model, guarantee, warnings, rare_values)
}

/// Audits a model against a table as the model sees it, whose dependencies were looked for.
fn audit_seen(
    table: &Table,
    policy: &Policy,
    model: &Model,
    guarantee: &Guarantee,
    warnings: Result<Vec<String>>,
    rare_values: impl FnOnce() -> RareValues,
) -> Result<Report> {
    let linking = link(table, policy, model)?;
    populations::check(table, &linking, model)?;
    let warnings = warnings?;
    let mut report = finish(model.family(), table, policy, &linking, guarantee, warnings)?;
    let detail = match model {
        Model::Tree(tree) => Some(tree.detail()),
        Model::Ensemble(_) | Model::Clusters(_) | Model::Rules(_) => None,
    };
    let rare_values = rare_values();
    if judged_without_counts(model, guarantee) {
        report.warnings.push(
            "the rules state no counts; small cells were checked as if counts were published".to_owned(),
        );
    }
    // Populations of vectors of leaves are not published: the audited attacker knows more than the release contains.
    let credited = matches!(model, Model::Ensemble(_));
    let without = credited || detail.is_some_and(|detail| detail < Detail::Counts);
    if without || (report.has_several_rows() && !states_populations(model)) {
        report = report.without_populations();
    }
    let report = Report { detail, ..report.with_rare_values(&rare_values, 0, guarantee) };
    Ok(preset::with_presets(report, guarantee, &preset::of_model(model)))
}

/// Whether a model publishes the population of each of its bins.
fn states_populations(model: &Model) -> bool {
    match model {
        Model::Tree(tree) => tree.detail() == Detail::Counts,
        Model::Clusters(clusters) => {
            clusters.centroids().iter().all(|centroid| centroid.population.is_some())
        }
        Model::Ensemble(_) | Model::Rules(_) => false,
    }
}

/// Whether a smallest bin is required of rules that do not state all of their counts.
fn judged_without_counts(model: &Model, guarantee: &Guarantee) -> bool {
    let Model::Rules(rules) = model else { return false };
    let states = |rule: &Rule| rule.antecedent_count.is_some() && rule.both_count.is_some();
    guarantee.asked_smallest_bin().is_some_and(|n| n > 1) && !rules.rules().iter().all(states)
}

/// A table that is released, or would be.
#[derive(Debug, Clone, Copy)]
pub struct ReleasedTable<'a> {
    /// The table, as far as it was read. It may contain columns that are not used, to see how identifying they are.
    pub table: &'a Table,
    /// Columns that are released with it and were not read.
    pub unread: &'a [String],
    /// Columns that are left out before it is released. An attacker may still know them.
    pub left_out: &'a [String],
    /// What its release file states about the cells, if it has one: that is released as well.
    pub legend: Option<&'a Legend>,
}

impl<'a> ReleasedTable<'a> {
    /// A table that was read whole.
    pub fn whole(table: &'a Table) -> Self {
        Self { table, unread: &[], left_out: &[], legend: None }
    }

    /// The names of all columns that are released.
    fn names(&self) -> impl Iterator<Item = &'a str> {
        let is_given = |name: &&str| !self.left_out.iter().any(|other| other == name);
        let read = self.table.columns().iter().map(Column::name);
        read.chain(self.unread.iter().map(String::as_str)).filter(is_given)
    }
}

/// Audits a table from any source.
///
/// # Errors
/// When it cannot be checked: a public column of the policy is not there, or the guarantee names attributes that are
/// not in it.
pub fn audit_table(table: &Table, policy: &Policy, guarantee: &Guarantee) -> Result<Report> {
    audit_released_table(&ReleasedTable::whole(table), policy, guarantee)
}

/// Audits a table with all its columns: also those that are identifiers, ignored or not listed in the policy.
///
/// # Errors
/// As [`audit_table`].
pub fn audit_released_table(
    released: &ReleasedTable<'_>,
    policy: &Policy,
    guarantee: &Guarantee,
) -> Result<Report> {
    let (table, policy) = &released_in_days(released.table, policy)?;
    let table = &*canonical(table, policy)?;
    let released = &ReleasedTable { table, ..*released };
    let linking = link_columns(table, policy, released.left_out)?;
    let report = finish("table", table, policy, &linking, guarantee, Vec::new())?;
    let rare_values = rare_in_table(table, policy, released.left_out, required_holders(guarantee));
    Ok(with_columns(report.with_rare_values(&rare_values, 0, guarantee), released, policy, guarantee))
}

/// The report with its statements about single columns.
fn with_columns(
    mut report: Report,
    released: &ReleasedTable<'_>,
    policy: &Policy,
    guarantee: &Guarantee,
) -> Report {
    report.warnings.extend(columns::constant(released.names(), released.table, policy));
    report.warnings.extend(columns::nearly_all_different(&report, released, guarantee));
    let column_breaches = columns::breaches(released.names(), policy);
    let not_judged = columns::not_judged(released.names(), released.table, policy);
    let holds = report.holds && column_breaches.is_empty();
    let report = Report { holds, column_breaches, not_judged, ..report };
    preset::with_presets(report, guarantee, &preset::of_columns(released, policy))
}

fn finish(
    family: &'static str,
    table: &Table,
    policy: &Policy,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
    warnings: Vec<String>,
) -> Result<Report> {
    let (scope, census) = take(table, policy, linking, guarantee)?;
    let told = warnings.into_iter().chain(judged::unknown(&linking.sensitive));
    let about = linking.sensitive.iter().flat_map(|one| one.about.iter().map(String::as_str));
    let unchanging = unchanging(table, about, guarantee);
    let open = policy.undecided().into_iter().chain(policy.unprotected());
    let warnings = open.chain(told).chain(unchanging).collect();
    Ok(report::build(family, table, linking, guarantee, &scope, census, warnings))
}

/// The attributes that the guarantee applies to, and the counts of every span.
fn take(
    table: &Table,
    policy: &Policy,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
) -> Result<(ResolvedScope, Census)> {
    refuse_ranges_of_names(table, policy, &linking.sensitive)?;
    let scope = scope(policy, &linking.sensitive, guarantee)?;
    judged::refuse_unjudged(&linking.sensitive, guarantee, &scope.applies)?;
    judged::refuse_divided(linking, guarantee)?;
    let census = Census::take(table, policy, linking, guarantee, &scope.applies)?;
    Ok((scope, census))
}

/// Fails if the policy declares a range of private dates that the release lists as names: other possible days are
/// considered only for numbers of days.
fn refuse_ranges_of_names(table: &Table, policy: &Policy, sensitive: &[Sensitive]) -> Result<()> {
    let contained: Vec<PrivateItem<'_>> = sensitive.iter().map(Sensitive::contained).collect();
    for name in contained.iter().flat_map(PrivateItem::about) {
        let has_range = policy
            .attribute(name)
            .is_some_and(|attribute| attribute.kind == Some(Kind::Date) && attribute.range.is_some());
        if has_range && table.column(name).is_some_and(|column| !column.is_in_days()) {
            return Err(Error::input(
                "the release lists private dates as names, so a `range` of these dates cannot be checked",
            )
            .of_attribute(*name)
            .help(
                "remove `range` from this attribute in the policy, or leave the attribute out of the release",
            ));
        }
    }
    Ok(())
}

/// Which sensitive attributes the guarantee applies to.
fn scope(policy: &Policy, sensitive: &[Sensitive], guarantee: &Guarantee) -> Result<ResolvedScope> {
    let contained: Vec<PrivateItem<'_>> = sensitive.iter().map(Sensitive::contained).collect();
    guarantee.resolve(policy, &contained)
}

/// Warnings about private attributes of a release (`names`) that follow from public ones in the data or determine them,
/// though the policy does not declare this, and about declared dependencies that do not hold in the data. A released
/// table no longer shows this, so the code that makes a table has to call this function.
///
/// # Errors
/// When there are some and the policy refuses them, or a column cannot be examined.
pub fn undeclared(table: &Table, policy: &Policy, names: &[&str]) -> Result<Vec<String>> {
    let found = dependencies::undeclared(table, policy, names)?;
    Ok(worded(policy, &found)?.into_iter().chain(dependencies::contradicted(table, policy)).collect())
}

/// Warnings about dependencies that were found and are not declared.
fn worded(policy: &Policy, found: &[String]) -> Result<Vec<String>> {
    if let (Undeclared::Refuse, Some(first)) = (policy.undeclared, found.first()) {
        return Err(Error::input(format!("{first}, and the policy does not declare it"))
            .help("declare the dependency, or change the role of one of the two"));
    }
    let worded = |what: &String| {
        format!(
            "{what}: an attacker may use this; declare the dependency so that the audit takes it into account"
        )
    };
    Ok(found.iter().map(worded).collect())
}
