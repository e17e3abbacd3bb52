//! From learned trees to a release: an ensemble over private attributes and what cells define.

use super::cells::Cells;
use super::features::{Feature, FeatureKind};
use super::fit::{Fitted, Scored};
use super::grow::{Division, Grown};
use incrowd_core::Result;
use incrowd_core::model::{
    CellPlan, CellTree, Class, Combination, Domain, Ensemble, Leaf, LeafContents, Link, Member, MissingRoute,
    ModelAttribute, Node, Scoring, Split, Test, TieRule, Tree,
};
use std::sync::Arc;

/// The most names that a label spells out.
const SHOWN: usize = 3;

/// The ensemble. The features of cells come first, in the order in which these define them.
pub(crate) fn ensemble(
    fitted: &Fitted,
    cells: &Cells,
    features: &[Arc<Feature>],
    class: Class,
) -> Result<Ensemble> {
    let of_cells = cells.tree.as_ref().map_or(0, |tree| tree.attributes().len());
    let used = used(&fitted.trees, features.len());
    let tree = cells.tree.as_ref().filter(|_| used[..of_cells].contains(&true));
    let sources = tree.map_or(&[][..], |tree| tree.tree().attributes());
    let private = (of_cells..features.len()).filter(|&place| used[place]);
    let attributes: Vec<ModelAttribute> =
        sources.iter().cloned().chain(private.map(|place| features[place].model.clone())).collect();
    let place_of = places(&used, of_cells, sources.len(), attributes.len());
    let plan = tree.map(|tree| plan(tree, &used[..of_cells]));
    let mut members: Vec<Member> =
        fitted.trees.iter().map(|tree| member(tree, features, &place_of)).collect();
    if members.is_empty() {
        // Without tests, everyone has the base scores.
        let nodes = vec![Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing })];
        members.push(Member { nodes, output: Some(0), scores: vec![vec![0.0]] });
    }
    let link = if fitted.base.len() == 1 { Link::Logistic } else { Link::Softmax };
    let (combination, base, tie) = (Combination::Sum, fitted.base.clone(), TieRule::First);
    Ensemble::with_cells(attributes, class, plan, members, Scoring { combination, base, link, tie })
}

fn used(trees: &[Scored], features: usize) -> Vec<bool> {
    let mut used = vec![false; features];
    for tree in trees {
        let own = tested(&tree.nodes, features);
        used.iter_mut().zip(own).for_each(|(used, own)| *used |= own);
    }
    used
}

/// Whether each feature is tested by a tree.
fn tested(nodes: &[Grown], features: usize) -> Vec<bool> {
    let mut tested = vec![false; features];
    for node in nodes {
        if let Grown::Test(division, _) = node {
            tested[division.feature] = true;
        }
    }
    tested
}

/// For each feature its place among the attributes: private ones follow the sources, those of cells come last.
fn places(used: &[bool], of_cells: usize, sources: usize, attributes: usize) -> Vec<usize> {
    let (mut next_private, mut next_of_cells) = (sources, attributes);
    let mut next = |(place, &used): (usize, &bool)| {
        let counter = if place < of_cells { &mut next_of_cells } else { &mut next_private };
        *counter += usize::from(used);
        *counter - usize::from(used)
    };
    used.iter().enumerate().map(&mut next).collect()
}

/// The cells, with the attributes that trees test.
fn plan(cells: &CellTree, used: &[bool]) -> CellPlan {
    fn kept<T: Clone>(all: &[T], used: &[bool]) -> Vec<T> {
        all.iter().zip(used).filter(|(_, used)| **used).map(|(one, _)| one.clone()).collect()
    }
    CellPlan {
        attributes: kept(cells.attributes(), used),
        nodes: cells.tree().nodes().to_vec(),
        values: cells.values().iter().map(|values| kept(values, used)).collect(),
    }
}

fn member(tree: &Scored, features: &[Arc<Feature>], place_of: &[usize]) -> Member {
    let scores = tree.nodes.iter().zip(&tree.scores).map(|(node, &score)| match node {
        Grown::Leaf(_) => vec![score],
        Grown::Test(..) => Vec::new(),
    });
    Member {
        nodes: nodes(&tree.nodes, features, place_of),
        output: Some(tree.output as u32),
        scores: scores.collect(),
    }
}

