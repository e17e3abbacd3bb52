//! Differences of squared distances in doubles, with bounds on the rounding error.
//!
//! Every axis is measured in units of a power of two in which its numbers are below 2 in size, and all parts of squared
//! distances in units of one power of two in which the heaviest axis weighs at most 1. So nothing overflows, and
//! results do not depend on the units of a clustering. Underflow is less than [`UNDERFLOW`] in total.

use super::space::{Bound, ClusterSpace, Place};

#[cfg(test)]
mod tests;

/// More than all that can get lost below the smallest double: a loss is below 2^-1000, and is multiplied by less than
/// 2^100 and added up less than 2^50 times.
const UNDERFLOW: f64 = power(-800);

/// What it takes to compare centroids of some axes.
pub(super) struct Measure {
    axes: Vec<AxisMeasure>,
    /// The centres in units of each axis.
    pub(super) near: Vec<Vec<f64>>,
    /// For each axis of names and each centroid the sum of its squared coordinates, times the weight.
    squares: Vec<Vec<f64>>,
    /// For each axis of names and each pair of centroids how much farther the one is than the other over all names:
    /// the middle, and half the width. Empty unless asked for.
    spreads: Vec<Vec<(f64, f64)>>,
    /// What rounding can do to a sum of parts of distances, as a share of the sizes of what was added up.
    rounding: f64,
}

/// How an axis is measured.
pub(super) struct AxisMeasure {
    start: usize,
    /// What numbers are multiplied by: a power of two.
    pub(super) unit: f64,
    /// What parts of squared distances are multiplied by.
    pub(super) weight: f64,
    /// The largest number of anyone, in the axis's unit.
    largest: f64,
}

/// A difference of squared distances, and how far from the truth it can be.
#[derive(Clone, Copy)]
pub(super) struct Farther {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Measure {
    pub(super) fn new(space: &ClusterSpace<'_>, centers: &[&[f64]]) -> Self {
        let coordinates: usize = space.axes.iter().map(|axis| axis.names().max(1)).sum();
        let units: Vec<i32> = space.axes.iter().map(|axis| unit(axis, centers)).collect();
        let differs = |axis: &Bound<'_>| {
            axis.coordinates().any(|at| centers.iter().any(|center| differ(center[at], centers[0][at])))
        };
        // Squares of units over squares of scales: `2^exponent / mantissa²`.
        let weights = space.axes.iter().zip(&units).map(|(axis, &unit)| {
            let (mantissa, exponent) = split(axis.scale);
            differs(axis).then_some((2 * (unit - exponent), mantissa))
        });
        let weights: Vec<Option<(i32, f64)>> = weights.collect();
        let heaviest = weights.iter().flatten().map(|&(exponent, _)| exponent).max().unwrap_or(0);
        let weight = |weight: &Option<(i32, f64)>| {
            weight.map_or(0.0, |(exponent, mantissa)| power(exponent - heaviest) / (mantissa * mantissa))
        };
        let axes = space.axes.iter().zip(&units).zip(&weights).map(|((axis, &exponent), own)| AxisMeasure {
            start: axis.start,
            unit: power(-exponent),
            weight: weight(own),
            largest: axis.largest * power(-exponent),
        });
        let mut measure = Self {
            axes: axes.collect(),
            near: centers.iter().map(|_| Vec::new()).collect(),
            squares: Vec::new(),
            spreads: Vec::new(),
            rounding: (coordinates + 16) as f64 * power(-51),
        };
        for (axis, own) in space.axes.iter().zip(&measure.axes) {
            for (near, center) in measure.near.iter_mut().zip(centers) {
                near.extend(center[axis.coordinates()].iter().map(|c| c * own.unit));
            }
            let square =
                |near: &Vec<f64>| near[axis.coordinates()].iter().map(|c| c * c).sum::<f64>() * own.weight;
            let has_names = axis.names() > 0;
            measure.squares.push(if has_names {
                measure.near.iter().map(square).collect()
            } else {
                Vec::new()
            });
        }
        measure
    }

    /// Finds the spreads of all axes of names.
    pub(super) fn spread_names(&mut self, space: &ClusterSpace<'_>) {
        let centroids = self.near.len();
        let of_axis = |(number, axis): (usize, &Bound<'_>)| {
            let of_pair = |pair: usize| {
                let names = (0..axis.names() as u32).map(Place::Name);
                let of_name = |name: Place| self.on(number, name, pair / centroids, pair % centroids);
                let (low, high) = names
                    .map(of_name)
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
                (f64::midpoint(low, high), (high - low) / 2.0)
            };
            let pairs = if axis.names() > 0 { centroids * centroids } else { 0 };
            (0..pairs).map(of_pair).collect()
        };
        self.spreads = space.axes.iter().enumerate().map(of_axis).collect();
    }

    /// How much farther centroid `j` is than centroid `i` on an axis of names, over all names.
    pub(super) fn spread(&self, axis: usize, j: usize, i: usize) -> (f64, f64) {
        self.spreads[axis][j * self.near.len() + i]
    }

    pub(super) fn axis(&self, axis: usize) -> &AxisMeasure {
        &self.axes[axis]
    }

