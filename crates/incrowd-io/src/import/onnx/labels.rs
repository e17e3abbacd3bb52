//! What onnxruntime predicts from the weights of a leaf.
//!
//! Of more than two class values it is the one with most weight, the first of them on a tie. Of two it is not: the
//! second one is predicted if its weight is above 0 or, where all weights are of one class value and none is negative,
//! above one half.

use super::graph::Operator;
use incrowd_core::{Error, Result};
use std::collections::{HashMap, HashSet};

/// All attributes that a tree can have.
pub(super) const KNOWN: [&str; 18] = [
    "nodes_treeids",
    "nodes_nodeids",
    "nodes_featureids",
    "nodes_values",
    "nodes_values_as_tensor",
    "nodes_hitrates",
    "nodes_hitrates_as_tensor",
    "nodes_modes",
    "nodes_truenodeids",
    "nodes_falsenodeids",
    "nodes_missing_value_tracks_true",
    "class_treeids",
    "class_nodeids",
    "class_ids",
    "class_weights",
    "class_weights_as_tensor",
    "classlabels_strings",
    "classlabels_int64s",
];

/// The class of each leaf.
pub(super) fn labels_of_leaves(
    ensemble: &Operator,
    classes: usize,
    ids: &[i64],
) -> Result<HashMap<i64, u32>> {
    let more = ["post_transform", "base_values", "base_values_as_tensor"];
    ensemble.attributes_only(&[&KNOWN[..], &more].concat())?;
    if ensemble.strings("post_transform")?.first().is_some_and(|transform| transform != "NONE") {
        return Err(Error::input("a post_transform of the tree is not supported"));
    }
    if ensemble.numbers("base_values").iter().any(|&value| value != 0.0) {
        return Err(Error::input("weights common to all leaves (base_values) are not supported"));
    }
    let (nodes, class_ids) = (ensemble.ints("class_nodeids"), ensemble.ints("class_ids"));
    let weights = ensemble.numbers("class_weights");
    if nodes.len() != class_ids.len() || nodes.len() != weights.len() {
        return Err(Error::input("the attributes of the model's leaves are inconsistent"));
    }
    let mut of_node: HashMap<i64, Vec<(u32, f64)>> = HashMap::new();
    for ((&node, &id), &weight) in nodes.iter().zip(class_ids).zip(&weights) {
        let class = usize::try_from(id).ok().filter(|&class| class < classes);
        let class = class.ok_or_else(|| Error::input("a leaf names a class value that is not listed"))?;
        of_node.entry(node).or_default().push((class as u32, weight));
    }
    let one_sided = class_ids.iter().collect::<HashSet<_>>().len() == 1;
    let limit = if one_sided && weights.iter().all(|&weight| weight >= 0.0) { 0.5 } else { 0.0 };
    if classes == 2 && !one_sided && !matches!(ensemble.ints("classlabels_int64s"), [] | [0, 1]) {
        // onnxruntime predicts the numbers 0 and 1, whatever the class values are.
        return Err(Error::input(
            "weights for both class values are supported only if the class values are 0 and 1",
        ));
    }
    let label = |weights: &mut Vec<(u32, f64)>| {
        weights.sort_by_key(|&(class, _)| class);
        if weights.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::input("a leaf has two weights for one class value"));
        }
        Ok(if classes == 2 { of_two(weights, limit) } else { of_many(weights) })
    };
    if classes == 2 {
        // A leaf without weights has weight 0.
        for &id in ids {
            of_node.entry(id).or_default();
        }
    }
    of_node.iter_mut().map(|(&node, weights)| Ok((node, label(weights)?))).collect()
}

/// The weight of the second class value decides, or that of the first where it is the only one.
fn of_two(weights: &[(u32, f64)], limit: f64) -> u32 {
    u32::from(weights.last().is_some_and(|&(_, weight)| weight > limit))
}

fn of_many(weights: &[(u32, f64)]) -> u32 {
    let first = weights[0];
    weights.iter().fold(first, |best, &next| if next.1 > best.1 { next } else { best }).0
}
