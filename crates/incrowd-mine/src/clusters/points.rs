//! The people as points: one for each different combination of values, in an order that does not depend on the rows'.

use super::axes::Axes;
use incrowd_core::group::group_rows;
use incrowd_core::table::{Column, People, Table};

/// Points in scaled space.
pub(super) struct Points {
    /// How many coordinates each has.
    pub(super) width: usize,
    coordinates: Vec<f64>,
    /// How many rows of the source stand at each.
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
        first.sort_unstable_by(|&a, &b| key(a).cmp(key(b)));
        let mut number = vec![0; first.len()];
        (0..).zip(&first).for_each(|(point, &row)| number[groups.of_row[row as usize] as usize] = point);
        let of_row: Vec<u32> = groups.of_row.iter().map(|&group| number[group as usize]).collect();
        let mut weights = vec![0; first.len()];
        of_row.iter().enumerate().for_each(|(row, &p)| weights[p as usize] += u64::from(table.weight(row)));
        let mut points = Self::of_coordinates(axes.width(), Vec::new());
        points.coordinates.reserve(first.len() * points.width);
        first.iter().for_each(|&row| points.push(axes, row));
        Self { weights, of_row, ..points }
    }

    /// Points of weight one.
    pub(super) fn of_coordinates(width: usize, coordinates: Vec<f64>) -> Self {
        let count = coordinates.len().checked_div(width).unwrap_or(0);
        Self { width, coordinates, weights: vec![1; count], of_row: (0..count as u32).collect() }
    }

    fn push(&mut self, axes: &Axes<'_>, row: u32) {
        for told in &axes.told {
            let code = told.column.code(row as usize) as usize;
            if let Some(numbers) = told.column.values().numbers() {
                self.coordinates.push(numbers[code] / told.axis.scale);
            } else {
                let one = 1.0 / told.axis.scale;
                let names = 0..told.axis.width();
                self.coordinates.extend(names.map(|name| if name == code { one } else { 0.0 }));
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The coordinates of a point.
    pub(super) fn at(&self, point: usize) -> &[f64] {
        &self.coordinates[point * self.width..(point + 1) * self.width]
    }

    /// The squared distance of two points.
    pub(super) fn square(&self, a: usize, b: usize) -> f64 {
        square(self.at(a), self.at(b))
    }

    /// The weighted mean of some points, taken in their order.
    pub(super) fn mean(&self, members: impl Iterator<Item = usize>) -> Vec<f64> {
        let (mut sums, mut weight) = (vec![0.0; self.width], 0);
        for point in members {
            weight += self.weights[point];
            let own = self.weights[point] as f64;
            sums.iter_mut().zip(self.at(point)).for_each(|(sum, x)| *sum += x * own);
        }
        sums.iter_mut().for_each(|sum| *sum /= weight as f64);
        sums
    }
}

/// The squared distance, added up in the order of the coordinates.
pub(super) fn square(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// How many individuals stand at points that are marked.
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
