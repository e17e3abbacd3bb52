//! Splits text into records and cells, strictly: what is not well-formed is reported, never guessed.
//!
//! A quoted cell begins and ends with the quote (spaces may surround it); a quote inside is doubled, or preceded by a
//! backslash where the dialect allows that. Lines without a cell are skipped. Time is linear in the bytes.

use super::dialect::{Cut, Dialect};
use super::scan::CHUNK;

/// The position of a cell's text in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    /// A cell that is known to be missing without a mark.
    pub(super) const NULL: Self = Self { start: 0, len: u32::MAX };

    pub(super) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, len: (end - start) as u32 }
    }

    /// The text, empty for a missing cell.
    pub(super) fn of(self, bytes: &[u8]) -> &[u8] {
        let start = self.start as usize;
        bytes.get(start..start.saturating_add(self.len as usize)).unwrap_or_default()
    }
}

/// What is wrong with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ill {
    /// A record has the wrong number of cells.
    Ragged { expected: usize, found: usize },
    /// A quote is never closed.
    Unclosed,
    /// Something follows a closing quote.
    AfterQuote,
    /// A quote is inside a cell that does not begin with one.
    StrayQuote,
    /// A record is too long.
    TooLong,
    /// The text is not UTF-8.
    NotUtf8,
    /// A sparse ARFF record.
    Sparse,
}

/// What is wrong, and where: the byte, and the number of the cell from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) cell: usize,
    pub(super) ill: Ill,
}

/// The required number of cells of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// This many.
    Exactly(usize),
    /// Any number.
    Any,
}

/// Cuts the first `end` bytes of `text`, whole records all, into cells.
///
/// Cells with escaped quotes are written out behind the text. At least [`CHUNK`] bytes must follow `end`. `row_done`
/// receives for every record the number of cells up to its end, and where it begins. Returns the number of comments.
pub(super) fn cut(
    text: &mut Vec<u8>,
    end: usize,
    dialect: &Dialect,
    width: Width,
    cells: &mut Vec<Span>,
    mut row_done: impl FnMut(usize, usize),
) -> Result<u64, Fault> {
    let marks = dialect.marks();
    let mut cutter = Cutter {
        text,
        end,
        dialect,
        width,
        cells,
        row: 0,
        row_at: 0,
        quoted: false,
        start: 0,
        state: State::Plain,
        resume: 0,
        comments: 0,
    };
    cutter.begin_row(0)?;
    for base in (0..end).step_by(CHUNK) {
        let mut hits = cutter.text[base..].first_chunk().map_or(0, |chunk| marks.hits(chunk));
        if end - base < CHUNK {
            hits &= (1 << (end - base)) - 1;
        }
        while hits != 0 {
            let at = base + hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let began = cutter.row_at;
            if at >= cutter.resume && cutter.meet(at)? {
                row_done(cutter.row, began);
            }
        }
    }
    cutter.finish()
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// In a cell without quotes, or before one with.
    Plain,
    /// In a quoted cell; whether something in it must be unescaped.
    Quoted { open: usize, escaped: bool },
    /// Behind the closing quote.
    Closed { span: Span, behind: usize },
}

struct Cutter<'a> {
    text: &'a mut Vec<u8>,
    end: usize,
    dialect: &'a Dialect,
    width: Width,
    cells: &'a mut Vec<Span>,
    /// The number of cells before this record.
    row: usize,
    /// Where this record begins.
    row_at: usize,
    /// Whether a cell of this record has quotes.
    quoted: bool,
    /// Where this cell begins.
    start: usize,
    state: State,
    /// Marks before this are done with.
    resume: usize,
    /// The lines that are comments.
    comments: u64,
}

