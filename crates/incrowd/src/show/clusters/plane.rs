//! The plane of a picture of clusters. Its directions are orthogonal in scaled coordinates.

use super::super::words::plain;
use super::ClusterPicture;
use crate::model::{Axis, Clusters};
use crate::table::{Column, Table};
use crate::{Error, Result};
use incrowd_core::nearest::did_you_mean;

/// The maximum number of rows for principal components.
const ROWS: usize = 5000;
/// Steps of the power iteration.
const STEPS: usize = 200;

/// Two directions in scaled space.
pub(super) struct Plane {
    /// The names of the directions.
    pub(super) names: [String; 2],
    /// Its origin and its two directions, in scaled coordinates.
    origin: Vec<f64>,
    directions: [Vec<f64>; 2],
}

impl Plane {
    pub(super) fn new(picture: &ClusterPicture<'_>) -> Result<Self> {
        let clusters = picture.clusters;
        let numeric: Vec<usize> =
            (0..clusters.axes().len()).filter(|&i| clusters.axes()[i].names().is_empty()).collect();
        if let Some(names) = picture.plane {
            let place = |name: &String| {
                let found = numeric.iter().copied().find(|&i| clusters.axes()[i].name == *name);
                found.ok_or_else(|| {
                    let known = numeric.iter().map(|&i| clusters.axes()[i].name.as_str());
                    Error::parameters("the clusters have no numeric attribute of this name")
                        .of_parameter("plane")
                        .of_attribute(name)
                        .help(did_you_mean(name, known))
                })
            };
            let places = names.iter().map(place).collect::<Result<Vec<_>>>()?;
            let [x, y] = places[..] else {
                return Err(Error::parameters("a picture needs exactly two attributes")
                    .of_parameter("plane")
                    .help("name two, such as age,cost"));
            };
            return Ok(Self::of_axes(clusters, x, y));
        }
        match (numeric[..].first().zip(numeric.get(1)), picture.table) {
            (Some((&x, &y)), None) => Ok(Self::of_axes(clusters, x, y)),
            (Some((&x, &y)), Some(_)) if clusters.axes().len() == 2 => Ok(Self::of_axes(clusters, x, y)),
            (_, Some(table)) => Ok(Self::of_components(clusters, table)),
            (None, None) => Err(Error::parameters("the clusters have fewer than two numeric attributes")
                .help("name the table (`data`) to use its principal components")),
        }
    }

    fn of_axes(clusters: &Clusters, x: usize, y: usize) -> Self {
        let width = clusters.axes().iter().map(Axis::width).sum();
        let direction = |place: usize| {
            let start: usize = clusters.axes()[..place].iter().map(Axis::width).sum();
            let mut direction = vec![0.0; width];
            direction[start] = clusters.axes()[place].scale;
            direction
        };
        let name = |place: usize| plain(&clusters.axes()[place].name);
        let directions = [direction(x), direction(y)];
        // Through the middle of the centroids in all other directions.
        let mut origin = vec![0.0; width];
        for centroid in clusters.centroids() {
            let share = 1.0 / clusters.centroids().len() as f64;
            let center = scaled(clusters, &centroid.center);
            origin.iter_mut().zip(center).for_each(|(sum, x)| *sum += share * x);
        }
        for direction in &directions {
            origin.iter_mut().zip(direction).filter(|(_, d)| **d != 0.0).for_each(|(x, _)| *x = 0.0);
        }
        Self { names: [name(x), name(y)], origin, directions }
    }

