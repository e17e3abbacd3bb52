//! Ends of intervals against exact arithmetic, and how often doubles decide.

use super::super::dyadic::Dyadic;
use super::super::space::ClusterSpace;
use super::*;
use crate::model::Axis;
use crate::policy::{Attribute, Policy, Role, Undeclared};
use crate::random::Random;
use crate::table::{Column, People, Table};
use std::cmp::Ordering;

fn end(least: f64, most: f64) -> End {
    End { least, most }
}

#[test]
fn the_first_whole_number_above_an_end() {
    assert_eq!(End::at(f64::NEG_INFINITY).first_whole(3.0), Some(3.0));
    assert_eq!(end(4.2, 4.4).first_whole(3.0), Some(5.0));
    assert_eq!(end(-1.5, -1.4).first_whole(-9.0), Some(-1.0));
    // Wholly below the first number that is possible.
    assert_eq!(end(0.5, 2.7).first_whole(3.0), Some(3.0));
    assert_eq!(end(2.0, 2.0).first_whole(3.0), Some(3.0));
    // The end may be whole, or lie on both sides of a whole number.
    for unclear in [end(4.0, 4.2), end(3.8, 4.0), end(3.9, 4.1), end(3.0, 3.0), end(2.9, 3.1), end(2.5, 3.0)]
    {
        assert_eq!(unclear.first_whole(3.0), None, "{unclear:?}");
    }
}

#[test]
fn the_last_whole_number_below_an_end() {
    assert_eq!(End::at(f64::INFINITY).last_whole(7.0), Some(7.0));
    assert_eq!(end(4.2, 4.4).last_whole(7.0), Some(4.0));
    assert_eq!(end(-1.5, -1.4).last_whole(7.0), Some(-2.0));
    assert_eq!(end(7.5, 9.7).last_whole(7.0), Some(7.0));
    for unclear in [end(4.0, 4.2), end(3.8, 4.0), end(3.9, 4.1), end(7.0, 7.0), end(6.9, 7.1), end(7.0, 7.5)]
    {
        assert_eq!(unclear.last_whole(7.0), None, "{unclear:?}");
    }
}

/// `middle + lead / coefficient` for every lead within the error lies between the two numbers, and these are not much
/// farther apart than they have to be.
#[test]
fn ends_contain_the_truth() {
    let random = &mut Random::of(7, 0);
    let mut number = |size: i32| {
        let sign = if random.percent(50) { -1.0 } else { 1.0 };
        let exponent = random.below(2 * size as u32) as i32 - size;
        sign * f64::from(1 + random.below(1 << 30)) / f64::from(1 + random.below(1 << 30))
            * 2.0_f64.powi(exponent)
    };
    for _ in 0..2000 {
        let (lead, middle, coefficient) = (number(40), number(3), number(40));
        let error = lead.abs() * 2.0_f64.powi(-45) + number(30).abs() * 2.0_f64.powi(-50);
        let end = End::of_lead(lead, error, middle, coefficient).unwrap();
        // Times the coefficient, to stay with sums and products.
        for truth in [Dyadic::of(lead).plus(&Dyadic::of(error)), Dyadic::of(lead).minus(&Dyadic::of(error))] {
            let above = |bound: f64| {
                let bound = Dyadic::of(bound).minus(&Dyadic::of(middle)).times(&Dyadic::of(coefficient));
                let sign = bound.minus(&truth).sign();
                if coefficient < 0.0 { sign.reverse() } else { sign }
            };
            assert_ne!(above(end.least), Ordering::Greater);
            assert_ne!(above(end.most), Ordering::Less);
        }
        let size = (lead / coefficient).abs() + middle.abs();
        let needed = 2.0 * (error / coefficient.abs() + size * 2.0_f64.powi(-49));
        assert!(end.most - end.least <= 1.02 * needed + size * 2.0_f64.powi(-50));
    }
    let of = |lead: f64, coefficient: f64| End::of_lead(lead, 1e-300, 1.0, coefficient);
    assert!(of(0.0, 1e-269).is_some() && of(0.0, -1e-269).is_some());
    assert_eq!(
        [SMALLEST, -SMALLEST, 1e-280, 0.0, f64::NAN].map(|coefficient| of(0.0, coefficient)),
        [None; 5]
    );
    assert_eq!(of(1e300, 1e-100), None);
}

/// One public number, one private one with a range, centroids at multiples of a quarter so that there are ties.
#[test]
fn doubles_decide_most_cells_and_never_wrongly() {
    let (mut decided, mut all, mut reached) = (0, 0, 0);
    for seed in 0..60 {
        let random = &mut Random::of(seed, 3);
        let names = ["x", "y", "z"];
        let column = |name: &&str, random: &mut Random| {
            let cells: Vec<_> = (0..8).map(|_| Some(f64::from(random.below(20)))).collect();
            Column::from_numbers(name, &cells).unwrap()
        };
        let columns = names.iter().map(|name| column(name, random)).collect();
        let table = Table::new(columns, People::Rows).unwrap();
        let mut attributes =
            names.map(|name| Attribute::new(name, if name == "y" { Role::Private } else { Role::Public }));
        attributes[1].whole = seed % 2 == 0;
        let policy = Policy {
            attributes: attributes.to_vec(),
            class: None,
            subject: None,
            dependencies: Vec::new(),
            undeclared: Undeclared::default(),
            guarantee: crate::guarantee::Guarantee::default(),
            earlier: None,
        };
        let axes = names.map(|name| Axis { scale: 1.5, ..Axis::new(name, 0.0, 20.0) });
        let space = ClusterSpace::new(&table, &policy, &axes).unwrap();
        let centers: Vec<Vec<f64>> =
            (0..5).map(|_| (0..3).map(|_| f64::from(random.below(80)) / 4.0).collect()).collect();
        let cells = CellsOf::new(&space, centers.iter().map(Vec::as_slice).collect());
        let range = space.ranges[0];
        for (row, i) in (0..8).flat_map(|row| (0..5).map(move |i| (row, i))) {
            let places: Vec<Place> = space.places(row).collect();
            let error = cells.measure.error(cells.size_of_fixed);
            let exact = cells.is_reached_exactly(&places, i).unwrap();
            let over = |j: usize| cells.measure.over(&places, j, i, &cells.fixed);
            let error_at = |j: usize| cells.measure.error_at(&places, j, i, &cells.fixed);
            let found = cells.is_left(i, range, |j| (over(j), error));
            let closer = cells.is_left(i, range, |j| (over(j), error_at(j)));
            assert!(found.is_none_or(|found| found == exact), "seed {seed}, row {row}, cell {i}");
            assert!(closer.is_none_or(|found| found == exact), "seed {seed}, row {row}, cell {i}");
            let offsets = cells.offsets(&places);
            assert_eq!(cells.is_on_envelope(&places, &offsets, i, range), Ok(exact));
            decided += u32::from(found.is_some());
            reached += u32::from(exact);
            all += 1;
        }
    }
    assert!(decided * 100 > all * 90, "{decided} of {all} decided in doubles");
    assert!(reached * 10 > all && (all - reached) * 10 > all, "{reached} of {all} reached");
}
