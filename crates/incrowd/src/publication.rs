//! The statements of a release file besides the model or the table: only what an attacker may know.
//!
//! - Figures based on the individuals of each class are left out if the leaves of a tree do not state them either.
//! - The seed stays with the owner: together with the method it could reveal which records were chosen.
//! - The inertia of clusters stays with the owner: it is a sum over private values to the last digit.
//! - The thresholds of rules and the number of rules left out stay with the owner: they would reveal the missing rules.
//! - The running time is left out: it is not a property of the release.

use incrowd_core::audit::Report;
use incrowd_core::model::Detail;
use incrowd_io::release::Origin;
use incrowd_mine::Structure;
use incrowd_mine::boost::{CheckedBoostParams, MinedEnsemble};
use incrowd_mine::clusters::{CheckedClusterParams, MinedClusters};
use incrowd_mine::rules::MinedRules;
use incrowd_mine::table::{CheckedTableParams, MinedTable, TableMethod};
use incrowd_mine::tree::{CheckedTreeParams, MinedTree};
use serde_json::{Map, Value, json};

/// The parameter that names the structure of a release.
pub(crate) const STRUCTURE: &str = "structure";

/// What a release file states about its origin.
#[derive(Debug, Clone)]
pub(crate) struct Publication {
    pub(crate) origin: Origin,
}

impl Publication {
    fn new(method: &str, report: &Report, weakened: Vec<String>, measured: Value) -> Self {
        let mut measured = object(measured);
        if report.has_several_rows() {
            measured.insert("several_rows".to_owned(), true.into());
        }
        let origin = Origin {
            method: Some(method.to_owned()),
            parameters: Map::new(),
            guarantee: report.guarantee(),
            weakened,
            measured,
        };
        Self { origin }
    }

    pub(crate) fn of_tree(mined: &MinedTree, params: &CheckedTreeParams, weakened: Vec<String>) -> Self {
        let summary = &mined.summary;
        let measured = if params.detail == Detail::Counts {
            json!({
                "leaves": summary.leaves,
                "spans": summary.spans,
                "k": summary.k,
                "exposed": mined.report.exposed,
                "at_most": mined.report.at_most,
                "max_confidence": mined.report.max_confidence,
                "error": summary.error,
            })
        } else {
            json!({ "leaves": summary.leaves, "spans": summary.spans, "k": summary.k })
        };
        Self::new(params.method.name(), &mined.report, weakened, measured)
    }

    /// States a blind structure.
    fn with_structure(mut self, structure: Structure) -> Self {
        if structure == Structure::Blind {
            self.origin.parameters.insert(STRUCTURE.to_owned(), structure.name().into());
        }
        self
    }

    pub(crate) fn of_ensemble(
        mined: &MinedEnsemble,
        params: &CheckedBoostParams,
        weakened: Vec<String>,
    ) -> Self {
        let measured = json!({
            "trees": mined.summary.trees,
            "spans": mined.summary.spans,
            "k": mined.summary.k,
        });
        Self::new("boost", &mined.report, weakened, measured).with_structure(params.structure)
    }

    pub(crate) fn of_clusters(
        mined: &MinedClusters,
        params: &CheckedClusterParams,
        weakened: Vec<String>,
    ) -> Self {
        let measured = json!({
            "clusters": mined.summary.clusters,
            "spans": mined.summary.spans,
            "k": mined.summary.k,
            "exposed": mined.report.exposed,
            "at_most": mined.report.at_most,
            "max_confidence": mined.report.max_confidence,
        });
        Self::new(params.method.name(), &mined.report, weakened, measured)
    }

    pub(crate) fn of_rules(mined: &MinedRules, weakened: Vec<String>) -> Self {
        let measured = json!({
            "spans": mined.summary.spans,
            "k": mined.summary.k,
            "exposed": mined.report.exposed,
            "at_most": mined.report.at_most,
            "max_confidence": mined.report.max_confidence,
        });
        Self::new("eclat", &mined.report, weakened, measured)
    }

    pub(crate) fn of_table(mined: &MinedTable, params: &CheckedTableParams, weakened: Vec<String>) -> Self {
        let measured = json!({
            "k": mined.summary.k,
            "spans": mined.summary.groups,
            "exposed": mined.report.exposed,
            "at_most": mined.report.at_most,
            "max_confidence": mined.report.max_confidence,
        });
        let mut publication = Self::new(params.method.name(), &mined.report, weakened, measured);
        // What the source's public cells, which attackers know, and the recoding determine.
        if mined.summary.swapped > 0.0 && mined.summary.loss.is_some() {
            publication.origin.measured.insert("untrue_cells".to_owned(), mined.summary.swapped.into());
        }
        let parameters = match params.method {
            TableMethod::Spans => json!({ "tree": params.tree.name() }),
            TableMethod::Kactus2 => json!({ "swapping": params.swapping, "as_printed": params.as_printed }),
            _ => json!({}),
        };
        publication.origin.parameters = object(parameters);
        if params.max_suppressed > 0.0 {
            publication.origin.parameters.insert("max_suppressed".to_owned(), params.max_suppressed.into());
        }
        if params.closed {
            publication.origin.parameters.insert("closed".to_owned(), true.into());
        }
        if !params.sets.is_empty() {
            publication.origin.parameters.insert("sets".to_owned(), json!(params.sets));
        }
        publication.with_structure(params.structure)
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
