//! One attribute of all individuals: a sorted value table and one code per row.

use super::{Code, Codes, Date, Texts};
use crate::error::{Error, Result};
use crate::with_codes;
use std::borrow::Cow;

/// What the values of an attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// Numbers.
    Numeric,
    /// Names without an order.
    Categorical,
    /// Names with a declared order.
    Ordered,
    /// Days of the calendar. A column stores them as names in the notation of ISO 8601, ordered by time.
    Date,
}

/// The different values of a column; the position of a value is its code.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Finite numbers, strictly ascending.
    Numeric(Vec<f64>),
    /// Strings, strictly ascending by their bytes.
    Categorical(Texts),
    /// Strings in their declared order, without repeats.
    Ordered(Texts),
}

impl Values {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric(numbers) => numbers.len(),
            Self::Categorical(texts) | Self::Ordered(texts) => texts.len(),
        }
    }

    /// Whether two of them are texts that differ only in case, or in spaces around them.
    pub fn are_spelled_differently(&self) -> bool {
        let (Self::Categorical(texts) | Self::Ordered(texts)) = self else { return false };
        let mut seen = hashbrown::HashSet::new();
        !texts.iter().all(|text| seen.insert(text.trim().to_lowercase()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What they are.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Numeric(_) => Kind::Numeric,
            Self::Categorical(_) => Kind::Categorical,
            Self::Ordered(_) => Kind::Ordered,
        }
    }

    /// The numbers of a numeric column.
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numeric(numbers) => Some(numbers),
            Self::Categorical(_) | Self::Ordered(_) => None,
        }
    }

    /// The names of a column that is not numeric.
    pub fn texts(&self) -> Option<&Texts> {
        match self {
            Self::Numeric(_) => None,
            Self::Categorical(texts) | Self::Ordered(texts) => Some(texts),
        }
    }

    /// A value as text.
    pub fn text(&self, code: usize) -> Cow<'_, str> {
        match self {
            Self::Numeric(numbers) => Cow::Owned(numbers[code].to_string()),
            Self::Categorical(texts) | Self::Ordered(texts) => Cow::Borrowed(texts.get(code)),
        }
    }

    /// The code of a value given as text.
    pub fn find(&self, text: &str) -> Option<u32> {
        let found = match self {
            Self::Numeric(numbers) => {
                let number: f64 = text.trim().parse().ok()?;
                numbers.binary_search_by(|other| other.total_cmp(&(number + 0.0))).ok()
            }
            Self::Categorical(texts) => {
                let (mut low, mut high) = (0, texts.len());
                while low < high {
                    let middle = low.midpoint(high);
                    if texts.get(middle) < text { low = middle + 1 } else { high = middle }
                }
                (low < texts.len() && texts.get(low) == text).then_some(low)
            }
            Self::Ordered(texts) => texts.position(text),
        };
        found.map(|code| code as u32)
    }

    fn check(&self) -> Result<()> {
        let (sorted, rule) = match self {
            Self::Numeric(numbers) => (
                numbers.iter().all(|number| number.is_finite())
                    && numbers.windows(2).all(|pair| pair[0] < pair[1]),
                "the numbers of a column must be finite and strictly ascending",
            ),
            Self::Categorical(texts) => (
                texts.iter().zip(texts.iter().skip(1)).all(|(a, b)| a < b),
                "the values of a categorical column must be strictly ascending",
            ),
            Self::Ordered(texts) => {
                let mut seen: Vec<_> = texts.iter().collect();
                seen.sort_unstable();
                (seen.windows(2).all(|pair| pair[0] != pair[1]), "the declared order contains a value twice")
            }
        };
        if sorted { Ok(()) } else { Err(Error::input(rule)) }
    }
}

/// An attribute of every individual in the table.
///
/// A row whose value is missing has the code [`Column::missing_code`], one past the last value.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    values: Values,
    codes: Codes,
    missing: bool,
    /// Whether its numbers are days since 1970-01-01.
    in_days: bool,
}

impl Column {
    /// A column from its parts.
    ///
    /// # Errors
    /// When the values are not strictly ascending (or repeat), or a code has no value.
    pub fn new(name: impl Into<String>, values: Values, codes: Codes) -> Result<Self> {
        let name = name.into();
        values.check().map_err(|error| error.of_attribute(&name))?;
        let highest = codes.max().map_or(0, |code| code as usize + 1);
        if highest > values.len() + 1 {
            return Err(Error::input("a code has no value").of_attribute(name));
        }
        Ok(Self { missing: highest > values.len(), name, values, codes, in_days: false })
    }

    /// A categorical column from strings, `None` where the value is missing.
    pub fn from_texts<S: AsRef<str>>(name: &str, cells: &[Option<S>]) -> Self {
        let mut values: Vec<&str> = cells.iter().flatten().map(AsRef::as_ref).collect();
        values.sort_unstable();
        values.dedup();
        let code = |cell: &Option<S>| match cell {
            Some(text) => values.partition_point(|value| *value < text.as_ref()) as u32,
            None => values.len() as u32,
        };
        let codes = Codes::collect(values.len() + 1, cells.iter().map(code));
        let missing = cells.iter().any(Option::is_none);
        Self {
            name: name.to_owned(),
            values: Values::Categorical(values.iter().collect()),
            codes,
            missing,
            in_days: false,
        }
    }

