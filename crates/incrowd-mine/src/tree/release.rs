//! From a grown tree to a release: the model with its populations, audited.

use super::grower::Grower;
use super::labels;
use super::spans::{Place, Span};
use super::task::Attribute;
use super::watch::bins;
use super::{MinedTree, TreeSummary};
use crate::refused::prints_rare;
use incrowd_core::audit::Report;
use incrowd_core::model::{
    self, Class, Domain, Leaf, LeafContents, MissingRoute, Model, ModelAttribute, Test, Tree,
};
use incrowd_core::{Error, Result};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// The error of a tree that does not pass its audit.
pub(crate) const UNSEEN: &str = "the audit of the tree found a breach that its miner did not find";

/// Which nodes of a grown tree are released as leaves though they have been split.
pub(crate) struct Cut(pub(crate) Vec<bool>);

impl Cut {
    /// Nothing is cut off.
    pub(crate) fn nothing(grower: &Grower<'_>) -> Self {
        Self(vec![false; grower.nodes.len()])
    }

    /// Whether a node is a test.
    pub(super) fn keeps(&self, grower: &Grower<'_>, node: u32) -> bool {
        grower.node(node).split.is_some() && !self.0[node as usize]
    }

    /// The nodes that are left, parents before children, from the root level by level.
    pub(super) fn nodes(&self, grower: &Grower<'_>) -> Vec<u32> {
        let mut all = Vec::new();
        let mut next = VecDeque::from([0]);
        while let Some(node) = next.pop_front() {
            all.push(node);
            if self.keeps(grower, node) {
                next.extend(grower.node(node).children());
            }
        }
        all
    }

    /// For each node that is left or below one that is, the node that is left.
    fn leaf_of_node(&self, grower: &Grower<'_>) -> Vec<u32> {
        let mut left: Vec<u32> = (0..grower.nodes.len() as u32).collect();
        // Children come after their parents.
        for node in 0..grower.nodes.len() as u32 {
            let above = left[node as usize];
            if above != node || !self.keeps(grower, node) {
                grower.node(node).children().for_each(|child| left[child as usize] = above);
            }
        }
        left
    }
}

/// Makes the release and audits it.
///
/// # Errors
/// When the audit could not be done or found a breach.
pub(crate) fn release(grower: &Grower<'_>, cut: &Cut) -> Result<MinedTree> {
    let task = grower.task;
    let tree = model(grower, cut)?.in_detail(task.detail);
    let model = Model::Tree(tree.clone());
    let policy = task.policy.ok_or_else(|| Error::internal("a tree without a policy is not released"))?;
    let report = task.judge.audit(policy, &model, task.guarantee)?;
    if let Some(error) = prints_rare(&report) {
        return Err(error);
    }
    if !report.holds && task.tied {
        return Err(Error::unsatisfiable(
            "with the declared dependencies, even a tree without private tests reveals more than the guarantee allows",
        )
        .help("choose a weaker guarantee, or leave out the dependency's attributes"));
    }
    if !report.holds {
        return Err(
            Error::breach(UNSEEN).help("nothing was released; this is a bug in incrowd, please report it")
        );
    }
    let summary = summary(grower, cut, &tree, &report);
    let warnings = task.warnings.iter().chain(&report.warnings).cloned().collect();
    Ok(MinedTree { tree, summary, report, warnings })
}

/// The tree as a model: only attributes it tests are named.
pub(crate) fn model(grower: &Grower<'_>, cut: &Cut) -> Result<Tree> {
    let task = grower.task;
    let nodes = cut.nodes(grower);
    let mut number = vec![u32::MAX; grower.nodes.len()];
    (0..).zip(&nodes).for_each(|(new, &old)| number[old as usize] = new);
    let mut asked: Vec<usize> = nodes
        .iter()
        .filter(|&&node| cut.keeps(grower, node))
        .filter_map(|&node| grower.node(node).split.as_ref().map(|(split, _)| split.attribute))
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let populations: Vec<Cow<'_, [u64]>> = nodes.iter().map(|&old| populations(grower, old)).collect();
    let predicted = predictions(grower, &nodes, &populations);
    let node = |(new, &old): (usize, &u32)| match &grower.node(old).split {
        Some((split, _)) if cut.keeps(grower, old) => model::Node::Test(Test {
            attribute: asked.partition_point(|&other| other < split.attribute),
            split: printed(&task.attributes[split.attribute], &split.told),
            labels: {
                let attribute = &task.attributes[split.attribute];
                labels::of(split, attribute, grower.reach_of(old, split.attribute))
            },
            children: grower.node(old).children().map(|child| number[child as usize]).collect(),
            otherwise: Some(split.otherwise),
            missing: if split.missing == split.otherwise {
                MissingRoute::Otherwise
            } else {
                MissingRoute::Branch(split.missing)
            },
        }),
        _ => model::Node::Leaf(Leaf {
            label: predicted[new],
            told: LeafContents::Counts(populations[new].to_vec()),
        }),
    };
    let attributes = asked.iter().map(|&attribute| printed_domain(&task.attributes[attribute])).collect();
    let values = task.class.column.values();
    let values = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
    let class = Class { name: task.class.column.name().to_owned(), values };
    Tree::new(attributes, class, nodes.iter().enumerate().map(node).collect())
}