    /// The two directions with the largest variance of the scaled rows.
    fn of_components(clusters: &Clusters, table: &Table) -> Self {
        let coordinates = Coordinates::new(clusters, table);
        let step = table.rows().div_ceil(ROWS).max(1);
        let mut rows: Vec<Vec<f64>> =
            (0..table.rows()).step_by(step).map(|row| coordinates.of_row(row)).collect();
        let width: usize = clusters.axes().iter().map(Axis::width).sum();
        let mut origin = vec![0.0; width];
        for row in &rows {
            origin.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / rows.len() as f64);
        }
        rows.iter_mut().for_each(|row| row.iter_mut().zip(&origin).for_each(|(x, mean)| *x -= mean));
        let first = principal(&rows, width);
        for row in &mut rows {
            let along = dot(row, &first);
            row.iter_mut().zip(&first).for_each(|(x, d)| *x -= along * d);
        }
        let second = principal(&rows, width);
        let name = |which: &str, direction| {
            format!("{which} principal component: {}", heaviest(clusters, direction))
        };
        let names = [name("first", &first), name("second", &second)];
        Self { names, origin, directions: [first, second] }
    }

    /// Returns the plane with its directions swapped.
    pub(super) fn turned(self) -> Self {
        let ([x, y], [right, up]) = (self.names, self.directions);
        Self { names: [y, x], directions: [up, right], ..self }
    }

    /// Whether the plane covers all dimensions.
    pub(super) fn is_flat(&self, clusters: &Clusters) -> bool {
        self.origin.len() == 2 && clusters.axes().len() == 2
    }

    /// The projection of scaled coordinates onto the plane.
    pub(super) fn of_scaled(&self, scaled: &[f64]) -> (f64, f64) {
        let from: Vec<f64> = scaled.iter().zip(&self.origin).map(|(x, o)| x - o).collect();
        (dot(&from, &self.directions[0]), dot(&from, &self.directions[1]))
    }

    /// The projection of a centre onto the plane.
    pub(super) fn of_center(&self, clusters: &Clusters, center: &[f64]) -> (f64, f64) {
        self.of_scaled(&scaled(clusters, center))
    }

    /// The squared distance of a centre from the plane, in scaled coordinates.
    pub(super) fn squared_distance(&self, clusters: &Clusters, center: &[f64]) -> f64 {
        let from: Vec<f64> =
            scaled(clusters, center).iter().zip(&self.origin).map(|(x, origin)| x - origin).collect();
        let within = |direction: &Vec<f64>| dot(&from, direction).powi(2) / dot(direction, direction);
        (dot(&from, &from) - within(&self.directions[0]) - within(&self.directions[1])).max(0.0)
    }

    /// The weight of each direction in a squared distance.
    pub(super) fn weights(&self) -> (f64, f64) {
        let weight = |direction: &Vec<f64>| 1.0 / dot(direction, direction);
        (weight(&self.directions[0]), weight(&self.directions[1]))
    }
}

/// The two attributes with the largest weight in a direction, or one if its weight is at least nine tenths.
fn heaviest(clusters: &Clusters, direction: &[f64]) -> String {
    let mut rest = direction;
    let mut weights: Vec<(f64, String)> = Vec::new();
    for axis in clusters.axes() {
        let (own, others) = rest.split_at(axis.width());
        weights.push((dot(own, own), plain(&axis.name)));
        rest = others;
    }
    weights.sort_by(|a, b| b.0.total_cmp(&a.0));
    weights.truncate(if weights.first().is_some_and(|heaviest| heaviest.0 > 0.9) { 1 } else { 2 });
    let names: Vec<String> = weights.into_iter().map(|(_, name)| name).collect();
    names.join(", ")
}

/// A centre in scaled coordinates.
fn scaled(clusters: &Clusters, center: &[f64]) -> Vec<f64> {
    let scales = clusters.axes().iter().flat_map(|axis| std::iter::repeat_n(axis.scale, axis.width()));
    center.iter().zip(scales).map(|(x, scale)| x / scale).collect()
}

/// The scaled coordinates of rows.
pub(super) struct Coordinates<'a> {
    axes: Vec<(Option<&'a Column>, Vec<Vec<f64>>)>,
}

impl<'a> Coordinates<'a> {
    /// The table must fit the clusters.
    pub(super) fn new(clusters: &Clusters, table: &'a Table) -> Self {
        let of_axis = |axis: &Axis| {
            let column = table.column(&axis.name);
            let days = column.filter(|_| axis.dates).and_then(Column::in_days);
            let values = column.map_or(0, |column| column.values().len());
            let of_code =
                |code: usize| match days.as_ref().or(column).and_then(|column| column.values().numbers()) {
                    Some(numbers) if axis.names().is_empty() => vec![numbers[code] / axis.scale],
                    _ => {
                        let text =
                            column.map(|column| column.values().text(code).into_owned()).unwrap_or_default();
                        let one = |name: &String| if *name == text { 1.0 / axis.scale } else { 0.0 };
                        axis.names().iter().map(one).collect()
                    }
                };
            (column, (0..values).map(of_code).collect())
        };
        Self { axes: clusters.axes().iter().map(of_axis).collect() }
    }

    pub(super) fn of_row(&self, row: usize) -> Vec<f64> {
        let of_axis = |(column, of_code): &(Option<&Column>, Vec<Vec<f64>>)| -> Vec<f64> {
            let code = column.map_or(0, |column| column.code(row) as usize);
            of_code.get(code).cloned().unwrap_or_default()
        };
        self.axes.iter().flat_map(of_axis).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The direction of the largest variance of centred rows, by power iteration from a fixed start.
fn principal(rows: &[Vec<f64>], width: usize) -> Vec<f64> {
    let mut direction: Vec<f64> = (0..width).map(|i| 1.0 / (i + 1) as f64).collect();
    for _ in 0..STEPS {
        let mut next = vec![0.0; width];
        for row in rows {
            let along = dot(row, &direction);
            next.iter_mut().zip(row).for_each(|(sum, x)| *sum += along * x);
        }
        let length = dot(&next, &next).sqrt();
        if length <= f64::MIN_POSITIVE {
            break;
        }
        direction = next.into_iter().map(|x| x / length).collect();
    }
    direction
}
