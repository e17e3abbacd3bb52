//! Trees in the form of ONNX: every test is `feature <= number`, with a branch for true and one for false.

use super::parts::{doubles, ints, node, strings};
use crate::export::proto::Message;
use incrowd_core::model::{Domain, ModelAttribute, Node, Split, Test, Tree};
use std::collections::BTreeMap;

/// How far up it is looked for a test that has sent missing numbers elsewhere.
const FAR: usize = 64;

/// A column of the matrix of features.
pub(super) struct Feature<'a> {
    pub(super) attribute: usize,
    /// How it parts values; `None` for numbers.
    pub(super) split: Option<Parting<'a>>,
}

/// A way to part the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parting<'a> {
    pub(super) of_value: &'a [Option<u32>],
    /// The branch of everything else; one past the last if it has none.
    pub(super) default: u32,
    /// The branch of a missing value; one past the last if it has none.
    pub(super) missing: u32,
}

/// A test, or an end.
#[derive(Clone)]
struct Step {
    feature: usize,
    threshold: f64,
    yes: usize,
    no: usize,
    /// Whether a missing number takes the branch for true.
    missing: bool,
    /// The node of the tree a row ends at here.
    end: Option<u32>,
}

const BLANK: Step = Step { feature: 0, threshold: 0.0, yes: 0, no: 0, missing: false, end: None };

/// Where a branch leads.
#[derive(Clone, Copy)]
enum Goal {
    /// On with a node of the tree.
    Node(u32),
    /// A row stops at a test.
    Stop(u32),
}

/// The two operators on trees.
#[derive(Clone, Copy)]
pub(super) enum Operator {
    Classifier,
    Regressor,
}

/// Trees with the features they have in common.
pub(super) struct Steps<'a> {
    features: Vec<Feature<'a>>,
    trees: Vec<Vec<Step>>,
}

impl<'a> Steps<'a> {
    /// Trees over these attributes. If they test nothing, their features are the attributes at `inputs`.
    pub(super) fn new(attributes: &[ModelAttribute], trees: &[&'a Tree], inputs: &[usize]) -> Self {
        let mut features = Features::default();
        let trees = trees.iter().map(|tree| Making::new(tree, &mut features).run()).collect();
        let mut features = features.all;
        if features.is_empty() {
            features = inputs.iter().map(|&attribute| plain(attributes, attribute)).collect();
        }
        Self { features, trees }
    }

    pub(super) fn features(&self) -> &[Feature<'a>] {
        &self.features
    }

    /// The same trees after a first one that is a single leaf.
    pub(super) fn after_a_leaf(&self) -> Steps<'_> {
        let feature = |own: &Feature<'a>| Feature { attribute: own.attribute, split: own.split };
        let leaf = vec![Step { end: Some(0), ..BLANK }];
        Steps {
            features: self.features.iter().map(feature).collect(),
            trees: std::iter::once(leaf).chain(self.trees.iter().cloned()).collect(),
        }
    }

    /// Where rows can end: the tree and its node.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.all().filter_map(|(tree, _, step)| Some((tree, step.end?)))
    }

    /// An operator on the matrix `columns`; `weights` returns the weights of an end by class value or score.
    pub(super) fn operator(
        &self,
        operator: Operator,
        columns: &str,
        outputs: &[&str],
        weights: impl Fn(usize, u32) -> Vec<(usize, f64)>,
    ) -> Message {
        let (name, prefix, ids) = match operator {
            Operator::Classifier => ("TreeEnsembleClassifier", "class", "class_ids"),
            Operator::Regressor => ("TreeEnsembleRegressor", "target", "target_ids"),
        };
        node(name, "ai.onnx.ml", &[columns], outputs)
            .messages(5, self.shape())
            .messages(5, self.weights(prefix, ids, weights))
    }

    /// All steps with their tree and their place in it.
    fn all(&self) -> impl Iterator<Item = (usize, usize, &Step)> + '_ {
        self.trees
            .iter()
            .enumerate()
            .flat_map(|(tree, steps)| steps.iter().enumerate().map(move |(place, step)| (tree, place, step)))
    }

    fn shape(&self) -> Vec<Message> {
        let of = |take: fn(&Step) -> u64| self.all().map(move |(_, _, step)| take(step));
        let thresholds: Vec<f64> = self.all().map(|(_, _, step)| step.threshold).collect();
        let modes = self.all().map(|(_, _, step)| if step.end.is_some() { "LEAF" } else { "BRANCH_LEQ" });
        vec![
            ints("nodes_treeids", self.all().map(|(tree, _, _)| tree as u64)),
            ints("nodes_nodeids", self.all().map(|(_, place, _)| place as u64)),
            ints("nodes_featureids", of(|step| step.feature as u64)),
            doubles("nodes_values_as_tensor", &thresholds),
            strings("nodes_modes", modes),
            ints("nodes_truenodeids", of(|step| step.yes as u64)),
            ints("nodes_falsenodeids", of(|step| step.no as u64)),
            ints("nodes_missing_value_tracks_true", of(|step| u64::from(step.missing))),
        ]
    }

    fn weights(
        &self,
        prefix: &str,
        ids: &str,
        weights: impl Fn(usize, u32) -> Vec<(usize, f64)>,
    ) -> Vec<Message> {
        let ends = self.all().filter_map(|(tree, place, step)| Some((tree, place, step.end?)));
        let each = ends.flat_map(|(tree, place, end)| {
            weights(tree, end)
                .into_iter()
                .map(move |(id, weight)| ([tree, place, id].map(|n| n as u64), weight))
        });
        let (places, weights): (Vec<[u64; 3]>, Vec<f64>) = each.unzip();
        let column = |i: usize| places.iter().map(move |place| place[i]);
        vec![
            ints(&format!("{prefix}_treeids"), column(0)),
            ints(&format!("{prefix}_nodeids"), column(1)),
            ints(ids, column(2)),
            doubles(&format!("{prefix}_weights_as_tensor"), &weights),
        ]
    }
}

