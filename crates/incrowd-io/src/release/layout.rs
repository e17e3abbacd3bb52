//! The layout of release files: one line for every key, and for every node, rule or centroid, so that releases can be
//! read and compared.

use incrowd_core::{Error, Result};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// A release as text, with a newline at the end.
pub(super) fn text(release: &impl Serialize) -> Result<String> {
    let mut bytes = Vec::new();
    let written = release.serialize(&mut Serializer::with_formatter(&mut bytes, Lines::default()));
    written.map_err(|_| unwritable())?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|_| unwritable())
}

fn unwritable() -> Error {
    Error::internal("the release cannot be written as JSON")
}

/// Breaks lines between the keys of the outermost object and between the elements of arrays right under it.
#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the array or object being closed had an element.
    filled: bool,
}

impl Lines {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, mark: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        writer.write_all(mark)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, mark: &[u8], breaks: bool) -> io::Result<()> {
        self.depth -= 1;
        if breaks && self.filled {
            self.line(writer)?;
        }
        self.filled = true;
        writer.write_all(mark)
    }

    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b" "))
    }

    fn next<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool, breaks: bool) -> io::Result<()> {
        self.filled = true;
        match (first, breaks) {
            (true, true) => self.line(writer),
            (true, false) => Ok(()),
            (false, true) => writer.write_all(b",").and_then(|()| self.line(writer)),
            (false, false) => writer.write_all(b", "),
        }
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let breaks = self.depth == 2;
        self.close(writer, b"]", breaks)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        let breaks = self.depth == 2;
        self.next(writer, first, breaks)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let breaks = self.depth == 1;
        self.close(writer, b"}", breaks)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        let breaks = self.depth == 1;
        self.next(writer, first, breaks)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
