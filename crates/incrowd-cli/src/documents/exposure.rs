//! What an attacker can infer from a release although its guarantee holds: part of every summary.

use incrowd::audit::{AttributeMeasures, ExposedTo, Report};
use serde::Serialize;

/// The exposed individuals, and the confidence that an attacker can reach.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Exposure {
    /// The individuals exposed to certain inference of some private attribute.
    pub(crate) exposed: u64,
    /// If that is an upper bound: at least so many individuals are exposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exposed_at_least: Option<u64>,
    /// The exposed individuals per attribute, with the share of its most frequent value in the whole table.
    pub(crate) exposed_to: Vec<ExposedTo>,
    /// The individuals for whom a value of some private attribute is ruled out, those exposed included.
    pub(crate) excluded: u64,
    /// Whether these numbers are upper bounds: because individuals have several rows, because leaves with less detail
    /// are audited as if they contained counts, or because an ensemble is audited as if it contained the populations of
    /// vectors of leaves.
    pub(crate) at_most: bool,
    /// The individuals whose groups over all of their rows no other individual has. `None` if each has one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alone_over_rows: Option<u64>,
    /// The largest k that `several-rows = "strict"` can have in any release of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strict_k_at_most: Option<u64>,
    /// The population of the smallest bin, or of the smallest cell that can be derived, if it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) smallest_bin: Option<u64>,
    /// The printed private values that too few individuals have and that the policy does not declare.
    pub(crate) rare_values: u64,
    /// The highest confidence in a private value. `None` if the release contains no attribute the guarantee applies to.
    pub(crate) max_confidence: Option<f64>,
    /// The attributes that the confidence was measured for.
    pub(crate) confidence_of: Vec<String>,
    /// Those in whose values it is that high.
    #[serde(skip)]
    pub(crate) highest_in: Vec<String>,
    /// How many sets of attributes the guarantee is about; 0 if it is about all public attributes.
    #[serde(skip)]
    pub(crate) sets: usize,
    /// What was audited.
    #[serde(skip)]
    pub(crate) family: &'static str,
    /// Whether the numbers are upper bounds and no group has one value only: perhaps no individual is exposed.
    #[serde(skip)]
    pub(crate) may_be_none: bool,
}

impl Exposure {
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            exposed: report.exposed,
            exposed_at_least: report.exposed_at_least,
            exposed_to: report.exposed_to.clone(),
            excluded: report.excluded,
            at_most: report.at_most,
            alone_over_rows: report.alone_over_rows,
            strict_k_at_most: report.strict_k_at_most,
            smallest_bin: report.smallest_bin,
            rare_values: report.rare_values,
            max_confidence: report.max_confidence,
            confidence_of: report.confidence_of.clone(),
            highest_in: highest_in(report),
            sets: report.sets.len(),
            family: report.family,
            may_be_none: report.at_most && report.surely_exposed() == 0 && !has_single_values(report),
        }
    }

    /// The fewest individuals who can be exposed.
    pub(crate) fn surely(&self) -> u64 {
        self.exposed_at_least.unwrap_or(self.exposed)
    }

    /// Whether nothing is known about exposure but its lower bound: the rows of an individual in several releases.
    pub(crate) fn is_unknown(&self) -> bool {
        self.family == "releases" && self.has_several_rows() && self.exposed > 0
    }

    /// Whether some individual has several rows.
    pub(crate) fn has_several_rows(&self) -> bool {
        self.alone_over_rows.is_some()
    }
}

/// The attributes in whose values an attacker has the highest confidence; all that were measured if that is unknown.
fn highest_in(report: &Report) -> Vec<String> {
    let measures = report.attributes.iter().filter(|measures| report.confidence_of.contains(&measures.name));
    let highest = measures.filter(|measures| Some(measures.max_confidence) == report.max_confidence);
    let highest: Vec<String> = highest.map(|measures| measures.name.clone()).collect();
    if highest.is_empty() { report.confidence_of.clone() } else { highest }
}

/// Whether all individuals of some group have the same value of an attribute that individuals are exposed to.
fn has_single_values(report: &Report) -> bool {
    let is_exposed =
        |name: &String| report.exposed_to.iter().any(|to| to.attribute == *name && to.individuals > 0);
    let certain = |measures: &AttributeMeasures| measures.is_measured() && measures.max_confidence >= 1.0;
    report.attributes.iter().any(|measures| certain(measures) && is_exposed(&measures.name))
}
