//! From the leaves of a tree to the root: the common part of the tree-based methods.
//!
//! A method gets, for one node after the other, children before parents, the rows of each child that is now a leaf. It
//! makes groups of them, each *at* a node, and returns the rows that fit into none: those rows are then at the node,
//! which is a leaf from there on. What is left at the root is for [`settle`].

use super::cell::Cell;
use super::draft::Draft;
use super::task::Task;
use super::watch::Watch;
use crate::tree::PlainTree;
use std::collections::HashMap;

/// Rows at a node: a leaf, or a group of the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) node: u32,
    pub(crate) rows: Vec<u32>,
}

/// The result of a climb.
pub(crate) struct ClimbResult {
    pub(crate) groups: Vec<Group>,
    /// The rows left at the root.
    pub(crate) left: Vec<u32>,
}

/// Climbs a tree. `siblings` is given a node, the leaves below it (those without rows too) and where groups go; it
/// returns what is left.
pub(crate) fn climb(
    tree: PlainTree,
    mut siblings: impl FnMut(u32, Vec<Group>, &mut Vec<Group>) -> Vec<u32>,
) -> ClimbResult {
    let mut groups = Vec::new();
    let tests: Vec<_> =
        tree.nodes.iter().map(|node| node.test.as_ref().map(|test| test.children.clone())).collect();
    let mut at_node: Vec<Vec<u32>> = tree.nodes.into_iter().map(|node| node.rows).collect();
    for (node, children) in tests.into_iter().enumerate().rev() {
        let Some(children) = children else { continue };
        let leaf = |child: u32| Group { node: child, rows: std::mem::take(&mut at_node[child as usize]) };
        let leaves = children.map(leaf).collect();
        at_node[node] = siblings(node as u32, leaves, &mut groups);
    }
    ClimbResult { groups, left: at_node.swap_remove(0) }
}

/// The leaves that may be groups, then those that may not, without those that have no rows.
pub(crate) fn by_compliance(watch: &Watch<'_>, leaves: Vec<Group>) -> (Vec<Group>, Vec<Group>) {
    leaves.into_iter().filter(|leaf| !leaf.rows.is_empty()).partition(|leaf| watch.holds(&leaf.rows))
}

/// Puts groups into a draft: those with equal cells are one, every group is checked again, and what is left becomes a
/// separate group, described by `cells`.
///
/// Where it cannot be one: rows left over are lost if only a number of individuals is required, fewer than that number;
/// otherwise they take in the smallest groups (in the order they were made, if equally large), twice as many at each
/// try, until they can be one. In the end these are all individuals, who together may be released. So rows are lost
/// only where fewer than k individuals are left, and no requirement that compares with the whole table is checked
/// against another table than the one released.
pub(crate) fn settle(
    task: &Task<'_>,
    watch: &Watch<'_>,
    groups: impl IntoIterator<Item = (Vec<Cell>, Vec<u32>)>,
    mut left: Vec<u32>,
    cells: impl Fn(&[u32]) -> Vec<Cell>,
) -> Draft {
    let mut groups = joined(groups);
    groups.retain_mut(|(_, rows)| {
        let holds = watch.holds(rows);
        if !holds {
            left.append(rows);
        }
        holds
    });
    groups.sort_by_key(|(_, rows)| rows.len());
    let mut more = 1;
    let last = loop {
        if left.is_empty() {
            break None;
        }
        let said = cells(&left);
        if let Some(same) = groups.iter().position(|(cells, _)| *cells == said) {
            left.extend(groups.remove(same).1);
        } else if watch.holds(&left) {
            break Some((said, left));
        } else if watch.only_k().is_some() || groups.is_empty() {
            break None;
        } else {
            let taken = groups.drain(..more.min(groups.len()));
            taken.for_each(|(_, rows)| left.extend(rows));
            more *= 2;
        }
    };
    let mut draft = Draft::new(task.table.rows(), task.attributes.len());
    for (cells, rows) in groups.into_iter().chain(last) {
        draft.add_rows(&rows, cells);
    }
    draft
}

/// Puts groups into a draft as they are.
pub(crate) fn as_they_are(task: &Task<'_>, groups: impl IntoIterator<Item = (Vec<Cell>, Vec<u32>)>) -> Draft {
    let mut draft = Draft::new(task.table.rows(), task.attributes.len());
    for (cells, rows) in groups {
        draft.add_rows(&rows, cells);
    }
    draft
}

/// Groups with equal cells as one, in the order of the first of them.
fn joined(groups: impl IntoIterator<Item = (Vec<Cell>, Vec<u32>)>) -> Vec<(Vec<Cell>, Vec<u32>)> {
    let mut place: HashMap<Vec<Cell>, usize> = HashMap::new();
    let mut all: Vec<(Vec<Cell>, Vec<u32>)> = Vec::new();
    for (cells, rows) in groups.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        if let Some(&place) = place.get(&cells) {
            all[place].1.extend(rows);
        } else {
            place.insert(cells.clone(), all.len());
            all.push((cells, rows));
        }
    }
    all
}
