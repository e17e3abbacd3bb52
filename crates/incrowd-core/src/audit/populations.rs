//! Whether the populations and shares a release states are those of the table: otherwise the two do not belong together.

use crate::error::{Error, Result};
use crate::group::sizes;
use crate::model::{Detail, Model, Node, Shares, Told, Tree};
use crate::span::Linking;
use crate::table::{People, Table};
use hashbrown::HashMap;

/// Checks every stated population and share against the table.
pub(super) fn check(table: &Table, linking: &Linking<'_>, model: &Model) -> Result<()> {
    let fits = match model {
        Model::Tree(tree) => leaves_fit(table, linking, tree),
        Model::Clusters(clusters) => {
            let mut stated = clusters.centroids().iter().enumerate();
            let silent = clusters.centroids().iter().all(|centroid| centroid.population.is_none());
            silent || {
                let held = populations(table, linking);
                stated.all(|(i, c)| c.population.is_none_or(|n| held.get(&i).copied().unwrap_or(0) == n))
            }
        }
        Model::Rules(rules) => rules.rules().iter().all(|rule| rule_fits(table, rules, rule)),
    };
    if fits {
        return Ok(());
    }
    Err(Error::new("the populations or shares in the release are not those of the table")
        .help("audit the release against the table it was made from, read in the same way"))
}

/// Whether what the leaves tell is what the table has.
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
            Told::Nothing => true,
            Told::Shares(stated) => Shares::of_counts(&counts, stated.digits()).as_ref() == Some(stated),
            Told::Counts(stated) => *stated == counts,
        }
    })
}

/// The populations of the bins that hold anybody, by their place in the model.
fn populations(table: &Table, linking: &Linking<'_>) -> HashMap<usize, u64> {
    let Some(bins) = &linking.bins else { return HashMap::new() };
    bins.place.iter().copied().zip(sizes(&bins.of_row, bins.count, table)).collect()
}

fn rule_fits(table: &Table, rules: &crate::model::Rules, rule: &crate::model::Rule) -> bool {
    let count = |items: &[crate::model::Item]| -> u64 {
        let has = |row: &usize| items.iter().all(|item| rules.has(table, *row, item));
        let rows = (0..table.rows()).filter(has);
        match table.people() {
            People::Subjects { of_row, .. } => {
                let mut subjects: Vec<u32> = rows.map(|row| of_row[row]).collect();
                subjects.sort_unstable();
                subjects.dedup();
                subjects.len() as u64
            }
            People::Rows | People::Weights(_) => rows.map(|row| u64::from(table.weight(row))).sum(),
        }
    };
    let all: Vec<_> = rule.items().copied().collect();
    rule.antecedent_count.is_none_or(|stated| stated == count(&rule.antecedent))
        && rule.both_count.is_none_or(|stated| stated == count(&all))
}
