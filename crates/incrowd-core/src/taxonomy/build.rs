//! From a tree of labels to a numbered taxonomy over a column.

use super::spec::TaxonomySpec;
use super::tree::{Grower, TreeSpec};
use super::{ANY, MISSING, Taxonomy, TaxonomyNode, calendar, number, prefix};
use crate::error::{Error, Result};
use crate::table::{Column, Texts, Values};

/// Builds the tree of the specification and numbers it.
pub(super) fn build(spec: &TaxonomySpec, column: &Column, weight: &dyn Fn(usize) -> u32) -> Result<Taxonomy> {
    let (mut tree, mut leaves) = match spec {
        TaxonomySpec::Tree(tree) => (tree.clone(), leaves_of(tree, column)?),
        TaxonomySpec::Intervals(rule) => parts(number::grow_intervals(*rule, numbers(column)?)?),
        TaxonomySpec::Quantiles(rule) => {
            parts(number::grow_quantiles(*rule, numbers(column)?, &weights(column, weight))?)
        }
        TaxonomySpec::Round => parts(number::grow_round(numbers(column)?)?),
        TaxonomySpec::Prefix(rule) => parts(prefix::grow(*rule, column.values())?),
        TaxonomySpec::Calendar => parts(calendar::grow(column)?),
        TaxonomySpec::Flat => parts(grow_flat(column.values())?),
    };
    if column.has_missing() {
        leaves.push(place_missing(&mut tree, &leaves)?);
    }
    Ok(number_nodes(&tree, &leaves, column.name()))
}

fn parts((grower, leaves): (Grower, Vec<u32>)) -> (TreeSpec, Vec<u32>) {
    (grower.tree, leaves)
}

fn numbers(column: &Column) -> Result<&[f64]> {
    column.values().numbers().ok_or_else(|| {
        Error::input("a taxonomy of intervals needs numbers")
            .help("choose a tree, prefix or flat taxonomy, or make the attribute numeric")
    })
}

fn weights(column: &Column, weight: &dyn Fn(usize) -> u32) -> Vec<u64> {
    let mut weights = vec![0; column.values().len() + 1];
    for (row, code) in column.codes().iter().enumerate() {
        weights[code as usize] += u64::from(weight(row));
    }
    weights.pop();
    weights
}

fn grow_flat(values: &Values) -> Result<(Grower, Vec<u32>)> {
    let mut grower = Grower::with_root(ANY);
    let leaves = (0..values.len())
        .map(|code| grower.add_value(&values.text(code), [ANY.to_owned()]))
        .collect::<Result<_>>()?;
    Ok((grower, leaves))
}

/// The leaf of each value of the column in a tree from a file.
fn leaves_of(tree: &TreeSpec, column: &Column) -> Result<Vec<u32>> {
    let mut leaves: Vec<Option<u32>> = vec![None; column.values().len()];
    let values = (0u32..).zip(&tree.labels).zip(&tree.is_value).filter(|(_, is_value)| **is_value);
    for ((leaf, label), _) in values {
        let Some(code) = column.values().find(label) else { continue };
        if leaves[code as usize].replace(leaf).is_some() {
            return Err(Error::input("two labels of the taxonomy are the same number")
                .help("write each number once, for example 1 but not also 1.0"));
        }
    }
    leaves.iter().copied().collect::<Option<_>>().ok_or_else(|| uncovered(&leaves, column))
}

/// States how many values are not covered and where the first is, but not which ones they are.
fn uncovered(leaves: &[Option<u32>], column: &Column) -> Error {
    let is_uncovered = |code: u32| leaves.get(code as usize).is_some_and(Option::is_none);
    let count = leaves.iter().filter(|leaf| leaf.is_none()).count();
    let what = match column.codes().iter().position(is_uncovered) {
        Some(row) => format!("the taxonomy lacks {count} of the values (the first in row {})", row + 1),
        None => format!("the taxonomy lacks {count} of the declared values"),
    };
    Error::input(what).help("add a line for each of them, or declare them as missing")
}