/// An attribute as the release declares it: without names that must not be printed.
fn printed_domain(attribute: &Attribute<'_>) -> ModelAttribute {
    let mut model = attribute.model.clone();
    if let Domain::Values(names) = &mut model.domain {
        let mut place = 0;
        names.retain(|_| {
            place += 1;
            !attribute.is_rare(place - 1)
        });
    }
    model
}

/// A split over the names that may be printed.
fn printed(attribute: &Attribute<'_>, split: &model::Split) -> model::Split {
    match split {
        model::Split::Values(of_value) => {
            let places = of_value.iter().enumerate().filter(|&(place, _)| !attribute.is_rare(place));
            model::Split::Values(places.map(|(_, &branch)| branch).collect())
        }
        model::Split::Thresholds(_) => split.clone(),
    }
}

/// The individuals at a node by class value. One with rows of several class values counts once for each of them.
fn populations<'g>(grower: &'g Grower<'_>, node: u32) -> Cow<'g, [u64]> {
    if grower.task.has_subjects() {
        return Cow::Owned(bins(grower.task, grower.rows(node), |_| 0, 1));
    }
    Cow::Borrowed(&grower.node(node).counts)
}

/// What each of some nodes predicts: the class value that most individuals have there, the first of several; without
/// individuals, what its parent does. Parents come before their children.
fn predictions(grower: &Grower<'_>, nodes: &[u32], populations: &[Cow<'_, [u64]>]) -> Vec<u32> {
    let mut labels = vec![0; grower.nodes.len()];
    for (&node, counts) in nodes.iter().zip(populations) {
        let inherited = grower.node(node).parent.map_or(0, |parent| labels[parent as usize]);
        let is_empty = counts.iter().all(|&count| count == 0);
        labels[node as usize] = if is_empty { inherited } else { majority(counts) };
    }
    nodes.iter().map(|&node| labels[node as usize]).collect()
}

/// The highest count's place, the first of several.
pub(crate) fn majority(counts: &[u64]) -> u32 {
    let best = (0..counts.len()).rev().max_by_key(|&class| counts[class]);
    best.map_or(0, |class| class as u32)
}

/// The spans of the tree with its cut-off parts left out: cutting tests off merges the spans that reach the same of the
/// leaves that are left.
pub(crate) fn spans<'g>(grower: &'g Grower<'_>, cut: &Cut) -> Vec<Vec<&'g Span>> {
    let leaf_of_node = cut.leaf_of_node(grower);
    let mut merged: BTreeMap<(Vec<u32>, Option<u32>), Vec<&Span>> = BTreeMap::new();
    for span in grower.spans.all() {
        let mut leaves: Vec<u32> = span.leaves.iter().map(|&leaf| leaf_of_node[leaf as usize]).collect();
        leaves.sort_unstable();
        leaves.dedup();
        merged.entry((leaves, span.class)).or_default().push(span);
    }
    merged.into_values().collect()
}

/// The individuals of a span by class; `parts` are the spans it is made of.
fn by_class(grower: &Grower<'_>, parts: &[&Span]) -> Vec<u64> {
    let task = grower.task;
    if task.has_subjects() {
        let rows = parts.iter().flat_map(|span| grower.spans.rows(&grower.by_leaf, span));
        return bins(task, &rows.copied().collect::<Vec<_>>(), |_| 0, 1);
    }
    let mut sums = vec![0; task.class.count];
    for span in parts {
        let counts = match (&span.place, &span.leaves[..]) {
            (Place::ByLeaf(_), &[leaf]) => Cow::Borrowed(&grower.node(leaf).counts),
            (Place::Counted(part), _) => {
                Cow::Owned(task.known.map_or_else(Vec::new, |known| known.by_class(part)))
            }
            _ => Cow::Owned(bins(task, grower.spans.rows(&grower.by_leaf, span), |_| 0, 1)),
        };
        sums.iter_mut().zip(counts.iter()).for_each(|(sum, n)| *sum += n);
    }
    sums
}

fn summary(grower: &Grower<'_>, cut: &Cut, tree: &Tree, report: &Report) -> TreeSummary {
    let minority = |span: &Vec<&Span>| {
        let counts = by_class(grower, span);
        counts.iter().sum::<u64>() - counts.iter().max().copied().unwrap_or(0)
    };
    let nodes = cut.nodes(grower);
    let wrong = |(&old, node): (&u32, &model::Node)| match node {
        model::Node::Leaf(leaf) => grower.node(old).size() - grower.node(old).counts[leaf.label as usize],
        model::Node::Test(_) => 0,
    };
    let wrong: u64 = nodes.iter().zip(tree.nodes()).map(wrong).sum();
    let is_leaf = |node: &&model::Node| matches!(node, model::Node::Leaf(_));
    TreeSummary {
        rows: report.rows,
        individuals: report.individuals,
        leaves: tree.nodes().iter().filter(is_leaf).count() as u64,
        spans: report.spans,
        k: report.k,
        cm: spans(grower, cut).par_iter().map(minority).sum(),
        exposed: report.exposed,
        max_confidence: report.max_confidence,
        error: wrong as f64 / grower.node(0).size() as f64,
    }
}
