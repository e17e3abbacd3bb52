//! The parts of an ONNX model that a tree needs.

use crate::import::HELP;
use crate::import::proto::{Fields, Value, add_doubles, add_floats, add_ints};
use incrowd_core::{Error, Result};
use std::collections::HashMap;

/// An input of the model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Input {
    /// The type of its elements, by ONNX's number.
    pub(super) kind: i64,
    /// The number of columns, where the model states it.
    pub(super) columns: Option<i64>,
    /// Whether it is a table of rows and columns, not a list.
    pub(super) is_table: bool,
}

/// An attribute of an operator.
#[derive(Debug, Default, Clone, PartialEq)]
struct Attribute {
    ints: Vec<i64>,
    numbers: Vec<f64>,
    texts: Vec<Vec<u8>>,
}

/// An operator of the graph.
#[derive(Debug, Default)]
pub(super) struct Operator {
    pub(super) kind: String,
    pub(super) domain: String,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    attributes: HashMap<String, Attribute>,
}

impl Operator {
    /// Whether another operator has the same attributes of these names.
    pub(super) fn agrees(&self, other: &Self, names: &[&str]) -> bool {
        names.iter().all(|name| self.attributes.get(*name) == other.attributes.get(*name))
    }

    /// Refuses attributes other than these.
    pub(super) fn attributes_only(&self, known: &[&str]) -> Result<()> {
        let mut names: Vec<&String> = self.attributes.keys().collect();
        names.sort_unstable();
        match names.into_iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Error::input(format!(
                "the attribute {:?} of the operator {:?} is not supported",
                shown(name),
                shown(&self.kind)
            ))),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    pub(super) fn ints(&self, name: &str) -> &[i64] {
        self.attributes.get(name).map_or(&[], |attribute| &attribute.ints)
    }

    /// Numbers of either precision.
    pub(super) fn numbers(&self, name: &str) -> Vec<f64> {
        let tensor = self.attributes.get(&tensor_of(name));
        let attribute = tensor.or_else(|| self.attributes.get(name));
        attribute.map_or_else(Vec::new, |attribute| attribute.numbers.clone())
    }

    pub(super) fn strings(&self, name: &str) -> Result<Vec<String>> {
        let texts = self.attributes.get(name).map_or(&[][..], |attribute| &attribute.texts);
        let text = |bytes: &Vec<u8>| {
            String::from_utf8(bytes.clone()).map_err(|_| Error::input("a text is not UTF-8"))
        };
        texts.iter().map(text).collect()
    }
}

/// The name of the same attribute as a tensor.
fn tensor_of(name: &str) -> String {
    format!("{name}_as_tensor")
}

/// A model's graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) operators: Vec<Operator>,
    pub(super) inputs: HashMap<String, Input>,
    pub(super) outputs: Vec<String>,
    /// Whole numbers the model brings along, by name.
    pub(super) constants: HashMap<String, Vec<i64>>,
    metadata: HashMap<String, String>,
    /// Which operator makes a value, by the value's name.
    makers: HashMap<String, usize>,
}

/// The maximum number of numbers and texts in a model.
const MOST: usize = 1 << 24;

