//! How an attribute generalizes, as a policy states it.

use super::TreeSpec;
use crate::error::{Error, Result};

/// How the values of an attribute generalize, as the policy states it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TaxonomySpec {
    /// A tree given value by value.
    Tree(TreeSpec),
    /// Numeric intervals of one width.
    Intervals(Intervals),
    /// Numeric intervals with about as many individuals each.
    Quantiles(Quantiles),
    /// Numeric intervals with round bounds.
    ///
    /// Widths are 1·10ⁿ and 5·10ⁿ, each level the next: every 5·10ⁿ lies in one 1·10ⁿ⁺¹. (2·10ⁿ would not: `[20, 40)`
    /// is in no interval of width 50.) The finest is the narrowest that is wider than the closest two values are
    /// apart and gives at most a thousand intervals.
    Round,
    /// Codes that lose their last characters: 12345, 1234\*, 123\*\* …
    Prefix(Prefix),
    /// Dates by the calendar: day, month, quarter, year.
    Calendar,
    /// Every value directly under the root.
    Flat,
}

impl TaxonomySpec {
    /// Whether it is a rule for numbers only.
    pub fn needs_numbers(&self) -> bool {
        matches!(self, Self::Intervals(_) | Self::Quantiles(_) | Self::Round)
    }
}

/// Numeric intervals of one width; each further level merges `factor` neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intervals {
    pub(super) width: f64,
    pub(super) origin: f64,
    pub(super) factor: u32,
}

impl Intervals {
    /// Intervals of a width, one of which begins at the origin.
    ///
    /// # Errors
    /// When the width is not a positive number, the origin not finite, or the factor not from 2 to 1000.
    pub fn new(width: f64, origin: f64, factor: u32) -> Result<Self> {
        if !(width.is_finite() && width > 0.0) {
            return Err(Error::input("the width of intervals must be a positive number"));
        }
        if !origin.is_finite() {
            return Err(Error::input("the origin of intervals must be a number"));
        }
        Ok(Self { width, origin, factor: checked_factor(factor)? })
    }
}

/// Numeric intervals with about as many individuals each; each further level merges `factor` neighbours.
///
/// The bounds follow the data: they reveal roughly where its quantiles are. They are short decimals between two values,
/// never a value of the data where there is anything between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantiles {
    pub(super) count: u32,
    pub(super) factor: u32,
}

impl Quantiles {
    /// That many intervals (fewer where values repeat).
    ///
    /// # Errors
    /// When the count is not from 2 to 10,000 or the factor not from 2 to 1000.
    pub fn new(count: u32, factor: u32) -> Result<Self> {
        if !(2..=10_000).contains(&count) {
            return Err(Error::input("the number of quantiles must be from 2 to 10000"));
        }
        Ok(Self { count, factor: checked_factor(factor)? })
    }
}

fn checked_factor(factor: u32) -> Result<u32> {
    if (2..=1000).contains(&factor) {
        Ok(factor)
    } else {
        Err(Error::input("the factor (neighbours merged per level) must be from 2 to 1000"))
    }
}

/// Codes that lose `step` characters per level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix {
    pub(super) step: u32,
    pub(super) mask: char,
    pub(super) pad: Option<char>,
}

impl Prefix {
    /// Masks `step` more characters per level; `pad` fills shorter codes up on the left before.
    ///
    /// # Errors
    /// When the step is 0, the mask or the pad is a control character, or both are the same.
    pub fn new(step: u32, mask: char, pad: Option<char>) -> Result<Self> {
        if step == 0 {
            return Err(Error::input("the step of a prefix taxonomy must be at least 1"));
        }
        if mask.is_control() || pad.is_some_and(char::is_control) {
            return Err(Error::input("the mask and the pad of a prefix taxonomy must be visible characters"));
        }
        if pad == Some(mask) {
            return Err(Error::input("the mask and the pad of a prefix taxonomy must differ"));
        }
        Ok(Self { step, mask, pad })
    }

    /// What characters are masked with.
    pub fn mask(self) -> char {
        self.mask
    }

    /// What shorter codes are filled up with on the left.
    pub fn pad(self) -> Option<char> {
        self.pad
    }
}
