//! Test vectors of the parts: gain, pessimistic error, thresholds, levels.

use crate::tree::gain::{Counts, information_gain};
use crate::tree::prune::Pessimism;
use crate::tree::split::{threshold_behind, threshold_between};

#[test]
fn pessimistic_errors_are_those_of_c45() {
    let pessimism = Pessimism::new(0.25);
    for (size, wrong, more) in
        [(6.0, 0.0, 1.2378), (16.0, 1.0, 1.47571), (100.0, 10.0, 2.74961), (20.0, 0.5, 1.41821)]
    {
        let found: f64 = pessimism.more_errors(size, wrong);
        assert!((found - more).abs() < 1e-4, "{size}, {wrong}: {found}");
    }
}

#[test]
fn gain_is_the_textbooks() {
    // Quinlan's weather: outlook splits 9 and 5 into 2/3, 4/0, 3/2.
    let counts = [2, 3, 4, 0, 3, 2];
    let gain = information_gain(Counts { all: &counts, classes: 2 });
    assert!((gain - 0.246_749_819_774_439).abs() < 1e-12, "{gain}");
}

#[test]
fn gain_is_zero_exactly_when_branches_are_alike() {
    let gain = |counts: &[u64]| information_gain(Counts { all: counts, classes: 3 });
    assert!(gain(&[1, 2, 3, 10, 20, 30, 0, 0, 0]) == 0.0);
    assert!(gain(&[1, 2, 3, 10, 20, 31]) > 0.0);
    let large = 1 << 40;
    assert!(gain(&[large, large, 1, large, large + 1, 1]) > 0.0);
}

#[test]
fn thresholds_are_nobodys_value() {
    let numbers = [17.0, 18.0, 25.0, 40.0, 90.0];
    assert_eq!(threshold_behind(&numbers, 0, false), Some(17.5));
    assert_eq!(threshold_behind(&numbers, 2, false), Some(30.0));
    assert_eq!(threshold_behind(&numbers, 4, false), None);
    // 20 is between 17 and 40 and is not the value of an individual.
    assert_eq!(threshold_between(&numbers, 0, 3, false), Some(30.0));
    let ages: Vec<f64> = (17..60).map(f64::from).collect();
    let threshold = threshold_between(&ages, 3, 30, false).expect("there is room");
    assert!(threshold > 20.0 && threshold < 47.0 && !ages.contains(&threshold), "{threshold}");
}

#[test]
fn values_without_a_number_between_are_not_cut() {
    let numbers = [1.0, 1.0_f64.next_up(), 2.0];
    assert_eq!(threshold_behind(&numbers, 0, false), None);
    assert_eq!(threshold_between(&numbers, 0, 1, false), None);
}
