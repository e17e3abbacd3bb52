//! Whether the populations a release states are those of the table: otherwise the two do not belong together.

use crate::error::{Error, Result};
use crate::model::{Model, Node};
use crate::span::Linking;
use crate::table::{People, Table};

/// Checks every stated population against the table.
pub(super) fn check(table: &Table, linking: &Linking<'_>, model: &Model) -> Result<()> {
    let fits = match model {
        Model::Tree(tree) => {
            let stated = tree.nodes().iter().filter_map(|node| match node {
                Node::Leaf(leaf) => leaf.counts.as_ref(),
                Node::Test(_) => None,
            });
            stated_bins(table, linking, stated.flatten().copied().collect(), leaves_state_all(tree))
        }
        Model::Clusters(clusters) => {
            let stated: Vec<u64> = clusters.centroids().iter().filter_map(|c| c.population).collect();
            let complete = stated.len() == clusters.centroids().len();
            stated_bins(table, linking, stated, complete)
        }
        Model::Rules(rules) => rules.rules().iter().all(|rule| rule_fits(table, rules, rule)),
    };
    if fits {
        return Ok(());
    }
    Err(Error::new("the populations in the release are not those of the table")
        .help("audit the release against the table it was made from, read in the same way"))
}

fn leaves_state_all(tree: &crate::model::Tree) -> bool {
    tree.nodes().iter().all(|node| !matches!(node, Node::Leaf(leaf) if leaf.counts.is_none()))
}

/// Bins that hold anybody are numbered in the order of leaves and classes, or of centroids, so the positive counts must match one by one.
fn stated_bins(table: &Table, linking: &Linking<'_>, stated: Vec<u64>, complete: bool) -> bool {
    let Some(bins) = &linking.bins else { return true };
    if !complete {
        return true;
    }
    let grouping = crate::group::Grouping { of_row: bins.of_row.clone(), count: bins.count as u32 };
    let held: Vec<u64> = stated.into_iter().filter(|&n| n > 0).collect();
    held == grouping.sizes(table)
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
