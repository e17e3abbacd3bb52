//! Decision trees and ensembles of them, routed value by value.

use super::domain::domain;
use super::enumerate::{self, Argument, Mention};
use super::known::knows;
use super::linked::{Bin, Linked};
use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{Domain, ModelAttribute, Node, Split, Test, Tree};
use crate::policy::Policy;
use crate::table::{Column, Table};

/// Links every row of the table by the leaves of all trees, which have the same attributes and the same class.
pub(super) fn link(table: &Table, policy: &Policy, trees: &[&Tree]) -> Result<Linked> {
    let Some(tree) = trees.first() else { return Err(Error::input("there are no trees")) };
    let mut arguments = Vec::new();
    for (place, attribute) in tree.attributes().iter().enumerate() {
        let tested = trees.iter().flat_map(|tree| tests(tree)).any(|test| test.attribute == place);
        let cuts: Vec<f64> = trees.iter().flat_map(|tree| thresholds(tree, place)).collect();
        let mut argument = argument(table, policy, attribute, &cuts)?;
        argument.mention = Mention::of(tested);
        arguments.push(argument);
    }
    let class = ModelAttribute::categorical(&tree.class().name, tree.class().values.clone());
    check_listed(&class, table.require(&class.name)?)?;
    let mut class = argument(table, policy, &class, &[])?;
    (class.is_class, class.mention) = (true, Mention::InRelease);
    arguments.push(class);
    let (arguments, relations) = enumerate::with_relations(table, policy, arguments)?;
    trees.iter().try_for_each(|tree| check_total(tree, &arguments))?;
    let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
    let declared = policy.attribute(&tree.class().name).map_or(&[][..], |class| &class.values);
    enumerate::link(table, &arguments, &relations, &|values: &[&Value]| {
        route(trees, declared, &columns, values)
    })
}

/// An argument of a function of the attribute, which some test may cut at `thresholds`.
pub(super) fn argument<'a>(
    table: &'a Table,
    policy: &Policy,
    attribute: &ModelAttribute,
    thresholds: &[f64],
) -> Result<Argument<'a>> {
    let column = table.require(&attribute.name)?;
    if knows(policy, &attribute.name)? {
        return Ok(Argument::new(column, true, Vec::new()));
    }
    Ok(Argument::new(column, false, domain(attribute, column, policy, thresholds)?))
}

/// Whether the attacker knows an attribute of a model.
pub(super) fn is_known(policy: &Policy, name: &str) -> bool {
    knows(policy, name).unwrap_or(false)
}

/// Whether every cell of the class is listed.
fn check_listed(class: &ModelAttribute, column: &Column) -> Result<()> {
    let Domain::Values(names) = &class.domain else { return Ok(()) };
    let listed = |value: &Value| names.iter().any(|name| Value::of_name(column, name) == *value);
    if (0..column.len()).all(|row| listed(&Value::of_row(column, row))) {
        return Ok(());
    }
    Err(Error::input("the table holds a class value that the release does not list")
        .of_attribute(&class.name))
}

/// Whether every value of the table has a branch at every test of its attribute, and every other one at every test that
/// an individual with it can come to.
fn check_total(tree: &Tree, arguments: &[Argument<'_>]) -> Result<()> {
    let lacks = |place: usize| {
        Err(Error::input("a value has no branch").of_attribute(&tree.attributes()[place].name))
    };
    let branch_of = |test: &Test, argument: &Argument<'_>, value: &Value| {
        branch(test, &tree.attributes()[test.attribute], argument.column, value)
    };
    for test in tests(tree) {
        let argument = &arguments[test.attribute];
        let occurs = |value: &&Value| {
            argument.known
                || (0..argument.column.len()).any(|row| Value::of_row(argument.column, row) == **value)
        };
        if argument.values().iter().filter(occurs).any(|value| branch_of(test, argument, value).is_none()) {
            return lacks(test.attribute);
        }
    }
    let everything: Vec<Vec<&Value>> =
        arguments.iter().map(|argument| argument.values().iter().collect()).collect();
    let mut stack = vec![(0_u32, everything)];
    while let Some((node, possible)) = stack.pop() {
        let Node::Test(test) = &tree.nodes()[node as usize] else { continue };
        let argument = &arguments[test.attribute];
        let own = &possible[test.attribute];
        if !argument.known && own.iter().any(|value| branch_of(test, argument, value).is_none()) {
            return lacks(test.attribute);
        }
        for (branch, &child) in (0..).zip(&test.children) {
            let mut below = possible.clone();
            if !argument.known {
                below[test.attribute].retain(|value| branch_of(test, argument, value) == Some(branch));
            }
            if argument.known || !below[test.attribute].is_empty() {
                stack.push((child, below));
            }
        }
    }
    Ok(())
}

fn tests(tree: &Tree) -> impl Iterator<Item = &Test> {
    tree.nodes().iter().filter_map(|node| match node {
        Node::Test(test) => Some(test),
        Node::Leaf(_) => None,
    })
}

pub(super) fn thresholds(tree: &Tree, place: usize) -> Vec<f64> {
    let of_test = |test: &Test| match &test.split {
        Split::Thresholds(thresholds) => thresholds.clone(),
        Split::Values(_) => Vec::new(),
    };
    tests(tree).filter(|test| test.attribute == place).flat_map(of_test).collect()
}

/// The bin of an individual with these values: a leaf of each tree, and the class. Class values that the trees do not
/// list come after those they do: each name that the policy declares is one, all numbers are one together.
pub(super) fn route(
    trees: &[&Tree],
    declared: &[String],
    columns: &[&Column],
    values: &[&Value],
) -> Option<Bin> {
    let mut bin: Bin = trees.iter().map(|tree| leaf(tree, columns, values)).collect::<Option<_>>()?;
    let tree = trees.first()?;
    let class = tree.attributes().len();
    let (column, value) = (columns[class], values[class]);
    let position = |names: &[String]| names.iter().position(|name| Value::of_name(column, name) == *value);
    let listed = tree.class().values.len();
    let class = position(&tree.class().values)
        .or_else(|| position(declared).map(|place| listed + place))
        .or_else(|| value.number().map(|_| listed + declared.len()))?;
    bin.push(class as u32);
    Some(bin)
}

pub(super) fn leaf(tree: &Tree, columns: &[&Column], values: &[&Value]) -> Option<u32> {
    let mut place = 0;
    while let Node::Test(test) = &tree.nodes()[place as usize] {
        let attribute = &tree.attributes()[test.attribute];
        let branch = branch(test, attribute, columns[test.attribute], values[test.attribute])?;
        place = test.children[branch as usize];
    }
    Some(place)
}

fn branch(test: &Test, attribute: &ModelAttribute, column: &Column, value: &Value) -> Option<u32> {
    if *value == Value::Missing {
        return test.missing_branch();
    }
    let own = match (&test.split, &attribute.domain, value) {
        (Split::Thresholds(thresholds), _, Value::Number(number)) => {
            Some(thresholds.iter().filter(|threshold| *threshold < number).count() as u32)
        }
        (Split::Values(of_value), Domain::Values(names), _) => {
            let listed = names.iter().position(|name| Value::of_name(column, name) == *value);
            listed.and_then(|place| of_value[place])
        }
        _ => None,
    };
    own.or(test.otherwise)
}
