//! Trees as ONNX.
//!
//! The model takes the raw columns: a tensor of doubles (N, 1) for each numeric column that the tree tests, NaN where
//! the number is missing, and a tensor of strings (N, 1) for each categorical one. Each way in which tests divide the
//! values of a column is a `LabelEncoder` from value to branch; values it does not list get the branch for other
//! values, and the empty string, which represents a missing value, gets the branch for those. The encoded values and
//! the numbers make one matrix of doubles, so that thresholds are compared as doubles, not as floats. All values of a
//! column are keys, so that a program that reads the model back knows them; the metadata `incrowd.missing` states that
//! the empty string is not one of them.
//!
//! A `TreeEnsembleClassifier` gives the label: its leaves have weight 1 for their label, so ties cannot arise. Where
//! all populations or shares are released, a `TreeEnsembleRegressor` of the same shape gives the shares of the class
//! values.

mod parts;
mod scored;
mod steps;

pub(super) use scored::write as write_ensemble;

use super::proto::Message;
use crate::release::attribute_values;
use crate::tested;
use incrowd_core::model::{Class, Domain, ModelAttribute, Tree};
use incrowd_core::predict::outcomes;
use incrowd_core::{Error, Result};
use parts::{DOUBLE, FLOAT, STRING, floats, int, node, strings, value};
use std::collections::BTreeMap;
use steps::{Feature, Operator, Steps};

pub(super) fn write(tree: &Tree) -> Result<Vec<u8>> {
    let inputs = inputs(tree.attributes(), &tested(tree), tree.class())?;
    let steps = Steps::new(tree.attributes(), &[tree], &inputs);
    steps.features().iter().try_for_each(|feature| check_missing(tree.attributes(), feature))?;
    let graph = graph(tree, &inputs, &steps);
    Ok(model(&graph, tree.class()))
}

/// The places of the attributes that are inputs: those that are tested or, without tests, the first.
fn inputs(attributes: &[ModelAttribute], tested: &[bool], class: &Class) -> Result<Vec<usize>> {
    if class.values.len() < 2 {
        return Err(Error::input("an ONNX classifier needs two class values, and the model has one")
            .help("export to another format"));
    }
    let mut inputs: Vec<usize> = (0..attributes.len()).filter(|&place| tested[place]).collect();
    if inputs.is_empty() {
        // A model without tests still needs the number of rows.
        inputs.push(0);
        if attributes.is_empty() {
            return Err(Error::input("an ONNX model needs an attribute, and the model has none")
                .help("export to another format"));
        }
    }
    if inputs.iter().any(|&attribute| attributes[attribute].name.is_empty()) {
        return Err(Error::input("an ONNX model cannot have an input without a name")
            .help("name the column, or export to another format"));
    }
    if let Some(&date) = inputs.iter().find(|&&attribute| attributes[attribute].dates) {
        return Err(Error::input("an ONNX model cannot take dates")
            .of_attribute(&attributes[date].name)
            .help("export to PMML or Python"));
    }
    Ok(inputs)
}

/// The bytes of a model.
fn model(graph: &Message, class: &Class) -> Vec<u8> {
    let opset = |domain: &str, version: u64| Message::default().bytes(1, domain).int(2, version);
    let property = |key: &str, value: &str| Message::default().bytes(1, key).bytes(2, value);
    let model = Message::default()
        .int(1, 8)
        .bytes(2, "incrowd")
        .bytes(3, env!("CARGO_PKG_VERSION"))
        .message(7, graph)
        .messages(8, [opset("", 17), opset("ai.onnx.ml", 3)])
        .messages(14, [property("incrowd.class", &class.name), property("incrowd.missing", "")]);
    model.finish()
}

/// A missing value is an empty string, so it cannot have another branch than an empty string that is a value.
fn check_missing(attributes: &[ModelAttribute], feature: &Feature<'_>) -> Result<()> {
    let Some(split) = &feature.split else { return Ok(()) };
    let attribute = &attributes[feature.attribute];
    let empty = attribute_values(attribute).iter().zip(split.of_value).find(|(value, _)| value.is_empty());
    match empty {
        Some((_, branch)) if branch.unwrap_or(split.default) != split.missing => Err(Error::input(
            "an empty value and a missing one take different branches, but ONNX cannot distinguish them",
        )
        .of_attribute(&attribute.name)
        .help("export to another format")),
        _ => Ok(()),
    }
}

/// Names of the graph that no column has.
struct Names {
    prefix: String,
    label: String,
    probabilities: String,
}

