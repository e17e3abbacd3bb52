//! An ensemble in figures: how much each attribute matters, its cells, and its first trees with the scores of their
//! leaves.
//!
//! An ensemble contains no populations, so importance is a property of its function: if every branch of a test were
//! equally likely, the variance of a tree's scores would be the sum of what its tests contribute, each the probability
//! that it is reached times the variance of the mean scores of its branches (the law of total variance). The importance
//! of an attribute is its share of these sums over all trees and scores. It takes time linear in the number of branches
//! times scores.

use super::outline::{LineContent, Outline};
use crate::model::{CellTree, Ensemble, Node, ScoredTree};
use crate::policy::{Policy, Role};
use serde::Serialize;

/// The number of trees that are displayed.
const SHOWN: usize = 3;

/// The depth below which the tree of cells is folded.
const OF_CELLS: usize = 4;

/// How much an attribute matters to an ensemble.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedAttribute {
    /// The attribute.
    pub name: String,
    /// What it is to an attacker, if a policy states it; public if cells define it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Whether it stands for the cells of public attributes.
    pub of_cells: bool,
    /// The number of trees that test it.
    pub trees: u64,
    /// The number of tests of all trees.
    pub tests: u64,
    /// Its share of the variance of the scores if every branch of a test were equally likely.
    pub importance: f64,
}

/// The cells of an ensemble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellOutline {
    /// The number of cells.
    pub cells: u64,
    /// The attributes that divide them.
    pub divided_by: Vec<String>,
    /// The attributes that they define.
    pub defined: Vec<String>,
    /// The tree of cells, deep subtrees folded. Its leaves are the cells.
    pub tree: Outline,
}

/// One of the first trees of an ensemble.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeOutline {
    /// The score that its leaves add to, if not to all.
    pub output: Option<u32>,
    /// The tree. Its leaves are named by their scores.
    pub tree: Outline,
}

/// An ensemble in figures.
#[derive(Debug, Clone, PartialEq)]
pub struct EnsembleOutline {
    /// The number of trees.
    pub trees: u64,
    /// The number of leaves of all trees.
    pub leaves: u64,
    /// The attributes that trees test: by role in the order public, private and others if it is known, then the most
    /// important ones first.
    pub attributes: Vec<TestedAttribute>,
    /// The cells, if there are any.
    pub cells: Option<CellOutline>,
    /// The first trees.
    pub first: Vec<TreeOutline>,
}

impl EnsembleOutline {
    /// Creates the outline of an ensemble, with the roles of a policy. Subtrees of the first trees below `most` tests
    /// are folded.
    pub fn new(ensemble: &Ensemble, policy: Option<&Policy>, most: Option<usize>) -> Self {
        let nodes = ensemble.trees().iter().flat_map(|scored| scored.tree().nodes());
        let first = ensemble.trees().iter().take(SHOWN);
        Self {
            trees: ensemble.trees().len() as u64,
            leaves: nodes.filter(|node| matches!(node, Node::Leaf(_))).count() as u64,
            attributes: attributes(ensemble, policy),
            cells: ensemble.cells().map(cells),
            first: first
                .map(|scored| TreeOutline { output: scored.output(), tree: with_scores(scored, most) })
                .collect(),
        }
    }

    /// Returns the importance of the attributes of each role: public, private, others.
    pub fn by_role(&self) -> [f64; 3] {
        let mut sums = [0.0; 3];
        self.attributes.iter().for_each(|own| sums[usize::from(rank(own.role))] += own.importance);
        sums
    }
}

fn attributes(ensemble: &Ensemble, policy: Option<&Policy>) -> Vec<TestedAttribute> {
    let sources = ensemble.sources().len();
    let role = |place: usize, name: &str| {
        let stated = policy.and_then(|policy| policy.attribute(name)).map(|own| own.role);
        if place < sources { stated } else { Some(Role::Public) }
    };
    let figures = figures(ensemble);
    let all: f64 = figures.iter().map(|own| own.variance).sum();
    let share = |variance: f64| if all > 0.0 { variance / all } else { 0.0 };
    let tested = ensemble.attributes().iter().zip(figures).enumerate().filter(|(_, (_, own))| own.tests > 0);
    let mut attributes: Vec<TestedAttribute> = tested
        .map(|(place, (attribute, own))| TestedAttribute {
            name: attribute.name.clone(),
            role: role(place, &attribute.name),
            of_cells: place >= sources,
            trees: own.trees,
            tests: own.tests,
            importance: share(own.variance),
        })
        .collect();
    attributes.sort_by(|a, b| {
        rank(a.role)
            .cmp(&rank(b.role))
            .then(b.importance.total_cmp(&a.importance))
            .then(b.tests.cmp(&a.tests))
    });
    attributes
}

/// What the trees have of an attribute.
#[derive(Clone, Default)]
struct Figures {
    trees: u64,
    tests: u64,
    variance: f64,
}

