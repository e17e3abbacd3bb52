//! Text read from a file in blocks of whole records; never the whole file.

use super::block::Block;
use super::dialect::Dialect;
use super::input::unreadable;
use super::scan::CHUNK;
use incrowd_core::{Error, Result};
use std::io::Read;

/// The sizes of what is read and kept at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Bytes a block aims at.
    pub(super) block: usize,
    /// The longest record; files are untrusted, and a record is kept whole.
    pub(super) record: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { block: 1 << 20, record: 16 << 20 }
    }
}

/// Where blocks come from, in order.
pub(super) trait BlockSource: Send {
    /// Fills a block with the next records; false when there are none left.
    fn fill(&mut self, block: &mut Block) -> Result<bool>;
}

/// The text of a file.
pub(super) struct Text<'a> {
    input: Box<dyn Read + Send + 'a>,
    sizes: Sizes,
    /// Bytes read and not yet handed out begin at `taken`.
    held: Vec<u8>,
    taken: usize,
    at_end: bool,
    /// The physical line of the next byte, from 1.
    line: u64,
}

impl<'a> Text<'a> {
    /// Begins to read, behind a byte-order mark if there is one.
    pub(super) fn new(input: Box<dyn Read + Send + 'a>, sizes: Sizes) -> Result<Self> {
        let mut text = Self { input, sizes, held: Vec::new(), taken: 0, at_end: false, line: 1 };
        text.hold(3)?;
        match text.held() {
            [0xEF, 0xBB, 0xBF, ..] => text.taken = 3,
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                let error = Error::input("the text is UTF-16, not UTF-8").at_line(1);
                return Err(error.help("declare `encoding = \"utf-16\"`, or save the file as UTF-8"));
            }
            [] => return Err(Error::input("the file is empty").help("check that it is complete")),
            _ => {}
        }
        Ok(text)
    }

    /// The line of the next byte.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The bytes in memory that are not yet handed out.
    pub(super) fn held(&self) -> &[u8] {
        &self.held[self.taken..]
    }

    /// Buffers at least this many bytes if there are as many; true if there is nothing after the buffered bytes.
    pub(super) fn hold(&mut self, count: usize) -> Result<bool> {
        self.held.drain(..self.taken);
        self.taken = 0;
        let missing = count.saturating_sub(self.held.len());
        self.at_end |= take(&mut self.input, missing, &mut self.held)? < missing;
        Ok(self.at_end)
    }

    /// Takes the next physical line without its end; none at the end of the file.
    pub(super) fn take_line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut count = self.sizes.block.min(4096);
        loop {
            if let Some(length) = memchr::memchr(b'\n', self.held()) {
                let line = self.held()[..length].to_vec();
                self.taken += length + 1;
                self.line += 1;
                return Ok(Some(line));
            }
            if self.hold(count)? && memchr::memchr(b'\n', self.held()).is_none() {
                let line = self.held().to_vec();
                self.taken = self.held.len();
                return Ok((!line.is_empty()).then_some(line));
            }
            if count > self.sizes.record {
                return Err(Error::limit("the line is too long").at_line(self.line));
            }
            count *= 2;
        }
    }

    /// Skips the next record: its lines, and lines before it without cells.
    pub(super) fn skip_record(&mut self, dialect: &Dialect) -> Result<()> {
        let mut is_open = false;
        while let Some(line) = self.take_line()? {
            if !is_open && (line.trim_ascii().is_empty() || dialect.is_comment(&line)) {
                continue;
            }
            let quotes = dialect.quotes.first().filter(|_| dialect.spans_lines());
            is_open ^= quotes.is_some_and(|&quote| memchr::memchr_iter(quote, &line).count() % 2 == 1);
            if !is_open {
                break;
            }
        }
        Ok(())
    }

    /// Skips physical lines.
    pub(super) fn skip_lines(&mut self, count: u64) -> Result<()> {
        for _ in 0..count {
            if self.take_line()?.is_none() {
                let error = Error::input("the file ends before the first row");
                return Err(error.help("skip fewer lines at its beginning"));
            }
        }
        Ok(())
    }

    /// Skips a line that tells Excel the delimiter, such as `sep=;`. The delimiter itself is found as always.
    pub(super) fn skip_separator_line(&mut self) -> Result<()> {
        self.hold(8)?;
        let line = self.held().split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() == 5 && line[..4].eq_ignore_ascii_case(b"sep=") {
            self.skip_lines(1)?;
        }
        Ok(())
    }

    /// Moves buffered bytes and then new ones into `into` until it has `count`; true if nothing is left.
    fn move_into(&mut self, count: usize, into: &mut Vec<u8>) -> Result<bool> {
        let moved = count.saturating_sub(into.len()).min(self.held.len() - self.taken);
        into.extend_from_slice(&self.held[self.taken..self.taken + moved]);
        self.taken += moved;
        if self.taken == self.held.len() {
            self.held.clear();
            self.taken = 0;
            let missing = count.saturating_sub(into.len());
            self.at_end |= take(&mut self.input, missing, into)? < missing;
        }
        Ok(self.at_end && self.held.is_empty())
    }

    /// Fills `text` with whole records; true if a record was too long to be kept whole.
    fn fill_text(&mut self, dialect: &Dialect, text: &mut Vec<u8>) -> Result<bool> {
        text.clear();
        let mut count = self.sizes.block;
        loop {
            let at_end = self.move_into(count, text)?;
            if at_end {
                if text.last().is_some_and(|&last| last != b'\n') {
                    text.push(b'\n');
                }
                return Ok(false);
            }
            let whole = dialect.whole_records(text);
            if whole > 0 {
                self.put_back(&text[whole..]);
                text.truncate(whole);
                return Ok(false);
            }
            if count > self.sizes.record {
                return Ok(true);
            }
            count *= 2;
        }
    }

    fn put_back(&mut self, bytes: &[u8]) {
        if self.held.is_empty() {
            self.held.extend_from_slice(bytes);
        } else {
            // Only while the first blocks come from the bytes that were buffered for detection.
            self.taken -= bytes.len();
        }
    }
}

/// The text of a file with its dialect: a source of blocks.
pub(super) struct Records<'a> {
    text: Text<'a>,
    dialect: Dialect,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: Text<'a>, dialect: Dialect) -> Self {
        Self { text, dialect }
    }
}

impl BlockSource for Records<'_> {
    fn fill(&mut self, block: &mut Block) -> Result<bool> {
        block.line = self.text.line;
        let filled = self.text.fill_text(&self.dialect, &mut block.text);
        block.overlong = filled.map_err(|error| error.at_line(self.text.line))?;
        block.end = block.text.len();
        self.text.line += memchr::memchr_iter(b'\n', &block.text).count() as u64;
        block.text.extend_from_slice(&[0; CHUNK]);
        Ok(block.end > 0)
    }
}

/// Takes up to `count` more bytes; fewer only at the end.
fn take(input: &mut impl Read, count: usize, into: &mut Vec<u8>) -> Result<usize> {
    into.reserve(count);
    input.take(count as u64).read_to_end(into).map_err(|error| unreadable(&error))
}