/// Grown nodes as those of a tree, given the place of each feature among its attributes. Leaves are labelled 0.
fn nodes(grown: &[Grown], features: &[Arc<Feature>], place_of: &[usize]) -> Vec<Node> {
    let individuals = individuals(grown);
    let node = |node: &Grown| match node {
        Grown::Leaf(_) => Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing }),
        Grown::Test(division, children) => {
            let of_child = children.map(|child| individuals[child as usize]);
            let largest = u32::from(of_child[1] > of_child[0]);
            let place = place_of[division.feature];
            Node::Test(test(division, &features[division.feature], place, *children, largest))
        }
    };
    grown.iter().map(node).collect()
}

/// A tree of public tests, whose leaves are cells.
pub(crate) fn tree(grown: &[Grown], features: &[Arc<Feature>]) -> Result<Tree> {
    let used = tested(grown, features.len());
    let place_of = places(&used, 0, 0, 0);
    let own = (0..features.len()).filter(|&place| used[place]);
    let attributes = own.map(|place| features[place].model.clone()).collect();
    let class = Class { name: "\u{0}".to_owned(), values: vec!["0".to_owned()] };
    Tree::new(attributes, class, nodes(grown, features, &place_of))
}

/// The individuals at each node, in units.
fn individuals(nodes: &[Grown]) -> Vec<i64> {
    let mut all = vec![0; nodes.len()];
    // Children come after their parents.
    for (place, node) in nodes.iter().enumerate().rev() {
        all[place] = match node {
            Grown::Leaf(sums) => sums.individuals,
            Grown::Test(_, children) => children.iter().map(|&child| all[child as usize]).sum(),
        };
    }
    all
}

/// A test. Values that no bin has go where most individuals go.
fn test(division: &Division, feature: &Feature, attribute: usize, children: [u32; 2], largest: u32) -> Test {
    let side = |bin: u8| u32::from(!division.first[bin as usize]);
    let (split, labels, others, missing) = match &feature.kind {
        FeatureKind::Numbers { thresholds, missing } => {
            let below = division.first[..thresholds.len()].iter().filter(|&&first| first).count();
            let threshold = thresholds[below.saturating_sub(1)];
            let dates = feature.model.dates;
            (Split::Thresholds(vec![threshold]), of_threshold(threshold, dates), None, *missing)
        }
        FeatureKind::Names { bin_of_name, others, missing } => {
            let of_value: Vec<u32> = bin_of_name.iter().map(|&bin| side(bin)).collect();
            let labels = [0, 1].map(|branch| of_names(&feature.model.domain, &of_value, branch)).to_vec();
            (Split::Values(of_value.into_iter().map(Some).collect()), labels, *others, *missing)
        }
    };
    let otherwise = others.map_or(largest, side);
    let missing = match missing.map(side) {
        Some(branch) if branch != otherwise => MissingRoute::Branch(branch),
        _ => MissingRoute::Otherwise,
    };
    let children = children.to_vec();
    Test { attribute, split, labels, children, otherwise: Some(otherwise), missing }
}

fn of_threshold(threshold: f64, dates: bool) -> Vec<String> {
    crate::tree::labels::of_thresholds(&[threshold], dates)
}

/// `= a`, `in {a, b}`, `in {a, b, c, …}`.
fn of_names(domain: &Domain, of_value: &[u32], branch: u32) -> String {
    let Domain::Values(names) = domain else { return String::new() };
    let own: Vec<&str> = names
        .iter()
        .zip(of_value)
        .filter(|(_, own)| **own == branch)
        .map(|(name, _)| name.as_str())
        .collect();
    match own.as_slice() {
        [] => "otherwise".to_owned(),
        [name] => format!("= {name}"),
        names if names.len() > SHOWN => format!("in {{{}, …}}", names[..SHOWN].join(", ")),
        names => format!("in {{{}}}", names.join(", ")),
    }
}
