//! The result of an audit.

mod build;

pub(super) use build::{build, size_classes};

use super::columns::{ColumnBreach, NotJudged};
use super::measures::AttributeMeasures;
use super::preset::PresetReport;
use super::risk::Risk;
use super::statements::StatedRequirement;
use crate::guarantee::{Guarantee, Requirement};
use crate::model::Detail;
use crate::printed::{RareValues, required_holders};
use crate::span::FirstTrees;
use crate::table::RowsLeftOut;
use serde::Serialize;

/// The result of an audit. It contains no private value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// What was audited: tree, ensemble, clusters, rules or table.
    pub family: &'static str,
    /// The file of the table that was judged, if a table was audited; set by the code that reads the file. A release
    /// file names its table itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_file: Option<String>,
    /// How much a tree reveals about the individuals in its leaves; `None` for other families. Figures are those of a
    /// release of counts, the worst case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// Whether every requirement holds. One that is [not proven](RequirementResult::is_unproven) does not.
    pub holds: bool,
    /// The requirements, in words.
    pub asked: Vec<RequirementResult>,
    /// Requirements that the release states but the audit did not have to check; set by the code that reads the
    /// release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<StatedRequirement>,
    /// The sets of public attributes that different attackers know, if the policy states such sets: every figure is the
    /// worst for someone who knows one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<Vec<String>>,
    /// If there are such sets: what someone finds who knows all public attributes, if that could be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_attributes: Option<AllAttributes>,
    /// Whether the release claims a blind structure; set by the code that reads the release. An audit sees one release
    /// and not how it was made, so it does not check this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub claims_blind: bool,
    /// What was found about the presets of the guarantee.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<PresetReport>,
    /// The rows of the table.
    pub rows: u64,
    /// The rows of its file that were left out, and because of which columns; set by the code that reads the file.
    pub rows_left_out: RowsLeftOut,
    /// The individuals of these rows.
    pub individuals: u64,
    /// The largest k that holds: the smallest population of a span that counts.
    pub k: u64,
    /// Columns of a table that identify individuals and must not be released. Any such column is a breach, whatever the
    /// spans are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub column_breaches: Vec<ColumnBreach>,
    /// Columns of a table that the policy ignores or does not list: released, and not judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<NotJudged>,
    /// The number of non-empty spans.
    pub spans: u64,
    /// The number of spans that break the guarantee; `None` if some do, but it is not known how many.
    pub breaches: Option<u64>,
    /// The individuals in these spans; `None` if their number is not known.
    pub in_breach: Option<u64>,
    /// The individuals exposed to certain inference of some private attribute; an upper bound if `at_most`.
    pub exposed: u64,
    /// If that is an upper bound: at least so many individuals are exposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposed_at_least: Option<u64>,
    /// The same for each attribute.
    pub exposed_to: Vec<ExposedTo>,
    /// The individuals for whom the release rules out a possible value of some private attribute. If every individual
    /// has one row, these include the exposed individuals.
    pub excluded: u64,
    /// The same for each attribute.
    pub excluded_to: Vec<ExposedTo>,
    /// Whether `exposed` and `excluded` are upper bounds: individuals have several rows, a tree contains less than
    /// counts, or an ensemble does not publish the populations of vectors of leaves.
    pub at_most: bool,
    /// The individuals for whom no other individual has as many rows in each of the same groups: k counted over all rows
    /// is 1 for them. `None` if every individual has one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone_over_rows: Option<u64>,
    /// The fewest individuals who have the same number of rows in each of the same groups: the k of someone who knows all
    /// rows of an individual. `None` if every individual has one row. Of a released table whose rows do not identify
    /// individuals only 1 (some are alone) or at least 2 is known, unless k counts all rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_over_rows: Option<u64>,
    /// The largest k over all rows that any release of the table can have: the fewest individuals with the same number
    /// of rows, which no release hides. `None` if every individual has one row or the number is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_k_at_most: Option<u64>,
    /// The highest confidence an attacker can have in a private value, over the attributes that the guarantee covers;
    /// `None` if the release contains none of these attributes, so that nothing was measured.
    pub max_confidence: Option<f64>,
    /// The attributes that this confidence was measured for.
    pub confidence_of: Vec<String>,
    /// The population of the smallest bin, if bins were counted; or, if that is lower, the highest population that is
    /// possible for a cell that certainly has fewer individuals than the smallest bin requires. For rules, only the
    /// latter.
    pub smallest_bin: Option<u64>,
    /// The number of printed private values that fewer individuals have than k and the smallest bin require, but at
    /// least one individual, and that the policy does not declare. With a smallest bin they are a breach.
    pub rare_values: u64,
    /// The number of small cells that anyone can derive from the supports of rules: those below the required smallest
    /// bin, and those below k that no single rule publishes. Only the former are breaches.
    pub channels: u64,
    /// The smallest of them.
    pub smallest_channels: Vec<Channel>,
    /// The measures of each private attribute of the release.
    pub attributes: Vec<AttributeMeasures>,
    /// The distribution of span sizes.
    pub sizes: Vec<SizeClass>,
    /// The risk of re-identification, by the measures of the field.
    pub risk: Risk,
    /// The linking attack: the smallest groups, those in breach first.
    pub groups: Vec<Group>,
    /// For ensembles: what the first tree, the first two trees, and so on reveal. k is here the smallest number of
    /// individuals in a joint span, whatever the guarantee exempts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_trees: Vec<FirstTrees>,
    /// What else the owner should know.
    pub warnings: Vec<String>,
}

