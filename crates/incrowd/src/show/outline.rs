//! A tree from top to bottom, one line per displayed node.

use crate::model::{Detail, Node, Split, Tree};
use crate::predict::{Outcome, outcomes};

/// The content of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineContent {
    /// A test, by its attribute's name.
    Test(String),
    /// A leaf, by its label.
    Leaf(String),
    /// Everything below a depth as if it were one leaf.
    Folded(String),
}

/// A displayed node of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineLine {
    /// The node's number.
    pub node: u32,
    /// The distance from the root.
    pub depth: usize,
    /// The line of its parent.
    pub parent: Option<usize>,
    /// Whether it is its parent's last branch.
    pub last: bool,
    /// The label of the branch to it; empty for the root.
    pub branch: String,
    /// The content of the line.
    pub shown: LineContent,
    /// The prediction of the tree at this node.
    pub outcome: Outcome,
}

/// A tree from top to bottom: every node before its branches, and branches in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The lines.
    pub lines: Vec<OutlineLine>,
    /// What the leaves contain.
    pub detail: Detail,
    /// The class's name.
    pub class: String,
    /// The class values.
    pub values: Vec<String>,
    /// The number of leaves of the tree, displayed or not.
    pub leaves: u32,
    /// The depth of the tree, displayed or not.
    pub depth: usize,
    /// The sum of the populations of all bins, if released. An individual with several rows counts once for each leaf
    /// and class value they have.
    pub population: Option<u64>,
    /// The number of individuals that the release states. It is less than the population if individuals have rows in
    /// several leaves, or of several class values in one.
    pub individuals: Option<u64>,
    /// Whether individuals have several rows.
    pub several_rows: bool,
}

impl Outline {
    /// Creates the outline of a tree. Subtrees below `most` tests are folded.
    pub fn new(tree: &Tree, most: Option<usize>) -> Self {
        let outcomes = outcomes(tree);
        let mut lines: Vec<OutlineLine> = Vec::new();
        let mut waiting = vec![Waiting { node: 0, depth: 0, parent: None, branch: None }];
        let mut depth = 0;
        while let Some(at) = waiting.pop() {
            depth = depth.max(at.depth);
            let folded = most.is_some_and(|most| at.depth >= most);
            let line = line(tree, &at, folded, &outcomes);
            let is_test = matches!(line.shown, LineContent::Test(_));
            if let (Node::Test(test), true) = (&tree.nodes()[at.node as usize], is_test) {
                let parent = Some(lines.len());
                let next = test.children.iter().enumerate().rev().map(|(branch, &node)| Waiting {
                    node,
                    depth: at.depth + 1,
                    parent,
                    branch: Some((at.node, branch)),
                });
                waiting.extend(next);
            }
            lines.push(line);
        }
        let population = outcomes[0].population();
        let class = tree.class().name.clone();
        let values = tree.class().values.clone();
        let depth = if most.is_some() { true_depth(tree) } else { depth };
        let detail = tree.detail();
        Self {
            lines,
            detail,
            class,
            values,
            leaves: outcomes[0].leaves,
            depth,
            population,
            individuals: population,
            several_rows: false,
        }
    }

    /// Sets the number of individuals that the release states.
    #[must_use]
    pub fn of_individuals(self, stated: Option<u64>) -> Self {
        Self { individuals: stated.or(self.population), ..self }
    }

    /// Sets whether individuals have several rows.
    #[must_use]
    pub fn of_several_rows(self, several_rows: bool) -> Self {
        Self { several_rows, ..self }
    }

    /// Returns the share of the population at a line; `None` if populations are not released.
    pub fn share(&self, line: &OutlineLine) -> Option<f64> {
        let all = self.population.filter(|&all| all > 0)?;
        Some(line.outcome.population()? as f64 / all as f64)
    }
}

struct Waiting {
    node: u32,
    depth: usize,
    parent: Option<usize>,
    branch: Option<(u32, usize)>,
}

fn line(tree: &Tree, at: &Waiting, folded: bool, outcomes: &[Outcome]) -> OutlineLine {
    let outcome = outcomes[at.node as usize].clone();
    let label = tree.class().values[outcome.label as usize].clone();
    let shown = match &tree.nodes()[at.node as usize] {
        Node::Leaf(_) => LineContent::Leaf(label),
        Node::Test(_) if folded => LineContent::Folded(label),
        Node::Test(test) => LineContent::Test(tree.attributes()[test.attribute].name.clone()),
    };
    let (branch, last) =
        at.branch.map_or_else(Default::default, |(node, branch)| branch_name(tree, node, branch));
    OutlineLine { node: at.node, depth: at.depth, parent: at.parent, last, branch, shown, outcome }
}

/// The label of a branch, and whether it is the last one.
fn branch_name(tree: &Tree, node: u32, branch: usize) -> (String, bool) {
    let Node::Test(test) = &tree.nodes()[node as usize] else { return Default::default() };
    // Mention other and missing values only if the attribute can have them.
    let uncovered = matches!(&test.split, Split::Values(of_value) if of_value.contains(&None));
    let occurs = tree.attributes()[test.attribute].missing;
    let (this, named) = (Some(branch as u32), test.labels[branch] != "otherwise");
    let others = uncovered && test.otherwise == this;
    let missing = occurs && test.missing_branch() == this && !others && named;
    let others = if others && named { " or other" } else { "" };
    let missing = if missing { " or missing" } else { "" };
    (format!("{}{others}{missing}", test.labels[branch]), branch + 1 == test.children.len())
}

fn true_depth(tree: &Tree) -> usize {
    let mut depths = vec![0; tree.nodes().len()];
    for (i, node) in tree.nodes().iter().enumerate() {
        if let Node::Test(test) = node {
            test.children.iter().for_each(|&child| depths[child as usize] = depths[i] + 1);
        }
    }
    depths.into_iter().max().unwrap_or(0)
}
