//! Ensembles as ONNX.
//!
//! A `TreeEnsembleClassifier` gives the label, a `TreeEnsembleRegressor` of the same trees the scores, which `Sigmoid`
//! or `Softmax` turns into shares. The classifier adds up doubles in the order of the trees, starting from the base
//! scores: these are a first tree of one leaf. The classifier takes the first of equal scores, so class values are in
//! reverse order if the last of them is predicted, and a third one that nothing votes for is added to two.
//!
//! If the trees test attributes that cells define, a regressor first gives the number of the cell, and `Gather` looks
//! up what the cell has of each attribute.
//!
//! A row for which a test has no branch gets an empty label and shares that are not numbers.

use super::parts::{
    FLOAT, INT64, STRING, constant_doubles, constant_float, constant_ints, constant_strings, doubles, int,
    node, strings, text, value,
};
use super::steps::{Operator, Steps};
use super::{Names, check_missing, input, inputs, matrix, model};
use crate::export::proto::Message;
use crate::predictions::tested_by;
use incrowd_core::Result;
use incrowd_core::model::{
    CellTree, CellValue, Combination, Domain, Ensemble, Link, Node, ScoredTree, TieRule, Tree,
};

pub(in crate::export) fn write(ensemble: &Ensemble) -> Result<Vec<u8>> {
    let trees: Vec<&Tree> = ensemble.trees().iter().map(ScoredTree::tree).collect();
    let (sources, attributes) = (ensemble.sources(), ensemble.attributes());
    let mut tested = tested_by(&trees);
    tested.truncate(sources.len());
    if let Some(cells) = ensemble.cells() {
        tested.iter_mut().zip(tested_by(&[cells.tree()])).for_each(|(all, own)| *all |= own);
    }
    let inputs = inputs(sources, &tested, ensemble.class())?;
    let mut graph = Graph {
        ensemble,
        names: Names::new(attributes),
        nodes: Vec::new(),
        constants: Vec::new(),
        stops: Vec::new(),
    };
    if let Some(cells) = ensemble.cells() {
        graph.cells(cells, &inputs)?;
    }
    let steps = Steps::new(attributes, &trees, &inputs);
    steps.features().iter().try_for_each(|feature| check_missing(attributes, feature))?;
    graph.trees(&steps);
    graph.shares(&steps);
    Ok(model(&graph.finish(&inputs), ensemble.class()))
}

/// A graph in the making.
struct Graph<'a> {
    ensemble: &'a Ensemble,
    names: Names,
    nodes: Vec<Message>,
    constants: Vec<Message>,
    /// Tensors of a truth value for each row: whether it stops at a test.
    stops: Vec<String>,
}

