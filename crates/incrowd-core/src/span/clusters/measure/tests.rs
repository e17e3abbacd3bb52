//! Sizes and rounding errors against exact arithmetic: bounds hold, and are no looser than they have to be.

use super::super::dyadic::Dyadic;
use super::*;
use crate::model::Axis;
use crate::random::Random;
use crate::table::{Column, People, Table};
use std::cmp::Ordering;

/// Three axes, of numbers, of numbers and of names, in units of powers of two far apart or of any size.
struct Case {
    table: Table,
    axes: Vec<Axis>,
    centers: Vec<Vec<f64>>,
}

fn number(random: &mut Random, unit: f64) -> f64 {
    let sign = if random.percent(50) { -1.0 } else { 1.0 };
    sign * unit * f64::from(random.below(1 << 30)) / f64::from(1 + random.below(1000))
}

fn case(random: &mut Random) -> Case {
    let mut unit = || f64::from(random.below(200) as i32 - 100).exp2();
    let units = [unit(), unit(), 1.0];
    let scales = [unit() * 1.7, unit() / 3.0, 1.3];
    let mut column = |name: &str, unit: f64| {
        let cells: Vec<_> = (0..6).map(|_| Some(number(random, unit))).collect();
        Column::from_numbers(name, &cells).unwrap()
    };
    let mut columns = vec![column("x", units[0]), column("y", units[1])];
    columns.push(Column::from_texts("n", &["a", "b", "c", "a", "b", "c"].map(Some)));
    let any = (f64::NEG_INFINITY, f64::INFINITY);
    let mut axes = vec![
        Axis::new("x", any.0, any.1),
        Axis::new("y", any.0, any.1),
        Axis::of_names("n", ["a", "b", "c"].map(str::to_owned).to_vec()),
    ];
    axes.iter_mut().zip(scales).for_each(|(axis, scale)| axis.scale = scale);
    // Shares are at most 1, but the centres of other programs can be anywhere.
    let of_names = [1e-9, 1e-9, 1e-7][random.below(3) as usize];
    let centers = (0..4).map(|_| {
        let mut center = vec![number(random, units[0]), number(random, units[1])];
        center.extend((0..3).map(|_| number(random, of_names)));
        center
    });
    let centers = centers.collect();
    Case { table: Table::new(columns, People::Rows).unwrap(), axes, centers }
}

fn sum(parts: impl IntoIterator<Item = Dyadic>) -> Dyadic {
    parts.into_iter().fold(Dyadic::ZERO, |sum, part| sum.plus(&part))
}

fn size(number: &Dyadic) -> Dyadic {
    if number.sign() == Ordering::Less { Dyadic::ZERO.minus(number) } else { number.clone() }
}

fn is_at_most(a: &Dyadic, b: &Dyadic) -> bool {
    a.minus(b).sign() != Ordering::Greater
}

/// The parts that are added up for an axis, exactly: `(c_i − c_j)·2x` and `c_j² − c_i²`, in the axis's units.
fn parts(measure: &Measure, axis: usize, place: Place, j: usize, i: usize) -> Vec<Dyadic> {
    let own = &measure.axes[axis];
    let near = |centroid: usize, at: usize| Dyadic::of(measure.near[centroid][at]);
    let weight = Dyadic::of(own.weight);
    let along = |at: usize, x: f64| {
        let twice = Dyadic::of(x).times(&Dyadic::of(own.unit)).shifted(1);
        near(i, at).minus(&near(j, at)).times(&twice).times(&weight)
    };
    let squares = |at: usize| {
        let (ci, cj) = (near(i, at), near(j, at));
        vec![cj.times(&cj).times(&weight), Dyadic::ZERO.minus(&ci.times(&ci)).times(&weight)]
    };
    match place {
        Place::Number(x) => [vec![along(own.start, x)], squares(own.start)].concat(),
        Place::Name(name) => {
            let mut all: Vec<Dyadic> = (own.start..own.start + 3).flat_map(squares).collect();
            all.push(along(own.start + name as usize, 1.0));
            all
        }
        Place::OtherName => (own.start..own.start + 3).flat_map(squares).collect(),
    }
}

