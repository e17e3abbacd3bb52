//! Universal Binary JSON (draft 12), as `XGBoost` writes it, converted to JSON text.
//!
//! Values are counted as they are read, so a file of few bytes cannot take much memory; nothing recurses.

use super::HELP;
use crate::bounds::MAX_JSON_VALUES;
use incrowd_core::{Error, Result};
use std::fmt::Write;

/// How deep lists and objects may be nested, as in JSON.
const DEEPEST: usize = 127;

/// Whether bytes are an object of this format: JSON has a name, a bracket or a space after the first brace.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    matches!(bytes, [b'{', b'i' | b'U' | b'I' | b'l' | b'L' | b'$' | b'#' | b'N', ..])
}

/// The same content as JSON. Numbers that are not finite become null.
pub(super) fn to_json(bytes: &[u8]) -> Result<String> {
    let mut reader = Reader { bytes, place: 0, text: String::new(), open: Vec::new(), values: 0 };
    let first = reader.byte()?;
    reader.value(first)?;
    while !reader.open.is_empty() {
        reader.next()?;
    }
    if reader.place < bytes.len() {
        return Err(fault());
    }
    Ok(reader.text)
}

/// A list or an object that is not closed yet.
struct Open {
    is_object: bool,
    /// The type of all values, if it is stated.
    kind: Option<u8>,
    /// The number of values left, if it is stated.
    left: Option<u64>,
    is_empty: bool,
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
    text: String,
    open: Vec<Open>,
    values: usize,
}

impl Reader<'_> {
    /// The next value of the innermost list or object, or its end.
    fn next(&mut self) -> Result<()> {
        let Some(open) = self.open.last() else { return Ok(()) };
        let (is_object, kind, left, is_empty) = (open.is_object, open.kind, open.left, open.is_empty);
        let end = if is_object { b'}' } else { b']' };
        let is_over = match left {
            Some(left) => left == 0,
            None => self.peek()? == end,
        };
        if is_over {
            self.place += usize::from(left.is_none());
            self.text.push(char::from(end));
            self.open.pop();
            return Ok(());
        }
        if !is_empty {
            self.text.push(',');
        }
        if is_object {
            let marker = self.byte()?;
            let name = self.string(marker)?;
            self.quote(&name);
            self.text.push(':');
        }
        if let Some(open) = self.open.last_mut() {
            open.is_empty = false;
            open.left = open.left.map(|left| left - 1);
        }
        let marker = kind.map_or_else(|| self.byte(), Ok)?;
        self.value(marker)
    }

    fn value(&mut self, marker: u8) -> Result<()> {
        self.values += 1;
        if self.values > MAX_JSON_VALUES {
            return Err(Error::limit(format!("the file has more than {MAX_JSON_VALUES} values"))
                .help("check that it is a model, or make a smaller one"));
        }
        match marker {
            b'Z' => self.text.push_str("null"),
            b'T' => self.text.push_str("true"),
            b'F' => self.text.push_str("false"),
            b'i' | b'U' | b'I' | b'l' | b'L' => {
                let number = self.whole(marker)?;
                // Writing to a string cannot fail.
                let _ = write!(self.text, "{number}");
            }
            b'd' => {
                let number = f32::from_be_bytes(self.take()?);
                self.number(f64::from(number));
            }
            b'D' => {
                let number = f64::from_be_bytes(self.take()?);
                self.number(number);
            }
            b'S' => {
                let marker = self.byte()?;
                let text = self.string(marker)?;
                self.quote(&text);
            }
            b'[' | b'{' => self.start(marker == b'{')?,
            _ => return Err(fault()),
        }
        Ok(())
    }

    fn start(&mut self, is_object: bool) -> Result<()> {
        if self.open.len() == DEEPEST {
            return Err(Error::limit(format!("the file is nested more than {DEEPEST} deep")).help(HELP));
        }
        let kind = if self.peek()? == b'$' {
            self.place += 1;
            Some(self.byte()?)
        } else {
            None
        };
        let left = if self.peek()? == b'#' {
            self.place += 1;
            let marker = self.byte()?;
            Some(u64::try_from(self.whole(marker)?).map_err(|_| fault())?)
        } else {
            None
        };
        if kind.is_some() && left.is_none() {
            return Err(fault());
        }
        self.text.push(if is_object { '{' } else { '[' });
        self.open.push(Open { is_object, kind, left, is_empty: true });
        Ok(())
    }

    /// A number with a decimal point or an exponent.
    fn number(&mut self, number: f64) {
        let _ = if number.is_finite() { write!(self.text, "{number:?}") } else { write!(self.text, "null") };
    }

    fn whole(&mut self, marker: u8) -> Result<i64> {
        Ok(match marker {
            b'i' => i64::from(i8::from_be_bytes(self.take()?)),
            b'U' => i64::from(u8::from_be_bytes(self.take()?)),
            b'I' => i64::from(i16::from_be_bytes(self.take()?)),
            b'l' => i64::from(i32::from_be_bytes(self.take()?)),
            b'L' => i64::from_be_bytes(self.take()?),
            _ => return Err(fault()),
        })
    }

    /// A text after the marker of its length.
    fn string(&mut self, marker: u8) -> Result<String> {
        let length = usize::try_from(self.whole(marker)?).map_err(|_| fault())?;
        let end = self.place.checked_add(length).ok_or_else(fault)?;
        let bytes = self.bytes.get(self.place..end).ok_or_else(fault)?;
        self.place = end;
        String::from_utf8(bytes.to_vec()).map_err(|_| Error::input("a text is not UTF-8").help(HELP))
    }

    fn quote(&mut self, text: &str) {
        self.text += &serde_json::Value::from(text).to_string();
    }

    fn peek(&self) -> Result<u8> {
        self.bytes.get(self.place).copied().ok_or_else(fault)
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = self.peek()?;
        self.place += 1;
        Ok(byte)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes.get(self.place..).and_then(|rest| rest.first_chunk()).ok_or_else(fault)?;
        self.place += N;
        Ok(*bytes)
    }
}

fn fault() -> Error {
    Error::input("the file is not valid UBJSON").help("save the model again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value() {
        let bytes = b"{i\x01a[$d#i\x02\x3f\x80\0\0\x3e\x99\x99\x9aU\x01bSi\x02\"ei\x01c[TFZi\xffD\x40\x09\x21\xfb\x54\x44\x2d\x18]i\x01d{#i\0i\x01e[#i\x01L\0\0\0\0\0\0\x01\0}";
        let text = to_json(bytes).expect("JSON");
        assert_eq!(
            text,
            r#"{"a":[1.0,0.30000001192092896],"b":"\"e","c":[true,false,null,-1,3.141592653589793],"d":{},"e":[256]}"#
        );
    }

    #[test]
    fn little_bytes_make_little_memory() {
        let many = b"{i\x01a[$Z#L\x7f\xff\xff\xff\xff\xff\xff\xff}";
        assert_eq!(to_json(many).expect_err("too many").kind, incrowd_core::ErrorKind::Limit);
        let deep = [b"{i\x01a".to_vec(), vec![b'['; 200]].concat();
        assert_eq!(to_json(&deep).expect_err("too deep").kind, incrowd_core::ErrorKind::Limit);
        for wrong in
            [&b"{i\x01a"[..], b"{i\xffaZ}", b"{L\x7f\xff\xff\xff\xff\xff\xff\xffa", b"{}}", b"{i\x01a[$U]}"]
        {
            assert!(to_json(wrong).is_err(), "{wrong:?}");
        }
    }
}
