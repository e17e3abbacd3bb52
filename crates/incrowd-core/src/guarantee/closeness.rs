//! t-closeness: the distribution of the private values in a span is within an earth mover's distance of t from that in
//! the whole table (Li, Li, Venkatasubramanian, 2007).
//!
//! - *Equal* distance (any two values are 1 apart): `Σ max(0, p_v − q_v)`.
//! - *Ordered* distance (values i and j are |i − j|/(m − 1) apart): `Σ_i |P_i − Q_i| / (m − 1)` over the cumulative
//!   shares of the m values that occur in the table. Values that a policy declares but no individual has do not count:
//!   the longer the list, the closer all values would be.
//!
//! Values without an order are all 1 apart with either distance, because the order in which they are listed has no
//! meaning. This errs on the safe side, since the equal distance is never smaller than the ordered one.
//!
//! Both distances are computed as one fraction of integers, so rounding errors do not accumulate; the ordered distance
//! takes O(s log m) time if s of m values occur. Closed under merging: both are convex in p.

use super::Histogram;
use crate::choice;
use crate::error::{Error, Result};
use std::fmt;

/// How far apart two values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Distance {
    /// Any two values are 1 apart.
    #[default]
    Equal,
    /// By their ranks: the lowest and the highest value are 1 apart. Values without an order are all 1 apart.
    Ordered,
}

choice!(Distance, "distance" {
    Equal => "equal", "The distance between any two values is 1.";
    Ordered => "ordered", "The distance between two values depends on their ranks.";
});

/// The distribution of private values in a span is at most t away from that in the whole table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TCloseness {
    t: f64,
    distance: Distance,
}

/// The earth mover's distance between the span and the whole table.
pub fn measure(values: &Histogram<'_>, distance: Distance) -> f64 {
    let (here, whole) = (u128::from(values.total), u128::from(values.whole.total()));
    if here == 0 {
        return 0.0;
    }
    match distance {
        Distance::Ordered if values.whole.is_ordered() => {
            let steps = values.whole.occurring().saturating_sub(1).max(1) as u128;
            ordered_area(values) as f64 / (here * whole * steps) as f64
        }
        Distance::Equal | Distance::Ordered => {
            let excess = |(value, count): (u32, u64)| {
                (u128::from(count) * whole).saturating_sub(u128::from(values.whole.count(value)) * here)
            };
            values.counts.iter().map(excess).sum::<u128>() as f64 / (here * whole) as f64
        }
    }
}

/// `Σ_i |N·P_i − n·Q_i|` with cumulative counts P of the span (n in all) and Q of the table (N in all).
fn ordered_area(values: &Histogram<'_>) -> u128 {
    let whole = u128::from(values.whole.total());
    let (mut area, mut from, mut up_to) = (0, 0, 0_u128);
    for (value, count) in values.counts.iter() {
        let rank = values.whole.rank(value);
        area += values.whole.area(from, rank, up_to * whole, u128::from(values.total));
        up_to += u128::from(count);
        from = rank;
    }
    area + values.whole.area(from, values.whole.occurring(), up_to * whole, u128::from(values.total))
}

impl TCloseness {
    pub(super) fn new(t: f64, distance: Distance) -> Result<Self> {
        if !(0.0..=1.0).contains(&t) {
            return Err(Error::parameters("t must be between 0 and 1"));
        }
        Ok(Self { t, distance })
    }

    /// The largest distance allowed.
    pub fn t(self) -> f64 {
        self.t
    }

    /// How far apart two values are.
    pub fn distance(self) -> Distance {
        self.distance
    }

    pub(super) fn holds(self, values: &Histogram<'_>) -> bool {
        measure(values, self.distance) <= self.t
    }
}

impl fmt::Display for TCloseness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t = {} ({} distance)", self.t, self.distance)
    }
}