    /// A numeric column from finite numbers, `None` where the value is missing.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn from_numbers(name: &str, cells: &[Option<f64>]) -> Result<Self> {
        // Adding zero turns -0.0 into 0.0, so that equal numbers get one code.
        let mut values: Vec<f64> = cells.iter().flatten().map(|number| number + 0.0).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let code = |cell: &Option<f64>| match cell {
            Some(number) => values.partition_point(|value| value < number) as u32,
            None => values.len() as u32,
        };
        let codes = Codes::collect(values.len() + 1, cells.iter().map(code));
        Self::new(name, Values::Numeric(values), codes)
    }

    /// A column of numbers that all fit a code, without missing values.
    pub(crate) fn from_codes_of_numbers(name: &str, numbers: &[u32]) -> Self {
        let mut values = numbers.to_vec();
        values.sort_unstable();
        values.dedup();
        let code = |number: &u32| values.partition_point(|value| value < number) as u32;
        let codes = Codes::collect(values.len(), numbers.iter().map(code));
        let values = Values::Numeric(values.iter().map(|&number| f64::from(number)).collect());
        Self { name: name.to_owned(), values, codes, missing: false, in_days: false }
    }

    /// The attribute's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same column under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The value table.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// What the values are.
    pub fn kind(&self) -> Kind {
        self.values.kind()
    }

    /// The codes, one per row.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The code of a row.
    #[inline]
    pub fn code(&self, row: usize) -> u32 {
        self.codes.get(row)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Whether a value is missing somewhere.
    pub fn has_missing(&self) -> bool {
        self.missing
    }

    /// The code of a missing value: one past the last value's.
    pub fn missing_code(&self) -> u32 {
        self.values.len() as u32
    }

    /// The number of codes that can occur: the values, and one more if a value is missing somewhere.
    pub fn code_count(&self) -> usize {
        self.values.len() + usize::from(self.missing)
    }

    /// The same rows, in the order given; the value table stays whole.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let missing_code = self.missing_code();
        let codes = with_codes!(&self.codes, codes => {
            Codes::collect(self.values.len() + 1, rows.iter().map(|&row| codes[row as usize].wide()))
        });
        let missing = self.missing && codes.iter().any(|code| code == missing_code);
        Self { name: self.name.clone(), values: self.values.clone(), codes, missing, in_days: self.in_days }
    }

    /// The same rows with a value table of the values that occur, so that it contains nothing else.
    #[must_use]
    pub fn compacted(&self) -> Self {
        let mut occurs = vec![false; self.values.len() + 1];
        self.codes.iter().for_each(|code| occurs[code as usize] = true);
        let kept: Vec<usize> = (0..self.values.len()).filter(|&code| occurs[code]).collect();
        if kept.len() == self.values.len() {
            return self.clone();
        }
        let mut number = vec![kept.len() as u32; self.values.len() + 1];
        (0..).zip(&kept).for_each(|(new, &old)| number[old] = new);
        let texts = |texts: &Texts| kept.iter().map(|&code| texts.get(code)).collect();
        let values = match &self.values {
            Values::Numeric(numbers) => Values::Numeric(kept.iter().map(|&code| numbers[code]).collect()),
            Values::Categorical(all) => Values::Categorical(texts(all)),
            Values::Ordered(all) => Values::Ordered(texts(all)),
        };
        let codes = Codes::collect(kept.len() + 1, self.codes.iter().map(|code| number[code as usize]));
        Self { name: self.name.clone(), values, codes, missing: self.missing, in_days: self.in_days }
    }

    /// Whether its numbers are days since 1970-01-01, made from dates.
    pub fn is_in_days(&self) -> bool {
        self.in_days
    }

    /// The same column, whose numbers are days if those of another are.
    #[must_use]
    pub fn dated_as(mut self, other: &Self) -> Self {
        self.in_days = other.in_days && self.values.kind() == Kind::Numeric;
        self
    }

    /// The same column with its dates as numbers, days since 1970-01-01. None if its values are not ordered dates.
    #[must_use]
    pub fn in_days(&self) -> Option<Self> {
        let Values::Ordered(texts) = &self.values else { return None };
        let day = |text: &str| Date::parse(text, None).map(|date| f64::from(date.days()));
        let days: Vec<f64> = texts.iter().map(day).collect::<Option<_>>()?;
        let ascending = days.windows(2).all(|pair| pair[0] < pair[1]);
        let (name, codes, missing) = (self.name.clone(), self.codes.clone(), self.missing);
        ascending.then_some(Self { name, values: Values::Numeric(days), codes, missing, in_days: true })
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Numeric(numbers) => size_of_val(numbers.as_slice()),
            Values::Categorical(texts) | Values::Ordered(texts) => texts.bytes(),
        };
        values + self.codes.bytes()
    }
}
