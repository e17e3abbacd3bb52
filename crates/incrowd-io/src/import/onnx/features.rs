//! From a model's inputs to the columns of the matrix its tree tests.

use super::graph::{Graph, Operator};
use crate::import::columns::{Coding, Columns, RawColumn};
use incrowd_core::{Error, Result};
use std::collections::HashMap;

/// How many operators may stand between an input and the tree.
const DEEPEST: usize = 16;
/// The most columns a matrix may have.
const MOST: usize = 1 << 20;

/// ONNX's numbers of types.
const FLOAT: i64 = 1;
const STRING: i64 = 8;

/// A column on its way.
#[derive(Debug, Clone)]
enum Column {
    /// Of an input.
    Raw { name: String, text: bool, single: bool },
    /// Encoded from an input.
    Coded { name: String, codes: HashMap<String, f64>, keys: Vec<String>, others: Option<f64> },
}

pub(super) fn columns(graph: &Graph, ensemble: &Operator) -> Result<Columns> {
    let input = ensemble.inputs.first().ok_or_else(|| Error::new("the tree has no input"))?;
    if let (Some(listed), Some(input)) = (graph.listed_columns(), graph.inputs.get(input)) {
        let raw: Vec<RawColumn> = serde_json::from_str(listed)
            .map_err(|_| Error::new("the metadata \"incrowd.columns\" is not a list of columns"))?;
        return Columns::new(raw, input.kind == FLOAT);
    }
    let mut columns = Columns::default();
    for column in resolve(graph, input, 0)? {
        match column {
            Column::Raw { text: true, .. } => {
                return Err(Error::new("the tree is given text where it needs numbers"));
            }
            Column::Raw { name, single, .. } => {
                columns.add(&name, Coding::Number { single }, Vec::new(), false)?;
            }
            Column::Coded { name, codes, keys, others } => {
                columns.add(&name, Coding::Codes { codes, others }, keys, false)?;
            }
        }
    }
    Ok(columns)
}

fn resolve(graph: &Graph, name: &str, depth: usize) -> Result<Vec<Column>> {
    if let Some(input) = graph.inputs.get(name) {
        if input.columns != Some(1) {
            return Err(Error::new("an input has several columns, and the model does not name them")
                .help("add the metadata \"incrowd.columns\"; docs/foreign-models.md shows how"));
        }
        let (text, single) = (input.kind == STRING, input.kind == FLOAT);
        return Ok(vec![Column::Raw { name: name.to_owned(), text, single }]);
    }
    let maker = graph.maker(name).filter(|_| depth < DEEPEST);
    let maker =
        maker.ok_or_else(|| Error::new("it cannot be found out what the tree's input is made from"))?;
    let mut inputs = Vec::new();
    let taken = if maker.kind == "Concat" { maker.inputs.len() } else { 1 };
    for input in maker.inputs.iter().take(taken) {
        inputs.extend(resolve(graph, input, depth + 1)?);
        if inputs.len() > MOST {
            return Err(Error::new("the tree's input has too many columns"));
        }
    }
    match maker.kind.as_str() {
        "Concat" | "Identity" | "Reshape" | "Flatten" => Ok(inputs),
        "Cast" => Ok(inputs.into_iter().map(|column| cast(column, maker)).collect()),
        "LabelEncoder" => inputs.into_iter().map(|column| label_encoded(column, maker)).collect(),
        "OneHotEncoder" => one_hot(inputs, maker),
        _ => Err(Error::new("the model has an operator before its tree that is not understood")),
    }
}

fn cast(column: Column, maker: &Operator) -> Column {
    match column {
        Column::Raw { name, text, single } => {
            Column::Raw { name, text, single: single || maker.ints("to").first() == Some(&FLOAT) }
        }
        coded @ Column::Coded { .. } => coded,
    }
}

fn label_encoded(column: Column, maker: &Operator) -> Result<Column> {
    let Column::Raw { name, text: true, .. } = column else {
        return Err(Error::new("an encoder of anything but text is not understood"));
    };
    let keys = maker.strings("keys_strings")?;
    let (floats, ints) = (maker.numbers("values_floats"), maker.ints("values_int64s"));
    let by_float = !floats.is_empty();
    let values: Vec<f64> = if by_float { floats } else { ints.iter().map(|&value| value as f64).collect() };
    if keys.is_empty() || keys.len() != values.len() {
        return Err(Error::new("an encoder's keys and values do not fit together"));
    }
    let others = if by_float {
        maker.numbers("default_float").first().copied().or(Some(-0.0))
    } else {
        Some(maker.ints("default_int64").first().map_or(-1.0, |&value| value as f64))
    };
    let codes = keys.iter().cloned().zip(values).collect();
    Ok(Column::Coded { name, codes, keys, others })
}

fn one_hot(columns: Vec<Column>, maker: &Operator) -> Result<Vec<Column>> {
    let keys = maker.strings("cats_strings")?;
    let Ok([Column::Raw { name, text: true, .. }]) = <[Column; 1]>::try_from(columns) else {
        return Err(Error::new("an encoder of anything but one column of text is not understood"));
    };
    let column = |key: &String| Column::Coded {
        name: name.clone(),
        codes: HashMap::from([(key.clone(), 1.0)]),
        keys: vec![key.clone()],
        others: Some(0.0),
    };
    Ok(keys.iter().map(column).collect())
}
