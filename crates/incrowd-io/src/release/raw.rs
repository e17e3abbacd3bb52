//! Release files as they are written, before anything is checked. The comments here become the schema's descriptions.

use super::cells::RawCells;
use super::coordinate::RawCoordinate;
use super::item::RawItem;
use super::object::Object;
use super::recoding::RawRecoding;
use super::scoring::{RawScoredTree, RawScoring};
use super::{Origin, VERSION};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::mem::take;

#[cfg(feature = "schema")]
use schemars::JsonSchema;

/// The mark of a release file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(inline))]
pub(super) enum Format {
    #[serde(rename = "incrowd-release")]
    Release,
}

/// A family of releases: what all have in common, and its own keys. (Flattening one struct into the others would give
/// up refusing unknown keys, and lines and columns in errors.)
macro_rules! family {
    ($(#[$about:meta])* $raw:ident, $mark:ident, $family:literal {
        $($(#[$meta:meta])* $field:ident: $type:ty,)*
    }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(JsonSchema), schemars(inline))]
        pub(super) enum $mark {
            #[serde(rename = $family)]
            Family,
        }

        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = $family))]
        pub(super) struct $raw {
            pub(super) format: Format,
            /// The version of the format.
            #[cfg_attr(feature = "schema", schemars(extend("const" = 1)))]
            pub(super) version: u32,
            pub(super) family: $mark,
            /// The number of individuals that the release was made from.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) individuals: Option<u64>,
            /// How it was made.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) method: Option<String>,
            /// The parameters of the method.
            #[serde(default, skip_serializing_if = "Map::is_empty")]
            pub(super) parameters: Map<String, Value>,
            /// What it was made to guarantee.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub(super) guarantee: Vec<String>,
            /// What the owner's policy requires and the release was explicitly allowed to weaken.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub(super) weakened: Vec<String>,
            /// What its audit measured.
            #[serde(default, skip_serializing_if = "Map::is_empty")]
            pub(super) measured: Map<String, Value>,
            $($(#[$meta])* pub(super) $field: $type,)*
        }

        impl $raw {
            #[allow(clippy::too_many_arguments, reason = "one for each key of the file")]
            pub(super) fn new(individuals: Option<u64>, origin: &Origin, $($field: $type),*) -> Self {
                let Origin { method, parameters, guarantee, weakened, measured } = origin.clone();
                Self {
                    format: Format::Release,
                    version: VERSION,
                    family: $mark::Family,
                    individuals,
                    method,
                    parameters,
                    guarantee,
                    weakened,
                    measured,
                    $($field),*
                }
            }

            pub(super) fn take_origin(&mut self) -> Origin {
                let Self { method, parameters, guarantee, weakened, measured, .. } = self;
                Origin {
                    method: take(method),
                    parameters: take(parameters),
                    guarantee: take(guarantee),
                    weakened: take(weakened),
                    measured: take(measured),
                }
            }
        }
    };
}

family! {
    /// A decision tree.
    RawTree, TreeMark, "tree" {
        class: Object<RawClass>,
        /// The attributes the tree may test.
        attributes: Vec<Object<RawAttribute>>,
        /// The number of decimal digits that all shares of leaves are rounded to.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 9)))]
        digits: Option<u8>,
        /// The nodes by number; 0 is the root. A child comes after its parent and has no other.
        #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
        nodes: Vec<RawNode>,
    }
}

family! {
    /// Trees whose leaf scores add up or are averaged.
    RawEnsemble, EnsembleMark, "ensemble" {
        class: Object<RawClass>,
        /// The attributes the trees may test, or the tree of cells.
        attributes: Vec<Object<RawAttribute>>,
        /// The cells, whose attributes the trees may test as well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cells: Option<Object<RawCells>>,
        scoring: Object<RawScoring>,
        /// The trees, in the order in which their scores are added.
        #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
        trees: Vec<Object<RawScoredTree>>,
    }
}

family! {
    /// A clustering: a point belongs to the nearest centroid, the first one on a tie.
    RawClusters, ClustersMark, "clusters" {
        /// The attributes the distance is taken over.
        #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
        axes: Vec<Object<RawAxis>>,
        #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
        centroids: Vec<Object<RawCentroid>>,
    }
}

family! {
    /// A set of association rules.
    RawRules, RulesMark, "rules" {
        /// The attributes of items, all of them with a list of values.
        attributes: Vec<Object<RawAttribute>>,
        rules: Vec<Object<RawRule>>,
    }
}

family! {
    /// What belongs to a table that is released as a separate file.
    RawTable, TableMark, "table" {
        /// The name of the table's file, which is in the same directory as this one.
        #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[^/\\]+$")))]
        file: String,
        /// The number of rows.
        rows: u64,
        /// The SHA-256 digest of the table's file.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{64}$")))]
        sha256: Option<String>,
        /// What the cells of its private columns are.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        kinds: BTreeMap<String, RawKind>,
        /// What was counted of the individuals where several rows can be one individual's, for each set of columns some
        /// attacker knows.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        people: Vec<Map<String, Value>>,
        /// How new rows are recoded like the table.
        #[serde(skip_serializing_if = "Option::is_none")]
        recoding: Option<Object<RawRecoding>>,
    }
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "kind"))]
pub(super) enum RawKind {
    Numeric,
    Categorical,
    Ordered,
}

