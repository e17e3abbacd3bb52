//! Trees as one SQL expression.
//!
//! Standard SQL: identifiers in double quotes, strings in single quotes, numbers with an exponent so that they are
//! doubles, and columns cast to doubles, because databases differ in how they compare whole numbers beyond 2^53. Dates
//! are compared as text in the notation of ISO 8601. A comparison with NULL is not true, so missing values fall through
//! to the branch that takes them.
//!
//! The parser of `SQLite` allows about twenty nested expressions, so deeper nodes become branches of the outermost
//! `CASE`, with all tests on their path as the condition.

use super::{Piece, label, values_of_branches, write_nested};
use crate::release::attribute_values;
use incrowd_core::model::{Node, Split, Test, Tree};
use incrowd_core::predict::{Outcome, outcomes};
use incrowd_core::table::Date;
use incrowd_core::{Error, Result};

/// How deep tests are nested.
const NESTED: u32 = 10;
/// The maximum number of tests on a path: databases accept conditions of about a thousand parts.
const DEEPEST: u32 = 400;
/// What a reader of the expression must know about dates: other notations are compared, too, but wrongly.
const DATES: &str = "/* dates must be of type DATE or text such as 2026-12-31 */\n";
/// The most bytes an expression may have.
const LONGEST: usize = 64 << 20;

pub(super) fn write(tree: &Tree) -> Result<String> {
    let writer = Writer { tree, outcomes: outcomes(tree), parents: parents(tree)? };
    let is_root = |node: &u32| {
        let depth = writer.parents[*node as usize].depth;
        depth > 0 && depth.is_multiple_of(NESTED) && matches!(tree.nodes()[*node as usize], Node::Test(_))
    };
    let roots: Vec<u32> = (0..tree.nodes().len() as u32).filter(is_root).collect();
    let head = if has_dates(tree) { DATES } else { "" };
    if roots.is_empty() {
        return Ok(format!("{head}{}\n", writer.block(0)?));
    }
    let mut text = format!("{head}CASE");
    // A condition contains the whole path, so those of deeper nodes come first.
    for &root in roots.iter().rev() {
        text += &format!("\n  WHEN {} THEN {}", writer.way(root)?, writer.block(root)?);
        if text.len() > LONGEST {
            return Err(too_deep());
        }
    }
    Ok(format!("{text}\n  ELSE {} END\n", writer.block(0)?))
}

/// Whether a test is on dates.
fn has_dates(tree: &Tree) -> bool {
    let is_dated = |node: &Node| matches!(node, Node::Test(test) if tree.attributes()[test.attribute].dates);
    tree.nodes().iter().any(is_dated)
}

fn too_deep() -> Error {
    Error::limit("the tree is too deep for one SQL expression").help("prune it, or export to another format")
}

/// How a node is reached.
#[derive(Clone, Copy, Default)]
struct NodePath {
    parent: u32,
    branch: u32,
    depth: u32,
}

fn parents(tree: &Tree) -> Result<Vec<NodePath>> {
    let mut reached = vec![NodePath::default(); tree.nodes().len()];
    for (node, parent) in tree.nodes().iter().zip(0..) {
        let Node::Test(test) = node else { continue };
        let depth = reached[parent as usize].depth + 1;
        if depth > DEEPEST {
            return Err(too_deep());
        }
        for (&child, branch) in test.children.iter().zip(0..) {
            reached[child as usize] = NodePath { parent, branch, depth };
        }
    }
    Ok(reached)
}

struct Writer<'a> {
    tree: &'a Tree,
    outcomes: Vec<Outcome>,
    parents: Vec<NodePath>,
}