impl ExposedTo {
    /// The fewest individuals who can be exposed.
    pub fn surely(&self) -> u64 {
        self.at_least.unwrap_or(self.individuals)
    }
}

impl Report {
    /// The requirements, in words: a sentence for each requirement.
    pub fn guarantee(&self) -> Vec<String> {
        self.asked.iter().map(|asked| asked.requirement.clone()).collect()
    }

    /// The requirements for which no breach was found, but not everything could be searched.
    pub fn unproven(&self) -> Vec<String> {
        let unproven = self.asked.iter().filter(|asked| asked.is_unproven());
        unproven.map(|asked| asked.requirement.clone()).collect()
    }

    /// Whether individuals have several rows.
    pub fn has_several_rows(&self) -> bool {
        self.alone_over_rows.is_some()
    }

    /// The presets that do not hold, in words.
    pub fn broken_presets(&self) -> impl Iterator<Item = String> + '_ {
        self.presets
            .iter()
            .filter(|preset| !preset.holds)
            .map(|preset| format!("the preset {}", preset.preset))
    }

    /// The fewest individuals who can be exposed: `exposed` if that is exact.
    pub fn surely_exposed(&self) -> u64 {
        self.exposed_at_least.unwrap_or(self.exposed)
    }

    /// States that the release publishes no populations, so that upper bounds of exposure are all that is known.
    pub(super) fn without_populations(mut self) -> Self {
        self.at_most = true;
        if self.has_several_rows() {
            self.groups.iter_mut().for_each(|group| group.exposed_to.clear());
        }
        self.with_surely_exposed(0, |_| 0)
    }

    /// Sets the lower bounds of exposure, in total and of each attribute.
    pub(super) fn with_surely_exposed(mut self, all: u64, of: impl Fn(&str) -> u64) -> Self {
        self.exposed_at_least = Some(all);
        self.exposed_to.iter_mut().for_each(|to| to.at_least = Some(of(&to.attribute)));
        self
    }

    /// Adds the rare private values that are printed, which a smallest bin forbids.
    ///
    /// A release may state more than `found`.
    pub(super) fn with_rare_values(mut self, found: &RareValues, stated: u64, guarantee: &Guarantee) -> Self {
        let rare_values = found.total().max(stated);
        for (asked, requirement) in self.asked.iter_mut().zip(guarantee.requirements()) {
            if matches!(requirement, Requirement::SmallestBin(_)) {
                asked.rare_values = rare_values;
                self.holds &= rare_values == 0;
            }
        }
        let warned = rare_values > 0 && !self.prints_too_rare();
        self.warnings.extend(warned.then(|| found.warning(rare_values, required_holders(guarantee))));
        self.warnings.extend(found.warning_of_ranges(required_holders(guarantee)));
        Self { rare_values, ..self }
    }

    /// Whether printed private values are part of a breach.
    pub fn prints_too_rare(&self) -> bool {
        self.asked.iter().any(|asked| asked.rare_values > 0)
    }
}

