//! An ensemble in figures: how often each attribute is tested, and its first tree with the scores of its leaves.

use super::outline::{LineContent, Outline};
use crate::model::{Ensemble, Node, ScoredTree};
use crate::policy::{Policy, Role};
use serde::Serialize;

/// How often the trees of an ensemble test an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestedAttribute {
    /// The attribute.
    pub name: String,
    /// What it is to an attacker, if a policy states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The number of trees that test it.
    pub trees: u64,
    /// The number of tests of all trees.
    pub tests: u64,
}

/// An ensemble in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnsembleOutline {
    /// The number of trees.
    pub trees: u64,
    /// The number of leaves of all trees.
    pub leaves: u64,
    /// The attributes: by role in the order public, private and others if a policy is given, then the most tested ones
    /// first.
    pub attributes: Vec<TestedAttribute>,
    /// The first tree. Its leaves are named by their scores.
    pub first: Outline,
}

impl EnsembleOutline {
    /// Creates the outline of an ensemble, with the roles of a policy. Subtrees of the first tree below `most` tests
    /// are folded.
    pub fn new(ensemble: &Ensemble, policy: Option<&Policy>, most: Option<usize>) -> Self {
        let role = |name: &str| policy.and_then(|policy| policy.attribute(name)).map(|own| own.role);
        let attribute = |(name, (trees, tests)): (&String, (u64, u64))| TestedAttribute {
            name: name.clone(),
            role: role(name),
            trees,
            tests,
        };
        let names = ensemble.attributes().iter().map(|attribute| &attribute.name);
        let mut attributes: Vec<TestedAttribute> = names.zip(tests(ensemble)).map(attribute).collect();
        attributes.sort_by_key(|own| (rank(own.role), std::cmp::Reverse(own.tests)));
        let nodes = ensemble.trees().iter().flat_map(|scored| scored.tree().nodes());
        Self {
            trees: ensemble.trees().len() as u64,
            leaves: nodes.filter(|node| matches!(node, Node::Leaf(_))).count() as u64,
            attributes,
            first: with_scores(&ensemble.trees()[0], most),
        }
    }
}

/// For each attribute the number of trees that test it, and of their tests.
fn tests(ensemble: &Ensemble) -> Vec<(u64, u64)> {
    let mut counts = vec![(0, 0); ensemble.attributes().len()];
    let mut last = vec![None; counts.len()];
    for (tree, scored) in ensemble.trees().iter().enumerate() {
        for node in scored.tree().nodes() {
            if let Node::Test(test) = node {
                let (trees, tests) = &mut counts[test.attribute];
                *trees += u64::from(last[test.attribute].replace(tree) != Some(tree));
                *tests += 1;
            }
        }
    }
    counts
}

fn rank(role: Option<Role>) -> u8 {
    match role {
        Some(Role::Public) => 0,
        Some(Role::Private) => 1,
        _ => 2,
    }
}

/// The outline of a tree whose leaves have scores.
fn with_scores(scored: &ScoredTree, most: Option<usize>) -> Outline {
    let mut outline = Outline::new(scored.tree(), most);
    for line in &mut outline.lines {
        match &mut line.shown {
            LineContent::Leaf(name) => {
                let scores: Vec<String> = scored.scores(line.node).iter().copied().map(short).collect();
                *name = scores.join(", ");
            }
            LineContent::Folded(name) => "…".clone_into(name),
            LineContent::Test(_) => {}
        }
    }
    outline
}

/// A number with four significant digits.
fn short(score: f64) -> String {
    format!("{score:.3e}").parse::<f64>().unwrap_or(score).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        assert_eq!([short(0.123_456), short(-1.0), short(1_234_567.0)], ["0.1235", "-1", "1235000"]);
    }
}
