//! Decision trees: public and private tests, generalized values, numeric intervals, missing values with a stated
//! branch.

use super::detail::{Detail, LeafContents, Shares};
use super::domain::{Domain, ModelAttribute, check_names};
use crate::error::{Error, Result};
use std::sync::Arc;

/// The class attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The column's name.
    pub name: String,
    /// The class values.
    pub values: Vec<String>,
}

/// How a test sends values to its branches.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// Branch by value: for each value of the attribute's domain its branch, `None` if it has no separate branch.
    Values(Vec<Option<u32>>),
    /// Branch by interval: ascending thresholds; branch i takes numbers above threshold i − 1 and up to threshold i.
    /// One more branch may follow for missing values only.
    Thresholds(Vec<f64>),
}

/// An inner node.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// Which of the tree's attributes is tested.
    pub attribute: usize,
    /// How its values are sent to branches.
    pub split: Split,
    /// What the branches are called.
    pub labels: Vec<String>,
    /// The node at the end of each branch.
    pub children: Vec<u32>,
    /// The branch for values without a separate branch.
    pub otherwise: Option<u32>,
    /// Where missing values go.
    pub missing: MissingRoute,
}

/// Where a test sends missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingRoute {
    /// With values that have no separate branch.
    #[default]
    Otherwise,
    /// To this branch.
    Branch(u32),
    /// Nowhere: the row stops at the test.
    Stop,
}

impl Test {
    /// Whether missing numbers have a separate branch: the one after those of the intervals.
    pub fn has_branch_for_missing_numbers(&self) -> bool {
        let Split::Thresholds(thresholds) = &self.split else { return false };
        self.missing == MissingRoute::Branch(thresholds.len() as u32 + 1)
    }

    /// The branch of missing values, `None` if they stop at the test.
    pub fn missing_branch(&self) -> Option<u32> {
        match self.missing {
            MissingRoute::Otherwise => self.otherwise,
            MissingRoute::Branch(branch) => Some(branch),
            MissingRoute::Stop => None,
        }
    }

    /// The branch of a number.
    pub(crate) fn branch_of_number(thresholds: &[f64], number: f64) -> u32 {
        thresholds.partition_point(|&threshold| threshold < number) as u32
    }
}

/// A leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The class value it predicts.
    pub label: u32,
    /// What else it reveals about the individuals in it.
    pub told: LeafContents,
}

/// A node.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An inner node.
    Test(Test),
    /// A leaf.
    Leaf(Leaf),
}

/// The maximum number of bins: class values times nodes. What is predicted at a node takes eight bytes for each.
const MOST_BINS: usize = 1 << 25;

/// The number of nodes that a tree may have.
const MOST_NODES: usize = 1 << 20;

/// The number of values that the file of a tree may have: names, numbers, lists and objects.
const MOST_LISTED: usize = 1 << 22;

/// A decision tree. Node 0 is the root.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Shared by the trees of an ensemble.
    attributes: Arc<[ModelAttribute]>,
    class: Arc<Class>,
    nodes: Vec<Node>,
}

impl Tree {
    /// A checked tree.
    ///
    /// # Errors
    /// When it is not a tree (every node but the root is the child of one node before it), a test does not send every
    /// value of its attribute's domain to exactly one branch, a leaf does not fit the class, or it is
    /// [too large](Tree::check_size).
    pub fn new(attributes: Vec<ModelAttribute>, class: Class, nodes: Vec<Node>) -> Result<Self> {
        check_columns(&attributes, &class)?;
        Self::check_size(nodes.len(), class.values.len())?;
        Self::of_checked(attributes.into(), class.into(), nodes)
    }

    /// A tree over attributes and a class that are checked already.
    pub(super) fn of_checked(
        attributes: Arc<[ModelAttribute]>,
        class: Arc<Class>,
        nodes: Vec<Node>,
    ) -> Result<Self> {
        let tree = Self { attributes, class, nodes };
        tree.check_shape()?;
        tree.check_digits()?;
        for (i, node) in tree.nodes.iter().enumerate() {
            let checked = match node {
                Node::Test(test) => tree.check_test(test),
                Node::Leaf(leaf) => tree.check_leaf(leaf),
            };
            checked.map_err(|error| error.about(format_args!("node {i}")))?;
        }
        Ok(tree)
    }

    /// The same tree for a checked class with as many values.
    pub(super) fn with_class(self, class: Arc<Class>) -> Self {
        Self { class, ..self }
    }

    /// Refuses more nodes than a tree may have (1,048,576), or more nodes times class values (33,554,432).
    ///
    /// # Errors
    /// When there are more.
    pub fn check_size(nodes: usize, classes: usize) -> Result<()> {
        if nodes > MOST_NODES {
            return Err(Error::limit(format!("the tree has more than {MOST_NODES} nodes"))
                .help("make a smaller tree"));
        }
        if nodes.saturating_mul(classes) > MOST_BINS {
            return Err(Error::limit("the tree has too many nodes for its class values")
                .help("make a smaller tree, or group class values"));
        }
        Ok(())
    }

    /// Refuses a tree whose file would have more values than that of a release may have (4,194,304): names of tests,
    /// branches, and the contents of leaves.
    ///
    /// # Errors
    /// When there are more.
    pub fn check_listed(values: usize) -> Result<()> {
        if values <= MOST_LISTED {
            return Ok(());
        }
        Err(Error::limit(format!("the tree has too many branches and values to be released: more than {MOST_LISTED}"))
            .help("leave out attributes with many values, give them a coarser taxonomy, or choose a method with binary splits (best)"))
    }

    /// The attributes the tree may test.
    pub fn attributes(&self) -> &[ModelAttribute] {
        &self.attributes
    }

