//! Whether the populations a release states are those of the table: otherwise the two do not belong together.

use crate::error::{Error, Result};
use crate::model::{Model, Node};
use crate::span::Linking;
use crate::table::{People, Table};
use hashbrown::HashMap;

/// Checks every stated population against the table.
pub(super) fn check(table: &Table, linking: &Linking<'_>, model: &Model) -> Result<()> {
    let fits = match model {
        Model::Tree(tree) => {
            let classes = tree.class().values.len();
            let stated = tree.nodes().iter().enumerate().filter_map(|(i, node)| match node {
                Node::Leaf(leaf) => leaf.counts.as_ref().map(|counts| (i * classes.., counts)),
                Node::Test(_) => None,
            });
            let of_bin = stated.flat_map(|(places, counts)| places.zip(counts.iter().copied()));
            bins_fit(table, linking, of_bin)
        }
        Model::Clusters(clusters) => {
            let stated = clusters.centroids().iter().enumerate();
            bins_fit(table, linking, stated.filter_map(|(i, centroid)| Some((i, centroid.population?))))
        }
        Model::Rules(rules) => rules.rules().iter().all(|rule| rule_fits(table, rules, rule)),
    };
    if fits {
        return Ok(());
    }
    Err(Error::new("the populations in the release are not those of the table")
        .help("audit the release against the table it was made from, read in the same way"))
}

/// Whether the stated populations, by the place of their bins in the model, are the true ones.
fn bins_fit(table: &Table, linking: &Linking<'_>, stated: impl Iterator<Item = (usize, u64)>) -> bool {
    let mut stated = stated.peekable();
    let Some(bins) = linking.bins.as_ref().filter(|_| stated.peek().is_some()) else { return true };
    let grouping = crate::group::Grouping { of_row: bins.of_row.clone(), count: bins.count as u32 };
    let held: HashMap<usize, u64> = bins.place.iter().copied().zip(grouping.sizes(table)).collect();
    stated.all(|(place, population)| held.get(&place).copied().unwrap_or(0) == population)
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
