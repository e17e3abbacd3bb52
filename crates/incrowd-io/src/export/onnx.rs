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

use super::proto::Message;
use crate::release::attribute_values;
use crate::tested;
use ensemble::{Ensemble, Feature};
use incrowd_core::model::{Domain, Tree};
use incrowd_core::predict::outcomes;
use incrowd_core::{Error, Result};

mod ensemble;

const DOUBLE: u64 = 11;
const FLOAT: u64 = 1;
const STRING: u64 = 8;

pub(super) fn write(tree: &Tree) -> Result<Vec<u8>> {
    if tree.class().values.len() < 2 {
        return Err(Error::input("an ONNX classifier needs two class values, and the tree has one")
            .help("export to another format"));
    }
    let mut inputs: Vec<usize> =
        tested(tree).iter().enumerate().filter(|(_, tested)| **tested).map(|(i, _)| i).collect();
    if inputs.is_empty() {
        // A tree of one leaf still needs the number of rows.
        inputs.push(0);
        if tree.attributes().is_empty() {
            return Err(Error::input("an ONNX model needs an attribute, and the tree has none")
                .help("export to another format"));
        }
    }
    if inputs.iter().any(|&attribute| tree.attributes()[attribute].name.is_empty()) {
        return Err(Error::input("an ONNX model cannot have an input without a name")
            .help("name the column, or export to another format"));
    }
    if let Some(&date) = inputs.iter().find(|&&attribute| tree.attributes()[attribute].dates) {
        return Err(Error::input("an ONNX model cannot take dates")
            .of_attribute(&tree.attributes()[date].name)
            .help("export to PMML, SQL or Python"));
    }
    let ensemble = Ensemble::new(tree, &inputs);
    ensemble.features().iter().try_for_each(|feature| check_missing(tree, feature))?;
    let graph = graph(tree, &inputs, &ensemble);
    let opset = |domain: &str, version: u64| Message::default().bytes(1, domain).int(2, version);
    let property = |key: &str, value: &str| Message::default().bytes(1, key).bytes(2, value);
    let model = Message::default()
        .int(1, 8)
        .bytes(2, "incrowd")
        .bytes(3, env!("CARGO_PKG_VERSION"))
        .message(7, &graph)
        .messages(8, [opset("", 17), opset("ai.onnx.ml", 3)])
        .messages(14, [property("incrowd.class", &tree.class().name), property("incrowd.missing", "")]);
    Ok(model.finish())
}

/// A missing value is an empty string, so it cannot have another branch than an empty string that is a value.
fn check_missing(tree: &Tree, feature: &Feature<'_>) -> Result<()> {
    let Some(split) = &feature.split else { return Ok(()) };
    let attribute = &tree.attributes()[feature.attribute];
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
    fn new(tree: &Tree) -> Self {
        let taken = |name: &str| tree.attributes().iter().any(|attribute| attribute.name.starts_with(name));
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

fn graph(tree: &Tree, inputs: &[usize], ensemble: &Ensemble<'_>) -> Message {
    let names = Names::new(tree);
    let mut nodes = Vec::new();
    let mut columns = Vec::new();
    for (i, feature) in ensemble.features().iter().enumerate() {
        let column = names.own(&format!("column_{i}"));
        nodes.extend(encode(tree, feature, &names.own(&format!("coded_{i}")), &column));
        columns.push(column);
    }
    nodes.push(node("Concat", "", &columns, &[names.own("columns").as_str()]).messages(5, [int("axis", 1)]));
    let classes = &tree.class().values;
    nodes.push(ensemble.classifier(classes, &names));
    let mut outputs = vec![value(&names.label, STRING, None)];
    if let Some(shares) = ensemble.regressor(classes.len(), &outcomes(tree), &names) {
        nodes.push(shares);
        outputs.push(value(&names.probabilities, FLOAT, Some(classes.len() as u64)));
    }
    let input = |&attribute: &usize| {
        let attribute = &tree.attributes()[attribute];
        let kind = if matches!(attribute.domain, Domain::Numbers { .. }) { DOUBLE } else { STRING };
        value(&attribute.name, kind, Some(1))
    };
    Message::default()
        .messages(1, nodes)
        .bytes(2, "tree")
        .messages(11, inputs.iter().map(input))
        .messages(12, outputs)
}

/// The nodes that make a feature from a column.
fn encode(tree: &Tree, feature: &Feature<'_>, coded: &str, column: &str) -> Vec<Message> {
    let attribute = &tree.attributes()[feature.attribute];
    let name = [attribute.name.as_str()];
    let Some(split) = &feature.split else {
        return vec![node("Identity", "", &name, &[column])];
    };
    let default = split.default as f32;
    let values = attribute_values(attribute);
    let of_value = split.of_value.iter().map(|branch| branch.map_or(default, |branch| branch as f32));
    // A tree of one leaf has no tests that send values anywhere.
    let of_value = of_value.chain(std::iter::repeat(default));
    let listed = values.iter().map(String::as_str).zip(of_value).filter(|(value, _)| !value.is_empty());
    let (keys, branches): (Vec<&str>, Vec<f32>) = listed.chain([("", split.missing as f32)]).unzip();
    let encoder = node("LabelEncoder", "ai.onnx.ml", &name, &[coded]).messages(
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

fn node(operator: &str, domain: &str, inputs: &[impl AsRef<str>], outputs: &[&str]) -> Message {
    let mut node = Message::default();
    for input in inputs {
        node = node.bytes(1, input.as_ref());
    }
    for output in outputs {
        node = node.bytes(2, output);
    }
    let name = format!("{operator}_{}", outputs.first().unwrap_or(&""));
    node.bytes(3, name).bytes(4, operator).bytes(7, domain)
}

/// An input or output of any number of rows.
fn value(name: &str, kind: u64, columns: Option<u64>) -> Message {
    let rows = Message::default().bytes(2, "rows");
    let columns = columns.map(|columns| Message::default().int(1, columns));
    let shape = Message::default().messages(1, std::iter::once(rows).chain(columns));
    let tensor = Message::default().int(1, kind).message(2, &shape);
    Message::default().bytes(1, name).message(2, &Message::default().message(1, &tensor))
}

fn int(name: &str, number: u64) -> Message {
    Message::default().bytes(1, name).int(3, number).int(20, 2)
}

fn ints(name: &str, numbers: impl IntoIterator<Item = u64>) -> Message {
    Message::default().bytes(1, name).ints(8, numbers).int(20, 7)
}

fn floats(name: &str, numbers: &[f32]) -> Message {
    let packed: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Message::default().bytes(1, name).bytes(7, packed).int(20, 6)
}

fn strings<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> Message {
    let named = Message::default().bytes(1, name);
    texts.into_iter().fold(named, |message, text| message.bytes(9, text)).int(20, 8)
}

fn doubles(name: &str, numbers: &[f64]) -> Message {
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let tensor =
        Message::default().ints(1, [numbers.len() as u64]).int(2, DOUBLE).bytes(8, name).bytes(9, raw);
    Message::default().bytes(1, name).message(5, &tensor).int(20, 4)
}
