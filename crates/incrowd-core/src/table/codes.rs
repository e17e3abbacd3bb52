//! Codes of a column in the narrowest width that fits them.

mod sealed {
    /// Sealed, because codes have the widths of [`Codes`](super::Codes) only.
    pub trait Sealed {}

    impl Sealed for u8 {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

/// An integer that serves as a code.
pub trait Code: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The code as a plain number.
    fn wide(self) -> u32;
}

impl Code for u8 {
    #[inline]
    fn wide(self) -> u32 {
        u32::from(self)
    }
}

impl Code for u16 {
    #[inline]
    fn wide(self) -> u32 {
        u32::from(self)
    }
}

impl Code for u32 {
    #[inline]
    fn wide(self) -> u32 {
        self
    }
}

/// The codes of a column, one per row, all of one width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// At most 256 codes.
    U8(Vec<u8>),
    /// At most 65,536 codes.
    U16(Vec<u16>),
    /// More.
    U32(Vec<u32>),
}

/// Runs `$body` with `$codes` bound to the slice of whatever width it has.
#[macro_export]
macro_rules! with_codes {
    ($source:expr, $codes:ident => $body:expr) => {
        match $source {
            $crate::table::Codes::U8($codes) => $body,
            $crate::table::Codes::U16($codes) => $body,
            $crate::table::Codes::U32($codes) => $body,
        }
    };
}

impl Codes {
    /// The narrowest codes for a column with `count` different codes; each item must be below `count`.
    pub fn collect(count: usize, codes: impl IntoIterator<Item = u32>) -> Self {
        if count <= 1 << 8 {
            Self::U8(codes.into_iter().map(|code| code as u8).collect())
        } else if count <= 1 << 16 {
            Self::U16(codes.into_iter().map(|code| code as u16).collect())
        } else {
            Self::U32(codes.into_iter().collect())
        }
    }

    /// The code of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        with_codes!(self, codes => codes[row].wide())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        with_codes!(self, codes => codes.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The codes in row order.
    pub fn iter(&self) -> CodeIter<'_> {
        CodeIter(match self {
            Self::U8(codes) => Width::U8(codes.iter()),
            Self::U16(codes) => Width::U16(codes.iter()),
            Self::U32(codes) => Width::U32(codes.iter()),
        })
    }

    /// The highest code.
    pub fn max(&self) -> Option<u32> {
        // A fold over values, unlike `max` over references, is done many rows at a time.
        with_codes!(self, codes => codes.iter().copied().reduce(Ord::max).map(Code::wide))
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> usize {
        with_codes!(self, codes => size_of_val(codes.as_slice()))
    }
}

/// The codes of a column in row order. The width is looked at once where all are folded.
#[derive(Debug, Clone)]
pub struct CodeIter<'a>(Width<'a>);

#[derive(Debug, Clone)]
enum Width<'a> {
    U8(std::slice::Iter<'a, u8>),
    U16(std::slice::Iter<'a, u16>),
    U32(std::slice::Iter<'a, u32>),
}

impl Iterator for CodeIter<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.0 {
            Width::U8(codes) => codes.next().map(|code| code.wide()),
            Width::U16(codes) => codes.next().map(|code| code.wide()),
            Width::U32(codes) => codes.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Width::U8(codes) => codes.size_hint(),
            Width::U16(codes) => codes.size_hint(),
            Width::U32(codes) => codes.size_hint(),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, u32) -> B>(self, start: B, mut f: F) -> B {
        match self.0 {
            Width::U8(codes) => codes.fold(start, |all, code| f(all, code.wide())),
            Width::U16(codes) => codes.fold(start, |all, code| f(all, code.wide())),
            Width::U32(codes) => codes.fold(start, |all, &code| f(all, code)),
        }
    }
}

impl ExactSizeIterator for CodeIter<'_> {}

impl<'a> IntoIterator for &'a Codes {
    type Item = u32;
    type IntoIter = CodeIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