impl Writer<'_> {
    /// The expression of a node, down to where the next ones begin.
    fn block(&self, root: u32) -> Result<String> {
        write_nested(root, |node, depth| match &self.tree.nodes()[node as usize] {
            Node::Leaf(leaf) => Ok(vec![Piece::Text(string(label(self.tree, leaf.label))?)]),
            Node::Test(test) => {
                let stop = string(label(self.tree, self.outcomes[node as usize].label))?;
                // Rows that come here take the branch of that block.
                if depth as u32 == NESTED {
                    Ok(vec![Piece::Text(stop)])
                } else {
                    self.case(test, depth, &stop)
                }
            }
        })
    }

    /// All tests on the path to a node.
    fn way(&self, node: u32) -> Result<String> {
        let mut conditions = Vec::new();
        let mut at = node;
        while at != 0 {
            let NodePath { parent, branch, .. } = self.parents[at as usize];
            if let Node::Test(test) = &self.tree.nodes()[parent as usize] {
                conditions.push(self.condition(test, branch as usize)?);
            }
            at = parent;
        }
        conditions.reverse();
        Ok(conditions.join(" AND "))
    }

    /// A test: a condition for each branch, and what is left.
    fn case(&self, test: &Test, depth: usize, stop: &str) -> Result<Vec<Piece>> {
        let column = self.column(test)?;
        let line = format!("\n{}", "  ".repeat(depth + 1));
        let (conditions, rest) = match &test.split {
            Split::Values(_) => self.by_values(test, &column)?,
            Split::Thresholds(thresholds) => by_thresholds(test, &column, (thresholds, self.dates(test))),
        };
        let last = match rest {
            Some(branch) => Piece::Node { node: test.children[branch], depth: depth + 1 },
            None => Piece::Text(stop.to_owned()),
        };
        let mut whens = Vec::new();
        if rest.is_some() && test.missing_branch().is_none() {
            whens.push(Piece::Text(format!("{line}WHEN {column} IS NULL THEN {stop}")));
        }
        for (branch, condition) in conditions {
            whens.push(Piece::Text(format!("{line}WHEN {condition} THEN ")));
            whens.push(Piece::Node { node: test.children[branch], depth: depth + 1 });
        }
        if whens.is_empty() {
            // Everything goes the same way, and a CASE needs a WHEN.
            return Ok(vec![last]);
        }
        let start = std::iter::once(Piece::Text("CASE".to_owned()));
        let end = [Piece::Text(format!("{line}ELSE ")), last, Piece::Text(" END".to_owned())];
        Ok(start.chain(whens).chain(end).collect())
    }

    /// The column that a test needs, in the form it needs.
    fn column(&self, test: &Test) -> Result<String> {
        let name = &self.tree.attributes()[test.attribute].name;
        let column = identifier(name).map_err(|error| error.of_attribute(name))?;
        Ok(match &test.split {
            Split::Values(_) => column,
            Split::Thresholds(_) if self.dates(test) => format!("CAST({column} AS CHAR(10))"),
            Split::Thresholds(_) => format!("CAST({column} AS DOUBLE PRECISION)"),
        })
    }

    /// Whether a test is on dates.
    fn dates(&self, test: &Test) -> bool {
        self.tree.attributes()[test.attribute].dates
    }

    /// The condition that holds for exactly those who take a branch.
    fn condition(&self, test: &Test, branch: usize) -> Result<String> {
        let column = self.column(test)?;
        let condition = match &test.split {
            Split::Thresholds(thresholds) => within(&column, (thresholds, self.dates(test)), branch),
            Split::Values(_) => self.among(test, &column, branch)?,
        };
        let missing = test.missing_branch() == Some(branch as u32);
        Ok(match (condition, missing) {
            (Some(condition), true) => format!("({condition} OR {column} IS NULL)"),
            (Some(condition), false) => condition,
            (None, true) => format!("{column} IS NULL"),
            (None, false) => "1 = 0".to_owned(),
        })
    }

    /// The condition on the values of a branch; none if it has none.
    fn among(&self, test: &Test, column: &str, branch: usize) -> Result<Option<String>> {
        let names = values_of_branches(test, attribute_values(&self.tree.attributes()[test.attribute]));
        let is_rest = test.otherwise == Some(branch as u32);
        let listed: Vec<&str> = if is_rest {
            let others = names.into_iter().enumerate().filter(|(other, _)| *other != branch);
            others.flat_map(|(_, names)| names).collect()
        } else {
            names[branch].clone()
        };
        let listed = listed.into_iter().map(string).collect::<Result<Vec<_>>>()?.join(", ");
        Ok(match (is_rest, listed.is_empty()) {
            (true, true) => Some(format!("{column} IS NOT NULL")),
            (true, false) => Some(format!("{column} NOT IN ({listed})")),
            (false, true) => None,
            (false, false) => Some(format!("{column} IN ({listed})")),
        })
    }

    fn by_values(&self, test: &Test, column: &str) -> Result<Conditions> {
        let rest = test.otherwise.map(|branch| branch as usize);
        let mut conditions = Vec::new();
        for branch in (0..test.children.len()).filter(|branch| Some(*branch) != rest) {
            let missing = test.missing_branch() == Some(branch as u32);
            match (self.among(test, column, branch)?, missing) {
                (None, false) => {}
                (None, true) => conditions.push((branch, format!("{column} IS NULL"))),
                (Some(names), false) => conditions.push((branch, names)),
                (Some(names), true) => conditions.push((branch, format!("{names} OR {column} IS NULL"))),
            }
        }
        Ok((conditions, rest))
    }
}