    /// How much farther centroid `j` is than centroid `i` on an axis, as squared distances from a place.
    pub(super) fn on(&self, axis: usize, place: Place, j: usize, i: usize) -> f64 {
        let own = &self.axes[axis];
        match place {
            Place::Number(x) => {
                let (ci, cj) = (self.near[i][own.start], self.near[j][own.start]);
                (ci - cj) * (2.0 * own.unit * x - (ci + cj)) * own.weight
            }
            Place::Name(name) => {
                let at = own.start + name as usize;
                let along = 2.0 * own.unit * (self.near[i][at] - self.near[j][at]) * own.weight;
                self.squares[axis][j] - self.squares[axis][i] + along
            }
            Place::OtherName => self.squares[axis][j] - self.squares[axis][i],
        }
    }

    /// The size of all that is added up for that.
    fn size_on(&self, axis: usize, place: Place, j: usize, i: usize) -> f64 {
        let own = &self.axes[axis];
        match place {
            Place::Number(x) => {
                let (ci, cj) = (self.near[i][own.start], self.near[j][own.start]);
                (ci - cj).abs() * (2.0 * own.unit * x.abs() + ci.abs() + cj.abs()) * own.weight
            }
            Place::Name(name) => {
                let at = own.start + name as usize;
                let along = 2.0 * own.unit * (self.near[i][at].abs() + self.near[j][at].abs()) * own.weight;
                self.squares[axis][j] + self.squares[axis][i] + along
            }
            Place::OtherName => self.squares[axis][j] + self.squares[axis][i],
        }
    }

    /// A bound on the size of what is added up on some axes for anyone's place and any two centroids.
    pub(super) fn size(&self, axes: &[usize]) -> f64 {
        let of_axis = |&axis: &usize| {
            let own = &self.axes[axis];
            let most = |width: std::ops::Range<usize>| {
                self.near
                    .iter()
                    .flat_map(|near| &near[width.clone()])
                    .fold(0.0_f64, |most, c| c.abs().max(most))
            };
            if self.squares[axis].is_empty() {
                let most = most(own.start..own.start + 1);
                2.0 * most * (2.0 * own.largest + 2.0 * most) * own.weight
            } else {
                let squares = self.squares[axis].iter().fold(0.0_f64, |most, &square| square.max(most));
                let end = self.axes.get(axis + 1).map_or(self.near[0].len(), |next| next.start);
                2.0 * squares + 4.0 * own.unit * most(own.start..end) * own.weight
            }
        };
        axes.iter().map(of_axis).sum()
    }

    /// What rounding can do to sums of parts of such a size.
    pub(super) fn error(&self, size: f64) -> f64 {
        self.rounding * size + UNDERFLOW
    }

    /// The same over some axes for one place, which is closer than for all.
    pub(super) fn error_at(&self, places: &[Place], j: usize, i: usize, axes: &[usize]) -> f64 {
        self.error(axes.iter().map(|&axis| self.size_on(axis, places[axis], j, i)).sum())
    }

    /// How much farther centroid `j` is than centroid `i` over some axes.
    pub(super) fn over(&self, places: &[Place], j: usize, i: usize, axes: &[usize]) -> f64 {
        axes.iter().map(|&axis| self.on(axis, places[axis], j, i)).sum()
    }

    /// The same at one private number, in the axis's own unit, with its error.
    pub(super) fn at(&self, axis: usize, number: f64, j: usize, i: usize) -> Farther {
        let place = Place::Number(number);
        Farther { value: self.on(axis, place, j, i), error: self.error(self.size_on(axis, place, j, i)) }
    }
}

/// Whether a difference is above 0, if an error of this size leaves no doubt.
pub(super) fn is_ahead(difference: f64, error: f64) -> Option<bool> {
    (difference.abs() > error).then_some(difference.is_sign_positive())
}

/// Whether two numbers are different, to the last bit.
pub(super) fn differ(a: f64, b: f64) -> bool {
    a < b || b < a
}

/// The power of two an axis is measured in: all its numbers and centres are below twice that, if they are not far
/// beyond the usual.
fn unit(axis: &Bound<'_>, centers: &[&[f64]]) -> i32 {
    let numbers = centers.iter().flat_map(|center| &center[axis.coordinates()]);
    let largest = numbers.fold(axis.largest, |most, c| c.abs().max(most));
    if largest > 0.0 { split(largest).1.clamp(-1000, 1000) } else { 0 }
}

/// A number above 0 as one from 1 to 2 and a power of two.
fn split(number: f64) -> (f64, i32) {
    const LIFT: i32 = 100;
    let (number, lift) = if number < f64::MIN_POSITIVE { (number * power(LIFT), LIFT) } else { (number, 0) };
    let exponent = (number.to_bits() >> 52) as i32 - 1023;
    (number * power(-exponent / 2) * power(exponent / 2 - exponent), exponent - lift)
}

/// A power of two; 0 if it is far below what counts.
const fn power(exponent: i32) -> f64 {
    if exponent < -1022 { 0.0 } else { f64::from_bits(((exponent + 1023) as u64) << 52) }
}