/// The class attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "class"))]
pub(super) struct RawClass {
    pub(super) name: String,
    /// The class values, each once.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), extend("uniqueItems" = true)))]
    pub(super) values: Vec<String>,
}

/// An attribute and its possible values, which are public knowledge: one of `values`, or, if `numeric`, a number from
/// `low` to `high`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "attribute", extend("oneOf" = [
    {"required": ["values"], "properties": {
        "values": {"type": "array"}, "numeric": {"const": false}, "dates": {"const": false}, "low": {"const": null}, "high": {"const": null}
    }},
    {"required": ["numeric"], "properties": {"numeric": {"const": true}, "values": {"const": null}}}
])))]
pub(super) struct RawAttribute {
    pub(super) name: String,
    /// Its values, each once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1), extend("uniqueItems" = true)))]
    pub(super) values: Option<Vec<String>>,
    /// Whether it is a number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) numeric: bool,
    /// The lowest number; absent if unbounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) low: Option<f64>,
    /// The highest number; absent if unbounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) high: Option<f64>,
    /// Whether it can be missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) missing: bool,
    /// Whether its numbers are dates, as days since 1970-01-01.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) dates: bool,
}

/// A test or a leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "node"))]
pub(super) enum RawNode {
    Test(Object<RawTest>),
    Leaf(Object<RawLeaf>),
}

/// A test, by values (`branches`) or by numbers (`thresholds` and `to`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "test", extend("oneOf" = [
    {"required": ["branches"], "properties": {
        "branches": {"type": "array"}, "thresholds": {"const": null}, "to": {"const": null}, "labels": {"const": null}
    }},
    {"required": ["thresholds", "to"], "properties": {
        "thresholds": {"type": "array"}, "to": {"type": "array"}, "branches": {"const": null}
    }}
])))]
pub(super) struct RawTest {
    /// The name of the attribute.
    pub(super) attribute: String,
    /// The branches of a test by values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) branches: Option<Vec<Object<RawBranch>>>,
    /// Ascending. Branch i takes numbers above threshold i - 1 and up to threshold i, i counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thresholds: Option<Vec<f64>>,
    /// The node at the end of each branch: one more than thresholds, and another one if `missing` names the branch
    /// after those.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) to: Option<Vec<u32>>,
    /// What the branches between thresholds are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) labels: Option<Vec<String>>,
    /// The branch, counted from 0, of values no branch lists, and of missing ones unless `missing` states otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) otherwise: Option<u32>,
    /// The branch of missing values, counted from 0, or "stop" if they take none; left out, they take `otherwise`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<RawMissing>,
}

/// Where missing values go: to a branch, or nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "the branch of missing values must be a whole number or \"stop\"")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "missing"))]
pub(super) enum RawMissing {
    /// A branch, counted from 0.
    Branch(u32),
    /// None of them.
    Stop(RawStop),
}

/// The word for no branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "stop"))]
pub(super) enum RawStop {
    /// The row stops at the test.
    #[serde(rename = "stop")]
    Stop,
}

/// A branch of a test by values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "branch"))]
pub(super) struct RawBranch {
    /// The values that take it; a value has one branch only.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub(super) values: Vec<String>,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    /// The node at its end.
    pub(super) to: u32,
}

/// A leaf. It has `counts`, `shares` or neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "leaf", extend("not" = {"required": ["counts", "shares"]})))]
pub(super) struct RawLeaf {
    /// The class value it predicts.
    pub(super) label: String,
    /// The number of individuals with each class value, in the order of the class values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) counts: Option<Vec<u64>>,
    /// The share of each class value among its individuals, rounded to `digits`, in the order of the class values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shares: Option<Vec<f64>>,
}

/// An attribute: a number from `low` to `high`, or one of `values`. A value counts as 1 in its own coordinate and as 0
/// in the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "axis", extend("oneOf" = [
    {"properties": {"values": {"const": null}}},
    {"required": ["values"], "properties": {
        "values": {"type": "array"}, "dates": {"const": false}, "low": {"const": null}, "high": {"const": null}
    }}
])))]
pub(super) struct RawAxis {
    pub(super) name: String,
    /// Its values, each once; absent if it is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1), extend("uniqueItems" = true)))]
    pub(super) values: Option<Vec<String>>,
    /// The lowest possible number, which is public knowledge; absent if unbounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) low: Option<f64>,
    /// The highest; absent if unbounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) high: Option<f64>,
    /// What a coordinate is divided by before the distance is taken; 1 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))]
    pub(super) scale: Option<f64>,
    /// Whether its numbers are dates, as days since 1970-01-01.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) dates: bool,
}

/// A cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "centroid"))]
pub(super) struct RawCentroid {
    /// One coordinate an axis, in the attribute's own unit.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) center: Vec<RawCoordinate>,
    /// The number of individuals in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) population: Option<u64>,
}

/// A rule: an individual with all of `if` tends to have all of `then`. It contains an attribute at most once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "rule"))]
pub(super) struct RawRule {
    #[serde(rename = "if")]
    pub(super) left: Vec<RawItem>,
    #[serde(rename = "then")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) right: Vec<RawItem>,
    /// The number of individuals who have all of `if`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) antecedent: Option<u64>,
    /// The number of them who have all of `then` too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) both: Option<u64>,
}
