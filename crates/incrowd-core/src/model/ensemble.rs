//! Ensembles: trees whose leaf scores are added up (boosting) or averaged (forests).

use super::cells::{CellPlan, CellTree};
use super::detail::LeafContents;
use super::domain::ModelAttribute;
use super::tree::{Class, Leaf, Node, Tree, check_columns};
use crate::error::{Error, Result};
use crate::words::counted;
use std::sync::Arc;

/// How the scores of the trees become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combination {
    /// They are added up.
    Sum,
    /// They are averaged.
    Mean,
}

/// How combined scores become a share of each class value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// There is one score for each class value, and it is the share.
    Identity,
    /// There is one score, the log-odds of the second of two class values.
    Logistic,
    /// There is one score for each class value, and the shares are proportional to their exponentials.
    Softmax,
}

/// Which class value is predicted if several have the highest score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieRule {
    /// The first of them.
    #[default]
    First,
    /// The last of them.
    Last,
}

/// A tree of an ensemble before it is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The nodes; node 0 is the root. What leaves contain besides their scores is not used.
    pub nodes: Vec<Node>,
    /// The score that the leaves add to; `None` if they have one number for each score.
    pub output: Option<u32>,
    /// For each node its numbers; none at tests.
    pub scores: Vec<Vec<f64>>,
}

/// A tree of an ensemble.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredTree {
    tree: Tree,
    output: Option<u32>,
    /// The numbers of all nodes in their order, `width` for each; 0 at tests.
    scores: Vec<f64>,
    width: usize,
}

impl ScoredTree {
    /// Its tests and leaves. What leaves contain besides their scores is not used.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The score that its leaves add to; `None` if they have one number for each score.
    pub fn output(&self) -> Option<u32> {
        self.output
    }

    /// The numbers of a leaf.
    pub fn scores(&self, node: u32) -> &[f64] {
        &self.scores[node as usize * self.width..(node as usize + 1) * self.width]
    }
}

/// What all trees of an ensemble have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Scoring {
    /// How the scores of the trees become one.
    pub combination: Combination,
    /// What is added to each combined score.
    pub base: Vec<f64>,
    /// How scores become shares of the class values.
    pub link: Link,
    /// Which class value is predicted if several have the highest score.
    pub tie: TieRule,
}

/// The number of nodes that all trees together may have.
const MOST_NODES: usize = 1 << 20;

/// The number of trees.
const MOST_TREES: usize = 1 << 14;

/// The number of scores that all nodes together may have.
const MOST_SCORES: usize = 1 << 24;

/// The number of trees times attributes.
const MOST_LISTED: usize = 1 << 24;

/// A list of trees whose scores add up or are averaged. A reader of its file sees every tree, so a bin is a vector of
/// leaves, one of each tree, with the class value.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    /// At least one. All have the same attributes and the same class.
    trees: Vec<ScoredTree>,
    scoring: Scoring,
    /// The cells that define the last attributes, if any.
    cells: Option<CellTree>,
}

impl Ensemble {
    /// A checked ensemble.
    ///
    /// # Errors
    /// When it has no trees, one of them is not a tree ([`Tree::new`]), scores are not finite or do not fit the class
    /// and the link, or it is [too large](Ensemble::check_size).
    pub fn new(
        attributes: Vec<ModelAttribute>,
        class: Class,
        members: Vec<Member>,
        scoring: Scoring,
    ) -> Result<Self> {
        Self::with_cells(attributes, class, None, members, scoring)
    }

    /// A checked ensemble whose trees also test attributes that `cells` define. These follow `attributes`.
    ///
    /// # Errors
    /// As [`Ensemble::new`], and when the cells are not a tree over `attributes`, or their values do not fit.
    pub fn with_cells(
        mut attributes: Vec<ModelAttribute>,
        class: Class,
        cells: Option<CellPlan>,
        members: Vec<Member>,
        scoring: Scoring,
    ) -> Result<Self> {
        let cells = cells.map(|plan| CellTree::new(&attributes, plan)).transpose()?;
        attributes.extend(cells.iter().flat_map(|cells| cells.attributes().iter().cloned()));
        check_columns(&attributes, &class)?;
        let (attributes, class): (Arc<[_]>, Arc<Class>) = (attributes.into(), class.into());
        let outputs = outputs(&class, &scoring)?;
        if members.is_empty() {
            return Err(Error::input("the ensemble has no trees"));
        }
        Self::check_size(members.len(), members.iter().map(|member| member.nodes.len()).sum(), outputs)?;
        if members.len().saturating_mul(attributes.len()) > MOST_LISTED {
            return Err(Error::limit("the ensemble lists too many attributes for its trees")
                .help("leave out attributes that no tree tests"));
        }
        let tree = |(number, member): (usize, Member)| {
            scored(&attributes, &class, member, outputs)
                .map_err(|error| error.about(format_args!("tree {number}")))
        };
        let trees = members.into_iter().enumerate().map(tree).collect::<Result<_>>()?;
        Ok(Self { trees, scoring, cells })
    }

