//! Trees as a Python module without dependencies.
//!
//! Strings are written in ASCII with escapes, so that nothing in a name can end one. Python allows at most a hundred
//! levels of indentation, so deep subtrees become separate functions.

mod scored;

pub(super) use scored::write as write_ensemble;

use super::{is_end, values_of_branches};
use crate::release::attribute_values;
use crate::tested;
use incrowd_core::model::{Domain, ModelAttribute, Node, Split, Test, Tree};
use incrowd_core::predict::outcomes;

/// How deep tests may be nested in a function.
const NESTED: usize = 24;

const HEAD: &str = r#""""A decision tree, exported by incrowd.

A row is a mapping from column names to values, such as csv.DictReader returns. Numbers may be given as text, and spaces around text are ignored. None,
NaN and, for a number or a date, empty text are missing values. A date is text such as "2026-12-31" or a datetime.date.
"""

from datetime import date

"#;

const TAIL: &str = r#"

def predict(row):
    """The class value predicted for a row."""
    return CLASSES[_OUTCOMES[node(row)][0]]


def probabilities(row):
    """The share of each class value, or None if the tree does not contain it."""
    shares = _OUTCOMES[node(row)][1]
    return None if shares is None else dict(zip(CLASSES, shares))
"#;

/// The functions that read cells.
const READERS: &str = r#"

def _number(value):
    if isinstance(value, str):
        value = value.strip()
        if "_" in value:
            raise ValueError("a number is expected")
    if value is None or value == "":
        return None
    value = float(value)
    return None if value != value else value


def _days(value):
    if value is None or value != value:
        return None
    if isinstance(value, str):
        value = value.strip()
        if value == "":
            return None
        digits = value[:4] + value[5:7] + value[8:10]
        if len(digits) != 8 or not digits.isdecimal() or value[4:5].isdecimal():
            raise ValueError("a date such as 2026-12-31 is expected")
        value = date(int(value[:4]), int(value[5:7]), int(value[8:10]))
    return value.toordinal() - 719163


def _text(value, known):
    if value is None or value != value:
        return None
    value = str(value)
    return value if value in known else value.strip()
"#;

pub(super) fn write(tree: &Tree) -> String {
    let mut text = format!("{HEAD}CLASSES = {}\n\n", tuple(&tree.class().values));
    text += &table(tree);
    text += &known(tree.attributes(), &tested(tree));
    text += "def node(row):\n    \"\"\"The number of the node where a row ends.\"\"\"\n";
    text += &columns(tree.attributes(), &tested(tree));
    text += &format!("    return _node_0({})\n", arguments(tree));
    text + &functions(tree, "_node_", |node| format!("return {node}")) + TAIL + READERS
}

/// Texts as a tuple.
fn tuple(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| string(text)).collect();
    format!("({},)", texts.join(", "))
}

/// The functions of a tree, whose names start with `prefix`; `end` returns the line where a row ends.
fn functions(tree: &Tree, prefix: &str, end: impl Fn(u32) -> String) -> String {
    let mut functions =
        Functions { tree, prefix, end, arguments: arguments(tree), roots: vec![0], text: String::new() };
    while let Some(root) = functions.roots.pop() {
        functions.function(root);
    }
    functions.text
}

/// Where rows can end: the place of the label, and the shares.
fn table(tree: &Tree) -> String {
    let mut text = String::from(
        "# By node: the index of its label, and the share of each class value.\n_OUTCOMES = {\n",
    );
    for (i, (node, outcome)) in tree.nodes().iter().zip(outcomes(tree)).enumerate() {
        if is_end(node) {
            let shares = outcome.shares().map(|shares| {
                let shares: Vec<String> = shares.iter().map(|&share| number(share)).collect();
                format!("({},)", shares.join(", "))
            });
            text += &format!("    {i}: ({}, {}),\n", outcome.label, shares.as_deref().unwrap_or("None"));
        }
    }
    text + "}\n\n"
}

/// The values of the attributes that are tested.
fn known(attributes: &[ModelAttribute], tested: &[bool]) -> String {
    let mut text = String::from("# By attribute: the values it is known to have.\n_KNOWN = {\n");
    for (i, (attribute, tested)) in attributes.iter().zip(tested).enumerate() {
        if let (Domain::Values(values), true) = (&attribute.domain, tested) {
            text += &format!("    {i}: frozenset({}),\n", tuple(values));
        }
    }
    text + "}\n\n\n"
}

/// The lines that read a row's columns.
fn columns(attributes: &[ModelAttribute], tested: &[bool]) -> String {
    let mut text = String::new();
    for (i, (attribute, tested)) in attributes.iter().zip(tested).enumerate() {
        if *tested {
            let cell = format!("row.get({})", string(&attribute.name));
            text += &match attribute.domain {
                Domain::Numbers { .. } if attribute.dates => format!("    v{i} = _days({cell})\n"),
                Domain::Numbers { .. } => format!("    v{i} = _number({cell})\n"),
                Domain::Values(_) => format!("    v{i} = _text({cell}, _KNOWN[{i}])\n"),
            };
        }
    }
    text
}

fn arguments(tree: &Tree) -> String {
    let tested = tested(tree).into_iter().enumerate().filter(|(_, tested)| *tested);
    tested.map(|(i, _)| format!("v{i}")).collect::<Vec<_>>().join(", ")
}

/// The functions with the tests.
struct Functions<'a, End> {
    tree: &'a Tree,
    prefix: &'a str,
    end: End,
    arguments: String,
    /// The nodes that need a function of their own.
    roots: Vec<u32>,
    text: String,
}

/// What is still to be written, by indentation.
enum Part {
    Line(String),
    Node(u32),
}

impl<End: Fn(u32) -> String> Functions<'_, End> {
    fn function(&mut self, root: u32) {
        self.text += &format!("\n\ndef {}{root}({}):\n", self.prefix, self.arguments);
        let mut waiting = vec![(1, Part::Node(root))];
        while let Some((depth, part)) = waiting.pop() {
            let parts = match part {
                Part::Line(line) => {
                    self.text += &format!("{}{line}\n", "    ".repeat(depth));
                    continue;
                }
                Part::Node(node) => self.node(node, depth),
            };
            waiting.extend(parts.into_iter().rev());
        }
    }

    fn node(&mut self, node: u32, depth: usize) -> Vec<(usize, Part)> {
        let line = |text: String| vec![(depth, Part::Line(text))];
        match &self.tree.nodes()[node as usize] {
            Node::Leaf(_) => line((self.end)(node)),
            Node::Test(_) if depth > NESTED => {
                self.roots.push(node);
                line(format!("return {}{node}({})", self.prefix, self.arguments))
            }
            Node::Test(test) => self.test(node, test, depth),
        }
    }

    fn test(&self, node: u32, test: &Test, depth: usize) -> Vec<(usize, Part)> {
        let mut parts = Vec::new();
        let (conditions, rest) = self.conditions(test);
        if rest.is_some() && test.missing_branch().is_none() {
            parts.push((depth, Part::Line(format!("if v{} is None:", test.attribute))));
            parts.push((depth + 1, Part::Line((self.end)(node))));
        }
        for (i, (branch, condition)) in conditions.iter().enumerate() {
            let word = if i == 0 { "if" } else { "elif" };
            parts.push((depth, Part::Line(format!("{word} {condition}:"))));
            parts.push((depth + 1, Part::Node(test.children[*branch])));
        }
        match rest {
            Some(branch) => parts.push((depth, Part::Node(test.children[branch]))),
            None => parts.push((depth, Part::Line((self.end)(node)))),
        }
        parts
    }

    /// The condition of each branch that has one, and the branch of everything else.
    fn conditions(&self, test: &Test) -> (Vec<(usize, String)>, Option<usize>) {
        let value = format!("v{}", test.attribute);
        match &test.split {
            Split::Thresholds(thresholds) => by_thresholds(test, &value, thresholds),
            Split::Values(_) => {
                let domain = attribute_values(&self.tree.attributes()[test.attribute]);
                let rest = test.otherwise.map(|branch| branch as usize);
                let names = values_of_branches(test, domain).into_iter().enumerate();
                let missing = test.missing_branch().map(|branch| branch as usize);
                let own = names.filter(|(branch, names)| {
                    Some(*branch) != rest && (!names.is_empty() || Some(*branch) == missing)
                });
                let condition = |(branch, names): (usize, Vec<&str>)| {
                    let names: Vec<String> = names.into_iter().map(string).collect();
                    let condition = match (names.is_empty(), Some(branch) == missing) {
                        (true, _) => format!("{value} is None"),
                        (false, true) => format!("{value} is None or {value} in {{{}}}", names.join(", ")),
                        (false, false) => format!("{value} in {{{}}}", names.join(", ")),
                    };
                    (branch, condition)
                };
                (own.map(condition).collect(), rest)
            }
        }
    }
}

fn by_thresholds(test: &Test, value: &str, thresholds: &[f64]) -> (Vec<(usize, String)>, Option<usize>) {
    let last = thresholds.len();
    let missing = test.missing_branch().map_or(last + 1, |branch| branch as usize);
    let up_to = |(branch, &threshold): (usize, &f64)| {
        let below = format!("{value} <= {}", number(threshold));
        let condition = match branch.cmp(&missing) {
            std::cmp::Ordering::Less => format!("{value} is not None and {below}"),
            std::cmp::Ordering::Equal => format!("{value} is None or {below}"),
            std::cmp::Ordering::Greater => below,
        };
        (branch, condition)
    };
    let mut conditions: Vec<(usize, String)> = thresholds.iter().enumerate().map(up_to).collect();
    let apart = test.has_branch_for_missing_numbers();
    if test.missing_branch().is_some() && !apart {
        return (conditions, Some(last));
    }
    conditions.push((last, format!("{value} is not None")));
    (conditions, apart.then_some(last + 1))
}

/// A number that Python reads as the same double.
fn number(number: f64) -> String {
    format!("{number:?}")
}

/// A string in ASCII.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='~' => quoted.push(character),
            other if (other as u32) < 0x1_0000 => quoted += &format!("\\u{:04x}", other as u32),
            other => quoted += &format!("\\U{:08x}", other as u32),
        }
    }
    quoted + "\""
}
