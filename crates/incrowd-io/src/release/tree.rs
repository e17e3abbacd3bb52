//! Trees in release files.

use super::attributes::{self, Lookup, Populations, at, places};
use super::labels;
use super::object::Object;
use super::raw::{RawBranch, RawClass, RawLeaf, RawMissing, RawNode, RawStop, RawTest, RawTree};
use super::{ModelRelease, Release};
use crate::bounds::check_cells;
use incrowd_core::model::{
    Class, Leaf, LeafContents, MissingRoute, Model, ModelAttribute, Node, Shares, Split, Test, Tree,
};
use incrowd_core::{Error, Result};
use std::collections::HashMap;

pub(super) fn read(mut raw: RawTree) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    let attributes = attributes::read(raw.attributes)?;
    let Object(RawClass { name, values }) = raw.class;
    let mut reader = Reader {
        tests: TestReader::new(&attributes),
        classes: places(&values),
        populations: Populations::new(individuals),
        digits: raw.digits,
    };
    let mut nodes = Vec::with_capacity(raw.nodes.len());
    for (i, node) in raw.nodes.into_iter().enumerate() {
        nodes.push(reader.node(node).map_err(|error| at(format_args!("node {i}"), error))?);
    }
    let model = Model::Tree(Tree::new(attributes, Class { name, values }, nodes)?);
    Ok(Release::Model(ModelRelease { model, individuals, origin }))
}

pub(super) fn write(tree: &Tree, release: &ModelRelease) -> RawTree {
    let Class { name, values } = tree.class().clone();
    RawTree::new(
        release.individuals,
        &release.origin,
        Object(RawClass { name, values }),
        attributes::write(tree.attributes()),
        digits(tree),
        tree.nodes().iter().map(|node| write_node(tree, node)).collect(),
    )
}

/// How values are sent to branches, what these are called, and where they lead.
type Branches = (Split, Vec<String>, Vec<u32>);

struct Reader<'a> {
    tests: TestReader<'a>,
    classes: HashMap<&'a str, u32>,
    populations: Populations,
    /// The number of digits of shares, where stated.
    digits: Option<u8>,
}

impl Reader<'_> {
    fn node(&mut self, node: RawNode) -> Result<Node> {
        match node {
            RawNode::Leaf(Object(leaf)) => self.leaf(leaf).map(Node::Leaf),
            RawNode::Test(Object(test)) => self.tests.test(test).map(Node::Test),
        }
    }

    fn leaf(&mut self, leaf: RawLeaf) -> Result<Leaf> {
        let label = self.classes.get(leaf.label.as_str()).copied();
        let label = label.ok_or_else(|| {
            Error::input("the leaf's label is not a class value").help("list it under \"class\"")
        })?;
        Ok(Leaf { label, told: self.told(leaf.counts, leaf.shares)? })
    }

    fn told(&mut self, counts: Option<Vec<u64>>, shares: Option<Vec<f64>>) -> Result<LeafContents> {
        match (counts, shares, self.digits) {
            (None, None, _) => Ok(LeafContents::Nothing),
            (Some(counts), None, _) => {
                counts.iter().try_for_each(|&count| self.populations.add(count))?;
                Ok(LeafContents::Counts(counts))
            }
            (None, Some(shares), Some(digits)) => {
                Shares::of_numbers(&shares, digits).map(LeafContents::Shares)
            }
            (None, Some(_), None) => Err(Error::input(
                "the leaf has shares, but their digits are not stated",
            )
            .help("set \"digits\" beside \"attributes\" to the number of digits of the rounded shares")),
            (Some(_), Some(_), _) => {
                Err(Error::input("the leaf has both counts and shares").help("remove one of the two"))
            }
        }
    }
}

/// Reads tests of some attributes.
pub(super) struct TestReader<'a> {
    lookup: Lookup<'a>,
    /// The number of values that the tests so far cover.
    cells: usize,
}

impl<'a> TestReader<'a> {
    pub(super) fn new(attributes: &'a [ModelAttribute]) -> Self {
        Self { lookup: Lookup::new(attributes), cells: 0 }
    }

    pub(super) fn test(&mut self, test: RawTest) -> Result<Test> {
        let attribute = self.lookup.attribute(&test.attribute)?;
        let form = (test.branches, test.thresholds, test.to, test.labels);
        let (split, labels, children) = match form {
            (Some(branches), None, None, None) => self.by_values(attribute, branches)?,
            (None, Some(thresholds), Some(children), labels) => {
                let dates = self.lookup.dates(attribute);
                by_thresholds((thresholds, dates), children, labels, test.missing)?
            }
            _ => {
                return Err(Error::input("the test is ambiguous")
                    .of_attribute(test.attribute)
                    .help("give \"branches\", or \"thresholds\" and \"to\""));
            }
        };
        let missing = match test.missing {
            None => MissingRoute::Otherwise,
            Some(RawMissing::Branch(branch)) => MissingRoute::Branch(branch),
            Some(RawMissing::Stop(RawStop::Stop)) => MissingRoute::Stop,
        };
        Ok(Test { attribute, split, labels, children, otherwise: test.otherwise, missing })
    }