impl Graph<'_> {
    /// The attributes that cells define, each a tensor.
    fn cells(&mut self, cells: &CellTree, inputs: &[usize]) -> Result<()> {
        let (sources, count) = (cells.tree().attributes(), cells.values().len());
        let steps = Steps::new(sources, &[cells.tree()], inputs);
        steps.features().iter().try_for_each(|feature| check_missing(sources, feature))?;
        let own = |name: &str| self.names.own(name);
        let (columns, number, cell) = (own("cell_columns"), own("cell_number"), own("cell"));
        let name = |attribute: usize| sources[attribute].name.clone();
        let mut nodes = matrix(sources, &steps, name, &columns, &own("cell_"));
        // Rows that stop have one more cell.
        let cell_of = |end: u32| match &cells.tree().nodes()[end as usize] {
            Node::Leaf(leaf) => leaf.label as usize,
            Node::Test(_) => count,
        };
        let weights = |_: usize, end: u32| vec![(0, cell_of(end) as f64)];
        let regressor = steps.operator(Operator::Regressor, &columns, &[&number], weights);
        nodes.push(regressor.messages(5, [int("n_targets", 1)]));
        let (shape, whole) = (own("cell_shape"), own("cell_whole"));
        let mut constants = vec![constant_ints(&shape, &[1], &[-1])];
        nodes.push(node("Cast", "", &[number], &[&whole]).messages(5, [int("to", INT64)]));
        nodes.push(node("Reshape", "", &[whole, shape], &[&cell]));
        for (place, attribute) in cells.attributes().iter().enumerate() {
            let (table, derived) = (own(&format!("cell_table_{place}")), self.derived(sources.len() + place));
            constants.push(values(&table, cells, place, &attribute.domain));
            nodes.push(node("Gather", "", &[table, cell.clone()], &[&derived]));
        }
        let mut stops = Vec::new();
        if steps.ends().any(|(_, end)| cell_of(end) == count) {
            let (outside, stopped) = (own("cell_outside"), own("cell_stopped"));
            constants.push(constant_ints(&outside, &[1], &[count as i64]));
            nodes.push(node("Equal", "", &[cell, outside], &[&stopped]));
            stops.push(stopped);
        }
        self.nodes.extend(nodes);
        self.constants.extend(constants);
        self.stops.extend(stops);
        Ok(())
    }

    /// The tensor of an attribute.
    fn derived(&self, attribute: usize) -> String {
        if attribute < self.ensemble.sources().len() {
            self.ensemble.attributes()[attribute].name.clone()
        } else {
            self.names.own(&format!("derived_{attribute}"))
        }
    }

    /// The label and the scores of all trees.
    fn trees(&mut self, steps: &Steps<'_>) {
        let ensemble = self.ensemble;
        let (columns, scoring) = (self.names.own("columns"), ensemble.scoring());
        let nodes = matrix(
            ensemble.attributes(),
            steps,
            |attribute| self.derived(attribute),
            &columns,
            &self.names.prefix,
        );
        self.nodes.extend(nodes);
        let after_base = steps.after_a_leaf();
        let count = ensemble.trees().len() as f64;
        let base = |factor: f64| scoring.base.iter().map(|base| base * factor).enumerate().collect();
        // A mean is compared as a sum.
        let factor = if scoring.combination == Combination::Mean { count } else { 1.0 };
        let labels = self.names.own("labels");
        let of_class = |tree: usize, end: u32| match tree.checked_sub(1) {
            None => self.of_classes(base(factor), true),
            Some(tree) => self.of_classes(self.scores(tree, end), false),
        };
        let classes = ensemble.class().values.iter().map(String::as_str);
        let mut classes: Vec<&str> =
            if scoring.tie == TieRule::Last { classes.rev().collect() } else { classes.collect() };
        // Of two class values onnxruntime compares the second score with 0, of more it takes the highest.
        let third = third(&ensemble.class().values);
        if classes.len() == 2 {
            classes.push(&third);
        }
        let classifier = after_base
            .operator(Operator::Classifier, &columns, &[&labels, &self.names.own("votes")], of_class)
            .messages(5, [strings("classlabels_strings", classes)]);
        let regressor = match scoring.combination {
            Combination::Sum => after_base.operator(
                Operator::Regressor,
                &columns,
                &[&self.names.own("scores")],
                |tree, end| match tree.checked_sub(1) {
                    None => base(1.0),
                    Some(tree) => self.scores(tree, end),
                },
            ),
            Combination::Mean => steps
                .operator(Operator::Regressor, &columns, &[&self.names.own("scores")], |tree, end| {
                    self.scores(tree, end)
                })
                .messages(
                    5,
                    [text("aggregate_function", "AVERAGE"), doubles("base_values_as_tensor", &scoring.base)],
                ),
        };
        let targets = int("n_targets", ensemble.outputs() as u64);
        self.nodes.extend([classifier, regressor.messages(5, [targets])]);
    }

    /// What an end adds to each score.
    fn scores(&self, tree: usize, end: u32) -> Vec<(usize, f64)> {
        let scored = &self.ensemble.trees()[tree];
        if matches!(scored.tree().nodes()[end as usize], Node::Test(_)) {
            return (0..self.ensemble.outputs()).map(|output| (output, f64::NAN)).collect();
        }
        let first = scored.output().unwrap_or(0) as usize;
        (first..).zip(scored.scores(end).iter().copied()).collect()
    }

    /// Scores as votes for class values, in the order in which the classifier lists them.
    fn of_classes(&self, scores: Vec<(usize, f64)>, all: bool) -> Vec<(usize, f64)> {
        let scoring = self.ensemble.scoring();
        let scores = if scoring.link == Link::Logistic {
            let second = scores.into_iter().map(|(_, score)| (1, score));
            all.then_some((0, 0.0)).into_iter().chain(second).collect()
        } else {
            scores
        };
        let last = self.ensemble.class().values.len() - 1;
        let place = |class: usize| if scoring.tie == TieRule::Last { last - class } else { class };
        scores.into_iter().map(|(class, score)| (place(class), score)).collect()
    }

    /// The shares, and the label unless a row stops.
    fn shares(&mut self, steps: &Steps<'_>) {
        let own = |name: &str| self.names.own(name);
        let (scores, raw) = (own("scores"), own("shares"));
        let mut nodes = match self.ensemble.scoring().link {
            Link::Identity => vec![node("Identity", "", &[scores.as_str()], &[&raw])],
            Link::Softmax => {
                vec![node("Softmax", "", &[scores.as_str()], &[&raw]).messages(5, [int("axis", 1)])]
            }
            Link::Logistic => {
                self.constants.push(constant_float(&own("one"), 1.0));
                let (first, second) = (own("first"), own("second"));
                vec![
                    node("Sigmoid", "", &[scores.as_str()], &[&second]),
                    node("Sub", "", &[own("one").as_str(), &second], &[&first]),
                    node("Concat", "", &[first, second], &[&raw]).messages(5, [int("axis", 1)]),
                ]
            }
        };
        let is_stop = |(tree, end): (usize, u32)| {
            matches!(self.ensemble.trees()[tree].tree().nodes()[end as usize], Node::Test(_))
        };
        if steps.ends().any(is_stop) {
            let (axis, sum, stopped) = (own("axis"), own("sum"), own("stopped"));
            self.constants.push(constant_ints(&axis, &[1], &[1]));
            nodes.push(node("ReduceSum", "", &[scores, axis], &[&sum]).messages(5, [int("keepdims", 0)]));
            nodes.push(node("IsNaN", "", &[sum], &[&stopped]));
            self.stops.push(stopped);
        }
        self.nodes.extend(nodes);
        self.unless_stopped(&raw);
    }

    fn unless_stopped(&mut self, shares: &str) {
        let own = |name: &str| self.names.own(name);
        let (label, probabilities) = (self.names.label.as_str(), self.names.probabilities.as_str());
        if self.stops.is_empty() {
            self.nodes.push(node("Identity", "", &[own("labels")], &[label]));
            self.nodes.push(node("Identity", "", &[shares], &[probabilities]));
            return;
        }
        let mut stopped = self.stops[0].clone();
        if let [cells, trees] = self.stops.as_slice() {
            stopped = own("stopped_anywhere");
            self.nodes.push(node("Or", "", &[cells, trees], &[&stopped]));
        }
        let (nothing, nan, column, at) =
            (own("nothing"), own("nan"), own("stopped_column"), own("column_axis"));
        self.constants.push(constant_strings(&nothing, &[1], [""]));
        self.constants.push(constant_float(&nan, f32::NAN));
        self.constants.push(constant_ints(&at, &[1], &[1]));
        self.nodes.push(node("Where", "", &[stopped.as_str(), &nothing, &own("labels")], &[label]));
        self.nodes.push(node("Unsqueeze", "", &[stopped, at], &[&column]));
        self.nodes.push(node("Where", "", &[column.as_str(), &nan, shares], &[probabilities]));
    }

    fn finish(self, inputs: &[usize]) -> Message {
        let classes = self.ensemble.class().values.len() as u64;
        let inputs = inputs.iter().map(|&attribute| input(&self.ensemble.attributes()[attribute]));
        let outputs =
            [value(&self.names.label, STRING, None), value(&self.names.probabilities, FLOAT, Some(classes))];
        Message::default()
            .messages(1, self.nodes)
            .bytes(2, "ensemble")
            .messages(5, self.constants)
            .messages(11, inputs)
            .messages(12, outputs)
    }
}

/// A name that two class values do not have.
fn third(values: &[String]) -> String {
    let mut name = "none".to_owned();
    while values.contains(&name) {
        name.push('_');
    }
    name
}

/// What each cell has of an attribute, one row per cell and one for rows without a cell.
fn values(name: &str, cells: &CellTree, place: usize, domain: &Domain) -> Message {
    let dimensions = [cells.values().len() as u64 + 1, 1];
    let own = cells.values().iter().map(|values| values[place]);
    match domain {
        Domain::Numbers { .. } => {
            let number = |value| if let CellValue::Number(number) = value { number } else { 0.0 };
            let numbers: Vec<f64> = own.map(number).chain([0.0]).collect();
            constant_doubles(name, &dimensions, &numbers)
        }
        Domain::Values(names) => {
            let text =
                |value| if let CellValue::Name(name) = value { names[name as usize].as_str() } else { "" };
            constant_strings(name, &dimensions, own.map(text).chain([""]))
        }
    }
}
