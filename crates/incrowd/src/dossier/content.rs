//! What a dossier contains: the JSON form.

use super::change::TableChange;
use super::copied::CopiedRows;
use super::page::Mood;
use crate::ledger::{EarlierRelease, FiguresTogether};
use incrowd_core::audit::Report;
use incrowd_core::policy::Role;
use incrowd_core::table::{Kind, RowsLeftOut};
use incrowd_io::dossier::{DossierForm, FileRecord};
use incrowd_io::policy::DossierFields;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A dossier. Both forms have the same keys; the form for the public lacks most of them.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Content {
    pub(super) format: &'static str,
    pub(super) version: u64,
    pub(super) form: DossierForm,
    /// Whether the guarantee holds.
    pub(super) holds: bool,
    /// The day on which the dossier was made.
    pub(super) date: String,
    /// The program and its version.
    pub(super) program: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<u64>,
    /// What the policy's owner states.
    pub(super) statement: DossierFields,
    pub(super) files: Vec<FileRecord>,
    pub(super) release: ReleaseFacts,
    pub(super) guarantee: Vec<RequirementFacts>,
    /// The sets of attributes of the release that different attackers know, if the guarantee is about such sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sets: Vec<Vec<String>>,
    /// How serious the verdict of the owner's form is: that for the public is not more favourable.
    #[serde(skip)]
    pub(super) mood: Mood,
    /// The private attributes of the release that no requirement on private values applies to.
    #[serde(skip)]
    pub(super) unlimited: Vec<String>,
    /// The attributes that the release shows in ranges or sets of values.
    #[serde(skip)]
    pub(super) in_ranges: Vec<String>,
    /// Whether individuals have several rows, and the guarantee considers each row apart from the others.
    #[serde(skip)]
    pub(super) rows_apart: bool,
    /// Whether rules were not searched as a whole for small groups that follow from several of them.
    #[serde(skip)]
    pub(super) unsearched: bool,
    /// Requirements of the policy that were given up for this audit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weakened: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) policy: Option<PolicyFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ledger: Option<LedgerFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) audit: Option<Box<Report>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) utility: Option<Utility>,
    /// The name of the file with the JSON form, which the other forms refer to.
    #[serde(skip)]
    pub(super) json_name: Option<String>,
}

/// What a ledger states about the releases of the data.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LedgerFacts {
    /// The digest of its last line.
    pub(crate) head: Option<String>,
    pub(crate) releases: Vec<EarlierRelease>,
    /// What they reveal together, if there are several and the data were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<FiguresTogether>,
    /// Why that was not found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_together: Option<String>,
}

impl LedgerFacts {
    /// Whether nothing was found that all releases together break.
    pub(super) fn holds(&self) -> bool {
        self.together.as_ref().is_none_or(|own| own.holds)
    }
}

/// What is released, as its file states it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReleaseFacts {
    /// tree, ensemble, clusters, rules or table.
    pub(super) family: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) method: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) parameters: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) individuals: Option<u64>,
    /// Its size: leaves, trees, clusters, rules or rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<Size>,
    /// Of a table, the share of its public cells that are not true of their row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) untrue_cells: Option<f64>,
    /// The requirements that the release file states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) states: Vec<String>,
    /// Requirements of the policy that were weakened when it was made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weakened: Vec<String>,
    /// The figures that the release file states.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) measured: Map<String, Value>,
    /// The attributes that the release contains, with their roles.
    pub(super) attributes: Vec<ReleasedAttribute>,
    /// Whether individuals have several rows, if that may be stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) several_rows: Option<bool>,
    /// The individuals of the data, also those who were left out, if the data were read.
    #[serde(skip)]
    pub(super) individuals_of_data: Option<u64>,
    /// The number of individuals that the release file states.
    #[serde(skip)]
    pub(super) stated_individuals: Option<u64>,
    /// Whether the release is about items of baskets, whose names are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) baskets: bool,
}

/// How large a release is.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Size {
    pub(super) of: &'static str,
    pub(super) number: u64,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReleasedAttribute {
    pub(super) name: String,
    pub(super) role: Role,
}

/// A requirement, what it means, and whether it holds.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RequirementFacts {
    /// In the words of the audit, with the attributes that it applies to.
    pub(super) requirement: String,
    /// In plain words.
    pub(super) meaning: String,
    pub(super) result: RequirementState,
    /// The k of a requirement on the size of groups.
    #[serde(skip)]
    pub(super) k: Option<u64>,
    /// Without attributes, for the public.
    #[serde(skip)]
    pub(super) bare: String,
    /// The meaning without attributes, for the public.
    #[serde(skip)]
    pub(super) bare_meaning: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RequirementState {
    Holds,
    Broken,
    NotProven,
    NothingToCheck,
}

/// What the policy states about the data and the attacker.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PolicyFacts {
    pub(super) attributes: Vec<AttributeFacts>,
    /// The roles of items, for baskets, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) subject: Option<String>,
    pub(super) dependencies: Vec<DependencyFacts>,
    /// What happens about undeclared dependencies: `warn` or `refuse`.
    pub(super) undeclared_dependencies: &'static str,
    /// The sets of public attributes that different attackers know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sets: Vec<Vec<String>>,
    /// What happens to rows with a missing value: `refuse`, `drop` or `keep`.
    pub(super) missing_rows: &'static str,
    /// The same, of attributes that state it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) missing_rows_of: BTreeMap<String, &'static str>,
    /// The markers of missing values.
    pub(super) missing: Vec<String>,
    /// The rows of the data that were left out; none if the data were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rows_left_out: Option<RowsLeftOut>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct AttributeFacts {
    pub(super) name: String,
    pub(super) role: Role,
    /// Whether it is private but follows from what an attacker knows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) follows: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) undecided: bool,
    /// Whether the release contains it.
    pub(super) released: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Kind>,
    /// What values are possible, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) domain: Option<String>,
    /// How values are generalized, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) taxonomy: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct DependencyFacts {
    pub(super) from: Vec<String>,
    pub(super) to: String,
}

/// How useful the release is.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Utility {
    /// On the rows that it was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on_data: Option<Scores>,
    /// On other rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on_test: Option<Scores>,
    /// Other rows that are rows it was made from, if there are more than by chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) copied: Option<CopiedRows>,
    /// How a table differs from its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<TableChange>,
}

impl Utility {
    pub(super) fn is_empty(&self) -> bool {
        self.on_data.is_none() && self.on_test.is_none() && self.table.is_none()
    }
}

/// How often a classifier is right.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Scores {
    /// The rows with a class.
    pub(super) rows: u64,
    /// Those that are predicted wrongly.
    pub(super) wrong: u64,
    /// The share of these.
    pub(super) error: f64,
    /// The share that is wrong if the most frequent class is always predicted.
    pub(super) baseline: f64,
}
