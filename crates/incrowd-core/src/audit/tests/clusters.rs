//! Where clusters are subtle: each a small case that a careless audit gets wrong.

use super::*;
use crate::guarantee::Scope;
use crate::model::{Axis, Centroid, Clusters};

/// The second cut changes the span of x = 16 although its cluster was untouched: spans must be derived afresh.
#[test]
fn cutting_one_cluster_changes_the_span_of_another() {
    let points = [(16.0, 3.0), (10.0, 9.0), (5.0, 4.0), (10.0, 10.0), (2.0, 9.0)];
    let numbers = |f: fn(&(f64, f64)) -> f64| points.iter().map(|p| Some(f(p))).collect::<Vec<_>>();
    let x = Column::from_numbers("x", &numbers(|p| p.0)).unwrap();
    let y = Column::from_numbers("y", &numbers(|p| p.1)).unwrap();
    let table = Table::new(vec![x, y], People::Rows).unwrap();
    let policy = policy(&["x"], &["y"], "");
    let clusters = |centers: &[(f64, f64)]| {
        let axes = vec![Axis::new("x", 0.0, 20.0), Axis::new("y", 0.0, 12.0)];
        let centroid = |&(x, y): &(f64, f64)| Centroid { center: vec![x, y], population: None };
        Model::Clusters(Clusters::new(axes, centers.iter().map(centroid).collect()).unwrap())
    };
    let span_of_16 = |model: &Model| {
        let linking = link(&table, &policy, model).unwrap();
        (linking.rules)(linking.span_of_row[0] as usize)
    };
    let one_cut = clusters(&[(16.0, 3.0), (6.75, 8.0)]);
    let two_cuts = clusters(&[(16.0, 3.0), (10.0, 9.5), (3.5, 6.5)]);
    assert_eq!(span_of_16(&one_cut), "nearest to centroid 1");
    assert_eq!(span_of_16(&two_cuts), "nearest to centroid 1 or 2");
}

/// A cluster depends on all private axes, so every requirement on one of them applies to the cluster.
#[test]
fn clusters_are_in_the_scope_of_their_private_axes() {
    let numbers = |name: &str, of: [f64; 4]| Column::from_numbers(name, &of.map(Some)).unwrap();
    let columns = vec![numbers("p", [0.0; 4]), numbers("x", [0.0, 0.0, 0.0, 9.0]), numbers("y", [1.0; 4])];
    let table = Table::new(columns, People::Rows).unwrap();
    let centroid = |x: f64| Centroid { center: vec![0.0, x], population: None };
    let axes = vec![Axis::new("p", 0.0, 9.0), Axis::new("x", 0.0, 9.0)];
    let model = Model::Clusters(Clusters::new(axes, vec![centroid(0.0), centroid(9.0)]).unwrap());
    let holds = |name: &str| {
        let guarantee = also(k(1), Requirement::confidence(0.5)).of(Scope::Named(vec![name.into()]));
        audit_model(&table, &policy(&["p"], &["x", "y"], ""), &model, &guarantee).unwrap().holds
    };
    assert_eq!((holds("x"), holds("y")), (false, true));
}

/// Centroids so far away that squares overflow must not make every individual look alike.
#[test]
fn overflow_does_not_look_safe() {
    let x = Column::from_numbers("x", &[1.0, -1.0, -1.0, -1.0].map(Some)).unwrap();
    let y = Column::from_numbers("y", &[0.0; 4].map(Some)).unwrap();
    let table = Table::new(vec![x, y], People::Rows).unwrap();
    let audit = |far: f64| {
        let axes = vec![Axis::new("x", f64::MIN, f64::MAX), Axis::new("y", 0.0, 1.0)];
        let centroid = |x: f64| Centroid { center: vec![x, 0.0], population: None };
        let model = Model::Clusters(Clusters::new(axes, vec![centroid(-far), centroid(far)]).unwrap());
        audit_model(&table, &policy(&["x"], &["y"], ""), &model, &k(2)).map(|report| report.k)
    };
    for far in [10.0, 1e100, 1e200, 1e308, 5e-324] {
        assert_eq!(audit(far).ok(), Some(1), "{far}");
    }
}

