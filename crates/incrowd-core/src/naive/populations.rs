//! Whether the populations and shares that a release states are those of the table, bin by bin.

use super::linked::{Linked, individuals};
use crate::model::{Leaf, LeafContents, Model, Node};
use crate::table::Table;

/// Whether every stated population and share is the true one.
pub(super) fn fit(table: &Table, linked: &Linked, model: &Model) -> bool {
    let held = |bin: &[u32]| individuals(table, |row| linked.bins[row] == bin);
    match model {
        Model::Tree(tree) => tree.nodes().iter().zip(0..).all(|(node, place)| match node {
            Node::Leaf(leaf) => {
                let classes = 0..tree.class().values.len() as u32;
                tells(leaf, &classes.map(|class| held(&[place, class])).collect::<Vec<_>>())
            }
            Node::Test(_) => true,
        }),
        // Its leaves have no populations.
        Model::Ensemble(_) => true,
        Model::Clusters(clusters) => clusters
            .centroids()
            .iter()
            .zip(0..)
            .all(|(centroid, place)| centroid.population.is_none_or(|stated| held(&[place]) == stated)),
        Model::Rules(rules) => rules.rules().iter().enumerate().all(|(i, rule)| {
            let outcome = |row: usize| super::rules::outcomes(table, rules, row).map_or(0, |of| of[i]);
            let with = |least: u32| individuals(table, |row| outcome(row) >= least);
            rule.antecedent_count.is_none_or(|stated| stated == with(1))
                && rule.both_count.is_none_or(|stated| stated == with(2))
        }),
    }
}

/// Whether a leaf with these individuals of each class would have the contents of this one besides its label.
pub(super) fn tells(leaf: &Leaf, counts: &[u64]) -> bool {
    let all: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    match &leaf.told {
        LeafContents::Nothing => true,
        LeafContents::Counts(stated) => stated == counts,
        // A share is right iff it is at most half of the last digit below the true one, and by less than that above it.
        LeafContents::Shares(stated) => {
            let unit = 10_u128.pow(u32::from(stated.digits()));
            let near = |(&part, &count): (&u32, &u64)| {
                let (part, twice) = (u128::from(part), 2 * u128::from(count) * unit);
                2 * part * all <= twice + all && twice < (2 * part + 1) * all
            };
            all > 0 && stated.parts().iter().zip(counts).all(near)
        }
    }
}

/// The class value that most have: the first of several, and where no individual is.
pub(super) fn most_frequent(counts: &[u64]) -> u32 {
    let most = counts.iter().max();
    counts.iter().position(|count| Some(count) == most).unwrap_or(0) as u32
}