/// The condition of each branch that has one, and the branch of everything else.
type Conditions = (Vec<(usize, String)>, Option<usize>);

/// The condition on the numbers of a branch; none for the one of missing values alone.
fn within(column: &str, (thresholds, dates): (&[f64], bool), branch: usize) -> Option<String> {
    let over = branch
        .checked_sub(1)
        .map(|before| thresholds.get(before).map(|&low| format!("{column} {}", above(low, dates))));
    let under = thresholds.get(branch).map(|&high| format!("{column} {}", up_to(high, dates)));
    match (over, under) {
        (Some(None), _) => None,
        (Some(Some(over)), Some(under)) => Some(format!("({over} AND {under})")),
        (Some(Some(one)), None) | (None, Some(one)) => Some(one),
        (None, None) => Some(format!("{column} IS NOT NULL")),
    }
}

fn by_thresholds(test: &Test, column: &str, (thresholds, dates): (&[f64], bool)) -> Conditions {
    let or_missing = |branch: usize| {
        if test.missing_branch() == Some(branch as u32) {
            format!(" OR {column} IS NULL")
        } else {
            String::new()
        }
    };
    let condition = |(branch, &threshold): (usize, &f64)| {
        (branch, format!("{column} {}{}", up_to(threshold, dates), or_missing(branch)))
    };
    let mut conditions: Vec<(usize, String)> = thresholds.iter().enumerate().map(condition).collect();
    let last = thresholds.len();
    let apart = test.has_branch_for_missing_numbers();
    if test.missing_branch().is_some() && !apart {
        return (conditions, Some(last));
    }
    let condition = match thresholds.last() {
        Some(&threshold) => format!("{column} {}", above(threshold, dates)),
        None => format!("{column} IS NOT NULL"),
    };
    conditions.push((last, condition));
    (conditions, apart.then_some(last + 1))
}

/// At most a number; of dates, before the day after it, so that a time of day behind a date makes no difference.
fn up_to(threshold: f64, dates: bool) -> String {
    if dates { format!("< '{}'", next_day(threshold)) } else { format!("<= {}", number(threshold)) }
}

/// Above a number, or not before the day after it.
fn above(threshold: f64, dates: bool) -> String {
    if dates { format!(">= '{}'", next_day(threshold)) } else { format!("> {}", number(threshold)) }
}

fn next_day(day: f64) -> String {
    Date::text_of_days(day.floor() + 1.0)
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
        return Err(Error::input("a name or value contains a NUL character, which SQL cannot represent")
            .help("rename it, or export to another format"));
    }
    Ok(text)
}
