//! The messages of ONNX: nodes of a graph, their attributes, tensors.

use crate::export::proto::Message;

pub(super) const DOUBLE: u64 = 11;
pub(super) const FLOAT: u64 = 1;
pub(super) const INT64: u64 = 7;
pub(super) const STRING: u64 = 8;

pub(super) fn node(operator: &str, domain: &str, inputs: &[impl AsRef<str>], outputs: &[&str]) -> Message {
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
pub(super) fn value(name: &str, kind: u64, columns: Option<u64>) -> Message {
    let rows = Message::default().bytes(2, "rows");
    let columns = columns.map(|columns| Message::default().int(1, columns));
    let shape = Message::default().messages(1, std::iter::once(rows).chain(columns));
    let tensor = Message::default().int(1, kind).message(2, &shape);
    Message::default().bytes(1, name).message(2, &Message::default().message(1, &tensor))
}

pub(super) fn int(name: &str, number: u64) -> Message {
    Message::default().bytes(1, name).int(3, number).int(20, 2)
}

pub(super) fn ints(name: &str, numbers: impl IntoIterator<Item = u64>) -> Message {
    Message::default().bytes(1, name).ints(8, numbers).int(20, 7)
}

pub(super) fn floats(name: &str, numbers: &[f32]) -> Message {
    let packed: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Message::default().bytes(1, name).bytes(7, packed).int(20, 6)
}

pub(super) fn strings<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> Message {
    let named = Message::default().bytes(1, name);
    texts.into_iter().fold(named, |message, text| message.bytes(9, text)).int(20, 8)
}

pub(super) fn doubles(name: &str, numbers: &[f64]) -> Message {
    let tensor = constant_doubles(name, &[numbers.len() as u64], numbers);
    Message::default().bytes(1, name).message(5, &tensor).int(20, 4)
}

pub(super) fn text(name: &str, text: &str) -> Message {
    Message::default().bytes(1, name).bytes(4, text).int(20, 3)
}

/// A constant of doubles with these dimensions.
pub(super) fn constant_doubles(name: &str, dimensions: &[u64], numbers: &[f64]) -> Message {
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    constant(name, dimensions, DOUBLE).bytes(9, raw)
}

/// A constant float.
pub(super) fn constant_float(name: &str, number: f32) -> Message {
    constant(name, &[1], FLOAT).bytes(9, number.to_le_bytes())
}

/// A constant of whole numbers with these dimensions.
pub(super) fn constant_ints(name: &str, dimensions: &[u64], numbers: &[i64]) -> Message {
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    constant(name, dimensions, INT64).bytes(9, raw)
}

/// A constant of texts with these dimensions.
pub(super) fn constant_strings<'a>(
    name: &str,
    dimensions: &[u64],
    texts: impl IntoIterator<Item = &'a str>,
) -> Message {
    texts.into_iter().fold(constant(name, dimensions, STRING), |message, text| message.bytes(6, text))
}

fn constant(name: &str, dimensions: &[u64], kind: u64) -> Message {
    Message::default().ints(1, dimensions.iter().copied()).int(2, kind).bytes(8, name)
}
