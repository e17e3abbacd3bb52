//! What the spans of a tree depend on, where the rows of a table are only counted.

use super::bind::{NOWHERE, Places, branches};
use super::class::check_untested;
use crate::error::Result;
use crate::model::{ModelAttribute, Node, Tree};
use crate::policy::Policy;
use crate::table::{Column, Table};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// For each code of a column (a missing value last) its class: codes of one class take the same branch at every test of
/// the attribute. Classes are numbered in the order of codes.
///
/// # Errors
/// When a code that occurs has no branch.
pub(crate) fn branch_classes(tree: &Tree, attribute: usize, column: &Column) -> Result<Vec<u32>> {
    let places = Places::new(&tree.attributes()[attribute], column);
    let tests = tree.nodes().iter().filter_map(|node| match node {
        Node::Test(test) if test.attribute == attribute => Some(branches(test, &places, column)),
        _ => None,
    });
    let tests: Vec<Vec<u32>> = tests.collect::<Result<_>>()?;
    let mut number: HashMap<Vec<u32>, u32> = HashMap::new();
    let class = |code: usize| {
        // A missing value is a class of its own, so that the counted table has one where the table has.
        let is_missing = u32::from(code == column.values().len());
        let taken = std::iter::once(is_missing).chain(tests.iter().map(|of_code| of_code[code])).collect();
        let next = number.len() as u32;
        *number.entry(taken).or_insert(next)
    };
    Ok((0..=column.values().len()).map(class).collect())
}

/// The most cells that are listed.
const MOST_CELLS: usize = 1 << 12;

/// Ranges of codes, ascending.
pub(crate) type CodeRanges = Vec<Range<u32>>;

/// Cells of public attributes, given by place and column: the codes that occur, attribute by attribute. Individuals of
/// one cell can reach the same leaves. Every individual is in one cell. None if there are very many.
///
/// A cell is divided at every public test that its individuals can reach, and goes down every branch of a private one:
/// of a tree without private tests, the cells are the leaves.
///
/// # Errors
/// When a code that occurs has no branch.
pub(crate) fn public_cells(tree: &Tree, public: &[(usize, &Column)]) -> Result<Option<Vec<Vec<CodeRanges>>>> {
    let mut tested = vec![None; tree.nodes().len()];
    for (node, tested) in tree.nodes().iter().zip(&mut tested) {
        let Node::Test(test) = node else { continue };
        let Some(place) = public.iter().position(|(attribute, _)| *attribute == test.attribute) else {
            continue;
        };
        let (attribute, column) = public[place];
        *tested = Some((place, branches(test, &Places::new(&tree.attributes()[attribute], column), column)?));
    }
    let mut open = vec![(public.iter().map(|(_, column)| occurring(column)).collect::<Vec<_>>(), vec![0])];
    let mut cells = Vec::new();
    while let Some((cell, mut nodes)) = open.pop() {
        let Some(node) = nodes.pop() else {
            cells.push(cell);
            continue;
        };
        match (&tree.nodes()[node as usize], &tested[node as usize]) {
            (Node::Leaf(_), _) => open.push((cell, nodes)),
            (Node::Test(test), None) => {
                nodes.extend(&test.children);
                open.push((cell, nodes));
            }
            (Node::Test(test), Some((place, of_code))) => {
                for (branch, codes) in divided(&cell[*place], of_code) {
                    let (mut part, mut nodes) = (cell.clone(), nodes.clone());
                    part[*place] = codes;
                    nodes.push(test.children[branch as usize]);
                    open.push((part, nodes));
                }
            }
        }
        if open.len() + cells.len() > MOST_CELLS {
            return Ok(None);
        }
    }
    Ok(Some(cells))
}

/// The codes that occur in a column.
fn occurring(column: &Column) -> CodeRanges {
    let mut codes: Vec<u32> = column.codes().iter().collect();
    codes.sort_unstable();
    codes.dedup();
    ranges(codes.into_iter())
}

/// Codes by the branch they take; the missing one apart from the others.
fn divided(codes: &CodeRanges, of_code: &[u32]) -> Vec<(u32, CodeRanges)> {
    let mut parts: BTreeMap<(u32, bool), Vec<u32>> = BTreeMap::new();
    for code in codes.iter().cloned().flatten().filter(|&code| of_code[code as usize] != NOWHERE) {
        let is_missing = code as usize + 1 == of_code.len();
        parts.entry((of_code[code as usize], is_missing)).or_default().push(code);
    }
    parts.into_iter().map(|((branch, _), codes)| (branch, ranges(codes.into_iter()))).collect()
}

/// Ascending codes as ranges.
fn ranges(codes: impl Iterator<Item = u32>) -> CodeRanges {
    let mut ranges = CodeRanges::new();
    for code in codes {
        match ranges.last_mut() {
            Some(last) if last.end == code => last.end += 1,
            _ => ranges.push(code..code + 1),
        }
    }
    ranges
}

/// Whether the release contradicts the policy in a private attribute that it lists and does not test.
pub(crate) fn check_listed(table: &Table, policy: &Policy, attribute: &ModelAttribute) -> Result<()> {
    check_untested(table, policy, &policy.knowledge(), attribute)
}