impl Cutter<'_> {
    /// Handles the mark at `at`; true if it ended a record with cells.
    #[inline]
    fn meet(&mut self, at: usize) -> Result<bool, Fault> {
        let byte = self.text[at];
        match self.state {
            State::Plain if byte == b'\n' || byte == self.dialect.delimiter || byte == b'\t' => {
                self.end_plain(at, byte);
            }
            State::Plain => return self.open(at).map(|()| false),
            State::Quoted { open, escaped } => {
                return self.inside(at, byte, open, escaped).map(|()| false);
            }
            State::Closed { span, behind } => self.end_quoted(at, byte, span, behind)?,
        }
        self.start = at + 1;
        if byte == b'\n' { self.end_row(at + 1) } else { Ok(false) }
    }

    #[inline]
    fn end_plain(&mut self, at: usize, byte: u8) {
        let mut end = at;
        if byte == b'\n' && end > self.start && self.text[end - 1] == b'\r' {
            end -= 1;
        }
        let span = match self.cut_of_cell() {
            Cut::Trimmed => self.trimmed(end),
            Cut::Verbatim | Cut::Exact => Span::new(self.start, end),
        };
        if span.len > 0 || self.dialect.delimiter != b' ' {
            self.cells.push(span);
        }
    }

    #[inline]
    fn trimmed(&self, mut end: usize) -> Span {
        let mut start = self.start;
        while start < end && is_blank(self.text[start]) {
            start += 1;
        }
        while start < end && is_blank(self.text[end - 1]) {
            end -= 1;
        }
        Span::new(start, end)
    }

    /// How the cell at hand is cut.
    #[inline]
    fn cut_of_cell(&self) -> Cut {
        let cuts = &self.dialect.cuts;
        if cuts.is_empty() || self.dialect.delimiter == b' ' {
            return Cut::Trimmed;
        }
        cuts.get(self.cells.len() - self.row).copied().unwrap_or_default()
    }

    fn open(&mut self, at: usize) -> Result<(), Fault> {
        if !self.text[self.start..at].iter().copied().all(is_blank) {
            return Err(self.fault(at, Ill::StrayQuote));
        }
        self.state = State::Quoted { open: at, escaped: false };
        Ok(())
    }

    fn inside(&mut self, at: usize, byte: u8, open: usize, escaped: bool) -> Result<(), Fault> {
        if byte == b'\n' && self.dialect.arff {
            return Err(self.fault(open, Ill::Unclosed));
        }
        if byte != self.text[open] {
            return Ok(());
        }
        if self.is_escaped(open, at) {
            self.state = State::Quoted { open, escaped: true };
        } else if at + 1 < self.end && self.text[at + 1] == byte {
            self.state = State::Quoted { open, escaped: true };
            self.resume = at + 2;
        } else {
            self.close(open, at, escaped);
        }
        Ok(())
    }

    /// Whether an odd number of backslashes precedes `at`.
    fn is_escaped(&self, open: usize, at: usize) -> bool {
        let before = &self.text[open + 1..at];
        self.dialect.arff && before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
    }

    fn close(&mut self, open: usize, at: usize, escaped: bool) {
        let has_backslash = self.dialect.arff && memchr::memchr(b'\\', &self.text[open + 1..at]).is_some();
        let span = if escaped || has_backslash { self.unescape(open, at) } else { Span::new(open + 1, at) };
        self.state = State::Closed { span, behind: at + 1 };
    }

    /// Writes the quoted cell out behind the text.
    fn unescape(&mut self, open: usize, close: usize) -> Span {
        let quote = self.text[open];
        let start = self.text.len();
        let mut at = open + 1;
        while at < close {
            let (plain, length) = match self.text[at] {
                b'\\' if self.dialect.arff && at + 1 < close => (unescaped(self.text[at + 1]), 2),
                byte if byte == quote => (byte, 2),
                byte => (byte, 1),
            };
            self.text.push(plain);
            at += length;
        }
        Span::new(start, self.text.len())
    }

    fn end_quoted(&mut self, at: usize, byte: u8, span: Span, behind: usize) -> Result<(), Fault> {
        let between = &self.text[behind..at];
        let between = if byte == b'\n' { between.strip_suffix(b"\r").unwrap_or(between) } else { between };
        let ends = byte == b'\n' || byte == self.dialect.delimiter || byte == b'\t';
        if !ends || !between.iter().copied().all(is_blank) {
            return Err(self.fault(behind, Ill::AfterQuote));
        }
        let end = behind + between.len();
        let is_exact = self.cut_of_cell() == Cut::Exact;
        self.cells.push(if is_exact { Span::new(self.start, end) } else { span });
        self.quoted = true;
        self.state = State::Plain;
        Ok(())
    }

    /// Checks the record that ends before `next`; true if it has cells.
    #[inline]
    fn end_row(&mut self, next: usize) -> Result<bool, Fault> {
        let found = self.cells.len() - self.row;
        let wrong = matches!(self.width, Width::Exactly(expected) if expected != found);
        let is_blank = |cell: &Span| cell.of(self.text).iter().copied().all(is_blank);
        let blank = found == 0 || (found == 1 && !self.quoted && self.cells.last().is_some_and(is_blank));
        if blank {
            self.cells.truncate(self.row);
        } else if let (true, Width::Exactly(expected)) = (wrong, self.width) {
            self.cells.truncate(self.row);
            let cell = found.min(expected + 1);
            return Err(Fault { at: self.row_at, cell, ill: Ill::Ragged { expected, found } });
        }
        self.row = self.cells.len();
        self.begin_row(next)?;
        Ok(!blank)
    }

    fn begin_row(&mut self, start: usize) -> Result<(), Fault> {
        self.row_at = start;
        self.quoted = false;
        if self.dialect.comment.is_none() || start >= self.end {
            return Ok(());
        }
        let rest = &self.text[start..self.end];
        if self.dialect.is_comment(rest) {
            self.comments += 1;
            // The line end itself then ends a record without cells.
            self.resume = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.start = self.resume;
        } else if self.dialect.arff && rest.first() == Some(&b'{') {
            return Err(Fault { at: start, cell: 1, ill: Ill::Sparse });
        }
        Ok(())
    }

    fn finish(self) -> Result<u64, Fault> {
        match self.state {
            State::Quoted { open, .. } => Err(self.fault(open, Ill::Unclosed)),
            _ if self.start < self.end => Err(self.fault(self.start, Ill::TooLong)),
            _ => Ok(self.comments),
        }
    }

    fn fault(&self, at: usize, ill: Ill) -> Fault {
        Fault { at, cell: self.cells.len() - self.row + 1, ill }
    }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The meaning of a backslash and this byte in ARFF.
fn unescaped(byte: u8) -> u8 {
    match byte {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        other => other,
    }
}