impl Graph {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut graph = Self::default();
        let mut budget = MOST;
        for field in Fields::new(bytes) {
            match field? {
                (7, Value::Bytes(message)) => graph.add(message, &mut budget)?,
                (25, _) => {
                    return Err(Error::input("operators that the model defines itself are not supported"));
                }
                (14, Value::Bytes(message)) => {
                    let (key, value) = (text(message, 1)?, text(message, 2)?);
                    if graph.metadata.insert(key, value).is_some() {
                        return Err(Error::input("the model's metadata has a key twice"));
                    }
                }
                _ => {}
            }
        }
        for (place, operator) in graph.operators.iter().enumerate() {
            for output in &operator.outputs {
                let known = graph.inputs.contains_key(output) || graph.constants.contains_key(output);
                if graph.makers.insert(output.clone(), place).is_some() || known {
                    return Err(Error::input("two operators of the model write the same value"));
                }
            }
        }
        Ok(graph)
    }

    fn add(&mut self, message: &[u8], budget: &mut usize) -> Result<()> {
        for field in Fields::new(message) {
            match field? {
                (1, Value::Bytes(message)) => self.operators.push(operator(message, budget)?),
                (5, Value::Bytes(message)) => {
                    let mut constant = Attribute::default();
                    tensor(message, &mut constant)?;
                    constant.pay(budget)?;
                    if self.constants.insert(text(message, 8)?, constant.ints).is_some() {
                        return Err(Error::input("two constants of the model have the same name"));
                    }
                }
                (12, Value::Bytes(message)) => self.outputs.push(text(message, 1)?),
                (11, Value::Bytes(message)) => {
                    let known = self.inputs.insert(text(message, 1)?, input(message)?);
                    if known.is_some() {
                        return Err(Error::input("two inputs of the model have the same name"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The one classifier.
    pub(super) fn ensemble(&self) -> Result<&Operator> {
        let mut found = self.operators.iter().filter(|operator| operator.kind == "TreeEnsembleClassifier");
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(Error::input("the model does not have exactly one TreeEnsembleClassifier")),
        }
    }

    /// The operator that makes this, and its place.
    pub(super) fn maker(&self, name: &str) -> Option<(usize, &Operator)> {
        self.makers.get(name).map(|&place| (place, &self.operators[place]))
    }

    /// The metadata under a key.
    pub(super) fn metadata(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    pub(super) fn class_name(&self) -> Result<String> {
        self.metadata.get("incrowd.class").cloned().ok_or_else(|| {
            Error::input("the model does not name the class column")
                .help("add the metadata \"incrowd.class\"; docs/foreign-models.md shows how")
        })
    }
}

/// The text in a field of a message; empty if it is not there.
fn text(message: &[u8], number: u32) -> Result<String> {
    let mut found = String::new();
    for field in Fields::new(message) {
        if let (field, Value::Bytes(bytes)) = field?
            && field == number
        {
            found = String::from_utf8(bytes.to_vec())
                .map_err(|_| Error::input("a text is not UTF-8").help(HELP))?;
        }
    }
    Ok(found)
}

/// A name of the file, no longer than a message bears.
pub(super) fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}

impl Attribute {
    /// Counts its values.
    fn pay(&self, budget: &mut usize) -> Result<()> {
        let size = self.ints.len() + self.numbers.len() + self.texts.len();
        *budget = budget.checked_sub(size).ok_or_else(|| Error::limit("the model has too many numbers"))?;
        Ok(())
    }
}

fn operator(message: &[u8], budget: &mut usize) -> Result<Operator> {
    let mut operator = Operator::default();
    for field in Fields::new(message) {
        let (number, Value::Bytes(bytes)) = field? else { continue };
        let text_of = || String::from_utf8(bytes.to_vec()).map_err(|_| Error::input("a text is not UTF-8"));
        match number {
            1 => operator.inputs.push(text_of()?),
            2 => operator.outputs.push(text_of()?),
            4 => operator.kind = text_of()?,
            5 => {
                let attribute = attribute(bytes)?;
                attribute.pay(budget)?;
                if operator.attributes.insert(text(bytes, 1)?, attribute).is_some() {
                    return Err(Error::input("an operator has an attribute twice"));
                }
            }
            7 => operator.domain = text_of()?,
            _ => {}
        }
    }
    if operator.attributes.keys().any(|name| operator.has(&tensor_of(name))) {
        return Err(Error::input("an operator has numbers both as a list and as a tensor"));
    }
    Ok(operator)
}

fn attribute(message: &[u8]) -> Result<Attribute> {
    let mut attribute = Attribute::default();
    for field in Fields::new(message) {
        let (number, value) = field?;
        let added = match (number, value) {
            (2 | 7, value) => add_floats(&mut attribute.numbers, value),
            (3 | 8, value) => add_ints(&mut attribute.ints, value),
            (4 | 9, Value::Bytes(bytes)) => {
                attribute.texts.push(bytes.to_vec());
                Some(())
            }
            (5, Value::Bytes(bytes)) => {
                tensor(bytes, &mut attribute)?;
                Some(())
            }
            _ => Some(()),
        };
        added.ok_or_else(|| Error::input("the content of an attribute does not match its type"))?;
    }
    Ok(attribute)
}

/// A tensor as an attribute: of numbers or of texts.
fn tensor(message: &[u8], attribute: &mut Attribute) -> Result<()> {
    let (mut kind, mut raw) = (0, None);
    for field in Fields::new(message) {
        let (number, value) = field?;
        let added = match (number, value) {
            (2, Value::Number(number)) => {
                kind = number;
                Some(())
            }
            (4, value) => add_floats(&mut attribute.numbers, value),
            (6, Value::Bytes(bytes)) => {
                attribute.texts.push(bytes.to_vec());
                Some(())
            }
            (7, value) => add_ints(&mut attribute.ints, value),
            (9, value) => {
                raw = Some(value);
                Some(())
            }
            (10, value) => add_doubles(&mut attribute.numbers, value),
            _ => Some(()),
        };
        added.ok_or_else(unsound)?;
    }
    match (raw, kind) {
        (Some(raw), 1) => add_floats(&mut attribute.numbers, raw).ok_or_else(unsound),
        (Some(raw), 11) => add_doubles(&mut attribute.numbers, raw).ok_or_else(unsound),
        (Some(Value::Bytes(raw)), 7) => {
            let one = |bytes: &[u8]| bytes.try_into().map(i64::from_le_bytes);
            let numbers = raw.chunks(8).map(one).collect::<std::result::Result<Vec<i64>, _>>();
            attribute.ints.extend(numbers.map_err(|_| unsound())?);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn unsound() -> Error {
    Error::input("the content of a tensor does not match its type")
}

/// The type of an input and its second dimension.
fn input(message: &[u8]) -> Result<Input> {
    let mut input = Input { kind: 0, columns: None, is_table: false };
    let Some(tensor) = inner(message, 2)?.map(|kind| inner(kind, 1)).transpose()?.flatten() else {
        return Ok(input);
    };
    for field in Fields::new(tensor) {
        match field? {
            (1, Value::Number(kind)) => input.kind = kind.cast_signed(),
            (2, Value::Bytes(shape)) => (input.columns, input.is_table) = second_dimension(shape)?,
            _ => {}
        }
    }
    Ok(input)
}

/// The number of columns, and whether there are any.
fn second_dimension(shape: &[u8]) -> Result<(Option<i64>, bool)> {
    let mut dimensions = Vec::new();
    for field in Fields::new(shape) {
        if let (1, Value::Bytes(dimension)) = field? {
            let mut size = None;
            for field in Fields::new(dimension) {
                if let (1, Value::Number(number)) = field? {
                    size = Some(number.cast_signed());
                }
            }
            dimensions.push(size);
        }
    }
    if dimensions.len() > 2 {
        return Err(Error::input("an input of more than two dimensions is not supported"));
    }
    Ok((dimensions.get(1).copied().unwrap_or(Some(1)), dimensions.len() == 2))
}

fn inner(message: &[u8], number: u32) -> Result<Option<&[u8]>> {
    let mut found = None;
    for field in Fields::new(message) {
        match field? {
            (field, Value::Bytes(bytes)) if field == number => found = Some(bytes),
            _ => {}
        }
    }
    Ok(found)
}
