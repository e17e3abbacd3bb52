//! The cells of centroids in a plane: the frame, cut by the line between each pair of centroids.
//!
//! A point of the plane belongs to the centroid that is nearest in all dimensions, so the distance of a centroid from
//! the plane counts as well. The cells are valid for points in the plane; other points may belong to other cells.

use super::super::palette::cycled;
use super::frame::{BORDER, Frame};
use super::plane::Plane;
use crate::model::Clusters;
use incrowd_core::svg::Svg;

#[cfg(test)]
mod tests;

/// The cells inside the frame.
pub(super) fn draw(svg: &mut Svg, clusters: &Clusters, plane: &Plane, frame: &Frame) {
    for (i, cell) in cells(clusters, plane, &frame.corners()).iter().enumerate() {
        let corners: Vec<String> =
            cell.iter().map(|&at| frame.place(at)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        if corners.len() > 2 {
            let cell = svg.element("polygon").set("points", corners.join(" ")).set("fill", cycled(i));
            cell.set("fill-opacity", 0.1).set("stroke", BORDER).set("stroke-width", 0.8).empty();
        }
    }
}

type At = (f64, f64);

/// A centroid relative to the plane: its projection, and its squared distance.
type ProjectedCentroid = (At, f64);

/// The part of a convex region that belongs to each centroid.
fn cells(clusters: &Clusters, plane: &Plane, region: &[At]) -> Vec<Vec<At>> {
    let seen = |center: &[f64]| (plane.of_center(clusters, center), plane.squared_distance(clusters, center));
    let centers: Vec<ProjectedCentroid> = clusters.centroids().iter().map(|c| seen(&c.center)).collect();
    let weights = plane.weights();
    let cell = |(i, &own): (usize, &ProjectedCentroid)| {
        let others = centers.iter().enumerate().filter(|(j, _)| *j != i);
        others.fold(region.to_vec(), |cell, (_, &other)| nearer(&cell, own, other, weights))
    };
    centers.iter().enumerate().map(cell).collect()
}

/// The part of a convex polygon that is closer to one centre than to another.
fn nearer(
    cell: &[At],
    (own, own_off): ProjectedCentroid,
    (other, other_off): ProjectedCentroid,
    weights: (f64, f64),
) -> Vec<At> {
    let lead = |at: At| {
        let along = |x: f64, a: f64, b: f64| (a - b) * (2.0 * x - (a + b));
        weights.0 * along(at.0, own.0, other.0) + weights.1 * along(at.1, own.1, other.1) + other_off
            - own_off
    };
    let mut part = Vec::new();
    for (i, &from) in cell.iter().enumerate() {
        let to = cell[(i + 1) % cell.len()];
        let (here, there) = (lead(from), lead(to));
        if here >= 0.0 {
            part.push(from);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            let share = here / (here - there);
            part.push((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)));
        }
    }
    part
}
