//! The operators behind and beside the tree: none may change its labels or reveal more than its leaves.

use super::graph::{Graph, Operator, shown};
use incrowd_core::{Error, Result};
use std::collections::HashSet;

const FLOAT: i64 = 1;
const INT64: i64 = 7;
const STRING: i64 = 8;
const DOUBLE: i64 = 11;

/// What a regressor that gives the shares of the same leaves has in common with the tree.
const SHAPE: [&str; 9] = [
    "nodes_treeids",
    "nodes_nodeids",
    "nodes_featureids",
    "nodes_values",
    "nodes_values_as_tensor",
    "nodes_modes",
    "nodes_truenodeids",
    "nodes_falsenodeids",
    "nodes_missing_value_tracks_true",
];

/// Refuses operators that are neither before the tree nor pass on its output.
pub(super) fn check(graph: &Graph, ensemble: &Operator, before: &HashSet<usize>) -> Result<()> {
    let label_type = if ensemble.has("classlabels_strings") { STRING } else { INT64 };
    let name = |place: usize| ensemble.outputs.get(place).map(String::as_str);
    let mut labels: HashSet<&str> = name(0).into_iter().collect();
    let mut scores: HashSet<&str> = name(1).into_iter().collect();
    for (place, operator) in graph.operators.iter().enumerate() {
        if std::ptr::eq(operator, ensemble) || before.contains(&place) {
            continue;
        }
        let input = operator.inputs.first().map(String::as_str).unwrap_or_default();
        let output = operator.outputs.first().map(String::as_str).unwrap_or_default();
        let to = operator.ints("to").first().copied();
        let passes = match operator.kind.as_str() {
            "Identity" => true,
            "Cast" if labels.contains(input) => to == Some(label_type),
            "Cast" => matches!(to, Some(FLOAT | DOUBLE)),
            "ZipMap" => scores.contains(input),
            _ => false,
        };
        if passes && labels.contains(input) {
            labels.insert(output);
        } else if passes && scores.contains(input) {
            scores.insert(output);
        } else if !tells_shares(operator, ensemble) {
            return Err(Error::input(format!(
                "the operator {:?} after or beside the tree is not supported",
                shown(&operator.kind)
            )));
        }
    }
    if graph.outputs.iter().any(|output| labels.contains(output.as_str())) {
        return Ok(());
    }
    Err(Error::input("the tree's label is not an output of the model"))
}

fn tells_shares(operator: &Operator, ensemble: &Operator) -> bool {
    operator.kind == "TreeEnsembleRegressor"
        && operator.inputs == ensemble.inputs
        && operator.agrees(ensemble, &SHAPE)
}
