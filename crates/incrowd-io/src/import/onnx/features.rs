//! From a model's inputs to the columns of the matrix that its tree tests.
//!
//! Every operator on the way either changes nothing or is one of the encoders; any other is refused by its name.

use super::graph::{Graph, Operator, shown};
use crate::import::columns::{Codes, Coding, Columns, RawColumn};
use incrowd_core::{Error, Result};
use std::collections::{HashMap, HashSet};

/// The maximum number of operators between an input and the tree.
const DEEPEST: usize = 16;
/// The most columns a matrix may have, and the most operators that are gone through for it.
const MOST: usize = 1 << 20;
/// The most values of an encoder that takes no others.
const MOST_STRICT: usize = 1024;

/// ONNX's numbers of types.
const FLOAT: i64 = 1;
const INT32: i64 = 6;
const INT64: i64 = 7;
const STRING: i64 = 8;
const DOUBLE: i64 = 11;

/// A column between an input and the tree.
#[derive(Debug, Clone)]
struct Column {
    name: String,
    /// The type of its numbers by now.
    kind: i64,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    /// Of an input; `single` if it was rounded to single precision on the way.
    Raw { single: bool },
    /// Encoded from an input of text.
    Coded { codes: HashMap<String, f64>, keys: Vec<String>, others: Option<f64> },
}

/// Some columns; `deep` if each is a list in a cell of its own.
#[derive(Debug, Clone, Default)]
struct Matrix {
    columns: Vec<Column>,
    deep: bool,
    /// Whether it is a list of cells, not a table of rows and columns.
    flat: bool,
}

/// The columns of the tree's matrix, the places of the operators that make them, and the names of those that are whole
/// numbers.
pub(super) fn columns(graph: &Graph, ensemble: &Operator) -> Result<(Columns, HashSet<usize>, Vec<String>)> {
    let [input] = &ensemble.inputs[..] else {
        return Err(Error::input("the tree does not have exactly one input"));
    };
    let mut way = Way { graph, gone: HashSet::new(), steps: 0 };
    let source = way.through_identities(input);
    if let (Some(listed), Some(input)) = (graph.metadata("incrowd.columns"), graph.inputs.get(source)) {
        let raw: Vec<RawColumn> = serde_json::from_str(listed)
            .map_err(|_| Error::input("the metadata \"incrowd.columns\" is not a list of columns"))?;
        if input.columns.is_some_and(|columns| columns != raw.len() as i64) {
            return Err(Error::input(
                "the metadata \"incrowd.columns\" does not list every column of the input",
            ));
        }
        check_kind(input.kind)?;
        let is_whole = matches!(input.kind, INT32 | INT64);
        let whole = raw.iter().filter(|_| is_whole).map(|column| column.name.clone()).collect();
        return Ok((Columns::new(raw, input.kind != DOUBLE)?, way.gone, whole));
    }
    let matrix = way.resolve(input, 0)?;
    if matrix.deep {
        return Err(Error::input("the tree's input is not a matrix"));
    }
    let names = names(graph)?;
    let empty_is_missing = graph.metadata("incrowd.missing") == Some("");
    let (mut columns, mut whole) = (Columns::default(), Vec::new());
    for column in matrix.columns {
        let name = names.get(&column.name).unwrap_or(&column.name).clone();
        check_kind(column.kind)?;
        match column.what {
            What::Raw { single } => {
                // Whole numbers are compared as singles, and are never NaN.
                let single = single || column.kind != DOUBLE;
                let nan = matches!(column.kind, FLOAT | DOUBLE) && graph_input_is_float(graph, &column.name);
                whole.extend((!graph_input_is_float(graph, &column.name)).then(|| name.clone()));
                columns.add(&name, Coding::Number { single, nan }, Vec::new(), Vec::new(), false)?;
            }
            What::Coded { codes, mut keys, others } => {
                let round = |code: f64| if column.kind == DOUBLE { code } else { f64::from(code as f32) };
                // A missing text is an empty one.
                let missing = codes.get("").copied().or(others).map(round);
                if empty_is_missing {
                    keys.retain(|key| !key.is_empty());
                }
                // In the order of the file.
                let code_of = |key: String| codes.get(&key).map(|&code| (key, round(code)));
                let listed = keys.into_iter().filter_map(code_of).collect();
                let codes = Codes { others: others.map(round), missing, ..Codes::default() };
                columns.add(&name, Coding::Codes(codes), listed, Vec::new(), false)?;
            }
        }
    }
    Ok((columns, way.gone, whole))
}

