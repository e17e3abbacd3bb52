//! A list of strings in one allocation, so that a column with millions of distinct values stays small.

/// A list of strings, stored end to end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Appends a string.
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    /// The string at `index`.
    ///
    /// # Panics
    /// When `index` is not below [`Texts::len`].
    pub fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The strings in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The position of a string, by linear search.
    pub fn position(&self, text: &str) -> Option<usize> {
        self.iter().position(|other| other == text)
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + size_of_val(self.ends.as_slice())
    }
}

impl<S: AsRef<str>> FromIterator<S> for Texts {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Self {
        let mut all = Self::default();
        texts.into_iter().for_each(|text| all.push(text.as_ref()));
        all
    }
}
