//! Text in other encodings than UTF-8, converted as it is read.
//!
//! What is not well-formed becomes a byte that UTF-8 never contains, so that the reader reports its line and column.

use crate::plan::Encoding;
use std::io::{self, Read};

/// A byte that UTF-8 never contains.
const WRONG: u8 = 0xFF;

/// The characters of the bytes 0x80 to 0x9F in windows-1252, as the Encoding Standard of the WHATWG lists them.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The text as UTF-8.
pub(super) fn decoded<'a>(input: Box<dyn Read + Send + 'a>, encoding: Encoding) -> Box<dyn Read + Send + 'a> {
    match encoding {
        Encoding::Utf8 => input,
        other => Box::new(Decoder::new(input, other)),
    }
}

/// The text is in another encoding than the declared one.
#[derive(Debug)]
pub(super) enum OtherEncoding {
    /// It is not the declared UTF-16.
    NotWide,
    /// It is UTF-8, and windows-1252 is declared.
    Utf8,
}

impl std::error::Error for OtherEncoding {}

impl std::fmt::Display for OtherEncoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotWide => "the text is not UTF-16",
            Self::Utf8 => "the text is UTF-8, but another encoding is declared",
        })
    }
}

/// Whether the beginning of a text is UTF-8 with several characters beyond ASCII: in windows-1252, hardly any text
/// happens to be.
fn is_utf8(bytes: &[u8]) -> bool {
    let whole = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    whole.chars().filter(|character| !character.is_ascii() && *character != '\u{feff}').nth(2).is_some()
}

/// Converts what it reads.
struct Decoder<R> {
    input: R,
    encoding: Encoding,
    /// Bytes read and not yet converted: half a unit or the first of two.
    raw: Vec<u8>,
    /// Converted bytes; those before `given` are handed out.
    text: Vec<u8>,
    given: usize,
    begun: bool,
    big_endian: bool,
    at_end: bool,
}

impl<R: Read> Decoder<R> {
    fn new(input: R, encoding: Encoding) -> Self {
        let big_endian = encoding == Encoding::Utf16Be;
        let (raw, text) = (Vec::new(), Vec::new());
        Self { input, encoding, raw, text, given: 0, begun: false, big_endian, at_end: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.given = 0;
        while self.text.is_empty() && !self.at_end {
            let before = self.raw.len();
            self.raw.resize(before + (1 << 15), 0);
            let read = self.input.read(&mut self.raw[before..]);
            self.raw.truncate(before + *read.as_ref().unwrap_or(&0));
            self.at_end = match read {
                Ok(count) => count == 0,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => false,
                Err(error) => return Err(error),
            };
            if !self.begun && self.raw.len() > 256 && !self.is_plausible() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, OtherEncoding::NotWide));
            }
            if !self.begun && self.encoding == Encoding::Windows1252 && is_utf8(&self.raw) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, OtherEncoding::Utf8));
            }
            match self.encoding {
                Encoding::Windows1252 => self.windows(),
                _ => self.wide(),
            }
        }
        Ok(())
    }

    /// Whether the first bytes can be of a table in the declared encoding: in UTF-16, delimiters and ends of lines have a
    /// zero byte.
    fn is_plausible(&self) -> bool {
        let is_wide = matches!(self.encoding, Encoding::Utf16 | Encoding::Utf16Be);
        let has_mark = self.raw.starts_with(&[0xFF, 0xFE]) || self.raw.starts_with(&[0xFE, 0xFF]);
        !is_wide || has_mark || self.raw.contains(&0)
    }

    fn windows(&mut self) {
        self.begun = true;
        for &byte in &self.raw {
            match byte {
                0..=0x7F => self.text.push(byte),
                0x80..=0x9F => put(WINDOWS[usize::from(byte - 0x80)], &mut self.text),
                _ => put(char::from(byte), &mut self.text),
            }
        }
        self.raw.clear();
    }

    /// Converts whole characters of UTF-16 and keeps the rest, unless the text is at its end.
    fn wide(&mut self) {
        let unit = |bytes: &[u8], big: bool| {
            if big {
                u16::from_be_bytes([bytes[0], bytes[1]])
            } else {
                u16::from_le_bytes([bytes[0], bytes[1]])
            }
        };
        if !self.begun && self.raw.len() >= 2 {
            self.begun = true;
            // A byte-order mark goes before what was declared, and is never part of the text.
            match self.raw[..2] {
                [0xFF, 0xFE] => self.big_endian = false,
                [0xFE, 0xFF] => self.big_endian = true,
                _ => {}
            }
            if matches!(self.raw[..2], [0xFF, 0xFE] | [0xFE, 0xFF]) {
                self.raw.drain(..2);
            }
        }
        let mut at = 0;
        while self.raw.len() - at >= 2 {
            let first = unit(&self.raw[at..], self.big_endian);
            let is_high = (0xD800..0xDC00).contains(&first);
            if is_high && self.raw.len() - at < 4 && !self.at_end {
                break;
            }
            let second = is_high.then(|| self.raw.get(at + 2..at + 4)).flatten();
            let units = [first, second.map_or(0, |bytes| unit(bytes, self.big_endian))];
            let next = char::decode_utf16(units).next();
            if let Some(Ok(character)) = next {
                put(character, &mut self.text);
                at += 2 * character.len_utf16();
            } else {
                self.text.push(WRONG);
                at += 2;
            }
        }
        self.raw.drain(..at);
        if self.at_end && !self.raw.is_empty() {
            self.text.push(WRONG);
            self.raw.clear();
        }
    }
}

