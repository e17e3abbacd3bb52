//! Trees as one SQL expression.
//!
//! Standard SQL: identifiers in double quotes, strings in single quotes, numbers with an exponent so that they are doubles. A comparison with
//! NULL is not true, so missing values fall through to the branch that takes them.

use super::{Piece, label, values_of_branches, write_nested};
use crate::release::attribute_values;
use incrowd_core::model::{Node, Split, Test, Tree};
use incrowd_core::predict::outcomes;
use incrowd_core::{Error, Result};

/// How far lines are indented at most.
const DEEPEST: usize = 40;

pub(super) fn write(tree: &Tree) -> Result<String> {
    let outcomes = outcomes(tree);
    let text = write_nested(|node, depth| match &tree.nodes()[node as usize] {
        Node::Leaf(leaf) => Ok(vec![Piece::Text(string(label(tree, leaf.label))?)]),
        Node::Test(test) => {
            let stop = string(label(tree, outcomes[node as usize].label))?;
            case(tree, test, depth, stop)
        }
    })?;
    Ok(text + "\n")
}

/// A test: a condition for each branch, and what is left.
fn case(tree: &Tree, test: &Test, depth: usize, stop: String) -> Result<Vec<Piece>> {
    let attribute = &tree.attributes()[test.attribute];
    let column = identifier(&attribute.name).map_err(|error| error.of_attribute(&attribute.name))?;
    let line = format!("\n{}", "  ".repeat((depth + 1).min(DEEPEST)));
    let (conditions, rest) = match &test.split {
        Split::Values(_) => by_values(test, &column, attribute_values(attribute))?,
        Split::Thresholds(thresholds) => by_thresholds(test, &column, thresholds),
    };
    let mut pieces = vec![Piece::Text("CASE".to_owned())];
    if rest.is_some() && test.missing_branch().is_none() {
        pieces.push(Piece::Text(format!("{line}WHEN {column} IS NULL THEN {stop}")));
    }
    for (branch, condition) in conditions {
        pieces.push(Piece::Text(format!("{line}WHEN {condition} THEN ")));
        pieces.push(Piece::Node { node: test.children[branch], depth: depth + 1 });
    }
    pieces.push(Piece::Text(format!("{line}ELSE ")));
    pieces.push(match rest {
        Some(branch) => Piece::Node { node: test.children[branch], depth: depth + 1 },
        None => Piece::Text(stop),
    });
    pieces.push(Piece::Text(" END".to_owned()));
    Ok(pieces)
}

/// The condition of each branch that has one, and the branch of everything else.
type Conditions = (Vec<(usize, String)>, Option<usize>);

fn by_values(test: &Test, column: &str, domain: &[String]) -> Result<Conditions> {
    let rest = test.otherwise.map(|branch| branch as usize);
    let mut conditions = Vec::new();
    for (branch, names) in values_of_branches(test, domain).into_iter().enumerate() {
        let missing = test.missing_branch() == Some(branch as u32);
        if Some(branch) == rest || (names.is_empty() && !missing) {
            continue;
        }
        let names = names.into_iter().map(string).collect::<Result<Vec<_>>>()?;
        conditions.push((
            branch,
            match (names.is_empty(), missing) {
                (true, _) => format!("{column} IS NULL"),
                (false, true) => format!("{column} IN ({}) OR {column} IS NULL", names.join(", ")),
                (false, false) => format!("{column} IN ({})", names.join(", ")),
            },
        ));
    }
    Ok((conditions, rest))
}

fn by_thresholds(test: &Test, column: &str, thresholds: &[f64]) -> Conditions {
    let or_missing = |branch: usize| {
        if test.missing_branch() == Some(branch as u32) {
            format!(" OR {column} IS NULL")
        } else {
            String::new()
        }
    };
    let up_to = |(branch, &threshold): (usize, &f64)| {
        (branch, format!("{column} <= {}{}", number(threshold), or_missing(branch)))
    };
    let mut conditions: Vec<(usize, String)> = thresholds.iter().enumerate().map(up_to).collect();
    let last = thresholds.len();
    if test.missing_branch().is_some() {
        return (conditions, Some(last));
    }
    let condition = match thresholds.last() {
        Some(&threshold) => format!("{column} > {}", number(threshold)),
        None => format!("{column} IS NOT NULL"),
    };
    conditions.push((last, condition));
    (conditions, None)
}

/// A number that every database takes for a double.
fn number(number: f64) -> String {
    if (1e-6..1e15).contains(&number.abs()) || number == 0.0 {
        format!("{number}e0")
    } else {
        format!("{number:e}")
    }
}

pub(super) fn identifier(name: &str) -> Result<String> {
    Ok(format!("\"{}\"", sayable(name)?.replace('"', "\"\"")))
}

pub(super) fn string(text: &str) -> Result<String> {
    Ok(format!("'{}'", sayable(text)?.replace('\'', "''")))
}

fn sayable(text: &str) -> Result<&str> {
    if text.contains('\0') {
        return Err(Error::new("a name or value holds a NUL character, which SQL cannot say")
            .help("rename it, or export to another language"));
    }
    Ok(text)
}