/// The leaf of missing values: the tree's own, or a new one under the root.
fn place_missing(tree: &mut TreeSpec, leaves: &[u32]) -> Result<u32> {
    if let Some(index) = tree.labels.iter().position(|label| label == MISSING) {
        let leaf = index as u32;
        if !tree.is_value[index] || leaves.contains(&leaf) {
            return Err(Error::input(format!(
                "`{MISSING}` is both a label of the taxonomy and a missing value"
            ))
            .help(format!("declare `{MISSING}` as a missing marker or give it another name")));
        }
        return Ok(leaf);
    }
    let root = tree.parents.iter().position(Option::is_none).unwrap_or(0);
    tree.labels.push(MISSING.to_owned());
    tree.parents.push(Some(root as u32));
    tree.is_value.push(true);
    Ok(tree.labels.len() as u32 - 1)
}

/// Numbers the nodes level by level, siblings in the order they came.
fn number_nodes(tree: &TreeSpec, leaves: &[u32], attribute: &str) -> Taxonomy {
    let children = children_of(tree);
    let mut order: Vec<u32> = Vec::with_capacity(tree.labels.len());
    order.extend((0u32..).zip(&tree.parents).find(|(_, parent)| parent.is_none()).map(|(root, _)| root));
    let mut number = vec![TaxonomyNode::ROOT; tree.labels.len()];
    let mut taxonomy = empty(attribute);
    let mut at = 0;
    while let Some(&old) = order.get(at) {
        let node = TaxonomyNode(at as u32);
        number[old as usize] = node;
        let parent = tree.parents[old as usize].map(|parent| number[parent as usize]);
        taxonomy.labels.push(&tree.labels[old as usize]);
        taxonomy.depths.push(parent.map_or(0, |parent| taxonomy.depths[parent.index()] + 1));
        taxonomy.parents.push(parent.unwrap_or(TaxonomyNode::ROOT));
        let first = order.len() as u32;
        order.extend(&children[old as usize]);
        taxonomy.children.push(first..order.len() as u32);
        at += 1;
    }
    number_leaves(&mut taxonomy);
    taxonomy.codes = vec![None; order.len()];
    taxonomy.leaf_of = leaves.iter().map(|leaf| number[*leaf as usize]).collect();
    for (code, leaf) in (0u32..).zip(&taxonomy.leaf_of) {
        taxonomy.codes[leaf.index()] = Some(code);
    }
    taxonomy
}

fn empty(attribute: &str) -> Taxonomy {
    Taxonomy {
        attribute: attribute.to_owned(),
        labels: Texts::default(),
        parents: Vec::new(),
        depths: Vec::new(),
        children: Vec::new(),
        under: Vec::new(),
        leaves: Vec::new(),
        codes: Vec::new(),
        leaf_of: Vec::new(),
    }
}

fn children_of(tree: &TreeSpec) -> Vec<Vec<u32>> {
    let mut children = vec![Vec::new(); tree.labels.len()];
    for (child, parent) in (0u32..).zip(&tree.parents) {
        if let Some(parent) = parent {
            children[*parent as usize].push(child);
        }
    }
    children
}

/// Lays the leaves out so that those under a node are neighbours: counts from below, places from above.
fn number_leaves(taxonomy: &mut Taxonomy) {
    let mut counts: Vec<u32> = taxonomy.children.iter().map(|range| u32::from(range.is_empty())).collect();
    for node in (1..counts.len()).rev() {
        counts[taxonomy.parents[node].index()] += counts[node];
    }
    taxonomy.under = vec![0..counts[0]; counts.len()];
    taxonomy.leaves = vec![TaxonomyNode::ROOT; counts[0] as usize];
    for node in 0..counts.len() {
        let mut start = taxonomy.under[node].start;
        if taxonomy.children[node].is_empty() {
            taxonomy.leaves[start as usize] = TaxonomyNode(node as u32);
        }
        for child in taxonomy.children[node].clone() {
            let end = start + counts[child as usize];
            taxonomy.under[child as usize] = start..end;
            start = end;
        }
    }
}
