//! Objects of one line of JSON, member by member, without recursion and without copies.

/// How deep values inside a member may be nested; they are skipped, never read.
const DEEPEST: usize = 128;

/// Where a string is between its quotes, and whether it has escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quoted {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// The value of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Text(Quoted),
    /// A number, `true` or `false`, as it is written.
    Plain {
        start: usize,
        end: usize,
    },
    Null,
    /// A list or an object.
    Nested,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ill {
    /// It is not an object.
    NotObject,
    /// It is not JSON.
    Invalid,
    /// Something follows the object.
    Behind,
    /// It is nested too deep.
    TooDeep,
}

/// Calls `member` with the key and the value of each member of the object in `line`; spaces may surround it.
pub(super) fn object<E: From<Ill>>(
    line: &[u8],
    mut member: impl FnMut(Quoted, Value) -> Result<(), E>,
) -> Result<(), E> {
    let mut scan = Scan { text: line, at: 0 };
    scan.skip_spaces();
    if scan.next() != Some(b'{') {
        return Err(Ill::NotObject.into());
    }
    scan.skip_spaces();
    if scan.peek() == Some(b'}') {
        scan.at += 1;
    } else {
        loop {
            scan.skip_spaces();
            scan.expect(b'"')?;
            let key = scan.text()?;
            scan.skip_spaces();
            scan.expect(b':')?;
            scan.skip_spaces();
            let value = scan.value()?;
            member(key, value)?;
            scan.skip_spaces();
            match scan.next() {
                Some(b',') => {}
                Some(b'}') => break,
                _ => return Err(Ill::Invalid.into()),
            }
        }
    }
    scan.skip_spaces();
    if scan.at < line.len() { Err(Ill::Behind.into()) } else { Ok(()) }
}

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Ill> {
        if self.next() == Some(byte) { Ok(()) } else { Err(Ill::Invalid) }
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Value, Ill> {
        let start = self.at;
        match self.next().ok_or(Ill::Invalid)? {
            b'"' => self.text().map(Value::Text),
            b'n' => self.word(b"ull").map(|()| Value::Null),
            b't' => self.word(b"rue").map(|()| Value::Plain { start, end: self.at }),
            b'f' => self.word(b"alse").map(|()| Value::Plain { start, end: self.at }),
            b'[' | b'{' => {
                self.at = start;
                self.nested().map(|()| Value::Nested)
            }
            b'-' | b'0'..=b'9' => {
                self.at = start;
                self.number().map(|()| Value::Plain { start, end: self.at })
            }
            _ => Err(Ill::Invalid),
        }
    }

    fn word(&mut self, rest: &[u8]) -> Result<(), Ill> {
        rest.iter().try_for_each(|&byte| self.expect(byte))
    }

    /// A string behind its opening quote, up to and with the closing one.
    fn text(&mut self) -> Result<Quoted, Ill> {
        let (start, mut escaped) = (self.at, false);
        loop {
            match self.next().ok_or(Ill::Invalid)? {
                b'"' => return Ok(Quoted { start, end: self.at - 1, escaped }),
                b'\\' => {
                    escaped = true;
                    self.escape()?;
                }
                0..=0x1F => return Err(Ill::Invalid),
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<(), Ill> {
        match self.next() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(()),
            Some(b'u') => {
                let first = hex(self.text.get(self.at..).unwrap_or_default()).ok_or(Ill::Invalid)?;
                self.at += 4;
                match first {
                    0xDC00..=0xDFFF => Err(Ill::Invalid),
                    0xD800..=0xDBFF => {
                        self.word(b"\\u")?;
                        let second = hex(self.text.get(self.at..).unwrap_or_default()).ok_or(Ill::Invalid)?;
                        self.at += 4;
                        if (0xDC00..=0xDFFF).contains(&second) { Ok(()) } else { Err(Ill::Invalid) }
                    }
                    _ => Ok(()),
                }
            }
            _ => Err(Ill::Invalid),
        }
    }

    fn number(&mut self) -> Result<(), Ill> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.next() {
            Some(b'0') => {}
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(Ill::Invalid),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(())
    }

    fn some_digits(&mut self) -> Result<(), Ill> {
        let start = self.at;
        self.digits();
        if self.at > start { Ok(()) } else { Err(Ill::Invalid) }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// Skips a list or an object by its brackets and strings alone: no cell is made of it.
    fn nested(&mut self) -> Result<(), Ill> {
        let mut open = Vec::new();
        loop {
            match self.next().ok_or(Ill::Invalid)? {
                b'"' => {
                    self.text()?;
                }
                bracket @ (b'[' | b'{') => {
                    open.push(bracket + 2);
                    if open.len() > DEEPEST {
                        return Err(Ill::TooDeep);
                    }
                }
                bracket @ (b']' | b'}') => {
                    if open.pop() != Some(bracket) {
                        return Err(Ill::Invalid);
                    }
                    if open.is_empty() {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The number that four hexadecimal digits are.
fn hex(bytes: &[u8]) -> Option<u32> {
    let four: &[u8; 4] = bytes.first_chunk()?;
    four.iter().try_fold(0, |number, &byte| Some(number * 16 + char::from(byte).to_digit(16)?))
}

/// Writes out a string with its escapes resolved. It was scanned before, so every escape is well-formed.
pub(super) fn unescape(escaped: &[u8], mut put: impl FnMut(&[u8])) {
    let mut rest = escaped;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        put(&rest[..at]);
        let (byte, behind) =
            (rest.get(at + 1).copied().unwrap_or_default(), rest.get(at + 2..).unwrap_or_default());
        rest = behind;
        match byte {
            b'b' => put(b"\x08"),
            b'f' => put(b"\x0C"),
            b'n' => put(b"\n"),
            b'r' => put(b"\r"),
            b't' => put(b"\t"),
            b'u' => {
                let first = hex(rest).unwrap_or(0xFFFD);
                rest = rest.get(4..).unwrap_or_default();
                let code = if (0xD800..0xDC00).contains(&first) {
                    let second = rest.get(2..).and_then(hex).unwrap_or(0xDC00);
                    rest = rest.get(6..).unwrap_or_default();
                    0x1_0000 + ((first - 0xD800) << 10) + (second.saturating_sub(0xDC00) & 0x3FF)
                } else {
                    first
                };
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                put(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => put(&[other]),
        }
    }
    put(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value as Json;

    /// The members as JSON values; nested ones as an empty list.
    fn members(line: &str) -> Result<Vec<(String, Json)>, Ill> {
        let bytes = line.as_bytes();
        let text = |quoted: Quoted| {
            let mut text = Vec::new();
            unescape(&bytes[quoted.start..quoted.end], |part| text.extend_from_slice(part));
            String::from_utf8(text).unwrap()
        };
        let mut members = Vec::new();
        object::<Ill>(bytes, |key, value| {
            let value = match value {
                Value::Text(quoted) => Json::String(text(quoted)),
                Value::Plain { start, end } => serde_json::from_str(&line[start..end]).unwrap(),
                Value::Null => Json::Null,
                Value::Nested => Json::Array(Vec::new()),
            };
            members.push((text(key), value));
            Ok(())
        })?;
        Ok(members)
    }

    fn flat(value: Json) -> Json {
        if value.is_array() || value.is_object() { Json::Array(Vec::new()) } else { value }
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            "\\PC{0,8}|[\\x00-\\x20\"\\\\/]{0,4}".prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Json::from))
    }

    proptest! {
        #[test]
        fn objects_agree_with_serde(members_of in prop::collection::btree_map(".{0,4}", any_json(), 0..5)) {
            let object: serde_json::Map<String, Json> = members_of.into_iter().collect();
            let line = serde_json::to_string(&object).unwrap();
            let expected: Vec<(String, Json)> = object.into_iter().map(|(k, v)| (k, flat(v))).collect();
            prop_assert_eq!(members(&line), Ok(expected));
        }

        #[test]
        fn what_is_not_json_is_refused(line in "[{}\\[\\]\":,0-9.eE+\\-a-u\\\\ ]{0,24}") {
            let flat_in_serde = serde_json::from_str::<Json>(&line).ok()
                .filter(|value| value.as_object().is_some_and(|o| !o.values().any(|v| v.is_array() || v.is_object())));
            let ours = members(&line);
            let has_nested = ours.as_ref().is_ok_and(|m| m.iter().any(|(_, v)| v.is_array()));
            // Duplicate keys are refused elsewhere, and values that are skipped are not checked.
            prop_assert!(has_nested || ours.is_ok() == flat_in_serde.is_some(), "{}", line);
        }

        #[test]
        fn escapes_agree_with_serde(line in "\\{\"a\": ?\"(\\\\u[0-9aDdFe]{4}|\\\\[ntbfr/\"\\\\]|[a-z]){0,5}\"\\}") {
            let expected = serde_json::from_str::<Json>(&line).ok();
            let ours = members(&line).ok().map(|m| m.into_iter().collect::<serde_json::Map<_, _>>()).map(Json::from);
            prop_assert_eq!(ours, expected);
        }
    }
}
