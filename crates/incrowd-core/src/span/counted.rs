//! What the spans of a tree depend on, where the rows of a table are only counted.

use super::bind::{Places, branches};
use super::class::check_untested;
use crate::error::Result;
use crate::model::{ModelAttribute, Node, Tree};
use crate::policy::Policy;
use crate::table::{Column, Table};
use hashbrown::HashMap;

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

/// Whether the release contradicts the policy in a private attribute that it lists and does not test.
pub(crate) fn check_listed(table: &Table, policy: &Policy, attribute: &ModelAttribute) -> Result<()> {
    check_untested(table, policy, &policy.knowledge(), attribute)
}