    /// The names of the attributes whose numbers are dates.
    pub fn dates(&self) -> Vec<&str> {
        self.attributes.iter().filter(|attribute| attribute.dates).map(|a| a.name.as_str()).collect()
    }

    /// The class.
    pub fn class(&self) -> &Class {
        &self.class
    }

    /// The nodes; children come after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How much the leaves reveal: as much as the most detailed of them.
    pub fn detail(&self) -> Detail {
        let of_leaf = |leaf: &Leaf| match &leaf.told {
            LeafContents::Nothing => Detail::Labels,
            LeafContents::Shares(shares) => Detail::Shares { digits: shares.digits() },
            LeafContents::Counts(_) => Detail::Counts,
        };
        self.leaves().map(of_leaf).max().unwrap_or(Detail::Labels)
    }

    /// The tree in no more detail than requested. Labels are unchanged.
    #[must_use]
    pub fn in_detail(&self, detail: Detail) -> Self {
        let less = |node: &Node| match node {
            Node::Leaf(leaf) => Node::Leaf(Leaf { label: leaf.label, told: leaf.told.in_detail(detail) }),
            Node::Test(test) => Node::Test(test.clone()),
        };
        Self { nodes: self.nodes.iter().map(less).collect(), ..self.clone() }
    }

    fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Test(_) => None,
        })
    }

    fn check_digits(&self) -> Result<()> {
        let mut digits = self.leaves().filter_map(|leaf| leaf.told.shares()).map(Shares::digits);
        let first = digits.next();
        if digits.all(|digits| Some(digits) == first) {
            return Ok(());
        }
        Err(Error::input("the shares of the leaves have different numbers of digits")
            .help("round all to the same number of digits"))
    }

    fn check_shape(&self) -> Result<()> {
        let mut seen = vec![false; self.nodes.len()];
        let Some(root) = seen.first_mut() else {
            return Err(Error::input("the tree has no nodes"));
        };
        *root = true;
        for (parent, node) in self.nodes.iter().enumerate() {
            let Node::Test(test) = node else { continue };
            for &child in &test.children {
                let fault = match seen.get_mut(child as usize) {
                    None => "does not exist",
                    Some(_) if child as usize == parent => "is the node itself",
                    Some(_) if (child as usize) < parent => "comes before it",
                    Some(true) => "has a parent already",
                    Some(seen) => {
                        *seen = true;
                        continue;
                    }
                };
                return Err(Error::input(format!("node {parent} refers to node {child}, which {fault}"))
                    .help("children come after their parent, and each node has one parent"));
            }
        }
        match seen.iter().position(|&seen| !seen) {
            Some(node) => Err(Error::input(format!("node {node} is unreachable"))),
            None => Ok(()),
        }
    }

    fn check_test(&self, test: &Test) -> Result<()> {
        let attribute = self
            .attributes
            .get(test.attribute)
            .ok_or_else(|| Error::input("it tests an attribute that is not listed"))?;
        let branches = test.children.len() as u32;
        let fault = match (&test.split, &attribute.domain) {
            _ if branches == 0 => Some("a test needs branches"),
            _ if test.labels.len() != test.children.len() => Some("a test needs a label for every branch"),
            _ if [test.otherwise, test.missing_branch()]
                .iter()
                .flatten()
                .any(|&branch| branch >= branches) =>
            {
                Some("no such branch")
            }
            (Split::Values(of_value), Domain::Values(values)) => value_fault(test, of_value, values.len()),
            (Split::Thresholds(thresholds), Domain::Numbers { .. }) => threshold_fault(test, thresholds),
            _ => Some("the test has values for a numeric attribute, or thresholds for a categorical one"),
        };
        let fault = fault.or_else(|| {
            (attribute.missing && test.missing_branch().is_none()).then_some("missing values have no branch")
        });
        fault.map_or(Ok(()), |what| Err(Error::input(what).of_attribute(&attribute.name)))
    }

    fn check_leaf(&self, leaf: &Leaf) -> Result<()> {
        let classes = self.class.values.len();
        let told = match &leaf.told {
            LeafContents::Nothing => classes,
            LeafContents::Shares(shares) => shares.parts().len(),
            LeafContents::Counts(counts) => counts.len(),
        };
        if (leaf.label as usize) < classes && told == classes {
            return Ok(());
        }
        Err(Error::input("the leaf does not match the class values").of_attribute(&self.class.name))
    }
}

/// Checks what a tree, or an ensemble of them, is a function of.
pub(super) fn check_columns(attributes: &[ModelAttribute], class: &Class) -> Result<()> {
    attributes.iter().try_for_each(ModelAttribute::check)?;
    ModelAttribute::categorical(&class.name, class.values.clone()).check()?;
    check_names(attributes.iter().map(|a| a.name.as_str()).chain([class.name.as_str()]))
}

fn value_fault(test: &Test, of_value: &[Option<u32>], values: usize) -> Option<&'static str> {
    let branches = test.children.len() as u32;
    if of_value.len() != values {
        return Some("the test does not cover every value");
    }
    if of_value.iter().flatten().any(|&branch| branch >= branches) {
        return Some("no such branch");
    }
    let uncovered = of_value.iter().any(Option::is_none) && test.otherwise.is_none();
    uncovered.then_some("a value of the attribute has no branch")
}

fn threshold_fault(test: &Test, thresholds: &[f64]) -> Option<&'static str> {
    let ascending = thresholds.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascending || !thresholds.iter().all(|threshold| threshold.is_finite()) {
        return Some("thresholds must be finite and ascending");
    }
    let branches = thresholds.len() + 1 + usize::from(test.has_branch_for_missing_numbers());
    (branches != test.children.len()).then_some("a test needs one branch more than thresholds")
}
