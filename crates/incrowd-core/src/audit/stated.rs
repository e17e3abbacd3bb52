//! Tables whose rows do not identify individuals: audited by the counts recorded when the table was made.
//!
//! Several rows of one individual count once. A released table has no column that identifies individuals, so
//! individuals cannot be counted from its rows. Its release file therefore states how many individuals each group has,
//! and the measures of their private values. k is checked against the former, group by group, and other requirements
//! against the latter.
//!
//! The rows rule out many false statements: a value cannot have more individuals than rows ([`bounds`]). A statement
//! that the rows rule out, or that contradicts other statements, is an error ([`check`]).

mod bounds;
mod check;
mod left_out;

use super::blurred::refuse_blurred;
use super::census::Census;
use super::measures::AttributeMeasures;
use super::report::build;
use super::report::{ExposedTo, Group, Report, RequirementResult, size_classes};
use super::risk::Risk;
use super::{LISTED, ReleasedTable, take, with_columns};
use crate::error::{Error, Result};
use crate::group::sizes;
use crate::guarantee::k::K;
use crate::guarantee::{Distance, Guarantee, Requirement, SeveralRows, SingleBin};
use crate::policy::Policy;
use crate::printed::{RareValues, rare_in_table, required_holders};
use crate::span::{Linking, canonical, known_columns, link_columns, link_table, released_in_days};
use crate::table::{Column, Table};
use bounds::Allowed;
use check::contradicted;
use serde::{Deserialize, Serialize};

/// The counts of the individuals of a table, for an attacker who knows some columns.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedPeople {
    /// The columns the attacker knows, in the order of the table.
    pub by: Vec<String>,
    /// All individuals.
    pub individuals: u64,
    /// The individuals of each group of rows that are equal in those columns, in the order of the groups' first rows.
    pub groups: Vec<u64>,
    /// The k that was measured, as the guarantee then in force defines it.
    pub k: u64,
    /// The requirements that were found to hold, in words.
    pub held: Vec<String>,
    /// The individuals exposed to certain inference.
    pub exposed: u64,
    /// The same for each private attribute, in the order of the table.
    pub exposed_to: Vec<u64>,
    /// At least so many are exposed; none in older files.
    #[serde(default)]
    pub exposed_at_least: Option<u64>,
    /// The same for each private attribute, in the order of the table; empty in older files.
    #[serde(default)]
    pub exposed_to_at_least: Vec<u64>,
    /// The individuals for whom a value is ruled out.
    pub excluded: u64,
    /// The same for each private attribute, in the order of the table.
    pub excluded_to: Vec<u64>,
    /// The share of individuals who have the most frequent value of each private attribute, in the order of the table.
    /// Empty in older files; the share is then one of rows.
    #[serde(default)]
    pub most_frequent: Vec<f64>,
    /// The individuals whose groups over all of their rows no other individual has, if some individual has several
    /// rows.
    #[serde(default)]
    pub alone_over_rows: Option<u64>,
    /// The smallest bin, where bins were counted.
    pub smallest_bin: Option<u64>,
    /// The required number of individuals with a printed private value.
    #[serde(default)]
    pub required_holders: u64,
    /// The number of printed private values that fewer individuals have.
    #[serde(default)]
    pub rare_values: u64,
    /// The measures of each private attribute, in the order of the table.
    pub attributes: Vec<AttributeMeasures>,
}

impl StatedPeople {
    /// The statements about a table that identifies its individuals, and about its audit.
    ///
    /// # Errors
    /// When the table and the policy do not match.
    pub fn of(table: &Table, policy: &Policy, guarantee: &Guarantee, report: &Report) -> Result<Self> {
        let linking = link_table(table, policy)?;
        Ok(Self {
            by: names(&known_columns(table, policy, &[])),
            individuals: table.individuals(),
            groups: sizes(&linking.span_of_row, linking.spans, table),
            k: report.k,
            held: report
                .asked
                .iter()
                .filter(|a| !a.is_broken_by_spans())
                .map(|a| a.requirement.clone())
                .collect(),
            exposed: report.exposed,
            exposed_to: report.exposed_to.iter().map(|exposed| exposed.individuals).collect(),
            exposed_at_least: Some(report.surely_exposed()),
            exposed_to_at_least: report.exposed_to.iter().map(ExposedTo::surely).collect(),
            excluded: report.excluded,
            excluded_to: report.excluded_to.iter().map(|excluded| excluded.individuals).collect(),
            most_frequent: report.exposed_to.iter().map(|exposed| exposed.most_frequent).collect(),
            alone_over_rows: report.alone_over_rows,
            smallest_bin: report.smallest_bin,
            required_holders: required_holders(guarantee),
            rare_values: report.rare_values,
            attributes: report.attributes.clone(),
        })
    }

