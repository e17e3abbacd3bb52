//! One report for several attackers who know different attributes.

use super::LISTED;
use super::report::{AllAttributes, ExposedTo, Report, RequirementResult};
use crate::words::{count, counted};

/// Separates a requirement from the attributes it applies to.
const OF: &str = " of ";

impl Report {
    /// Combines the audits of one table for several attackers into one report: the first report, with the worst of all
    /// figures on anonymity and exposure.
    pub fn of_several(reports: Vec<Self>) -> Option<Self> {
        let mut reports = reports.into_iter();
        let mut all = reports.next()?;
        for report in reports {
            all.holds &= report.holds;
            all.k = all.k.min(report.k);
            all.rare_values = all.rare_values.max(report.rare_values);
            all.breaches = sum(all.breaches, report.breaches);
            all.in_breach = all.in_breach.zip(report.in_breach).map(|(one, other)| one.max(other));
            let surely = all.surely_exposed().max(report.surely_exposed());
            all.exposed_at_least = (all.at_most || report.at_most).then_some(surely);
            all.exposed = all.exposed.max(report.exposed);
            all.excluded = all.excluded.max(report.excluded);
            all.at_most |= report.at_most;
            all.alone_over_rows = all.alone_over_rows.max(report.alone_over_rows);
            all.k_over_rows = all.k_over_rows.into_iter().chain(report.k_over_rows).min();
            let both = all.max_confidence.into_iter().chain(report.max_confidence);
            all.max_confidence = both.reduce(f64::max);
            all.smallest_bin = all.smallest_bin.into_iter().chain(report.smallest_bin).min();
            join_certain(&mut all.exposed_to, report.exposed_to);
            join_certain(&mut all.excluded_to, report.excluded_to);
            for measures in report.attributes {
                match all.attributes.iter_mut().find(|own| own.name == measures.name) {
                    Some(own) => own.join(&measures),
                    None => all.attributes.push(measures),
                }
            }
            let is_new = |name: &String| !all.confidence_of.contains(name);
            let names: Vec<String> = report.confidence_of.into_iter().filter(is_new).collect();
            all.confidence_of.extend(names);
            let is_new = |warning: &String| !all.warnings.contains(warning);
            let warnings: Vec<String> = report.warnings.into_iter().filter(is_new).collect();
            all.warnings.extend(warnings);
            all.risk = all.risk.worse(report.risk);
            all.groups.extend(report.groups);
            for (all, one) in all.asked.iter_mut().zip(&report.asked) {
                all.requirement = joined(all, one);
                all.breaches = sum(all.breaches, one.breaches);
                all.rare_values = all.rare_values.max(one.rare_values);
            }
        }
        all.groups.sort_by_key(|group| (!group.breach, group.individuals));
        all.groups.truncate(LISTED);
        Some(all)
    }
}

impl Report {
    /// States that the report is about attackers who each know one of some sets of public attributes. `all` is the audit
    /// for an attacker who knows all public attributes, if it could be done: presets have no sets, so its answers to them
    /// count.
    #[must_use]
    pub fn of_sets(mut self, sets: &[Vec<String>], all: Option<&Self>) -> Self {
        if sets.is_empty() {
            return self;
        }
        self.all_attributes = all.map(|all| AllAttributes {
            k: all.k,
            spans: all.spans,
            alone: all.risk.sample_uniques,
            in_breach: all.in_breach,
            exposed: all.exposed,
        });
        match all {
            Some(all) => self.presets.clone_from(&all.presets),
            None => self.presets.iter_mut().for_each(|preset| preset.holds = false),
        }
        self.holds &= self.presets.iter().all(|preset| preset.holds);
        self.sets = sets.to_vec();
        let found = self.all_attributes.as_ref().map_or_else(
            || "; this was not checked".to_owned(),
            |all| {
                let alone = match all.alone {
                    0 => "no individual is alone in a group".to_owned(),
                    1 => "1 individual is alone in a group".to_owned(),
                    many => format!("{} individuals are alone in a group", count(many)),
                };
                format!(
                    ": with all public attributes there are {}, the smallest has {}, and {alone}",
                    counted(all.spans, "group"),
                    counted(all.k, "individual")
                )
            },
        );
        self.warnings.push(format!(
            "the guarantee is about someone who knows one of these sets of attributes: {}; someone who knows attributes of \
             several sets can tell more individuals apart{found}",
            listed_sets(sets)
        ));
        if !self.presets.is_empty() {
            self.warnings.push(
                "presets are judged for someone who knows all public attributes, not for `sets` of them"
                    .to_owned(),
            );
        }
        self
    }
}

/// Sets of attributes in a sentence: "(1) age, zip; (2) zip, sex".
pub fn listed_sets(sets: &[Vec<String>]) -> String {
    let set = |(place, set): (usize, &Vec<String>)| format!("({}) {}", place + 1, set.join(", "));
    sets.iter().enumerate().map(set).collect::<Vec<_>>().join("; ")
}

/// A requirement with the attributes it is broken of; if it is broken for both attackers or for neither, with those of
/// both.
fn joined(all: &RequirementResult, one: &RequirementResult) -> String {
    let is_broken = |result: &RequirementResult| result.breaches != Some(0);
    match (is_broken(all), is_broken(one)) {
        (true, false) => return all.requirement.clone(),
        (false, true) => return one.requirement.clone(),
        _ => {}
    }
    let (what, own, others) = match (all.requirement.split_once(OF), one.requirement.split_once(OF)) {
        (Some((what, own)), Some((_, others))) => (what, own, others),
        // For one of the attackers there is nothing to check.
        (None, Some(_)) => return one.requirement.clone(),
        _ => return all.requirement.clone(),
    };
    let own: Vec<&str> = own.split(", ").collect();
    let more = others.split(", ").filter(|name| !own.contains(name));
    let names: Vec<&str> = own.iter().copied().chain(more).collect();
    format!("{what}{OF}{}", names.join(", "))
}

/// The sum of two numbers, if both are known.
fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.zip(other).map(|(one, other)| one + other)
}

/// For each attribute, the larger number of individuals of two audits.
fn join_certain(all: &mut Vec<ExposedTo>, others: Vec<ExposedTo>) {
    for other in others {
        match all.iter_mut().find(|own| own.attribute == other.attribute) {
            Some(own) => {
                let surely = own.surely().max(other.surely());
                own.individuals = own.individuals.max(other.individuals);
                own.at_least = (own.at_least.is_some() || other.at_least.is_some()).then_some(surely);
            }
            None => all.push(other),
        }
    }
}