/// What the size of a part of a distance is meant to be, exactly.
fn exact_size(measure: &Measure, axis: usize, place: Place, j: usize, i: usize) -> Dyadic {
    let own = &measure.axes[axis];
    let near = |centroid: usize, at: usize| Dyadic::of(measure.near[centroid][at]);
    let weight = Dyadic::of(own.weight);
    let unit = Dyadic::of(own.unit).shifted(1);
    match place {
        Place::Number(x) => {
            let (ci, cj) = (near(i, own.start), near(j, own.start));
            let inner = sum([size(&Dyadic::of(x)).times(&unit), size(&ci), size(&cj)]);
            size(&ci.minus(&cj)).times(&inner).times(&weight)
        }
        Place::Name(name) => {
            let at = own.start + name as usize;
            let along = size(&near(i, at)).plus(&size(&near(j, at))).times(&unit).times(&weight);
            let squares = (own.start..own.start + 3).flat_map(|at| [near(i, at), near(j, at)]);
            sum(squares.map(|c| c.times(&c).times(&weight))).plus(&along)
        }
        Place::OtherName => {
            let squares = (own.start..own.start + 3).flat_map(|at| [near(i, at), near(j, at)]);
            sum(squares.map(|c| c.times(&c).times(&weight)))
        }
    }
}

#[test]
fn rounding_stays_within_its_bound() {
    for seed in 0..40 {
        let case = case(&mut Random::of(seed, 0));
        let space = ClusterSpace::of_all(&case.table, &case.axes).unwrap();
        let centers: Vec<&[f64]> = case.centers.iter().map(Vec::as_slice).collect();
        let measure = Measure::new(&space, &centers);
        for row in 0..case.table.rows() {
            let places: Vec<Place> = space.places(row).collect();
            for (i, j) in [(0, 1), (1, 0), (2, 3), (3, 1)] {
                check_sums(&measure, &places, j, i);
            }
        }
    }
}

fn check_sums(measure: &Measure, places: &[Place], j: usize, i: usize) {
    let all = [0, 1, 2];
    for axis in all {
        let place = places[axis];
        let (value, own) = (measure.on(axis, place, j, i), measure.size_on(axis, place, j, i));
        let truth = sum(parts(measure, axis, place, j, i));
        assert!(is_at_most(&size(&Dyadic::of(value).minus(&truth)), &Dyadic::of(measure.error(own))));
        // The size is what it is said to be, and nowhere above the size for all.
        let gap = size(&Dyadic::of(own).minus(&exact_size(measure, axis, place, j, i)));
        assert!(is_at_most(&gap, &Dyadic::of(own * 1e-12 + UNDERFLOW)));
        assert!(own <= measure.size(&[axis]) * (1.0 + 1e-12));
        if let Place::Number(x) = place {
            let farther = measure.at(axis, x, j, i);
            assert_eq!((farther.value, farther.error), (value, measure.error(own)));
        }
    }
    let truth = sum(all.iter().flat_map(|&axis| parts(measure, axis, places[axis], j, i)));
    let gap = size(&Dyadic::of(measure.over(places, j, i, &all)).minus(&truth));
    let error = measure.error_at(places, j, i, &all);
    assert!(is_at_most(&gap, &Dyadic::of(error)));
    let sizes: f64 = all.iter().map(|&axis| measure.size_on(axis, places[axis], j, i)).sum();
    assert!((error / measure.error(sizes) - 1.0).abs() < 1e-9);
    assert!(error <= measure.error(measure.size(&all)) * (1.0 + 1e-12));
}