    fn by_values(&mut self, attribute: usize, branches: Vec<Object<RawBranch>>) -> Result<Branches> {
        let domain = self.lookup.values(attribute);
        self.cells += domain.len();
        check_cells(self.cells)?;
        let mut of_value = vec![None; domain.len()];
        let (mut labels, mut children) = (Vec::new(), Vec::new());
        for (branch, Object(raw)) in (0..).zip(branches) {
            for (i, value) in raw.values.iter().enumerate() {
                let place = self.lookup.value(attribute, value);
                let slot = place.and_then(|place| of_value.get_mut(place as usize));
                claim(slot, branch)
                    .map_err(|error| at(format_args!("branch {branch}, value {}", i + 1), error))?;
            }
            let names: Vec<&str> = raw.values.iter().map(String::as_str).collect();
            labels.push(raw.label.unwrap_or_else(|| labels::of_values(&names)));
            children.push(raw.to);
        }
        Ok((Split::Values(of_value), labels, children))
    }
}

fn by_thresholds(
    (thresholds, dates): (Vec<f64>, bool),
    children: Vec<u32>,
    labels: Option<Vec<String>>,
    missing: Option<RawMissing>,
) -> Result<Branches> {
    let apart = missing == Some(RawMissing::Branch(thresholds.len() as u32 + 1));
    // The model checks this as well, but counts the labels first, which the file may have left out.
    if children.len() != thresholds.len() + 1 + usize::from(apart) {
        return Err(Error::input("a test needs one branch more than thresholds").help("correct \"to\""));
    }
    let labels = labels.unwrap_or_else(|| usual_labels(&thresholds, dates, apart));
    Ok((Split::Thresholds(thresholds), labels, children))
}

/// What branches between thresholds are called; the last is `missing` if missing values have one for themselves.
fn usual_labels(thresholds: &[f64], dates: bool, apart: bool) -> Vec<String> {
    labels::of_thresholds(thresholds, dates).into_iter().chain(apart.then(|| "missing".to_owned())).collect()
}

/// Gives a value to a branch. The message leaves the value out: it may come from a table.
fn claim(slot: Option<&mut Option<u32>>, branch: u32) -> Result<()> {
    match slot {
        Some(slot @ None) => {
            *slot = Some(branch);
            Ok(())
        }
        Some(Some(_)) => Err(Error::input("it has a branch already").help("list a value in one branch only")),
        None => Err(Error::input("it is not a value of the attribute").help("list it with the attribute")),
    }
}

/// The number of digits that the shares of a tree have, if it has any.
fn digits(tree: &Tree) -> Option<u8> {
    tree.nodes().iter().find_map(|node| match node {
        Node::Leaf(leaf) => leaf.told.shares().map(Shares::digits),
        Node::Test(_) => None,
    })
}

fn write_node(tree: &Tree, node: &Node) -> RawNode {
    match node {
        Node::Leaf(leaf) => {
            let label = tree.class().values[leaf.label as usize].clone();
            let (counts, shares) = (leaf.told.counts().map(<[u64]>::to_vec), leaf.told.shares());
            RawNode::Leaf(Object(RawLeaf { label, counts, shares: shares.map(Shares::numbers) }))
        }
        Node::Test(test) => RawNode::Test(Object(write_test(tree.attributes(), test))),
    }
}

pub(super) fn write_test(attributes: &[ModelAttribute], test: &Test) -> RawTest {
    let attribute = &attributes[test.attribute];
    let mut raw = RawTest {
        attribute: attribute.name.clone(),
        branches: None,
        thresholds: None,
        to: None,
        labels: None,
        otherwise: test.otherwise,
        missing: match test.missing {
            MissingRoute::Otherwise => None,
            MissingRoute::Branch(branch) => Some(RawMissing::Branch(branch)),
            MissingRoute::Stop => Some(RawMissing::Stop(RawStop::Stop)),
        },
    };
    match &test.split {
        Split::Values(of_value) => {
            raw.branches = Some(write_branches(test, of_value, attributes::values(attribute)));
        }
        Split::Thresholds(thresholds) => {
            let usual = usual_labels(thresholds, attribute.dates, test.has_branch_for_missing_numbers());
            // Numbers of days mean little to a reader of the file, so branches of dates have their labels there.
            raw.labels = (attribute.dates || test.labels != usual).then(|| test.labels.clone());
            raw.thresholds = Some(thresholds.clone());
            raw.to = Some(test.children.clone());
        }
    }
    raw
}

fn write_branches(test: &Test, of_value: &[Option<u32>], domain: &[String]) -> Vec<Object<RawBranch>> {
    let mut names: Vec<Vec<&str>> = vec![Vec::new(); test.children.len()];
    for (branch, name) in of_value.iter().zip(domain) {
        branch.iter().for_each(|&branch| names[branch as usize].push(name));
    }
    let branch = |((&to, label), names): ((&u32, &String), Vec<&str>)| {
        let label = (*label != labels::of_values(&names)).then(|| label.clone());
        Object(RawBranch { values: names.into_iter().map(str::to_owned).collect(), label, to })
    };
    test.children.iter().zip(&test.labels).zip(names).map(branch).collect()
}
