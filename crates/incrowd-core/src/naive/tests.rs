//! Tests of the parts with known answers; the whole is compared with the fast audit.

use super::fraction::Fraction;
use super::{audit_model, worlds};
use crate::guarantee::Guarantee;
use crate::model::{Axis, Centroid, Clusters, Model};
use crate::policy::{Attribute, Policy, Role, Undeclared};
use crate::table::{Column, People, Table};
use std::collections::BTreeSet;

#[test]
fn populations_can_leave_one_world() {
    // Three individuals each in M and U; yes/M has 3, yes/U none, no has 3: all of M are in yes/M.
    let possible = worlds::possible(&[3, 3], &[3, 3], &[vec![0, 1], vec![1]]);
    assert_eq!(possible, [BTreeSet::from([0]), BTreeSet::from([1])]);
}

#[test]
fn populations_can_leave_everything_open() {
    let possible = worlds::possible(&[1, 2], &[2, 1], &[vec![0, 1], vec![0, 1]]);
    assert_eq!(possible, [BTreeSet::from([0, 1]), BTreeSet::from([0, 1])]);
}

#[test]
fn fractions_are_exact() {
    let third = Fraction::new(2, -6).expect("fits");
    assert_eq!(third.plus(Fraction::new(1, 3).expect("fits")), Some(Fraction::ZERO));
    assert_eq!(Fraction::new(1, 0), None);
}

/// Whether the span of two individuals at public x = 0 reveals anything (1, as both have y = 0, or 0) with centroids on
/// a line of private y from 0 to `high`.
fn told(high: f64, centers: &[f64]) -> u64 {
    let numbers = |name, x| Column::from_numbers(name, &[Some(x), Some(x)]).expect("finite");
    let table = Table::new(vec![numbers("x", 0.0), numbers("y", 0.0)], People::Rows).expect("two columns");
    let axes = vec![Axis::new("x", 0.0, 9.0), Axis::new("y", 0.0, high)];
    let centroids = centers.iter().map(|&y| Centroid { center: vec![0.0, y], population: None });
    let model = Model::Clusters(Clusters::new(axes, centroids.collect()).expect("finite"));
    let policy = Policy {
        attributes: vec![Attribute::new("x", Role::Public), Attribute::new("y", Role::Private)],
        class: None,
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
        earlier: None,
    };
    let audit = audit_model(&table, &policy, &model, &Guarantee::default()).expect("fits");
    u64::from(audit.attributes[0].distinct_l)
}

#[test]
fn the_first_centroid_wins_ties_at_the_end_of_the_range() {
    // At y = 2, both are equally near: the one listed first has that point, the other one nothing.
    assert_eq!(told(2.0, &[1.0, 3.0]), 0, "a single bin tells nothing");
    assert_eq!(told(2.0, &[3.0, 1.0]), 1, "the far centroid is first, so its cell is one point");
    assert_eq!(told(2.5, &[1.0, 3.0]), 1);
}
