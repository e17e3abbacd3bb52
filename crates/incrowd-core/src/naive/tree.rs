//! Decision trees, routed value by value.

use super::enumerate::{self, Argument};
use super::known::knows;
use super::linked::{Bin, Linked};
use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{Domain, ModelAttribute, Node, Split, Test, Tree};
use crate::policy::Policy;
use crate::table::{Column, Kind, Table};

/// Links every row of the table by the tree.
pub(super) fn link(table: &Table, policy: &Policy, tree: &Tree) -> Result<Linked> {
    let mut arguments = Vec::new();
    for (place, attribute) in tree.attributes().iter().enumerate() {
        let mut argument = argument(table, policy, attribute, &thresholds(tree, place))?;
        argument.spoken_of = tests(tree).any(|test| test.attribute == place);
        arguments.push(argument);
    }
    let class = ModelAttribute::categorical(&tree.class().name, tree.class().values.clone());
    check_inside(&class, table.require(&class.name)?)?;
    let mut class = argument(table, policy, &class, &[])?;
    (class.is_class, class.spoken_of) = (true, true);
    arguments.push(class);
    let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
    enumerate::link(table, &arguments, &|values: &[&Value]| route(tree, &columns, values))
}

/// An argument of a function of the attribute, which some test may cut at `thresholds`.
pub(super) fn argument<'a>(
    table: &'a Table,
    policy: &Policy,
    attribute: &ModelAttribute,
    thresholds: &[f64],
) -> Result<Argument<'a>> {
    let column = table.require(&attribute.name)?;
    let known = knows(policy, &attribute.name)?;
    if !known {
        check_inside(attribute, column)?;
    }
    let mut domain = match &attribute.domain {
        Domain::Values(values) => values.iter().map(|name| Value::of_name(column, name)).collect(),
        Domain::Numbers { .. } if column.kind() != Kind::Numeric => {
            return Err(Error::new("the column is not numeric").of_attribute(&attribute.name));
        }
        Domain::Numbers { low, high } if policy.is_whole(&attribute.name) => {
            whole_points(*low, *high, thresholds)
        }
        Domain::Numbers { low, high } => points(*low, *high, thresholds),
    };
    if attribute.missing {
        domain.push(Value::Missing);
    }
    Ok(Argument::new(column, known, domain))
}

/// Whether every cell of the column lies in the declared domain.
fn check_inside(attribute: &ModelAttribute, column: &Column) -> Result<()> {
    let inside = |row: usize| match (Value::of_row(column, row), &attribute.domain) {
        (Value::Missing, _) => attribute.missing,
        (Value::Number(number), Domain::Numbers { low, high }) => *low <= number && number <= *high,
        (value, Domain::Values(names)) => names.iter().any(|name| Value::of_name(column, name) == value),
        (Value::Text(_), Domain::Numbers { .. }) => false,
    };
    if (0..column.len()).all(inside) {
        return Ok(());
    }
    Err(Error::new("the table holds a value outside the declared domain").of_attribute(&attribute.name))
}

/// The thresholds and the ends of the range, a number between any two neighbours, and one beyond where there is no end.
fn points(low: f64, high: f64, thresholds: &[f64]) -> Vec<Value> {
    let inside = thresholds.iter().copied().filter(|t| low <= *t && *t <= high);
    let mut points: Vec<f64> = inside.chain([low, high].into_iter().filter(|end| end.is_finite())).collect();
    if points.is_empty() {
        points.push(0.0);
    }
    points.sort_by(f64::total_cmp);
    if low.is_infinite() {
        points.insert(0, points[0] - 1.0);
    }
    if high.is_infinite() {
        points.push(points[points.len() - 1] + 1.0);
    }
    let between: Vec<f64> = points.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    points.into_iter().chain(between).map(Value::Number).collect()
}

/// The whole numbers next to the thresholds and to the ends of the range, of those inside it.
fn whole_points(low: f64, high: f64, thresholds: &[f64]) -> Vec<Value> {
    let ends = [low, high].into_iter().filter(|end| end.is_finite());
    let near = thresholds.iter().copied().chain(ends).chain([0.0]);
    let points = near.flat_map(|x| [x.floor() - 1.0, x.floor(), x.ceil(), x.ceil() + 1.0]);
    points.filter(|&x| low <= x && x <= high).map(Value::Number).collect()
}

fn tests(tree: &Tree) -> impl Iterator<Item = &Test> {
    tree.nodes().iter().filter_map(|node| match node {
        Node::Test(test) => Some(test),
        Node::Leaf(_) => None,
    })
}

fn thresholds(tree: &Tree, place: usize) -> Vec<f64> {
    let of_test = |test: &Test| match &test.split {
        Split::Thresholds(thresholds) => thresholds.clone(),
        Split::Values(_) => Vec::new(),
    };
    tests(tree).filter(|test| test.attribute == place).flat_map(of_test).collect()
}

/// The bin of someone with these values: the leaf, and the class in it.
fn route(tree: &Tree, columns: &[&Column], values: &[&Value]) -> Option<Bin> {
    let mut place = 0;
    while let Node::Test(test) = &tree.nodes()[place as usize] {
        let attribute = &tree.attributes()[test.attribute];
        let branch = branch(test, attribute, columns[test.attribute], values[test.attribute])?;
        place = test.children[branch as usize];
    }
    let (column, value) = (columns[columns.len() - 1], values[values.len() - 1]);
    let class = tree.class().values.iter().position(|name| Value::of_name(column, name) == *value)?;
    Some(vec![place, class as u32])
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
