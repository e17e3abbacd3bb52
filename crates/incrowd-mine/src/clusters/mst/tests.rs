//! Borůvka's tree is Prim's, edge by edge, and no spanning tree is shorter.

use super::*;
use incrowd_core::progress::Silent;
use proptest::prelude::*;

fn sorted(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_by(Edge::order);
    edges
}

/// Kruskal's algorithm over all pairs.
fn kruskal(points: &Points) -> Vec<Edge> {
    let count = points.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let all = sorted(pairs.map(|(a, b)| Edge::new(points.square(a, b), a as u32, b as u32)).collect());
    let mut component: Vec<usize> = (0..count).collect();
    let mut tree = Vec::new();
    for edge in all {
        let (from, to) = (component[edge.a as usize], component[edge.b as usize]);
        if from != to {
            component.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
            tree.push(edge);
        }
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Few different values make many ties.
    #[test]
    fn all_ways_lead_to_one_tree(
        numbers in 1_usize..4,
        names in 0_usize..3,
        cells in proptest::collection::vec(0_u8..6, 5..240),
    ) {
        let count = cells.len() / (numbers + names);
        let values = cells[..count * (numbers + names)].iter().map(|&cell| f64::from(cell)).collect();
        let points = Points::of_values(numbers, names, values);
        let (prim, boruvka) = (sorted(prim::span(&points, &Silent)), sorted(boruvka::span(&points, &Silent)));
        prop_assert_eq!(&prim, &boruvka);
        prop_assert_eq!(prim, kruskal(&points));
    }
}

#[test]
fn thousands_of_points_have_one_tree_too() {
    let mut random = incrowd_core::random::Random::of(7, 0);
    let coordinates = (0..4 * 3000).map(|_| random.normal()).collect();
    let points = Points::of_values(4, 0, coordinates);
    let (prim, boruvka) = (sorted(prim::span(&points, &Silent)), sorted(boruvka::span(&points, &Silent)));
    assert_eq!(prim.len(), 2999);
    assert!(prim == boruvka);
}

proptest! {
    /// Distances without coordinates for names are those of the coordinates written out.
    #[test]
    fn distances_are_those_of_all_coordinates(cells in proptest::collection::vec(0_u8..6, 8..40)) {
        let values: Vec<f64> = cells[..cells.len() / 4 * 4].iter().map(|&cell| f64::from(cell)).collect();
        let points = Points::of_values(2, 2, values);
        let written_out = |point: usize| points.mean(std::iter::once(point));
        let center = points.mean(0..points.len());
        let rest = points.metric.rest(&center);
        for a in 0..points.len() {
            for b in 0..points.len() {
                let expected = crate::clusters::metric::square(&written_out(a), &written_out(b));
                prop_assert!((points.square(a, b) - expected).abs() < 1e-9);
            }
            let expected = crate::clusters::metric::square(&written_out(a), &center);
            prop_assert!((points.metric.to_center(points.at(a), &center, rest) - expected).abs() < 1e-9);
        }
    }
}