/// A number of 6 and centroids at 4 and −4, names with coordinates 0.5 and −0.5: sizes reach their bounds.
#[test]
fn the_size_for_all_is_reached() {
    let columns = vec![
        Column::from_numbers("x", &[Some(6.0), Some(-1.0)]).unwrap(),
        Column::from_texts("n", &[Some("a"), Some("b")]),
    ];
    let table = Table::new(columns, People::Rows).unwrap();
    let axes = [Axis::new("x", -9.0, 9.0), Axis::of_names("n", ["a", "b"].map(str::to_owned).to_vec())];
    let space = ClusterSpace::of_all(&table, &axes).unwrap();
    let centers = [vec![4.0, 0.5, 0.25], vec![-4.0, -0.5, 0.25], vec![1.0, 0.0, 0.0]];
    let measure = Measure::new(&space, &centers.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let places: Vec<Place> = space.places(0).collect();
    for axis in [0, 1] {
        let own = measure.size_on(axis, places[axis], 1, 0);
        assert!((measure.size(&[axis]) / own - 1.0).abs() < 1e-12, "axis {axis}");
    }
    assert!((measure.size(&[0, 1]) / (measure.size(&[0]) + measure.size(&[1])) - 1.0).abs() < 1e-12);
    // Four coordinates; all comparisons of distances to 50 bits or so.
    assert!((3.0 * power(-52)..power(-44)).contains(&measure.error(1.0)));
    assert!(measure.error(0.0) > 0.0 && measure.error(0.0) < power(-700));
}

/// In an axis's unit nothing is above 2, and parts of distances have the same unit on all axes.
#[test]
fn axes_are_measured_in_units_of_their_own() {
    for seed in 0..40 {
        let case = case(&mut Random::of(seed, 1));
        let space = ClusterSpace::of_all(&case.table, &case.axes).unwrap();
        let centers: Vec<&[f64]> = case.centers.iter().map(Vec::as_slice).collect();
        let measure = Measure::new(&space, &centers);
        let common: Vec<f64> = (space.axes.iter().zip(&measure.axes))
            .map(|(axis, own)| own.weight * (axis.scale * own.unit).powi(2))
            .collect();
        assert!(common.iter().all(|weight| (weight / common[0] - 1.0).abs() < 1e-12), "{common:?}");
        let heaviest = measure.axes.iter().map(|own| own.weight).fold(0.0, f64::max);
        assert!(heaviest > 0.25 && heaviest <= 1.0);
        for (axis, own) in space.axes.iter().zip(&measure.axes) {
            let at = own.start..own.start + axis.names().max(1);
            let near = measure.near.iter().flat_map(|near| &near[at.clone()]);
            let largest = near.fold(own.largest, |most, c| c.abs().max(most));
            assert!((1.0..2.0).contains(&largest));
            assert!((own.largest / (axis.largest * own.unit) - 1.0).abs() < 1e-15);
        }
    }
}

/// An axis on which all centroids agree weighs nothing, whatever its scale.
#[test]
fn axes_without_differences_weigh_nothing() {
    let columns = ["x", "y"].map(|name| Column::from_numbers(name, &[Some(0.0), Some(3.0)]).unwrap());
    let table = Table::new(columns.to_vec(), People::Rows).unwrap();
    let axes = [Axis { scale: 1e-100, ..Axis::new("x", 0.0, 9.0) }, Axis::new("y", 0.0, 9.0)];
    let space = ClusterSpace::of_all(&table, &axes).unwrap();
    let centers = [vec![2.0, 1.0], vec![2.0, 2.0]];
    let measure = Measure::new(&space, &centers.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert_eq!((measure.axes[0].weight, measure.axes[1].weight), (0.0, 1.0));
}

#[test]
fn numbers_are_split_exactly() {
    let numbers =
        [1.0, 1.5, 2.0, 3.0, 0.1, 1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE, 5e-324, 3e-310, 7.0 / 3.0];
    for number in numbers {
        let (mantissa, exponent) = split(number);
        assert!((1.0..2.0).contains(&mantissa), "{number:e}");
        let again = Dyadic::of(mantissa).shifted(i64::from(exponent));
        assert!(again.minus(&Dyadic::of(number)).is_zero(), "{number:e}");
    }
    assert_eq!((power(0), power(3), power(-2)), (1.0, 8.0, 0.25));
    assert_eq!((power(1023), power(-1022), power(-1023)), (2.0_f64.powi(1023), f64::MIN_POSITIVE, 0.0));
}

#[test]
fn differences_within_the_error_are_in_doubt() {
    assert_eq!(is_ahead(2.0, 1.0), Some(true));
    assert_eq!(is_ahead(-2.0, 1.0), Some(false));
    assert_eq!([1.0, -1.0, 0.0, f64::NAN].map(|difference| is_ahead(difference, 1.0)), [None; 4]);
    assert!(differ(1.0, 2.0) && differ(2.0, 1.0) && !differ(1.0, 1.0) && !differ(0.0, -0.0));
}
