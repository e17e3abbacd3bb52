//! Reads Protocol Buffers: the fields of a message, within its bytes.

use incrowd_core::{Error, Result};

/// The content of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'a> {
    Number(u64),
    Eight([u8; 8]),
    Bytes(&'a [u8]),
    Four([u8; 4]),
}

/// The fields of a message, in the order of the file.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn new(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    fn next_field(&mut self) -> Option<(u32, Value<'a>)> {
        let key = varint(&mut self.rest)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut self.rest)?),
            1 => Value::Eight(self.take(8)?.try_into().ok()?),
            2 => {
                let length = usize::try_from(varint(&mut self.rest)?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Four(self.take(4)?.try_into().ok()?),
            _ => return None,
        };
        Some((u32::try_from(key >> 3).ok()?, value))
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, Value<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.next_field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field.ok_or_else(|| {
            Error::input("invalid ONNX model")
                .help("the file is damaged, or not an ONNX model: export it again")
        }))
    }
}

/// A number of variable length.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..10 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Adds the numbers of a field, packed or not.
pub(super) fn add_ints(numbers: &mut Vec<i64>, value: Value<'_>) -> Option<()> {
    match value {
        Value::Number(number) => numbers.push(number.cast_signed()),
        Value::Bytes(mut packed) => {
            while !packed.is_empty() {
                numbers.push(varint(&mut packed)?.cast_signed());
            }
        }
        Value::Eight(_) | Value::Four(_) => return None,
    }
    Some(())
}

/// Adds the single-precision numbers of a field, packed or not.
pub(super) fn add_floats(numbers: &mut Vec<f64>, value: Value<'_>) -> Option<()> {
    match value {
        Value::Four(bytes) => numbers.push(f64::from(f32::from_le_bytes(bytes))),
        Value::Bytes(packed) if packed.len().is_multiple_of(4) => {
            let one = |bytes: &[u8]| {
                bytes.try_into().map_or(f64::NAN, |bytes| f64::from(f32::from_le_bytes(bytes)))
            };
            numbers.extend(packed.chunks_exact(4).map(one));
        }
        _ => return None,
    }
    Some(())
}

/// Adds the double-precision numbers of a field, packed or not.
pub(super) fn add_doubles(numbers: &mut Vec<f64>, value: Value<'_>) -> Option<()> {
    match value {
        Value::Eight(bytes) => numbers.push(f64::from_le_bytes(bytes)),
        Value::Bytes(packed) if packed.len().is_multiple_of(8) => {
            let one = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_le_bytes);
            numbers.extend(packed.chunks_exact(8).map(one));
        }
        _ => return None,
    }
    Some(())
}