impl Names {
    fn new(attributes: &[ModelAttribute]) -> Self {
        let taken = |name: &str| attributes.iter().any(|attribute| attribute.name.starts_with(name));
        let free = |name: &str| {
            let mut free = name.to_owned();
            while taken(&free) {
                free.push('_');
            }
            free
        };
        Self { prefix: free("tree_"), label: free("label"), probabilities: free("probabilities") }
    }

    /// A name within the graph.
    fn own(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

fn graph(tree: &Tree, inputs: &[usize], steps: &Steps<'_>) -> Message {
    let names = Names::new(tree.attributes());
    let columns = names.own("columns");
    let name = |attribute: usize| tree.attributes()[attribute].name.clone();
    let mut nodes = matrix(tree.attributes(), steps, name, &columns, &names.prefix);
    let (classes, outcomes) = (&tree.class().values, outcomes(tree));
    let is_label = |end: u32, class: usize| outcomes[end as usize].label as usize == class;
    let weights = |_: usize, end: u32| {
        (0..classes.len()).map(|class| (class, f64::from(u8::from(is_label(end, class))))).collect()
    };
    let labels = strings("classlabels_strings", classes.iter().map(String::as_str));
    let label = [names.label.as_str(), &names.own("scores")];
    nodes.push(steps.operator(Operator::Classifier, &columns, &label, weights).messages(5, [labels]));
    let mut outputs = vec![value(&names.label, STRING, None)];
    // The shares, if they are known wherever a row can end.
    let shares: Option<BTreeMap<u32, Vec<f64>>> =
        steps.ends().map(|(_, end)| Some((end, outcomes[end as usize].shares()?))).collect();
    if let Some(shares) = shares {
        let weights = |_: usize, end: u32| shares[&end].iter().copied().enumerate().collect();
        let regressor = steps.operator(Operator::Regressor, &columns, &[&names.probabilities], weights);
        nodes.push(regressor.messages(5, [int("n_targets", classes.len() as u64)]));
        outputs.push(value(&names.probabilities, FLOAT, Some(classes.len() as u64)));
    }
    Message::default()
        .messages(1, nodes)
        .bytes(2, "tree")
        .messages(11, inputs.iter().map(|&attribute| input(&tree.attributes()[attribute])))
        .messages(12, outputs)
}

/// The input that is a column.
fn input(attribute: &ModelAttribute) -> Message {
    let kind = if matches!(attribute.domain, Domain::Numbers { .. }) { DOUBLE } else { STRING };
    value(&attribute.name, kind, Some(1))
}

/// The nodes that make the matrix of features, `columns`; `name` returns the tensor of an attribute. Tensors between
/// them start with `prefix`.
fn matrix(
    attributes: &[ModelAttribute],
    steps: &Steps<'_>,
    name: impl Fn(usize) -> String,
    columns: &str,
    prefix: &str,
) -> Vec<Message> {
    let mut nodes = Vec::new();
    let mut all = Vec::new();
    for (i, feature) in steps.features().iter().enumerate() {
        let column = format!("{prefix}column_{i}");
        let attribute = &attributes[feature.attribute];
        nodes.extend(encode(
            attribute,
            feature,
            [&name(feature.attribute), &format!("{prefix}coded_{i}"), &column],
        ));
        all.push(column);
    }
    nodes.push(node("Concat", "", &all, &[columns]).messages(5, [int("axis", 1)]));
    nodes
}

/// The nodes that make a feature from a column.
fn encode(
    attribute: &ModelAttribute,
    feature: &Feature<'_>,
    [name, coded, column]: [&str; 3],
) -> Vec<Message> {
    let Some(split) = &feature.split else {
        return vec![node("Identity", "", &[name], &[column])];
    };
    let default = split.default as f32;
    let values = attribute_values(attribute);
    let of_value = split.of_value.iter().map(|branch| branch.map_or(default, |branch| branch as f32));
    // A tree of one leaf has no tests that send values anywhere.
    let of_value = of_value.chain(std::iter::repeat(default));
    let listed = values.iter().map(String::as_str).zip(of_value).filter(|(value, _)| !value.is_empty());
    let (keys, branches): (Vec<&str>, Vec<f32>) = listed.chain([("", split.missing as f32)]).unzip();
    let encoder = node("LabelEncoder", "ai.onnx.ml", &[name], &[coded]).messages(
        5,
        [
            strings("keys_strings", keys),
            floats("values_floats", &branches),
            Message::default().bytes(1, "default_float").float(2, default).int(20, 1),
        ],
    );
    let cast = node("Cast", "", &[coded], &[column]).messages(5, [int("to", DOUBLE)]);
    vec![encoder, cast]
}
