//! The individuals as points: one for each different combination of values, in an order that does not depend on that of
//! the rows.

use super::axes::Axes;
use super::metric::{Metric, Names};
use incrowd_core::group::group_rows;
use incrowd_core::table::{Column, People, Table};
use rayon::prelude::*;

/// Points in scaled space.
pub(super) struct Points {
    pub(super) metric: Metric,
    /// What each point has on each axis: first its numbers, scaled, then the codes of its names.
    values: Vec<f64>,
    /// The number of source rows at each.
    pub(super) weights: Vec<u64>,
    /// The point of each row.
    pub(super) of_row: Vec<u32>,
}

impl Points {
    pub(super) fn new(table: &Table, axes: &Axes<'_>) -> Self {
        let columns: Vec<&Column> = axes.told.iter().map(|told| told.column).collect();
        let groups = group_rows(table.rows(), &columns);
        let mut first = groups.first_rows();
        let key = |row: u32| columns.iter().map(move |column| column.code(row as usize));
        first.par_sort_unstable_by(|&a, &b| key(a).cmp(key(b)));
        let mut number = vec![0; first.len()];
        (0..).zip(&first).for_each(|(point, &row)| number[groups.of_row[row as usize] as usize] = point);
        let of_row: Vec<u32> = groups.of_row.iter().map(|&group| number[group as usize]).collect();
        let mut weights = vec![0; first.len()];
        of_row.iter().enumerate().for_each(|(row, &p)| weights[p as usize] += u64::from(table.weight(row)));
        let (metric, values) = bound(axes, &first);
        Self { metric, values, weights, of_row }
    }

    /// Points of weight one with these numbers of numeric and of name attributes, names with six values.
    #[cfg(test)]
    pub(super) fn of_values(numbers: usize, names: usize, values: Vec<f64>) -> Self {
        let count = values.len() / (numbers + names);
        let metric = Metric {
            width: numbers + 6 * names,
            numbers: (0..numbers).collect(),
            names: (0..names).map(|name| Names::new(numbers + 6 * name, 6, 0.75)).collect(),
        };
        Self { metric, values, weights: vec![1; count], of_row: (0..count as u32).collect() }
    }

    /// Some of the points, with their weights. They have no rows.
    pub(super) fn select(&self, members: &[usize]) -> Self {
        let values = members.iter().flat_map(|&point| self.at(point)).copied().collect();
        let weights = members.iter().map(|&point| self.weights[point]).collect();
        Self { metric: self.metric.clone(), values, weights, of_row: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The values of a point.
    pub(super) fn at(&self, point: usize) -> &[f64] {
        let axes = self.metric.axes();
        &self.values[point * axes..(point + 1) * axes]
    }

    /// The squared distance of two points.
    pub(super) fn square(&self, a: usize, b: usize) -> f64 {
        self.square_up_to(a, b, f64::INFINITY)
    }

    /// The same, or any number above `most` if it is more than that.
    pub(super) fn square_up_to(&self, a: usize, b: usize, most: f64) -> f64 {
        self.metric.square_up_to(self.at(a), self.at(b), most)
    }

    /// The coordinates of the weighted mean of some points, taken in their order.
    pub(super) fn mean(&self, members: impl Iterator<Item = usize>) -> Vec<f64> {
        let (mut sums, mut weight) = (vec![0.0; self.metric.width], 0);
        for point in members {
            weight += self.weights[point];
            self.metric.add(&mut sums, self.at(point), self.weights[point] as f64);
        }
        sums.iter_mut().for_each(|sum| *sum /= weight as f64);
        sums
    }
}

/// The metric of the axes, and what some rows have on them.
fn bound(axes: &Axes<'_>, rows: &[u32]) -> (Metric, Vec<f64>) {
    let mut metric = Metric { width: axes.width(), numbers: Vec::new(), names: Vec::new() };
    let (mut of_numbers, mut of_names) = (Vec::new(), Vec::new());
    let mut start = 0;
    for told in &axes.told {
        if let Some(numbers) = told.column.values().numbers() {
            metric.numbers.push(start);
            of_numbers.push((told.column, numbers, told.divisor));
        } else {
            metric.names.push(Names::new(start, told.axis.width(), told.divisor));
            of_names.push(told.column);
        }
        start += told.axis.width();
    }
    let mut values = Vec::with_capacity(rows.len() * metric.axes());
    for &row in rows {
        let number = |&(column, numbers, scale): &(&Column, &[f64], f64)| {
            numbers[column.code(row as usize) as usize] / scale
        };
        values.extend(of_numbers.iter().map(number));
        values.extend(of_names.iter().map(|column| f64::from(column.code(row as usize))));
    }
    (metric, values)
}

/// The number of individuals at marked points.
pub(super) fn individuals(table: &Table, points: &Points, is_in: impl Fn(usize) -> bool) -> u64 {
    match table.people() {
        People::Subjects { of_row, .. } => {
            let rows = of_row.iter().zip(&points.of_row);
            let mut subjects: Vec<u32> =
                rows.filter(|&(_, &point)| is_in(point as usize)).map(|(&subject, _)| subject).collect();
            subjects.sort_unstable();
            subjects.dedup();
            subjects.len() as u64
        }
        _ => (0..points.len()).filter(|&point| is_in(point)).map(|point| points.weights[point]).sum(),
    }
}
