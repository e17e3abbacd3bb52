//! How much a tree reveals about the individuals in its leaves: their counts, rounded shares, or only a label.

use crate::error::{Error, Result};
use serde::{Serialize, Serializer};
use std::fmt;

/// How much the leaves of a tree reveal about the individuals in them; later ones reveal more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The label alone.
    Labels,
    /// The share of each class value, rounded to this many decimal digits, and no population.
    Shares {
        /// The number of digits after the point.
        digits: u8,
    },
    /// The population of each class value.
    Counts,
}

impl Detail {
    /// The most digits shares can be rounded to.
    pub const MAX_DIGITS: u8 = 9;

    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Labels => "labels",
            Self::Shares { .. } => "shares",
            Self::Counts => "counts",
        }
    }

    /// Fails if shares are requested with an impossible number of digits.
    ///
    /// # Errors
    /// When there are no digits or more than [`Detail::MAX_DIGITS`].
    pub fn check(self) -> Result<()> {
        match self {
            Self::Shares { digits } if !(1..=Self::MAX_DIGITS).contains(&digits) => {
                Err(Error::parameters("shares cannot be rounded to this number of digits")
                    .help(format!("give a number from 1 to {}", Self::MAX_DIGITS)))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shares { digits: 1 } => f.write_str("shares of 1 digit"),
            Self::Shares { digits } => write!(f, "shares of {digits} digits"),
            other => f.write_str(other.name()),
        }
    }
}

impl Serialize for Detail {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What one leaf reveals about the individuals in it besides its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeafContents {
    /// Nothing.
    Nothing,
    /// The share of each class value, rounded.
    Shares(Shares),
    /// The population of each of its bins, one per class value.
    Counts(Vec<u64>),
}

impl LeafContents {
    /// The populations, where they are released.
    pub fn counts(&self) -> Option<&[u64]> {
        match self {
            Self::Counts(counts) => Some(counts),
            Self::Nothing | Self::Shares(_) => None,
        }
    }

    /// The rounded shares, where these are released instead of populations.
    pub fn shares(&self) -> Option<&Shares> {
        match self {
            Self::Shares(shares) => Some(shares),
            Self::Nothing | Self::Counts(_) => None,
        }
    }

    /// The same in no more detail than requested. Shares are made of counts only; a leaf without individuals has none.
    pub(super) fn in_detail(&self, detail: Detail) -> Self {
        match (self, detail) {
            (Self::Counts(counts), Detail::Shares { digits }) => {
                Shares::of_counts(counts, digits).map_or(Self::Nothing, Self::Shares)
            }
            (_, Detail::Labels) => Self::Nothing,
            (told, Detail::Counts | Detail::Shares { .. }) => told.clone(),
        }
    }
}

impl From<Option<Vec<u64>>> for LeafContents {
    fn from(counts: Option<Vec<u64>>) -> Self {
        counts.map_or(Self::Nothing, Self::Counts)
    }
}

/// Shares of the class values, rounded half up, each independently: they need not add up to 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    digits: u8,
    /// As multiples of the last digit.
    parts: Vec<u32>,
}

impl Shares {
    /// Shares given as multiples of the last digit.
    ///
    /// # Errors
    /// When the digits are too few or too many, or a share is above 1.
    pub fn new(parts: Vec<u32>, digits: u8) -> Result<Self> {
        Detail::Shares { digits }.check()?;
        if parts.iter().any(|&part| u64::from(part) > unit(digits)) {
            return Err(Error::input("a share is above 1").help("shares are between 0 and 1"));
        }
        Ok(Self { digits, parts })
    }

    /// Shares from numbers between 0 and 1 with this many digits after the point.
    ///
    /// # Errors
    /// When a number is not one of these.
    pub fn of_numbers(numbers: &[f64], digits: u8) -> Result<Self> {
        Detail::Shares { digits }.check()?;
        let part = |&number: &f64| {
            let part = (number * unit(digits) as f64).round();
            let exact =
                (0.0..=unit(digits) as f64).contains(&part) && same(part / unit(digits) as f64, number);
            exact.then_some(part as u32).ok_or_else(|| {
                Error::input(format!(
                    "a share is not a number from 0 to 1 with {digits} decimal digit{}",
                    if digits == 1 { "" } else { "s" }
                ))
                .help("round it, or correct the number of digits")
            })
        };
        Ok(Self { digits, parts: numbers.iter().map(part).collect::<Result<_>>()? })
    }

    /// The shares of populations; `None` if no individual is there or the digits are not possible.
    pub fn of_counts(counts: &[u64], digits: u8) -> Option<Self> {
        Detail::Shares { digits }.check().ok()?;
        let all: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        let unit = u128::from(unit(digits));
        let rounded = |&count: &u64| {
            let part = (2 * u128::from(count) * unit + all).checked_div(2 * all)?;
            u32::try_from(part).ok()
        };
        Some(Self { digits, parts: counts.iter().map(rounded).collect::<Option<_>>()? })
    }

    /// The number of digits after the point.
    pub fn digits(&self) -> u8 {
        self.digits
    }

    /// The shares as multiples of the last digit.
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    /// The shares as numbers.
    pub fn numbers(&self) -> Vec<f64> {
        self.parts.iter().map(|&part| f64::from(part) / unit(self.digits) as f64).collect()
    }
}

/// The number of units in the last digit that make 1.
fn unit(digits: u8) -> u64 {
    10_u64.pow(u32::from(digits.min(Detail::MAX_DIGITS)))
}

#[allow(clippy::float_cmp, reason = "a share is written with the digits that read back as the same number")]
fn same(a: f64, b: f64) -> bool {
    a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_half_up_each_by_itself() {
        let parts = |counts: &[u64], digits| Shares::of_counts(counts, digits).map(|shares| shares.parts);
        assert_eq!(parts(&[1, 1, 1], 2), Some(vec![33, 33, 33]));
        assert_eq!(parts(&[1, 7], 2), Some(vec![13, 88]));
        assert_eq!(parts(&[u64::MAX, u64::MAX], 9), Some(vec![500_000_000; 2]));
        assert_eq!(parts(&[0, 0], 2), None);
        assert_eq!(parts(&[1], 0), None);
        assert_eq!(parts(&[1], 10), None);
    }

    #[test]
    fn numbers_are_shares_of_the_digits_stated_or_nothing() {
        for part in 0..=1000_u32 {
            let shares = Shares::new(vec![part], 3).unwrap();
            assert_eq!(Shares::of_numbers(&shares.numbers(), 3), Ok(shares));
        }
        for wrong in [0.125, -0.01, 1.01, f64::NAN, f64::INFINITY] {
            assert!(Shares::of_numbers(&[wrong], 2).is_err(), "{wrong}");
        }
        assert!(Shares::new(vec![101], 2).is_err());
    }

    #[test]
    fn details_are_in_the_order_of_what_they_tell() {
        let all =
            [Detail::Labels, Detail::Shares { digits: 1 }, Detail::Shares { digits: 2 }, Detail::Counts];
        assert!(all.is_sorted());
        let told = LeafContents::Counts(vec![1, 3]);
        assert_eq!(told.in_detail(Detail::Counts), told);
        assert_eq!(told.in_detail(Detail::Labels), LeafContents::Nothing);
        let shares = told.in_detail(Detail::Shares { digits: 2 });
        assert_eq!(shares.shares().map(Shares::numbers), Some(vec![0.25, 0.75]));
        assert_eq!(
            LeafContents::Counts(vec![0, 0]).in_detail(Detail::Shares { digits: 2 }),
            LeafContents::Nothing
        );
    }
}