    /// Refuses more trees than an ensemble may have (16,384), more nodes of all trees together (1,048,576), or more
    /// nodes times scores (16,777,216).
    ///
    /// # Errors
    /// When there are more.
    pub fn check_size(trees: usize, nodes: usize, scores: usize) -> Result<()> {
        let (what, most) = match () {
            () if trees > MOST_TREES => ("trees", MOST_TREES),
            () if nodes > MOST_NODES => ("nodes", MOST_NODES),
            () if nodes.saturating_mul(scores) > MOST_SCORES => ("scores", MOST_SCORES),
            () => return Ok(()),
        };
        Err(Error::limit(format!("the ensemble has more than {most} {what}"))
            .help("make a smaller ensemble, or audit its first trees"))
    }

    /// The cells, if the trees test attributes that these define.
    pub fn cells(&self) -> Option<&CellTree> {
        self.cells.as_ref()
    }

    /// The attributes that are columns of a table: those that the trees or the tree of cells may test.
    pub fn sources(&self) -> &[ModelAttribute] {
        let derived = self.cells.as_ref().map_or(0, |cells| cells.attributes().len());
        &self.attributes()[..self.attributes().len() - derived]
    }

    /// The attributes the trees may test, those that cells define last.
    pub fn attributes(&self) -> &[ModelAttribute] {
        self.trees[0].tree.attributes()
    }

    /// The names of the attributes whose numbers are dates.
    pub fn dates(&self) -> Vec<&str> {
        self.trees[0].tree.dates()
    }

    /// The class.
    pub fn class(&self) -> &Class {
        self.trees[0].tree.class()
    }

    /// The trees, in the order in which their scores are added.
    pub fn trees(&self) -> &[ScoredTree] {
        &self.trees
    }

    /// How scores become predictions.
    pub fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// The number of combined scores.
    pub fn outputs(&self) -> usize {
        self.scoring.base.len()
    }

    /// The same trees for a class of another name, with as many values in the same order.
    ///
    /// # Errors
    /// When the class has another number of values, a value twice, or the name of an attribute.
    pub fn with_class(self, class: Class) -> Result<Self> {
        check_columns(self.attributes(), &class)?;
        if class.values.len() != self.class().values.len() {
            let (found, needed) = (counted(class.values.len() as u64, "value"), self.class().values.len());
            return Err(Error::input(format!("the class has {found}, but the model predicts {needed}"))
                .of_attribute(&class.name));
        }
        let class = Arc::new(class);
        let renamed =
            |scored: ScoredTree| ScoredTree { tree: scored.tree.with_class(class.clone()), ..scored };
        let trees = self.trees.into_iter().map(renamed).collect();
        Ok(Self { trees, ..self })
    }

    /// The ensemble of its first trees.
    ///
    /// # Errors
    /// When that is none.
    pub fn first(&self, trees: usize) -> Result<Self> {
        if trees == 0 {
            return Err(Error::input("the ensemble has no trees"));
        }
        let trees = self.trees.iter().take(trees).cloned().collect();
        Ok(Self { trees, ..self.clone() })
    }
}

/// The number of scores.
fn outputs(class: &Class, scoring: &Scoring) -> Result<usize> {
    let outputs = match scoring.link {
        Link::Logistic if class.values.len() == 2 => 1,
        Link::Logistic => {
            return Err(Error::input("a logistic link needs two class values").of_attribute(&class.name));
        }
        Link::Identity | Link::Softmax => class.values.len(),
    };
    if scoring.base.len() != outputs {
        return Err(Error::input(format!("the ensemble needs {outputs} base scores")));
    }
    if !scoring.base.iter().all(|score| score.is_finite()) {
        return Err(Error::input("a base score is not finite"));
    }
    Ok(outputs)
}

fn scored(
    attributes: &Arc<[ModelAttribute]>,
    class: &Arc<Class>,
    member: Member,
    outputs: usize,
) -> Result<ScoredTree> {
    let Member { mut nodes, output, scores } = member;
    for node in &mut nodes {
        if let Node::Leaf(leaf) = node {
            *leaf = Leaf { label: 0, told: LeafContents::Nothing };
        }
    }
    if output.is_some_and(|output| output as usize >= outputs) {
        return Err(Error::input("the tree adds to a score that does not exist"));
    }
    let width = if output.is_some() { 1 } else { outputs };
    if scores.len() != nodes.len() {
        return Err(Error::input("the tree needs scores for every leaf"));
    }
    let tree = Tree::of_checked(attributes.clone(), class.clone(), nodes)?;
    let mut flat = Vec::with_capacity(scores.len() * width);
    for (i, (node, own)) in tree.nodes().iter().zip(scores).enumerate() {
        let expected = if matches!(node, Node::Leaf(_)) { width } else { 0 };
        if own.len() != expected || !own.iter().all(|score| score.is_finite()) {
            return Err(Error::input(format!("node {i}: a leaf needs {width} finite scores")));
        }
        flat.extend(own);
        flat.resize((i + 1) * width, 0.0);
    }
    Ok(ScoredTree { tree, output, scores: flat, width })
}
