//! The project's own method: groups are the leaves of a decision tree over the public attributes.
//!
//! A classifier needs the distinctions that separate classes and is misled by others. So the public attributes are
//! divided by the tree that predicts the class best under the guarantee ([`tree::TreeMethod::Best`]: binary splits by
//! thresholds and sets of values, pruned by cross-validation on the source's rows), and every group shows the branches
//! of its leaf: an interval, a value, a group of the taxonomy, a set of values, or `*`. Private attributes are
//! unchanged. Regions of different leaves do not overlap, so that every other individual falls into exactly one
//! ([`Recoding`](super::Recoding)).
//!
//! It was chosen by measurement over the leaves of the papers' trees (docs/tables.md): C4.5, random forests, boosted
//! trees and logistic regression err less on Adult when they learn from it (naive Bayes does not always).
//!
//! [`Cells`](super::TableMethod::Cells) grows the tree by information gain as far as the guarantee allows, and prunes
//! nothing: for learners that gain from many distinctions and choose among them, such as boosted trees.
//!
//! Without a private class there is nothing to learn; then it is [`Mondrian`](super::TableMethod::Mondrian) by loss,
//! which loses least.
//!
//! Guarantee: the tree is made under the requirements on the class. Requirements on other private attributes are then
//! checked leaf by leaf, and a test with a leaf that breaks one is undone, which only merges groups; all requirements
//! are closed under merging (docs/proofs.md).
//!
//! Running time: that of the tree, and one pass over the rows per level for the check.

use super::branches::{left_of_nodes, places_of_codes};
use super::cell::Cell;
use super::draft::{Draft, LOST};
use super::mondrian;
use super::params::{CheckedTableParams, TableMethod};
use super::task::{Attribute, Task};
use super::watch::Watch;
use crate::tree::{self, TreeParams, mine_tree};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Node, Tree};
use incrowd_core::policy::{Policy, Role};
use incrowd_core::predict::predict;
use incrowd_core::progress::Progress;

/// The most groups of [`TableMethod::Cells`]: what a tree may have.
const MOST_CELLS: u32 = 1 << 19;

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    if task.class.is_none() {
        return mondrian::draft(task, watch, params, progress);
    }
    let class = task.learned_class()?.name();
    let mut of_tree = TreeParams::new(tree::TreeMethod::Best, of_class(task)?);
    let of_tree = if params.method == TableMethod::Cells {
        (of_tree.min_rows, of_tree.max_leaves) = (1, MOST_CELLS);
        of_tree.check()?.unpruned()
    } else {
        of_tree.check()?.of_table()
    };
    let tree = mine_tree(task.table, &public_and_class(task.policy, class), &of_tree, progress)?.tree;
    let mut leaf_of_row = predict(task.table, &tree)?.node_of_row;
    take_back(&tree, watch, &mut leaf_of_row);
    Ok(regions(task, &tree, leaf_of_row))
}

/// The policy without private attributes other than the class: they are released as they are, and not to be divided by.
/// What depends on them is not known from the public attributes, and does not matter to groups of rows.
pub(crate) fn public_and_class(policy: &Policy, class: &str) -> Policy {
    let mut policy = policy.clone();
    let known = policy.known();
    let is_left_out =
        |name: &String, role: Role| role == Role::Private && name != class && !known.contains(name);
    let mut left_out = Vec::new();
    for attribute in policy.attributes.iter_mut().filter(|a| is_left_out(&a.name, a.role)) {
        attribute.role = Role::Ignored;
        left_out.push(attribute.name.clone());
    }
    policy.dependencies.retain(|dependency| {
        !left_out.contains(&dependency.to) && !dependency.from.iter().any(|from| left_out.contains(from))
    });
    policy
}

/// The requirements on the class and on the size of groups.
fn of_class(task: &Task<'_>) -> Result<Guarantee> {
    let looks_at_class = task.class.is_some_and(|class| task.in_scope.contains(&class));
    requirements_on_class(task.guarantee, looks_at_class)
}

/// The requirements on the class, if it is in scope, and on the size of groups.
pub(crate) fn requirements_on_class(guarantee: &Guarantee, class_in_scope: bool) -> Result<Guarantee> {
    let asked = guarantee.requirements().iter().filter(|r| class_in_scope || !r.looks_at_values());
    let asked = asked.copied().fold(Guarantee::default(), Guarantee::with);
    if asked.is_empty() { Guarantee::k_anonymity(1) } else { Ok(asked) }
}

/// Merges leaves into the test above them until every group may be released.
fn take_back(tree: &Tree, watch: &Watch<'_>, leaf_of_row: &mut [u32]) {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes().len()];
    (0..).zip(leaf_of_row.iter()).for_each(|(row, &leaf)| rows[leaf as usize].push(row));
    let mut breaks: Vec<bool> = rows.iter().map(|rows| !watch.holds(rows)).collect();
    if !breaks.contains(&true) {
        return;
    }
    // Children come after their parents, so that this goes from the leaves to the root.
    for (node, told) in tree.nodes().iter().enumerate().rev() {
        let Node::Test(test) = told else { continue };
        if test.children.iter().any(|&child| breaks[child as usize]) {
            let merged = below(tree, node as u32)
                .into_iter()
                .flat_map(|leaf| std::mem::take(&mut rows[leaf as usize]));
            rows[node] = merged.collect();
            breaks[node] = !watch.holds(&rows[node]);
        }
    }
    for (node, rows) in (0..).zip(&rows) {
        rows.iter().for_each(|&row| leaf_of_row[row as usize] = node);
    }
}

/// The nodes below a node.
fn below(tree: &Tree, node: u32) -> Vec<u32> {
    let mut all = Vec::new();
    let mut next = vec![node];
    while let Some(node) = next.pop() {
        if let Node::Test(test) = &tree.nodes()[node as usize] {
            next.extend(&test.children);
            all.extend(&test.children);
        }
    }
    all
}

/// One group for each node that rows end in; its cells are what the way to it leaves.
pub(super) fn regions(task: &Task<'_>, tree: &Tree, mut node_of_row: Vec<u32>) -> Draft {
    let left = left_of_nodes(tree);
    let asked = |attribute: &Attribute<'_>| {
        let asked = tree.attributes().iter().position(|other| other.name == attribute.column.name())?;
        Some((asked, places_of_codes(&tree.attributes()[asked].domain, attribute.column)))
    };
    let asked: Vec<Option<(usize, Vec<usize>)>> = task.attributes.iter().map(asked).collect();
    let mut draft = Draft::new(0, task.attributes.len());
    let mut group_of_node = vec![LOST; tree.nodes().len()];
    node_of_row.iter().for_each(|&node| group_of_node[node as usize] = 0);
    // Groups are numbered by nodes, so that the order of rows does not matter.
    for (left, group) in left.iter().zip(&mut group_of_node).filter(|(_, group)| **group != LOST) {
        let cells = task.attributes.iter().zip(&asked).map(|(attribute, asked)| {
            asked.as_ref().map_or(Cell::Any, |(asked, places)| {
                let place = |code: usize| places[code];
                left[*asked].cell_of_places(place, attribute.column, attribute.taxonomy.as_ref())
            })
        });
        *group = draft.add_group(cells);
    }
    node_of_row.iter_mut().for_each(|node| *node = group_of_node[*node as usize]);
    draft.group_of_row = node_of_row;
    draft
}
