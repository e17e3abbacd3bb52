//! Whether the populations that a release states are those of the table, bin by bin.

use super::linked::{Linked, individuals};
use crate::model::{Model, Node};
use crate::table::Table;

/// Whether every stated population is the true one.
pub(super) fn fit(table: &Table, linked: &Linked, model: &Model) -> bool {
    let held = |bin: &[u32]| individuals(table, |row| linked.bins[row] == bin);
    match model {
        Model::Tree(tree) => tree.nodes().iter().zip(0..).all(|(node, place)| match node {
            Node::Leaf(leaf) => {
                let mut stated = leaf.counts.iter().flatten().zip(0..);
                stated.all(|(&count, class)| held(&[place, class]) == count)
            }
            Node::Test(_) => true,
        }),
        Model::Clusters(clusters) => clusters
            .centroids()
            .iter()
            .zip(0..)
            .all(|(centroid, place)| centroid.population.is_none_or(|stated| held(&[place]) == stated)),
        Model::Rules(rules) => rules.rules().iter().enumerate().all(|(i, rule)| {
            let with = |least: u32| individuals(table, |row| linked.bins[row][i] >= least);
            rule.antecedent_count.is_none_or(|stated| stated == with(1))
                && rule.both_count.is_none_or(|stated| stated == with(2))
        }),
    }
}