    /// The number of groups that break a requirement; `None` if it is only known that some do.
    fn breaches(
        &self,
        requirement: &Requirement,
        words: &str,
        linking: &Linking<'_>,
        in_scope: &[bool],
        allowed: &[Allowed<'_>],
    ) -> Result<Option<u64>> {
        if let Requirement::K(k) = requirement
            && k.several_rows() == SeveralRows::Counted
        {
            let small = (0..linking.spans).filter(|&span| self.is_small(span, *k, linking));
            return Ok(Some(small.count() as u64));
        }
        if self.held.iter().any(|held| held == words) {
            let contradicts = self.contradicts(requirement, linking, in_scope, allowed);
            return if contradicts { Err(contradicted(words)) } else { Ok(Some(0)) };
        }
        if let Requirement::K(_) = requirement {
            // Who has the same groups in all rows does not follow from the sizes of groups.
            return Err(not_stated(words));
        }
        let asked = self.attributes.iter().zip(in_scope).filter(|(_, asked)| **asked);
        let mut breaks = false;
        for (measures, _) in asked {
            breaks |= is_broken(requirement, measures).ok_or_else(|| not_stated(words))?;
        }
        if let Requirement::SmallestBin(least) = requirement {
            breaks = self.smallest_bin.ok_or_else(|| not_stated(words))? < least.n();
        }
        Ok((!breaks).then_some(0))
    }

    /// Whether other statements, or the rows, show that a requirement does not hold.
    fn contradicts(
        &self,
        requirement: &Requirement,
        linking: &Linking<'_>,
        in_scope: &[bool],
        allowed: &[Allowed<'_>],
    ) -> bool {
        match requirement {
            // In a table without rows, every requirement holds.
            _ if linking.spans == 0 => false,
            // The strict reading counts no more than the individuals of a group.
            Requirement::K(k) => {
                let counts = (0..linking.spans).filter(|&span| !is_exempt(span, Some(*k), linking)).count();
                let any_alone =
                    counts == linking.spans && self.alone_over_rows.is_some_and(|alone| alone > 0);
                (0..linking.spans).any(|span| self.is_small(span, *k, linking))
                    || (counts > 0 && self.k < k.k())
                    || (any_alone && k.k() > 1)
                    || (counts == linking.spans && !self.can_be_alike(k.k(), linking))
            }
            Requirement::SmallestBin(least) => self.smallest_bin.is_none_or(|bin| bin < least.n()),
            _ => self.attributes.iter().zip(allowed).zip(in_scope).filter(|(_, asked)| **asked).any(
                |((measures, allowed), _)| {
                    let undecided = || match requirement {
                        Requirement::RecursiveL(r) => allowed.recursive(r.l()) >= r.c() * (1.0 + SAME),
                        _ => false,
                    };
                    is_broken(requirement, measures).unwrap_or_else(undecided)
                },
            ),
        }
    }

    /// The rare printed private values that rows show; more may be stated. A value has at least as many rows as
    /// individuals, so values that few rows have are rare as well.
    ///
    /// # Errors
    /// When it matters and was not stated for as many individuals.
    fn rare_values(
        &self,
        released: &ReleasedTable<'_>,
        policy: &Policy,
        guarantee: &Guarantee,
    ) -> Result<RareValues> {
        let required = required_holders(guarantee);
        if guarantee.asked_smallest_bin().is_some() && required > self.required_holders {
            return Err(not_stated("a smallest bin"));
        }
        Ok(rare_in_table(released.table, policy, released.left_out, required))
    }

    fn is_small(&self, span: usize, k: K, linking: &Linking<'_>) -> bool {
        self.groups[span] < k.k() && !is_exempt(span, Some(k), linking)
    }

    /// The smallest population among the groups that count; every individual, if none does.
    fn largest_k(&self, k: Option<K>, linking: &Linking<'_>) -> u64 {
        if k.is_some_and(|k| k.several_rows() == SeveralRows::Strict) {
            return self.k;
        }
        let counts = (0..linking.spans).filter(|&span| !is_exempt(span, k, linking));
        counts.map(|span| self.groups[span]).min().unwrap_or(self.individuals)
    }
}

fn names(columns: &[&Column]) -> Vec<String> {
    columns.iter().map(|column| column.name().to_owned()).collect()
}

fn is_exempt(span: usize, k: Option<K>, linking: &Linking<'_>) -> bool {
    k.is_some_and(|k| k.single_bin() == SingleBin::Exempt)
        && linking.single_bin.get(span).copied().unwrap_or(false)
}

/// Entropies closer than this are equal.
const SAME: f64 = 1e-12;

/// Whether the measures of an attribute break a requirement; `None` if they do not decide it.
pub(super) fn is_broken(requirement: &Requirement, measures: &AttributeMeasures) -> Option<bool> {
    Some(match requirement {
        Requirement::K(_) | Requirement::SmallestBin(_) => false,
        Requirement::DistinctL(l) => measures.distinct_l < l.l(),
        Requirement::EntropyL(l) => measures.entropy_l < l.l() - SAME,
        Requirement::Confidence(cap) => measures.max_confidence > cap.cap(),
        Requirement::Alpha(alpha) => measures.alpha > alpha.alpha(),
        Requirement::Beta(beta) => measures.beta > beta.beta(),
        Requirement::TCloseness(t) => match (t.distance(), measures.t_ordered) {
            (Distance::Ordered, Some(ordered)) => ordered > t.t(),
            _ => measures.t_equal > t.t(),
        },
        // With fewer values separated, c does not grow.
        Requirement::RecursiveL(r) if r.l() <= measures.recursive.l && measures.recursive.c < r.c() => false,
        Requirement::RecursiveL(r) if r.l() >= measures.recursive.l && measures.recursive.c >= r.c() => true,
        Requirement::RecursiveL(_) => return None,
    })
}

fn not_stated(words: &str) -> Error {
    Error::input(format!(
        "the release file does not state whether {words} holds, and the table's rows do not identify individuals"
    ))
    .help("require what the table was made to guarantee, or audit it with its subject column")
}

/// Audits a table whose rows do not identify individuals, by the statements about them.
///
/// # Errors
/// As [`super::audit_table`], and when the statements are not about this table or do not decide a requirement.
pub fn audit_stated_table(
    released: &ReleasedTable<'_>,
    policy: &Policy,
    guarantee: &Guarantee,
    stated: &StatedPeople,
) -> Result<Report> {
    let (table, policy) = &released_in_days(released.table, policy)?;
    let table = &*canonical(table, policy)?;
    let released = &ReleasedTable { table, ..*released };
    stated.check_left_out(released)?;
    let linking = link_columns(table, policy, released.left_out)?;
    let stated = &*stated.without_left_out(released, policy, guarantee, &linking)?;
    stated.check_groups(released, policy, &linking)?;
    let (scope, by_rows) = take(table, policy, &linking, guarantee)?;
    let in_scope = &scope.applies;
    refuse_blurred(&linking.sensitive, guarantee, in_scope, true)?;
    let allowed = Allowed::by(table, &linking, &stated.groups, stated.individuals);
    stated.check_figures(released, policy, &linking, &by_rows, &allowed)?;
    let sure = stated.surely_exposed(&by_rows)?;
    let certain = certain_of_groups(&linking, &by_rows);
    let warnings = policy.undecided().into_iter().collect();
    let mut report = build("table", table, &linking, guarantee, &scope, by_rows, warnings);
    for (asked, requirement) in report.asked.iter_mut().zip(guarantee.requirements()) {
        asked.breaches = stated.breaches(requirement, &asked.requirement, &linking, in_scope, &allowed)?;
    }
    let k = guarantee.requirements().iter().find_map(|requirement| match requirement {
        Requirement::K(k) => Some(*k),
        _ => None,
    });
    // Where the strict reading is required, it held: otherwise it would have been refused.
    let counted = k.filter(|k| k.several_rows() == SeveralRows::Counted);
    let is_small = |span: usize| counted.is_some_and(|k| stated.is_small(span, k, &linking));
    let broken: Vec<bool> = (0..linking.spans).map(is_small).collect();
    let small: u64 = (0..linking.spans).filter(|&span| broken[span]).map(|span| stated.groups[span]).sum();
    report.holds = !report.asked.iter().any(RequirementResult::is_broken_by_spans);
    // Which groups break another requirement than k, and who is in them, is not stated.
    let breaches: Option<Vec<u64>> = report.asked.iter().map(|asked| asked.breaches).collect();
    report.breaches = breaches.map(|breaches| breaches.into_iter().max().unwrap_or(0));
    report.in_breach = report.breaches.map(|_| small.min(stated.individuals));
    report.individuals = stated.individuals;
    report.k = stated.largest_k(k, &linking);
    (report.exposed, report.excluded, report.at_most) = (stated.exposed, stated.excluded, true);
    report.alone_over_rows = stated.alone_over_rows;
    let is_strict = k.is_some_and(|k| k.several_rows() == SeveralRows::Strict);
    // If no individual is alone, there are two at least; more is known only where the strict reading held.
    let fewest = |alone: u64| if alone > 0 { 1 } else { 2 };
    report.k_over_rows = stated.alone_over_rows.map(|alone| if is_strict { report.k } else { fewest(alone) });
    report.exposed_to.iter_mut().zip(&stated.exposed_to).for_each(|(to, &stated)| to.individuals = stated);
    report.excluded_to.iter_mut().zip(&stated.excluded_to).for_each(|(to, &stated)| to.individuals = stated);
    let places: Vec<String> = report.exposed_to.iter().map(|to| to.attribute.clone()).collect();
    let of = |name: &str| places.iter().position(|own| own == name).map_or(0, |place| sure.1[place]);
    let mut report = report.with_surely_exposed(sure.0, of);
    for to in [&mut report.exposed_to, &mut report.excluded_to] {
        to.iter_mut().zip(&stated.most_frequent).for_each(|(to, &stated)| to.most_frequent = stated);
    }
    let confidence = stated.attributes.iter().zip(in_scope);
    let confidence = confidence.filter(|&(measures, &asked)| asked && measures.is_measured());
    report.max_confidence = confidence.map(|(measures, _)| measures.max_confidence).reduce(f64::max);
    report.attributes.clone_from(&stated.attributes);
    report.smallest_bin = stated.smallest_bin;
    let rare_values = stated.rare_values(released, policy, guarantee)?;
    report.sizes = size_classes(stated.groups.iter().copied());
    report.risk = Risk::of_sizes(stated.groups.iter().copied());
    report.groups = groups(stated, &linking, &broken, &certain);
    let report = report.with_rare_values(&rare_values, stated.rare_values, guarantee);
    Ok(with_columns(report, released, policy, guarantee))
}

/// For each group the private attributes of which all of its rows have one value.
fn certain_of_groups(linking: &Linking<'_>, by_rows: &Census) -> Vec<Vec<String>> {
    let of = |group: usize| {
        let all = by_rows.certain.iter().zip(&linking.sensitive);
        let certain = all.filter(|(certainty, _)| certainty.sure.of_span[group]);
        certain.map(|(_, sensitive)| sensitive.name.clone()).collect()
    };
    (0..linking.spans).map(of).collect()
}

fn groups(
    stated: &StatedPeople,
    linking: &Linking<'_>,
    broken: &[bool],
    certain: &[Vec<String>],
) -> Vec<Group> {
    let mut spans: Vec<usize> = (0..linking.spans).collect();
    spans.sort_unstable_by_key(|&span| (!broken[span], stated.groups[span], span));
    spans.truncate(LISTED);
    let group = |span: usize| Group {
        individuals: stated.groups[span],
        rule: linking.rule(span),
        breach: broken[span],
        exposed_to: certain[span].clone(),
    };
    spans.into_iter().map(group).collect()
}
