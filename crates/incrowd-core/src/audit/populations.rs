//! Checks that the populations and shares stated in a release are those of the table. If not, the two do not belong
//! together.

use crate::error::{Error, Result};
use crate::group::sizes;
use crate::model::{Detail, Item, LeafContents, Model, Node, Rule, Rules, Shares, Tree};
use crate::span::Linking;
use crate::span::rules::Having;
use crate::table::Table;
use hashbrown::HashMap;
use rayon::prelude::*;

/// Checks every stated population and share against the table.
pub(super) fn check(table: &Table, linking: &Linking<'_>, model: &Model) -> Result<()> {
    let fits = match model {
        Model::Tree(tree) => leaves_fit(table, linking, tree),
        // Its leaves have no populations.
        Model::Ensemble(_) => true,
        Model::Clusters(clusters) => {
            let mut stated = clusters.centroids().iter().enumerate();
            let silent = clusters.centroids().iter().all(|centroid| centroid.population.is_none());
            silent || {
                let held = populations(table, linking);
                stated.all(|(i, c)| c.population.is_none_or(|n| held.get(&i).copied().unwrap_or(0) == n))
            }
        }
        Model::Rules(rules) => rules_fit(table, rules)?,
    };
    if fits {
        return Ok(());
    }
    Err(Error::input("the populations or shares in the release differ from those of the table")
        .help("audit the release against the table it was made from, read with the same settings"))
}

/// Whether the contents of the leaves are those of the table.
fn leaves_fit(table: &Table, linking: &Linking<'_>, tree: &Tree) -> bool {
    if tree.detail() == Detail::Labels {
        return true;
    }
    let (classes, held) = (tree.class().values.len(), populations(table, linking));
    tree.nodes().iter().enumerate().all(|(i, node)| {
        let Node::Leaf(leaf) = node else { return true };
        let places = i * classes..(i + 1) * classes;
        let counts: Vec<u64> = places.map(|place| held.get(&place).copied().unwrap_or(0)).collect();
        match &leaf.told {
            LeafContents::Nothing => true,
            LeafContents::Shares(stated) => {
                Shares::of_counts(&counts, stated.digits()).as_ref() == Some(stated)
            }
            LeafContents::Counts(stated) => *stated == counts,
        }
    })
}

/// The populations of the non-empty bins, by their place in the model.
fn populations(table: &Table, linking: &Linking<'_>) -> HashMap<usize, u64> {
    let Some(bins) = &linking.bins else { return HashMap::new() };
    bins.place.iter().copied().zip(sizes(&bins.of_row, bins.count, table)).collect()
}

fn rules_fit(table: &Table, rules: &Rules) -> Result<bool> {
    let having = Having::new(table, rules)?;
    let fits = |rule: &Rule| {
        let all: Vec<Item> = rule.items().copied().collect();
        rule.antecedent_count.is_none_or(|stated| stated == having.support(&rule.antecedent))
            && rule.both_count.is_none_or(|stated| stated == having.support(&all))
    };
    Ok(rules.rules().par_iter().all(fits))
}