fn graph_input_is_float(graph: &Graph, name: &str) -> bool {
    graph.inputs.get(name).is_some_and(|input| matches!(input.kind, FLOAT | DOUBLE))
}

fn check_kind(kind: i64) -> Result<()> {
    match kind {
        FLOAT | DOUBLE | INT32 | INT64 => Ok(()),
        STRING => Err(Error::input("the input of the tree is text, and it needs numbers")),
        _ => Err(Error::input("the type of the tree's input is not supported")),
    }
}

/// What the table calls the columns that the model calls otherwise.
fn names(graph: &Graph) -> Result<HashMap<String, String>> {
    let Some(text) = graph.metadata("incrowd.names") else { return Ok(HashMap::new()) };
    serde_json::from_str(text).map_err(|_| {
        Error::input("the metadata \"incrowd.names\" is not an object that maps input names to column names")
    })
}

struct Way<'a> {
    graph: &'a Graph,
    gone: HashSet<usize>,
    steps: usize,
}

impl<'a> Way<'a> {
    /// What a value is made from by operators that change nothing at all.
    fn through_identities(&mut self, mut name: &'a str) -> &'a str {
        for _ in 0..DEEPEST {
            match self.graph.maker(name) {
                Some((place, maker))
                    if maker.kind == "Identity" && matches!(maker.domain.as_str(), "" | "ai.onnx") =>
                {
                    let [input] = &maker.inputs[..] else { break };
                    self.gone.insert(place);
                    name = input;
                }
                _ => break,
            }
        }
        name
    }

    fn resolve(&mut self, name: &str, depth: usize) -> Result<Matrix> {
        self.steps += 1;
        if let Some(input) = self.graph.inputs.get(name) {
            if input.columns != Some(1) {
                return Err(Error::input("an input has several columns, and the model does not name them")
                    .help("add the metadata \"incrowd.columns\"; docs/foreign-models.md shows how"));
            }
            let what = What::Raw { single: input.kind == FLOAT };
            let columns = vec![Column { name: name.to_owned(), kind: input.kind, what }];
            return Ok(Matrix { columns, deep: false, flat: !input.is_table });
        }
        let maker = self.graph.maker(name).filter(|_| depth < DEEPEST && self.steps < MOST);
        let (place, maker) =
            maker.ok_or_else(|| Error::input("the origin of the tree's input cannot be determined"))?;
        self.gone.insert(place);
        let machine = matches!(maker.kind.as_str(), "LabelEncoder" | "OneHotEncoder");
        if maker.domain != if machine { "ai.onnx.ml" } else { "" } && maker.domain != "ai.onnx" {
            return Err(not_understood(maker));
        }
        if maker.kind == "Concat" {
            return self.concat(maker, depth);
        }
        let input = maker.inputs.first().ok_or_else(|| Error::input("an operator has no input"))?;
        let matrix = self.resolve(input, depth + 1)?;
        match maker.kind.as_str() {
            "Identity" => Ok(matrix),
            "Reshape" => self.reshape(matrix, maker),
            "Flatten" => flatten(matrix, maker),
            "Gather" => self.gather(&matrix, maker),
            "Cast" => cast(matrix, maker),
            "LabelEncoder" => {
                let columns = matrix.columns.into_iter().map(|column| label_encoded(column, maker));
                Ok(Matrix { columns: columns.collect::<Result<_>>()?, ..matrix })
            }
            "OneHotEncoder" => one_hot(matrix, maker),
            _ => Err(not_understood(maker)),
        }
    }

    fn concat(&mut self, maker: &Operator, depth: usize) -> Result<Matrix> {
        maker.attributes_only(&["axis"])?;
        let mut all = Matrix::default();
        for (i, input) in maker.inputs.iter().enumerate() {
            let matrix = self.resolve(input, depth + 1)?;
            if matrix.flat || (i > 0 && matrix.deep != all.deep) {
                return Err(Error::input("a Concat of anything but columns is not supported"));
            }
            all.deep = matrix.deep;
            if !matrix.is_axis(maker.ints("axis")) {
                return Err(Error::input("a Concat that does not put columns side by side is not supported"));
            }
            all.columns.extend(matrix.columns);
            if all.columns.len() > MOST {
                return Err(Error::limit("the tree's input has too many columns"));
            }
        }
        Ok(all)
    }

    /// A shape of as many columns as there are changes nothing but lists in cells.
    fn reshape(&self, matrix: Matrix, maker: &Operator) -> Result<Matrix> {
        maker.attributes_only(&["allowzero"])?;
        let shape = maker.inputs.get(1).and_then(|shape| self.graph.constants.get(shape));
        match shape.map(Vec::as_slice) {
            Some([-1, columns]) if *columns == matrix.columns.len() as i64 => {
                Ok(Matrix { deep: false, flat: false, ..matrix })
            }
            _ => Err(Error::input("a Reshape that changes the columns is not supported")),
        }
    }

    fn gather(&self, matrix: &Matrix, maker: &Operator) -> Result<Matrix> {
        maker.attributes_only(&["axis"])?;
        let chosen = maker.inputs.get(1).and_then(|chosen| self.graph.constants.get(chosen));
        let chosen = chosen.filter(|_| matrix.is_axis(maker.ints("axis")) && !matrix.flat);
        let chosen =
            chosen.ok_or_else(|| Error::input("a Gather of anything but columns is not supported"))?;
        let column =
            |place: &i64| usize::try_from(*place).ok().and_then(|place| matrix.columns.get(place)).cloned();
        let columns = chosen.iter().map(column).collect::<Option<Vec<_>>>();
        let columns = columns.ok_or_else(|| Error::input("a Gather takes columns that do not exist"))?;
        Ok(Matrix { columns, deep: matrix.deep, flat: false })
    }
}

impl Matrix {
    /// Whether an operator with this axis works along the columns: they are the last dimension, and the second unless
    /// each row is a list of them.
    fn is_axis(&self, axis: &[i64]) -> bool {
        match *axis {
            [-1] => true,
            [axis] => axis == if self.deep { 2 } else { 1 },
            _ => false,
        }
    }
}

fn not_understood(maker: &Operator) -> Error {
    Error::input(format!("the operator {:?} before the tree is not supported", shown(&maker.kind)))
}

fn flatten(matrix: Matrix, maker: &Operator) -> Result<Matrix> {
    maker.attributes_only(&["axis"])?;
    if !matches!(maker.ints("axis"), [] | [1]) || matrix.flat {
        return Err(Error::input("a Flatten that changes the columns is not supported"));
    }
    Ok(Matrix { deep: false, ..matrix })
}

/// Only casts that lose nothing, and those to single precision.
fn cast(matrix: Matrix, maker: &Operator) -> Result<Matrix> {
    maker.attributes_only(&["to", "saturate"])?;
    let [to] = *maker.ints("to") else { return Err(Error::input("a Cast does not state its type")) };
    let one = |column: Column| {
        let from = column.kind;
        let refused =
            || Err(Error::input("a Cast that changes values is not supported").of_attribute(&column.name));
        if from == to {
            return Ok(column);
        }
        let what = match (column.what.clone(), from, to) {
            (What::Raw { .. }, DOUBLE | INT32 | INT64, FLOAT) => What::Raw { single: true },
            (what @ What::Raw { .. }, FLOAT | INT32 | INT64, DOUBLE)
            | (what @ What::Raw { .. }, INT32, INT64) => what,
            (What::Coded { codes, keys, others }, FLOAT | DOUBLE | INT64, FLOAT | DOUBLE | INT64) => {
                let whole = |code: &f64| code.fract() == 0.0 && code.abs() < 1e15;
                if to == INT64 && !codes.values().chain(&others).all(whole) {
                    return refused();
                }
                let round = |code: f64| if to == FLOAT { f64::from(code as f32) } else { code };
                let codes = codes.into_iter().map(|(key, code)| (key, round(code))).collect();
                What::Coded { codes, keys, others: others.map(round) }
            }
            _ => return refused(),
        };
        Ok(Column { kind: to, what, ..column })
    };
    Ok(Matrix { columns: matrix.columns.into_iter().map(one).collect::<Result<_>>()?, ..matrix })
}

fn label_encoded(column: Column, maker: &Operator) -> Result<Column> {
    let (What::Raw { .. }, STRING) = (&column.what, column.kind) else {
        return Err(Error::input("an encoder of anything but text is not supported"));
    };
    maker.attributes_only(&[
        "keys_strings",
        "values_floats",
        "values_int64s",
        "default_float",
        "default_int64",
        "default_string",
    ])?;
    let keys = maker.strings("keys_strings")?;
    let (floats, ints) = (maker.numbers("values_floats"), maker.ints("values_int64s"));
    let by_float = !floats.is_empty();
    if by_float && !ints.is_empty() {
        return Err(Error::input("an encoder has two kinds of values"));
    }
    let values: Vec<f64> = if by_float { floats } else { ints.iter().map(|&value| value as f64).collect() };
    if keys.is_empty() || keys.len() != values.len() || values.iter().any(|value| !value.is_finite()) {
        return Err(Error::input("an encoder's keys and values do not match"));
    }
    let others = if by_float {
        maker.numbers("default_float").first().copied().or(Some(-0.0))
    } else {
        Some(maker.ints("default_int64").first().map_or(-1.0, |&value| value as f64))
    };
    let count = keys.len();
    let codes: HashMap<String, f64> = keys.iter().cloned().zip(values).collect();
    if codes.len() < count {
        return Err(Error::input("an encoder has a key twice").of_attribute(&column.name));
    }
    let kind = if by_float { FLOAT } else { INT64 };
    Ok(Column { kind, what: What::Coded { codes, keys, others }, ..column })
}

fn one_hot(matrix: Matrix, maker: &Operator) -> Result<Matrix> {
    maker.attributes_only(&["cats_strings", "zeros"])?;
    let keys = maker.strings("cats_strings")?;
    let Ok([Column { name, kind: STRING, what: What::Raw { .. } }]) = <[Column; 1]>::try_from(matrix.columns)
    else {
        return Err(Error::input("an encoder of anything but one column of text is not supported"));
    };
    if keys.is_empty() || keys.iter().collect::<HashSet<_>>().len() < keys.len() {
        return Err(Error::input("an encoder has no keys, or a key twice").of_attribute(name));
    }
    // Without `zeros` a value that is not listed is an error of the model's reader.
    let others = (maker.ints("zeros") != [0]).then_some(0.0);
    // Each column then has all keys, so memory grows with their square.
    if others.is_none() && keys.len() > MOST_STRICT {
        return Err(Error::limit(format!(
            "an encoder of more than {MOST_STRICT} values that rejects all others is not supported"
        ))
        .of_attribute(name));
    }
    let column = |key: &String| {
        let all = if others.is_some() { vec![(key.clone(), 1.0)] } else { listed(&keys, key) };
        // A column that is not gathered later leaves its key to the others.
        let known = if others.is_some() { vec![key.clone()] } else { keys.clone() };
        let what = What::Coded { codes: all.into_iter().collect(), keys: known, others };
        Column { name: name.clone(), kind: FLOAT, what }
    };
    Ok(Matrix { columns: keys.iter().map(column).collect(), deep: !matrix.flat, flat: false })
}

/// All keys of an encoder, one of them 1.
fn listed(keys: &[String], hot: &String) -> Vec<(String, f64)> {
    keys.iter().map(|key| (key.clone(), if key == hot { 1.0 } else { 0.0 })).collect()
}