fn put(character: char, text: &mut Vec<u8>) {
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() {
            self.refill()?;
        }
        let count = into.len().min(self.text.len() - self.given);
        into[..count].copy_from_slice(&self.text[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A reader that hands out a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn decode(bytes: &[u8], encoding: Encoding, step: usize) -> Vec<u8> {
        let mut text = Vec::new();
        Decoder::new(Slow(bytes, step), encoding).read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn windows_1252() {
        assert_eq!(decode(b"Z\xFCrich \x80 \x93a\x94", Encoding::Windows1252, 3), "Zürich € “a”".as_bytes());
    }

    #[test]
    fn halves_are_wrong() {
        let lone: Vec<u8> = [0xD800_u16, 0x41].iter().flat_map(|unit| unit.to_le_bytes()).collect();
        assert_eq!(decode(&lone, Encoding::Utf16, 1), [WRONG, b'A']);
        assert_eq!(decode(&[0x41, 0, 0x42], Encoding::Utf16, 1), [b'A', WRONG]);
        assert_eq!(decode(&[0x41, 0, 0, 0xD8], Encoding::Utf16, 1), [b'A', WRONG]);
    }

    proptest! {
        #[test]
        fn wide_text_is_its_utf8(text in "\\PC{0,40}", step in 1_usize..7, with_mark: bool) {
            let mark = if with_mark { "\u{FEFF}" } else { "" };
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            // A text that begins with the mark of the other order is taken for it.
            prop_assume!(with_mark || !units.first().is_some_and(|unit| matches!(unit, 0xFEFF | 0xFFFE)));
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            prop_assert_eq!(decode(&little, Encoding::Utf16, step), text.as_bytes());
            prop_assert_eq!(decode(&big, Encoding::Utf16Be, step), text.as_bytes());
            if with_mark {
                prop_assert_eq!(decode(&big, Encoding::Utf16, step), text.as_bytes());
            }
        }

        #[test]
        fn any_bytes_end(bytes: Vec<u8>, step in 1_usize..5) {
            for encoding in [Encoding::Windows1252, Encoding::Utf16, Encoding::Utf16Be] {
                let _ = decode(&bytes, encoding, step);
            }
        }
    }
}