fn plane(points: &[(f64, f64)]) -> Table {
    let column = |name: &str, number: fn(&(f64, f64)) -> f64| {
        Column::from_numbers(name, &points.iter().map(number).map(Some).collect::<Vec<_>>()).unwrap()
    };
    Table::new(vec![column("x", |p| p.0), column("y", |p| p.1)], People::Rows).unwrap()
}

fn centroids(range: (f64, f64), centers: &[(f64, f64)]) -> Model {
    let axes = vec![Axis::new("x", -10.0, 10.0), Axis::new("y", range.0, range.1)];
    let centroid = |&(x, y): &(f64, f64)| Centroid { center: vec![x, y], population: None };
    Model::Clusters(Clusters::new(axes, centers.iter().map(centroid).collect()).unwrap())
}

/// Over real numbers both individuals reach the same cells; of whole numbers, one of them has none in a cell between
/// two.
#[test]
fn whole_numbers_do_not_reach_every_cluster() {
    let table = plane(&[(-2.0, 0.0), (-1.0, 1.0)]);
    let model = centroids((0.0, 2.0), &[(-2.0, -2.0), (1.0, 1.0), (1.0, 2.0)]);
    let mut policy = policy(&["x"], &["y"], "");
    assert_eq!(audit_model(&table, &policy, &model, &k(2)).unwrap().k, 2);
    policy.attributes[1].whole = true;
    let report = audit_model(&table, &policy, &model, &k(2)).unwrap();
    assert_eq!((report.k, report.holds), (1, false));
}

/// A crowd shares the clusters that are possible, not the values: of two individuals of one span, only one can have y =
/// 6 in the first cluster.
#[test]
fn crowds_of_clusters_are_not_crowds_of_values() {
    let table = plane(&[(-6.0, 4.0), (2.0, 8.0)]);
    let (range, centers) = ((0.0, 20.0), [(0.0, 3.0), (2.0, 7.0)]);
    let model = centroids(range, &centers);
    let report = audit_model(&table, &policy(&["x"], &["y"], ""), &model, &k(2)).unwrap();
    assert_eq!((report.k, report.spans), (2, 1));
    let first_with = |y: f64, x: f64| {
        let someone = plane(&[(x, y)]);
        let Model::Clusters(clusters) = &model else { unreachable!() };
        crate::predict::nearest_centroids(&someone, clusters).unwrap().cluster_of_row[0] == 0
    };
    assert!(first_with(8.5, -6.0) && !first_with(8.6, -6.0));
    assert!(first_with(4.5, 2.0) && !first_with(4.6, 2.0));
}

/// Means: both individuals are in the first cluster for certain, where y is at most 1 for either of them; a mean of 1
/// then fixes both values, though 1 is not an end of the declared range. The audit reports both as exposed to their
/// cluster; it does not judge what a mean adds.
#[test]
fn means_can_fix_values_inside_the_range() {
    let table = plane(&[(2.0, 1.0), (-2.0, 1.0)]);
    let model = centroids((-100.0, 100.0), &[(0.0, 1.0), (2.0, 3.0), (-2.0, 3.0)]);
    let Model::Clusters(clusters) = &model else { unreachable!() };
    let cluster = |x: f64, y: f64| {
        crate::predict::nearest_centroids(&plane(&[(x, y)]), clusters).unwrap().cluster_of_row[0]
    };
    for x in [2.0, -2.0] {
        assert!(cluster(x, 1.0) == 0 && cluster(x, 1.0 + f64::EPSILON) != 0);
    }
    let report = audit_model(&table, &policy(&["x"], &["y"], ""), &model, &k(1)).unwrap();
    assert_eq!(report.exposed, 2);
}
