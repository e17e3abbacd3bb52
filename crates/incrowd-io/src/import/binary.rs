//! Trees of tests `feature <= number`, converted to trees that test attributes.

use super::columns::{Codes, Coding, Columns};
use super::{HELP, single};
use crate::bounds::check_cells;
use crate::release::{attribute_values, labels};
use incrowd_core::model::{Class, Leaf, MissingRoute, Node, Split, Test, Tree};
use incrowd_core::{Error, Result};

/// A node as a file has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Binary {
    /// A leaf.
    Leaf(Leaf),
    /// A test.
    Test(Comparison),
}

/// Whether a feature is at most a number, or below it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Comparison {
    pub(super) feature: usize,
    pub(super) threshold: f64,
    /// Whether the number itself is on the other side.
    pub(super) strict: bool,
    /// The node for yes and the node for no.
    pub(super) goals: [usize; 2],
    /// Where a missing number goes: `Some(0)` for yes, `Some(1)` for no.
    pub(super) missing: Option<u32>,
    /// The codes for yes, ascending, if the test is not a comparison with a number but lists codes.
    pub(super) codes: Option<Vec<f64>>,
}

impl Comparison {
    /// Whether a code is on the side of yes.
    fn takes(&self, code: f64) -> bool {
        match &self.codes {
            Some(codes) => codes.binary_search_by(|own| own.total_cmp(&code)).is_ok(),
            None if self.strict => code < self.threshold,
            None => code <= self.threshold,
        }
    }
}

/// A checked tree; the first node is the root, and every other node is on exactly one way from it.
pub(super) fn tree(columns: Columns, class: Class, nodes: &[Binary]) -> Result<Tree> {
    let (made, _) = ordered(&columns, nodes, &mut 0)?;
    Tree::new(columns.attributes, class, made)
}

/// The nodes of a tree from the root on, parents first, and the place that each of them had. `cells` counts the values
/// that all tests cover.
pub(super) fn ordered(
    columns: &Columns,
    nodes: &[Binary],
    cells: &mut usize,
) -> Result<(Vec<Node>, Vec<usize>)> {
    let order = order(nodes)?;
    let mut number = vec![0_u32; nodes.len()];
    order.iter().zip(0..).for_each(|(&node, place)| number[node] = place);
    let mut made = Vec::with_capacity(nodes.len());
    for &node in &order {
        made.push(match &nodes[node] {
            Binary::Leaf(leaf) => Node::Leaf(leaf.clone()),
            Binary::Test(comparison) => {
                let children = comparison.goals.iter().map(|&goal| number[goal]).collect();
                let about = |error: Error| error.about(format_args!("node {node}")).help(HELP);
                Node::Test(test(columns, comparison, children, cells).map_err(about)?)
            }
        });
    }
    Ok((made, order))
}

/// The nodes from the root on, parents first.
fn order(nodes: &[Binary]) -> Result<Vec<usize>> {
    let mut seen = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut next = std::collections::VecDeque::from([0]);
    while let Some(node) = next.pop_front() {
        match seen.get_mut(node) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(not_a_tree()),
        }
        order.push(node);
        if let Binary::Test(comparison) = &nodes[node] {
            next.extend(comparison.goals);
        }
    }
    if order.len() < nodes.len() { Err(not_a_tree()) } else { Ok(order) }
}

fn not_a_tree() -> Error {
    Error::input("the nodes are not a tree: a node has no parent, or two").help("export the model again")
}

fn test(columns: &Columns, comparison: &Comparison, children: Vec<u32>, cells: &mut usize) -> Result<Test> {
    let feature = columns.features.get(comparison.feature);
    let feature = feature.ok_or_else(|| Error::input("it tests a column that is not listed"))?;
    if !comparison.threshold.is_finite() {
        return Err(Error::input("it compares with something that is not a finite number"));
    }
    match &feature.coding {
        Coding::Number { .. } if comparison.codes.is_some() => {
            Err(Error::input("it lists codes, but the column is numeric").help("give the column \"codes\""))
        }
        Coding::Number { single, nan } => {
            let missing = comparison.missing.filter(|_| *nan);
            let comparison = Comparison { missing, ..comparison.clone() };
            Ok(by_number(feature.attribute, *single, &comparison, children))
        }
        Coding::Codes(codes) => {
            *cells += attribute_values(&columns.attributes[feature.attribute]).len();
            check_cells(*cells)?;
            Ok(by_code(columns, feature.attribute, codes, comparison, children))
        }
    }
}

fn by_number(attribute: usize, single: bool, comparison: &Comparison, children: Vec<u32>) -> Test {
    let &Comparison { threshold, strict, missing, .. } = comparison;
    let included = if strict { threshold.next_down() } else { threshold };
    let exact = if single { single::threshold(included) } else { included };
    let shown = labels::number(threshold);
    let labels = if strict {
        vec![format!("< {shown}"), format!(">= {shown}")]
    } else {
        vec![format!("<= {shown}"), format!("> {shown}")]
    };
    let split = Split::Thresholds(vec![exact]);
    Test { attribute, split, labels, children, otherwise: None, missing: route(missing) }
}

fn by_code(
    columns: &Columns,
    attribute: usize,
    codes: &Codes,
    comparison: &Comparison,
    children: Vec<u32>,
) -> Test {
    let values = attribute_values(&columns.attributes[attribute]);
    let branch = |code: f64| u32::from(!comparison.takes(code));
    let others = codes.others.map(branch);
    let mut of_value = vec![codes.known.map(branch).or(others); values.len()];
    codes.of_place.iter().for_each(|&(place, code)| of_value[place] = Some(branch(code)));
    let named = |side: u32| {
        let of_side = of_value.iter().zip(values).filter(|(branch, _)| **branch == Some(side));
        let names: Vec<&str> = of_side.map(|(_, value)| value.as_str()).collect();
        if names.is_empty() { "none of the values listed".to_owned() } else { labels::of_values(&names) }
    };
    let labels = vec![named(0), named(1)];
    let missing = route(codes.missing.map(branch).or(comparison.missing.filter(|_| codes.nan)));
    Test { attribute, split: Split::Values(of_value), labels, children, otherwise: others, missing }
}

fn route(branch: Option<u32>) -> MissingRoute {
    branch.map_or(MissingRoute::Stop, MissingRoute::Branch)
}
