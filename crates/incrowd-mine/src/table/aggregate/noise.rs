//! Noise on numbers.

use super::show::decimals;
use crate::table::params::CheckedTableParams;
use crate::table::task::{Attribute, Task};
use incrowd_core::Result;
use incrowd_core::random::Random;
use incrowd_core::table::Column;

/// An attribute with noise on its numbers; names as they are. Every row of every attribute has a stream of its own, so
/// that threads do not matter.
pub(super) fn noisy(
    task: &Task<'_>,
    attribute: &Attribute<'_>,
    params: &CheckedTableParams,
) -> Result<Column> {
    let column = attribute.column;
    let Some(numbers) = column.values().numbers() else { return Ok(column.clone()) };
    let spread = params.noise * deviation(task, attribute);
    if !(spread > 0.0 && spread.is_finite()) {
        return Ok(column.clone());
    }
    let places = decimals(numbers);
    let seed = Random::of(params.seed, attribute.place as u64).bits();
    let cell = |(row, code): (usize, u32)| {
        let number = *numbers.get(code as usize)?;
        let noise = spread * Random::of(seed, row as u64).bell();
        let noisy = rounded(number + noise, places);
        Some(if noisy.is_finite() { noisy } else { number })
    };
    let cells: Vec<Option<f64>> = column.codes().iter().enumerate().map(cell).collect();
    Column::from_numbers(column.name(), &cells)
}

/// The standard deviation of an attribute's numbers, weights counted.
fn deviation(task: &Task<'_>, attribute: &Attribute<'_>) -> f64 {
    let numbers = || {
        let rows = 0..task.table.rows();
        rows.filter_map(|row| {
            Some((attribute.number(attribute.code(row as u32))?, f64::from(task.table.weight(row))))
        })
    };
    let size: f64 = numbers().map(|(_, weight)| weight).sum();
    if size == 0.0 {
        return 0.0;
    }
    let mean = numbers().map(|(number, weight)| number * weight / size).sum::<f64>();
    let variance = numbers().map(|(number, weight)| (number - mean).powi(2) * weight / size).sum::<f64>();
    variance.sqrt()
}

/// A number rounded to this many decimals; never −0.
fn rounded(number: f64, places: u32) -> f64 {
    let unit = 10_f64.powi(places as i32);
    let scaled = number * unit;
    if scaled.abs() < 1e15 { scaled.round() / unit + 0.0 } else { number }
}
