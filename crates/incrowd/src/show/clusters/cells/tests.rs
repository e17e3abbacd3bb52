//! Cells against the nearest centroid, point by point.

use super::*;
use crate::model::{Axis, Centroid};
use crate::random::Random;
use crate::show::ClusterPicture;

/// Three numbers, each with a scale.
fn clusters(random: &mut Random) -> Clusters {
    let mut number = |most: u32| f64::from(random.below(most * 10)) / 10.0;
    let axis = |(name, scale): (&str, f64)| Axis { scale, ..Axis::new(name, 0.0, 100.0) };
    let axes = [("x", 1.0 + number(4)), ("y", 1.0 + number(4)), ("z", 1.0 + number(4))].map(axis);
    let centroid = |_| Centroid { center: vec![number(100), number(100), number(100)], population: None };
    Clusters::new(axes.to_vec(), (0..5).map(centroid).collect()).expect("clusters")
}

/// How much farther the second nearest centroid is, squared, and which is the nearest.
fn nearest(clusters: &Clusters, point: [f64; 3]) -> (f64, usize) {
    let squared = |center: &[f64]| -> f64 {
        let axes = clusters.axes().iter().zip(center).zip(point);
        axes.map(|((axis, c), x)| ((x - c) / axis.scale).powi(2)).sum()
    };
    let mut all: Vec<(f64, usize)> =
        clusters.centroids().iter().enumerate().map(|(i, c)| (squared(&c.center), i)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    (all[1].0 - all[0].0, all[0].1)
}

/// Whether a point is in a convex polygon, whichever way round that goes.
fn is_in(cell: &[At], (x, y): At) -> bool {
    let turn = |i: usize| {
        let ((ax, ay), (bx, by)) = (cell[i], cell[(i + 1) % cell.len()]);
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    };
    cell.len() > 2 && ((0..cell.len()).all(|i| turn(i) >= 0.0) || (0..cell.len()).all(|i| turn(i) <= 0.0))
}

#[test]
fn a_point_of_the_plane_is_in_the_cell_of_its_nearest_centroid() {
    let random = &mut Random::of(5, 0);
    let names = ["x".to_owned(), "z".to_owned()];
    for _ in 0..200 {
        let clusters = clusters(random);
        let picture = ClusterPicture {
            clusters: &clusters,
            individuals: None,
            table: None,
            linking: None,
            plane: Some(&names),
        };
        let plane = Plane::new(&picture).expect("a plane");
        let region = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        let cells = cells(&clusters, &plane, &region);
        let middle = clusters.centroids().iter().map(|c| c.center[1]).sum::<f64>() / 5.0;
        for _ in 0..50 {
            let at = (f64::from(random.below(1000)) / 10.0, f64::from(random.below(1000)) / 10.0);
            let (lead, own) = nearest(&clusters, [at.0, middle, at.1]);
            if lead > 1e-6 {
                let found: Vec<usize> = (0..5).filter(|&i| is_in(&cells[i], at)).collect();
                assert_eq!(found, [own], "{at:?} {clusters:?}");
            }
        }
    }
}
