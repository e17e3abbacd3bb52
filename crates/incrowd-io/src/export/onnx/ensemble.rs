//! The tree in the form of ONNX: every test is `feature <= number`, with a branch for true and one for false.

use super::{Names, doubles, int, ints, node, strings};
use crate::export::proto::Message;
use incrowd_core::model::{Node, Split, Test, Tree};
use incrowd_core::predict::{Outcome, outcomes};
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

/// A test of the ensemble, or an end.
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

/// Where a branch of the ensemble leads.
#[derive(Clone, Copy)]
enum Goal {
    /// On with a node of the tree.
    Node(u32),
    /// A row stops at a test.
    Stop(u32),
}

pub(super) struct Ensemble<'a> {
    features: Vec<Feature<'a>>,
    steps: Vec<Step>,
    labels: Vec<u32>,
}

impl<'a> Ensemble<'a> {
    pub(super) fn new(tree: &'a Tree, inputs: &[usize]) -> Self {
        let labels = outcomes(tree).iter().map(|outcome| outcome.label).collect();
        let mut making = Making::new(tree);
        making.run();
        if making.features.is_empty() {
            making.features = inputs.iter().map(|&attribute| making.plain(attribute)).collect();
        }
        Self { features: making.features, steps: making.steps, labels }
    }

    pub(super) fn features(&self) -> &[Feature<'a>] {
        &self.features
    }

    pub(super) fn classifier(&self, classes: &[String], names: &Names) -> Message {
        let weight =
            |end: u32, class: usize| f64::from(u8::from(self.labels[end as usize] as usize == class));
        let ends = self.ends(classes.len(), "class", "class_ids", weight);
        let outputs = [names.label.as_str(), &names.own("scores")];
        node("TreeEnsembleClassifier", "ai.onnx.ml", &[names.own("columns")], &outputs)
            .messages(5, self.shape())
            .messages(5, ends)
            .messages(5, [strings("classlabels_strings", classes.iter().map(String::as_str))])
    }

    /// The shares, if they are known wherever a row can end.
    pub(super) fn regressor(&self, classes: usize, outcomes: &[Outcome], names: &Names) -> Option<Message> {
        let mut shares: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for end in self.steps.iter().filter_map(|step| step.end) {
            shares.insert(end, outcomes[end as usize].shares()?);
        }
        let ends = self.ends(classes, "target", "target_ids", |end, class| shares[&end][class]);
        let outputs = [names.probabilities.as_str()];
        let regressor = node("TreeEnsembleRegressor", "ai.onnx.ml", &[names.own("columns")], &outputs)
            .messages(5, self.shape())
            .messages(5, ends)
            .messages(5, [int("n_targets", classes as u64)]);
        Some(regressor)
    }

    fn shape(&self) -> Vec<Message> {
        let of = |take: fn(&Step) -> u64| self.steps.iter().map(take);
        let thresholds: Vec<f64> = self.steps.iter().map(|step| step.threshold).collect();
        let modes = self.steps.iter().map(|step| if step.end.is_some() { "LEAF" } else { "BRANCH_LEQ" });
        vec![
            ints("nodes_treeids", of(|_| 0)),
            ints("nodes_nodeids", 0..self.steps.len() as u64),
            ints("nodes_featureids", of(|step| step.feature as u64)),
            doubles("nodes_values_as_tensor", &thresholds),
            strings("nodes_modes", modes),
            ints("nodes_truenodeids", of(|step| step.yes as u64)),
            ints("nodes_falsenodeids", of(|step| step.no as u64)),
            ints("nodes_missing_value_tracks_true", of(|step| u64::from(step.missing))),
        ]
    }

    /// The weights at the ends, one for each class value.
    fn ends(
        &self,
        classes: usize,
        prefix: &str,
        ids: &str,
        weight: impl Fn(u32, usize) -> f64,
    ) -> Vec<Message> {
        let ends = || (0..).zip(&self.steps).filter_map(|(i, step): (u64, &Step)| Some((i, step.end?)));
        let each = || ends().flat_map(|(i, end)| (0..classes).map(move |class| (i, end, class)));
        let weights: Vec<f64> = each().map(|(_, end, class)| weight(end, class)).collect();
        vec![
            ints(&format!("{prefix}_treeids"), each().map(|_| 0)),
            ints(&format!("{prefix}_nodeids"), each().map(|(i, _, _)| i)),
            ints(ids, each().map(|(_, _, class)| class as u64)),
            doubles(&format!("{prefix}_weights_as_tensor"), &weights),
        ]
    }
}

/// An ensemble in the making.
struct Making<'a> {
    tree: &'a Tree,
    features: Vec<Feature<'a>>,
    numbers: BTreeMap<usize, usize>,
    partings: BTreeMap<(usize, Parting<'a>), usize>,
    parents: Vec<Option<u32>>,
    steps: Vec<Step>,
    waiting: Vec<(Goal, usize)>,
}

impl<'a> Making<'a> {
    fn new(tree: &'a Tree) -> Self {
        let mut parents = vec![None; tree.nodes().len()];
        for (node, parent) in tree.nodes().iter().zip(0..) {
            if let Node::Test(test) = node {
                test.children.iter().for_each(|&child| parents[child as usize] = Some(parent));
            }
        }
        Self {
            tree,
            features: Vec::new(),
            numbers: BTreeMap::new(),
            partings: BTreeMap::new(),
            parents,
            steps: Vec::new(),
            waiting: Vec::new(),
        }
    }

    fn run(&mut self) {
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
    }

    /// A place for a step that is filled in later.
    fn reserve(&mut self) -> usize {
        self.steps.push(Step { feature: 0, threshold: 0.0, yes: 0, no: 0, missing: false, end: None });
        self.steps.len() - 1
    }

    fn test(&mut self, node: u32, test: &'a Test, step: usize) {
        let mut goals: Vec<Goal> = test.children.iter().map(|&child| Goal::Node(child)).collect();
        match &test.split {
            Split::Values(of_value) => {
                let stop = goals.len() as u32;
                let [default, missing] =
                    [test.otherwise, test.missing_branch()].map(|branch| branch.unwrap_or(stop));
                let feature = self.parting(test.attribute, Parting { of_value, default, missing });
                if default == stop || missing == stop {
                    goals.push(Goal::Stop(node));
                }
                let thresholds: Vec<f64> = (1..goals.len()).map(|branch| branch as f64 - 0.5).collect();
                self.chain(feature, &thresholds, &goals, None, step);
            }
            Split::Thresholds(thresholds) => {
                let feature = self.number(test.attribute);
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

    fn plain(&self, attribute: usize) -> Feature<'a> {
        let split = match &self.tree.attributes()[attribute].domain {
            incrowd_core::model::Domain::Numbers { .. } => None,
            incrowd_core::model::Domain::Values(_) => Some(Parting { of_value: &[], default: 0, missing: 0 }),
        };
        Feature { attribute, split }
    }

    fn number(&mut self, attribute: usize) -> usize {
        let next = self.features.len();
        let feature = *self.numbers.entry(attribute).or_insert(next);
        if feature == next {
            self.features.push(Feature { attribute, split: None });
        }
        feature
    }

    fn parting(&mut self, attribute: usize, split: Parting<'a>) -> usize {
        let next = self.features.len();
        let feature = *self.partings.entry((attribute, split)).or_insert(next);
        if feature == next {
            self.features.push(Feature { attribute, split: Some(split) });
        }
        feature
    }
}