fn figures(ensemble: &Ensemble) -> Vec<Figures> {
    let mut figures = vec![Figures::default(); ensemble.attributes().len()];
    let mut last = vec![None; figures.len()];
    for (tree, scored) in ensemble.trees().iter().enumerate() {
        for (node, variance) in scored.tree().nodes().iter().zip(variances(scored)) {
            if let Node::Test(test) = node {
                let own = &mut figures[test.attribute];
                own.trees += u64::from(last[test.attribute].replace(tree) != Some(tree));
                own.tests += 1;
                own.variance += variance;
            }
        }
    }
    figures
}

/// What each node contributes to the variance of the scores if all branches are equally likely.
fn variances(scored: &ScoredTree) -> Vec<f64> {
    let nodes = scored.tree().nodes();
    let mut reached = vec![0.0; nodes.len()];
    reached[0] = 1.0;
    for (place, node) in nodes.iter().enumerate() {
        if let Node::Test(test) = node {
            let each = reached[place] / test.children.len() as f64;
            test.children.iter().for_each(|&child| reached[child as usize] = each);
        }
    }
    let width = scored.scores(0).len();
    let mut means = vec![0.0; nodes.len() * width];
    let mut variances = vec![0.0; nodes.len()];
    // Children come after their parents.
    for (place, node) in nodes.iter().enumerate().rev() {
        for score in 0..width {
            let at = |node: u32| node as usize * width + score;
            means[place * width + score] = match node {
                Node::Leaf(_) => scored.scores(place as u32)[score],
                Node::Test(test) => {
                    let branches = test.children.len() as f64;
                    let mean = test.children.iter().map(|&child| means[at(child)]).sum::<f64>() / branches;
                    let squares = test.children.iter().map(|&child| (means[at(child)] - mean).powi(2));
                    variances[place] += reached[place] * squares.sum::<f64>() / branches;
                    mean
                }
            };
        }
    }
    variances
}

/// The place of a role in the order of display.
fn rank(role: Option<Role>) -> u8 {
    match role {
        Some(Role::Public) => 0,
        Some(Role::Private) => 1,
        _ => 2,
    }
}

fn cells(cells: &CellTree) -> CellOutline {
    let mut tree = Outline::new(cells.tree(), Some(OF_CELLS));
    for line in &mut tree.lines {
        match &mut line.shown {
            LineContent::Leaf(name) => *name = format!("cell {}", line.outcome.label + 1),
            LineContent::Folded(name) => "…".clone_into(name),
            LineContent::Test(_) => {}
        }
    }
    CellOutline {
        cells: cells.values().len() as u64,
        divided_by: cells.tested().into_iter().map(str::to_owned).collect(),
        defined: cells.attributes().iter().map(|attribute| attribute.name.clone()).collect(),
        tree,
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
    use crate::model::{
        Class, Combination, Leaf, LeafContents, Link, Member, MissingRoute, ModelAttribute, Scoring, Split,
        Test, TieRule,
    };

    #[test]
    fn scores_are_short() {
        assert_eq!([short(0.123_456), short(-1.0), short(1_234_567.0)], ["0.1235", "-1", "1235000"]);
    }

    /// The variance of the score over all paths, each taken with the probability of its branches.
    #[test]
    fn importance_adds_up_to_the_variance() {
        let test = |attribute, children: [u32; 2]| {
            Node::Test(Test {
                attribute,
                split: Split::Thresholds(vec![0.0]),
                labels: vec!["<= 0".to_owned(), "> 0".to_owned()],
                children: children.to_vec(),
                otherwise: Some(0),
                missing: MissingRoute::Otherwise,
            })
        };
        let leaf = || Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
        let nodes = vec![test(0, [1, 2]), leaf(), test(1, [3, 4]), leaf(), leaf()];
        let scores = vec![vec![], vec![1.0], vec![], vec![2.0], vec![6.0]];
        let member = Member { nodes, output: Some(0), scores };
        let class = Class { name: "c".to_owned(), values: vec!["a".to_owned(), "b".to_owned()] };
        let scoring = Scoring {
            combination: Combination::Sum,
            base: vec![0.0],
            link: Link::Logistic,
            tie: TieRule::First,
        };
        let attributes = ["x", "y", "z"].map(ModelAttribute::numeric).to_vec();
        let ensemble = Ensemble::new(attributes, class, vec![member], scoring).expect("an ensemble");
        let (mean, paths) = (2.5, [(1.0, 0.5), (2.0, 0.25), (6.0, 0.25)]);
        let variance: f64 =
            paths.iter().map(|(score, share): &(f64, f64)| share * (score - mean).powi(2)).sum();
        let found = variances(&ensemble.trees()[0]);
        assert!((found.iter().sum::<f64>() - variance).abs() < 1e-12, "{found:?} {variance}");
        let outline = EnsembleOutline::new(&ensemble, None, None);
        let names: Vec<&str> = outline.attributes.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["x", "y"]);
        assert!((outline.by_role()[2] - 1.0).abs() < 1e-12);
    }
}
