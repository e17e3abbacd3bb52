//! Recursive (c,l)-diversity: with the counts of a span's private values sorted r₁ ≥ r₂ ≥ …, `r₁ < c·(r_l + … + r_m)`
//! (Machanavajjhala et al., 2007). Closed under merging (their Theorem on monotonicity).

use super::Histogram;
use crate::error::{Error, Result};
use std::fmt;

/// Recursive (c,l)-diversity of every span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecursiveL {
    c: f64,
    l: u32,
}

/// `r₁ / (r_l + … + r_m)`: the span is (c,l)-diverse for every c above it. Infinite if there are fewer than l values.
pub fn measure(values: &Histogram<'_>, l: u32) -> f64 {
    let frequent = l.saturating_sub(1) as usize;
    let rare = values.total - highest_together(values, frequent);
    match (values.highest(), rare) {
        (0, _) => 0.0,
        (_, 0) => f64::INFINITY,
        (most, rare) => most as f64 / rare as f64,
    }
}

/// The sum of the given number of highest counts. It allocates nothing if they are few, as for every usual l.
fn highest_together(values: &Histogram<'_>, many: usize) -> u64 {
    const FEW: usize = 16;
    let counts = values.counts.iter().map(|(_, count)| count);
    if many > FEW {
        let mut counts: Vec<u64> = counts.collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        return counts.iter().take(many).sum();
    }
    let mut highest = [0; FEW];
    let highest = &mut highest[..many];
    for count in counts {
        let place = highest.partition_point(|&other| other >= count);
        if place < many {
            highest[place..].rotate_right(1);
            highest[place] = count;
        }
    }
    highest.iter().sum()
}

impl RecursiveL {
    pub(super) fn new(c: f64, l: u32) -> Result<Self> {
        if !(c.is_finite() && c > 0.0) {
            return Err(Error::parameters("the c of recursive (c,l)-diversity must be a number above 0"));
        }
        if l == 0 {
            return Err(Error::parameters("the l of recursive (c,l)-diversity must be at least 1"));
        }
        Ok(Self { c, l })
    }

    /// The c.
    pub fn c(self) -> f64 {
        self.c
    }

    /// The l.
    pub fn l(self) -> u32 {
        self.l
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values, self.l) < self.c
    }
}

impl fmt::Display for RecursiveL {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "recursive (c, l) = ({}, {})", self.c, self.l)
    }
}
