//! The coordinates of a clustering, all multiplied by one number that makes them whole.

use super::value::Value;
use crate::error::Result;
use crate::model::{Axis, Clusters, Domain};
use crate::policy::Policy;
use crate::table::Table;
use num_bigint::BigInt;

/// What coordinates are multiplied by: two to some power, and the odd parts of all scales.
pub(super) struct Units {
    power: i32,
    scales: Vec<(BigInt, i32)>,
}

impl Units {
    pub(super) fn new(table: &Table, policy: &Policy, clusters: &Clusters) -> Result<Self> {
        let scales: Vec<(BigInt, i32)> = clusters.axes().iter().map(|axis| parts(axis.scale)).collect();
        let (mut power, mut start) = (0, 0);
        for (axis, (_, exponent)) in clusters.axes().iter().zip(&scales) {
            let centers = clusters.centroids().iter().flat_map(|c| &c.center[start..start + axis.width()]);
            let mut numbers: Vec<f64> = centers.copied().chain([1.0]).collect();
            numbers.extend(numbers_of(table, policy, axis)?);
            let needed = numbers.into_iter().map(|number| exponent - parts(number).1);
            power = needed.fold(power, i32::max);
            start += axis.width();
        }
        Ok(Self { power, scales })
    }

    /// A number of an axis, divided by the axis's scale and multiplied by what makes that whole.
    pub(super) fn coordinate(&self, axis: usize, number: f64) -> BigInt {
        let (odd, exponent) = parts(number);
        let others = self.scales.iter().enumerate().filter(|(other, _)| *other != axis);
        let product = others.fold(odd, |product, (_, (scale, _))| product * scale);
        if number == 0.0 { product } else { product << (exponent - self.scales[axis].1 + self.power) }
    }
}

/// The numbers of the table and the finite ends of the ranges of an axis.
fn numbers_of(table: &Table, policy: &Policy, axis: &Axis) -> Result<Vec<f64>> {
    let Domain::Numbers { low, high } = axis.domain else { return Ok(Vec::new()) };
    let column = table.require(&axis.name)?;
    let rows = (0..column.len()).filter_map(|row| match Value::of_row(column, row) {
        Value::Number(number) => Some(number),
        _ => None,
    });
    let declared = policy.attribute(&axis.name).and_then(|attribute| attribute.range);
    let ends = declared.into_iter().flat_map(|(low, high)| [low, high]).chain([low, high]);
    Ok(rows.chain(ends.filter(|end| end.is_finite())).collect())
}

/// A finite number as an odd number, or zero, times a power of two.
fn parts(number: f64) -> (BigInt, i32) {
    const FITS: f64 = 1e18;
    let (mut whole, mut exponent) = (number, 0);
    while whole.fract() != 0.0 {
        whole *= 2.0;
        exponent -= 1;
    }
    while whole.abs() > FITS || (whole != 0.0 && whole % 2.0 == 0.0) {
        whole /= 2.0;
        exponent += 1;
    }
    (BigInt::from(whole as i64), exponent)
}