/// What someone finds who knows all public attributes, where the guarantee is about attackers who know some of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AllAttributes {
    /// The individuals of the smallest group.
    pub k: u64,
    /// The number of groups.
    pub spans: u64,
    /// The individuals who are alone in their group.
    pub alone: u64,
    /// The individuals in groups that break the guarantee, if their number is known.
    pub in_breach: Option<u64>,
    /// The individuals with a private value that is certain; an upper bound if the report's figures are.
    pub exposed: u64,
}

/// A small set of individuals whose items anyone can derive: an inference channel of a set of rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// At least this many individuals.
    pub at_least: u64,
    /// At most this many.
    pub at_most: u64,
    /// The items they have.
    pub with: Vec<String>,
    /// The items they do not have.
    pub without: Vec<String>,
}

/// A requirement and how many spans break it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequirementResult {
    /// The requirement in words, with the private attributes it applies to.
    pub requirement: String,
    /// The number of spans that break it; `None` if some do, but it is not known how many.
    pub breaches: Option<u64>,
    /// The number of printed private values that break it because too few individuals have them; only a smallest bin
    /// forbids such values.
    #[serde(skip_serializing_if = "is_none")]
    pub rare_values: u64,
    /// The number of rules that are connected and too many for a search of all small cells, where it could not be proven
    /// in another way that there is none: that no span breaks a smallest bin then means only that no small cell was
    /// found, and the guarantee does not hold. 0 if there is a proof.
    #[serde(skip_serializing_if = "is_none")]
    pub unsearched_rules: u64,
}

impl RequirementResult {
    /// Whether nothing that breaks it was found, but not everything could be searched. What is not proven does not hold.
    pub fn is_unproven(&self) -> bool {
        self.unsearched_rules > 0 && self.breaches == Some(0) && self.rare_values == 0
    }

    /// Whether some span breaks it.
    pub fn is_broken_by_spans(&self) -> bool {
        self.breaches != Some(0)
    }
}

// Serde passes a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The number of individuals who are exposed to certain inference of an attribute, or have a value of it excluded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExposedTo {
    /// The attribute.
    pub attribute: String,
    /// The individuals; an upper bound if the report's figures are.
    pub individuals: u64,
    /// If that is an upper bound on exposed individuals: at least so many are exposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u64>,
    /// The share of individuals who have the most frequent value of the attribute in the whole table, in at least one
    /// of their rows: exposure to a value that nearly every individual has reveals little about anyone.
    pub most_frequent: f64,
}

/// The spans of a range of sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SizeClass {
    /// The smallest population.
    pub from: u64,
    /// The largest.
    pub to: u64,
    /// The number of spans.
    pub spans: u64,
    /// The number of individuals who are in them.
    pub individuals: u64,
}

/// One group of the linking attack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The number of individuals who are in it.
    pub individuals: u64,
    /// Who is in it, by public attributes.
    pub rule: String,
    /// Whether it breaks the guarantee.
    pub breach: bool,
    /// The private attributes its individuals are exposed to. If individuals have several rows: those of which all rows of
    /// the group must have the same value; someone may be exposed to others by all of their rows together.
    pub exposed_to: Vec<String>,
}
