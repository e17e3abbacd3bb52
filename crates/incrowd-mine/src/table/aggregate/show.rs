//! What a group of rows has in common.

use crate::table::cell::Cell;
use crate::table::params::{Average, CheckedTableParams, Common};
use crate::table::task::{Attribute, Task};
use rayon::prelude::*;

/// No mean is stated more precisely than this.
const MOST_DECIMALS: u32 = 6;

/// How groups are described.
pub(super) struct Show<'t> {
    task: &'t Task<'t>,
    average: Average,
    common: Common,
    /// The number of decimals that the mean of each attribute has: one more than its values.
    places: Vec<usize>,
    /// Whether each attribute has dates. Groups show the median day: a mean could be a day that means nothing.
    dates: Vec<bool>,
}

impl<'t> Show<'t> {
    pub(super) fn new(task: &'t Task<'t>, params: &CheckedTableParams) -> Self {
        let places = |attribute: &Attribute<'_>| {
            attribute.column.values().numbers().map_or(0, |numbers| decimals(numbers) as usize + 1)
        };
        let places = task.attributes.par_iter().map(places).collect();
        let dates = task.attributes.par_iter().map(|a| a.is_date() || a.column.in_days().is_some()).collect();
        Self { task, average: params.average, common: params.common, places, dates }
    }

    /// What some rows show, attribute by attribute.
    pub(super) fn cells(&self, rows: &[u32]) -> Vec<Cell> {
        (0..self.task.attributes.len()).map(|index| self.cell(index, rows)).collect()
    }

    fn cell(&self, index: usize, rows: &[u32]) -> Cell {
        let (attribute, places) = (&self.task.attributes[index], self.places[index]);
        let counts = self.counts(attribute, rows);
        if !attribute.is_numeric() && !self.dates[index] {
            return match self.common {
                Common::Frequent => most_frequent(&counts),
                Common::Ancestor => ancestor(attribute, &counts),
            };
        }
        let missing = attribute.column.missing_code();
        let numbers: Vec<(u32, u64)> = counts.iter().copied().filter(|&(code, _)| code != missing).collect();
        let known = size(&numbers);
        if size(&counts) - known > known {
            return Cell::Value(missing);
        }
        match self.average {
            Average::Mean if !self.dates[index] => mean(attribute, &numbers, places),
            Average::Mean | Average::Median => median(&numbers),
        }
    }

    /// The codes that occur, ascending, and how often; weights counted.
    fn counts(&self, attribute: &Attribute<'_>, rows: &[u32]) -> Vec<(u32, u64)> {
        let weigh = |&row: &u32| (attribute.code(row), u64::from(self.task.table.weight(row as usize)));
        let mut all: Vec<(u32, u64)> = rows.iter().map(weigh).collect();
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        all
    }
}

fn size(counts: &[(u32, u64)]) -> u64 {
    counts.iter().map(|&(_, n)| n).sum()
}

/// The first of the most frequent codes.
fn most_frequent(counts: &[(u32, u64)]) -> Cell {
    let best = counts.iter().rev().max_by_key(|&&(_, n)| n);
    best.map_or(Cell::Any, |&(code, _)| Cell::Value(code))
}

/// The lowest group of the taxonomy that all codes are in; without a taxonomy the only code, or anything.
fn ancestor(attribute: &Attribute<'_>, counts: &[(u32, u64)]) -> Cell {
    if let [(only, _)] = *counts {
        return Cell::Value(only);
    }
    let cover = attribute.taxonomy.as_ref().and_then(|t| t.cover(counts.iter().map(|&(code, _)| code)));
    cover.map_or(Cell::Any, Cell::Group)
}

/// The mean, as a short decimal.
fn mean(attribute: &Attribute<'_>, counts: &[(u32, u64)], places: usize) -> Cell {
    let size = size(counts) as f64;
    let share = |&(code, n): &(u32, u64)| attribute.number(code).unwrap_or(0.0) * (n as f64 / size);
    let mean: f64 = counts.iter().map(share).sum();
    let short = format!("{mean:.places$}").parse().unwrap_or(mean);
    Cell::Number(short + 0.0)
}

/// The median, the lower one of two.
fn median(counts: &[(u32, u64)]) -> Cell {
    let half = size(counts).div_ceil(2);
    let mut sum = 0;
    let reaches = |&&(_, n): &&(u32, u64)| {
        sum += n;
        sum >= half
    };
    counts.iter().find(reaches).map_or(Cell::Any, |&(code, _)| Cell::Value(code))
}

/// The number of decimals that the numbers have, up to a few.
pub(super) fn decimals(numbers: &[f64]) -> u32 {
    let is_whole = |number: &f64, places: u32| {
        let scaled = number * 10_f64.powi(places as i32);
        (scaled - scaled.round()).abs() <= scaled.abs() * 1e-12
    };
    (0..MOST_DECIMALS)
        .find(|&places| numbers.iter().all(|number| is_whole(number, places)))
        .unwrap_or(MOST_DECIMALS)
}
