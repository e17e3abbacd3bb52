//! The waveform generator of Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees" (1984), in the
//! form of UCI's "Waveform Database Generator (Version 2)": 21 attributes with a signal and 19 without.

use super::{sure, table};
use crate::random::Random;
use crate::table::{Codes, Column, Table, Values};
use rayon::prelude::*;

const SIGNAL: usize = 21;
const ATTRIBUTES: usize = 40;

/// Rows drawn from three classes of waves, each as likely: `x1` … `x40` with two decimals, and `class` (`0`, `1`, `2`).
///
/// A wave of a class is a random mixture of two of three triangles of height 6; to each of the first 21 attributes
/// standard normal noise is added, and the other 19 are only such noise.
///
/// # Panics
/// When there are more than `u32::MAX` rows.
pub fn waveform(rows: usize, seed: u64) -> Table {
    let drawn: Vec<([i16; ATTRIBUTES], u8)> =
        (0..rows as u64).into_par_iter().map(|row| draw(&mut Random::of(seed, row))).collect();
    let attribute = |i: usize| {
        let hundredths: Vec<i16> = drawn.iter().map(|(cells, _)| cells[i]).collect();
        decimals(&format!("x{}", i + 1), &hundredths)
    };
    let mut columns: Vec<Column> = (0..ATTRIBUTES).into_par_iter().map(attribute).collect();
    let class = |(_, class): &([i16; ATTRIBUTES], u8)| Some(["0", "1", "2"][usize::from(*class)]);
    columns.push(Column::from_texts("class", &drawn.iter().map(class).collect::<Vec<_>>()));
    table(columns)
}

/// The attributes of a wave in hundredths, and its class.
fn draw(random: &mut Random) -> ([i16; ATTRIBUTES], u8) {
    let class = random.below(3) as u8;
    let (first, second) = [(7, 15), (7, 11), (11, 15)][usize::from(class)];
    let part = random.unit();
    let cells = std::array::from_fn(|i| {
        let noise = random.normal();
        let signal = part * triangle(i, first) + (1.0 - part) * triangle(i, second);
        ((if i < SIGNAL { signal + noise } else { noise }) * 100.0).round() as i16
    });
    (cells, class)
}

/// The height of a triangle over attribute `i` (counted from 0), with its top of 6 over attribute `top` (counted from
/// 1).
fn triangle(i: usize, top: usize) -> f64 {
    6_usize.saturating_sub((i + 1).abs_diff(top)) as f64
}

fn decimals(name: &str, hundredths: &[i16]) -> Column {
    let mut values = hundredths.to_vec();
    values.sort_unstable();
    values.dedup();
    let code = |cell: &i16| values.partition_point(|value| value < cell) as u32;
    let codes = Codes::collect(values.len() + 1, hundredths.iter().map(code));
    let numbers = values.iter().map(|&value| f64::from(value) / 100.0).collect();
    sure(Column::new(name, Values::Numeric(numbers), codes))
}
