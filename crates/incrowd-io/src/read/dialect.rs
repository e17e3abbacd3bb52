//! How the records and cells of a text are distinguished, and where whole records end.

use super::scan::Marks;

/// How records and cells are distinguished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The delimiter of cells; a space means any run of spaces and tabs.
    pub(super) delimiter: u8,
    /// The quotes a cell may have; none where quotes are ordinary characters.
    pub(super) quotes: &'static [u8],
    /// Whether it is ARFF: backslashes escape in quoted cells, quotes end with the line, `{` begins a sparse record.
    pub(super) arff: bool,
    /// Lines that begin with this are skipped; never empty.
    pub(super) comment: Option<Vec<u8>>,
    /// How the cells of each column are cut; those beyond its end are trimmed. Runs of spaces that divide cells are
    /// never part of one.
    pub(super) cuts: Vec<Cut>,
}

/// What belongs to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Cut {
    /// Neither spaces nor quotes around it.
    #[default]
    Trimmed,
    /// Spaces around it, unless it is quoted; not its quotes.
    Verbatim,
    /// Spaces and quotes around it.
    Exact,
}

impl Dialect {
    pub(super) fn marks(&self) -> Marks {
        let second = if self.delimiter == b' ' { b'\t' } else { self.delimiter };
        let quote = *self.quotes.first().unwrap_or(&b'\n');
        let other = *self.quotes.last().unwrap_or(&b'\n');
        // A space as delimiter brings a tab along, ARFF a second quote; never both.
        Marks([self.delimiter, b'\n', quote, if second == self.delimiter { other } else { second }])
    }

    /// Whether a quoted cell may contain the end of a line.
    pub(super) fn spans_lines(&self) -> bool {
        !self.quotes.is_empty() && !self.arff
    }

    pub(super) fn is_comment(&self, line: &[u8]) -> bool {
        self.comment.as_deref().is_some_and(|mark| line.starts_with(mark))
    }

    /// The length of the whole records at the beginning of `text`, which begins with a record; 0 where none ends.
    pub(super) fn whole_records(&self, text: &[u8]) -> usize {
        let quote = *self.quotes.first().unwrap_or(&0);
        if !self.spans_lines() || memchr::memchr(quote, text).is_none() {
            return memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
        }
        if self.comment.is_some() {
            return self.whole_records_with_comments(text, quote);
        }
        // Every quote opens or closes, so a record can only end where their number is even.
        let mut quotes = memchr::memchr_iter(quote, text).count();
        let mut end = text.len();
        for at in memchr::memrchr_iter(b'\n', text) {
            quotes -= memchr::memchr_iter(quote, &text[at..end]).count();
            end = at;
            if quotes.is_multiple_of(2) {
                return at + 1;
            }
        }
        0
    }

    /// The same where comments may contain single quotes: line by line from the start.
    fn whole_records_with_comments(&self, text: &[u8], quote: u8) -> usize {
        let (mut start, mut whole, mut open) = (0, 0, false);
        for at in memchr::memchr_iter(b'\n', text) {
            let line = &text[start..at];
            if open || !self.is_comment(line) {
                open ^= memchr::memchr_iter(quote, line).count() % 2 == 1;
            }
            start = at + 1;
            if !open {
                whole = start;
            }
        }
        whole
    }
}