/// An attribute as a feature that nothing tests.
fn plain<'a>(attributes: &[ModelAttribute], attribute: usize) -> Feature<'a> {
    let split = match &attributes[attribute].domain {
        Domain::Numbers { .. } => None,
        Domain::Values(_) => Some(Parting { of_value: &[], default: 0, missing: 0 }),
    };
    Feature { attribute, split }
}

/// The features of trees in the making.
#[derive(Default)]
struct Features<'a> {
    all: Vec<Feature<'a>>,
    numbers: BTreeMap<usize, usize>,
    partings: BTreeMap<(usize, Parting<'a>), usize>,
}

impl<'a> Features<'a> {
    fn number(&mut self, attribute: usize) -> usize {
        let next = self.all.len();
        let feature = *self.numbers.entry(attribute).or_insert(next);
        if feature == next {
            self.all.push(Feature { attribute, split: None });
        }
        feature
    }

    fn parting(&mut self, attribute: usize, split: Parting<'a>) -> usize {
        let next = self.all.len();
        let feature = *self.partings.entry((attribute, split)).or_insert(next);
        if feature == next {
            self.all.push(Feature { attribute, split: Some(split) });
        }
        feature
    }
}

/// A tree in the making.
struct Making<'a, 'f> {
    tree: &'a Tree,
    features: &'f mut Features<'a>,
    parents: Vec<Option<u32>>,
    steps: Vec<Step>,
    waiting: Vec<(Goal, usize)>,
}

impl<'a, 'f> Making<'a, 'f> {
    fn new(tree: &'a Tree, features: &'f mut Features<'a>) -> Self {
        let mut parents = vec![None; tree.nodes().len()];
        for (node, parent) in tree.nodes().iter().zip(0..) {
            if let Node::Test(test) = node {
                test.children.iter().for_each(|&child| parents[child as usize] = Some(parent));
            }
        }
        Self { tree, features, parents, steps: Vec::new(), waiting: Vec::new() }
    }

    fn run(mut self) -> Vec<Step> {
        let root = self.reserve();
        self.waiting.push((Goal::Node(0), root));
        while let Some((goal, step)) = self.waiting.pop() {
            match goal {
                Goal::Stop(node) => self.steps[step].end = Some(node),
                Goal::Node(node) => match &self.tree.nodes()[node as usize] {
                    Node::Leaf(_) => self.steps[step].end = Some(node),
                    Node::Test(test) => self.test(node, test, step),
                },
            }
        }
        self.steps
    }

    /// A place for a step that is filled in later.
    fn reserve(&mut self) -> usize {
        self.steps.push(BLANK);
        self.steps.len() - 1
    }

    fn test(&mut self, node: u32, test: &'a Test, step: usize) {
        let mut goals: Vec<Goal> = test.children.iter().map(|&child| Goal::Node(child)).collect();
        match &test.split {
            Split::Values(of_value) => {
                let stop = goals.len() as u32;
                let [default, missing] =
                    [test.otherwise, test.missing_branch()].map(|branch| branch.unwrap_or(stop));
                let feature = self.features.parting(test.attribute, Parting { of_value, default, missing });
                if default == stop || missing == stop {
                    goals.push(Goal::Stop(node));
                }
                let thresholds: Vec<f64> = (1..goals.len()).map(|branch| branch as f64 - 0.5).collect();
                self.chain(feature, &thresholds, &goals, None, step);
            }
            Split::Thresholds(thresholds) => {
                let feature = self.features.number(test.attribute);
                let mut first = step;
                let apart = test.has_branch_for_missing_numbers().then(|| goals.pop()).flatten();
                let stops = test.missing_branch().is_none() && !self.never_missing(node, test.attribute);
                if let Some(goal) = apart.or(stops.then_some(Goal::Stop(node))) {
                    // Every number is at most the largest one; what is missing is not.
                    first = self.reserve();
                    let stop = self.reserve();
                    self.steps[step] = Step {
                        feature,
                        threshold: f64::MAX,
                        yes: first,
                        no: stop,
                        missing: false,
                        end: None,
                    };
                    self.waiting.push((goal, stop));
                }
                self.chain(feature, thresholds, &goals, test.missing_branch(), first);
            }
        }
    }

    /// Tests one goal after the other; `missing` is the place of the goal of missing numbers.
    fn chain(
        &mut self,
        feature: usize,
        thresholds: &[f64],
        goals: &[Goal],
        missing: Option<u32>,
        first: usize,
    ) {
        let mut step = first;
        for (i, (&threshold, &goal)) in thresholds.iter().zip(goals).enumerate() {
            let (yes, no) = (self.reserve(), self.reserve());
            let missing = missing == Some(i as u32);
            self.steps[step] = Step { feature, threshold, yes, no, missing, end: None };
            self.waiting.push((goal, yes));
            step = no;
        }
        if let Some(&last) = goals.last() {
            self.waiting.push((last, step));
        }
    }

    /// Whether a test above has stopped rows without the attribute.
    fn never_missing(&self, node: u32, attribute: usize) -> bool {
        let mut above = self.parents[node as usize];
        for _ in 0..FAR {
            let Some(parent) = above else { return false };
            match &self.tree.nodes()[parent as usize] {
                Node::Test(test) if test.attribute == attribute && test.missing_branch().is_none() => {
                    return true;
                }
                _ => above = self.parents[parent as usize],
            }
        }
        false
    }
}
