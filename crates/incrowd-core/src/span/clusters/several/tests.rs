//! Evidence, one piece at a time: witnesses, bars and the programs that propose them.

use super::super::space::ClusterSpace;
use super::*;
use crate::model::Axis;
use crate::policy::{Attribute, Policy, Role, Undeclared};
use crate::random::Random;
use crate::table::{Column, People, Table};

/// One public number and two private ones, with ranges.
struct Case {
    table: Table,
    policy: Policy,
    axes: Vec<Axis>,
    centers: Vec<Vec<f64>>,
}

impl Case {
    fn new(random: &mut Random, ranges: [(f64, f64); 2]) -> Self {
        let names = ["a", "x", "y"];
        let ends = [(0.0, 30.0), ranges[0], ranges[1]];
        let mut cells = |(low, high): (f64, f64)| -> Vec<Option<f64>> {
            (0..10).map(|_| Some((f64::from(random.below(300)) / 10.0).clamp(low, high))).collect()
        };
        let columns = names.iter().zip(ends).map(|(name, ends)| Column::from_numbers(name, &cells(ends)));
        let columns: Vec<Column> = columns.collect::<Result<_>>().unwrap();
        let role = |name: &str| if name == "a" { Role::Public } else { Role::Private };
        let axis = |(name, (low, high)): (&str, (f64, f64))| Axis::new(name, low, high);
        let mut axes: Vec<Axis> = names.into_iter().zip(ends).map(axis).collect();
        axes[2].scale = 3.0;
        let center = |_| (0..3).map(|_| f64::from(random.below(300)) / 10.0).collect();
        let centers = (0..5).map(center).collect();
        let policy = Policy {
            attributes: names.map(|name| Attribute::new(name, role(name))).to_vec(),
            class: None,
            subject: None,
            dependencies: Vec::new(),
            undeclared: Undeclared::default(),
            guarantee: crate::guarantee::Guarantee::default(),
            earlier: None,
        };
        Self { table: Table::new(columns, People::Rows).unwrap(), policy, axes, centers }
    }

    fn with(&self, test: impl FnOnce(&CellsOf<'_, '_>)) {
        let space = ClusterSpace::new(&self.table, &self.policy, &self.axes).unwrap();
        test(&CellsOf::new(&space, self.centers.iter().map(Vec::as_slice).collect()));
    }
}

/// How much farther centroid `j` is than centroid `i` from two private numbers.
fn farther(cells: &CellsOf<'_, '_>, numbers: [f64; 2], j: usize, i: usize) -> f64 {
    let own = cells.space.ranges.iter().zip(numbers);
    own.map(|(range, number)| cells.measure.on(range.axis, Place::Number(number), j, i)).sum()
}

#[test]
fn witnesses_hold_with_some_slack() {
    let witness = Witness { farther: vec![1.0, 0.0, 3.0], slack: 0.5 };
    assert!(witness.holds(&[0.0, 0.0, 0.0], 1));
    assert!(!witness.holds(&[0.0, 0.5, 0.0], 1), "as far as the first one, by the slack");
    assert!(witness.holds(&[0.0, 0.49, 0.0], 1));
    assert!(!witness.holds(&[0.0, 0.0, -3.0], 1) && !witness.holds(&[0.0, 0.0, 0.0], 0));
}

#[test]
fn bars_hold_below_their_limits() {
    let bar = Bar { weights: vec![(0, 0.5), (2, 0.25)], limit: 1.0 };
    assert!(bar.holds(&[1.0, 0.0, 1.0], 1));
    assert!(!bar.holds(&[1.0, 0.0, 2.0], 1), "at the limit");
    assert!(bar.holds(&[1.0, 0.5, 2.0], 1));
    let never = Bar { limit: f64::NEG_INFINITY, ..bar };
    assert!(!never.holds(&[-1e300, 0.0, -1e300], 1));
}

#[test]
fn useful_evidence_comes_to_the_front() {
    let mut list = vec!['a', 'b', 'c'];
    assert!(holds_for_one(&mut list, |&c| c == 'c') && list == ['a', 'c', 'b']);
    assert!(holds_for_one(&mut list, |&c| c == 'a') && list == ['a', 'c', 'b']);
    assert!(!holds_for_one(&mut list, |&c| c == 'd') && list == ['a', 'c', 'b']);
    let mut kept: Vec<usize> = Vec::new();
    (0..KEPT + 5).for_each(|i| keep(&mut kept, i));
    assert_eq!((kept.len(), kept.last()), (KEPT, Some(&(KEPT - 1))));
}

#[test]
fn witnesses_are_brought_into_the_box() {
    let case = Case::new(&mut Random::of(1, 0), [(0.0, 30.0), (5.0, 20.0)]);
    case.with(|cells| {
        for (numbers, within) in
            [([3.0, 7.0], [3.0, 7.0]), ([-4.0, 2.0], [0.0, 5.0]), ([40.0, 21.0], [30.0, 20.0])]
        {
            let witness = cells.witness(&numbers).unwrap();
            for j in 0..5 {
                let expected = farther(cells, within, j, 0);
                assert!((witness.farther[j] - expected).abs() <= witness.slack, "{numbers:?}");
            }
            assert!(witness.slack > 0.0 && witness.slack < 1e-11);
        }
    });
    let endless = Case::new(&mut Random::of(1, 0), [(f64::NEG_INFINITY, f64::INFINITY), (0.0, 9.0)]);
    endless.with(|cells| {
        assert!(cells.witness(&[1e10, 1.0]).is_some());
        assert!(cells.witness(&[1e18, 1.0]).is_none() && cells.witness(&[-1e18, 1.0]).is_none());
    });
}

/// The limit of a bar is what the weighted differences are at least, anywhere in the box, less a little.
#[test]
fn bars_are_as_high_as_they_can_be() {
    for seed in 0..20 {
        let random = &mut Random::of(seed, 2);
        let case = Case::new(random, [(0.0, 30.0), (2.0, 17.0)]);
        let share = f64::from(random.below(1000)) / 1000.0;
        case.with(|cells| {
            for weights in
                [vec![(1, 1.0)], vec![(1, share), (2, 1.0 - share)], vec![(3, share), (4, 1.0 - share)]]
            {
                let lead = |x: f64, y: f64| -> f64 {
                    weights.iter().map(|&(j, weight)| -weight * farther(cells, [x, y], j, 0)).sum()
                };
                let corners = [lead(0.0, 2.0), lead(0.0, 17.0), lead(30.0, 2.0), lead(30.0, 17.0)];
                let least = corners.into_iter().fold(f64::INFINITY, f64::min);
                let bar = cells.bar(0, weights.clone(), Weights::Given);
                assert!(bar.limit < least && least - bar.limit < 1e-11, "{} {least}", bar.limit);
                let exact = cells.bar(0, weights.clone(), Weights::Exact);
                assert_eq!(exact.limit.to_bits(), bar.limit.to_bits());
            }
        });
    }
}

/// Without an end, weights must not let the lead of a cell fall for ever.
#[test]
fn bars_of_endless_ranges() {
    let endless =
        [(f64::NEG_INFINITY, f64::INFINITY), (f64::NEG_INFINITY, 9.0), (0.0, f64::INFINITY), (0.0, 9.0)];
    for range in endless {
        let mut case = Case::new(&mut Random::of(5, 0), [range, (0.0, 30.0)]);
        // Centroids that are lower, equal and higher on the first private number.
        for (center, at) in case.centers.iter_mut().zip([5.0, 3.0, 5.0, 8.0, 7.0]) {
            center[1] = at;
        }
        case.with(|cells| {
            let limit = |weights: &[(usize, f64)], known| cells.bar(0, weights.to_vec(), known).limit;
            let is_finite = |weights: &[(usize, f64)]| limit(weights, Weights::Given).is_finite();
            assert_eq!(is_finite(&[(1, 1.0)]), range.1 < f64::INFINITY, "falls with the number");
            assert_eq!(is_finite(&[(3, 1.0)]), range.0 > f64::NEG_INFINITY, "rises with the number");
            assert!(is_finite(&[(2, 1.0)]));
            assert_eq!(is_finite(&[(3, 0.5), (4, 0.5)]), range.0 > f64::NEG_INFINITY);
            // Two fifths of 2 less and one fifth of … cancel out, but doubles do not show it.
            let even = [(1, 0.6), (3, 0.4)];
            assert_eq!(is_finite(&even), range == (0.0, 9.0));
            assert!(limit(&even, Weights::Exact).is_finite());
            // Mostly one side.
            assert_eq!(is_finite(&[(1, 0.2), (3, 0.8)]), range.0 > f64::NEG_INFINITY);
            assert_eq!(is_finite(&[(1, 0.9), (3, 0.1)]), range.1 < f64::INFINITY);
        });
    }
}

#[test]
fn some_point_of_every_range_is_an_end() {
    let range = |low, high| Range { axis: 0, low, high, whole: false };
    let all = |low, high| ends(&range(low, high)).collect::<Vec<_>>();
    assert_eq!(all(1.0, 2.0), [1.0, 2.0]);
    assert_eq!(all(1.0, f64::INFINITY), [1.0]);
    assert_eq!(all(f64::NEG_INFINITY, 2.0), [2.0]);
    assert_eq!(all(f64::NEG_INFINITY, f64::INFINITY), [0.0]);
}

/// A half-space contains the private numbers that are nearer to a centroid than to another.
#[test]
fn half_spaces_are_where_a_centroid_is_nearer() {
    for seed in 0..20 {
        let random = &mut Random::of(seed, 4);
        let case = Case::new(random, [(0.0, 30.0), (0.0, f64::INFINITY)]);
        let numbers = [f64::from(random.below(30)), f64::from(random.below(30))];
        case.with(|cells| {
            let places: Vec<Place> = cells.space.places(0).collect();
            let units: Vec<f64> = cells.space.ranges.iter().map(|range| cells.scaled_unit(range)).collect();
            for (i, j) in [(0, 1), (1, 0), (2, 4)] {
                let half = cells.half_space(&places, j, i);
                let left: f64 = half
                    .coefficients
                    .iter()
                    .zip(&units)
                    .zip(numbers)
                    .map(|((c, unit), b)| c * unit * b)
                    .sum();
                let expected =
                    cells.measure.over(&places, j, i, &cells.fixed) + farther(cells, numbers, j, i);
                let size = half.size * (left.abs() + half.right.abs());
                assert!(((half.right - left) * half.size - expected).abs() <= size * 1e-12);
                let largest = half.coefficients.iter().fold(0.0_f64, |most, c| c.abs().max(most));
                assert!((largest - 1.0).abs() < 1e-15 && half.cell == j);
            }
            let program = cells.program(&places, 2);
            assert_eq!(program.half_spaces.iter().map(|half| half.cell).collect::<Vec<_>>(), [0, 1, 3, 4]);
            assert_eq!(program.ranges, [(0.0, 30.0 * units[0]), (0.0, f64::INFINITY)]);
        });
    }
}

/// Evidence or a proposal settles nearly all that is not a tie, and both kinds of evidence are of use.
#[test]
fn exact_programs_are_rarely_needed() {
    let (mut settled, mut proposed, mut all) = ([0_u32; 2], [0_u32; 2], 0_u32);
    for seed in 0..30 {
        let case = Case::new(
            &mut Random::of(seed, 6),
            [(0.0, 30.0), (0.0, if seed % 2 == 0 { 30.0 } else { f64::INFINITY })],
        );
        case.with(|cells| {
            let mut evidence = Evidence::of(cells);
            for (row, i) in (0..10).flat_map(|row| (0..5).map(move |i| (row, i))) {
                let places: Vec<Place> = cells.space.places(row).collect();
                let (offsets, exact) =
                    (cells.offsets(&places), cells.is_reached_exactly(&places, i).unwrap());
                all += 1;
                if let Some(found) = evidence.settles(&offsets, &offsets, i) {
                    assert_eq!(found, exact);
                    settled[usize::from(found)] += 1;
                } else if let Some(found) = cells.is_proposed(&places, &offsets, i, &mut evidence.of_cell[i])
                {
                    assert_eq!((found, evidence.settles(&offsets, &offsets, i)), (exact, Some(exact)));
                    proposed[usize::from(found)] += 1;
                }
            }
        });
    }
    let decided = settled.iter().chain(&proposed).sum::<u32>();
    assert!(decided * 100 >= all * 98, "{decided} of {all}");
    assert!(
        settled.iter().all(|&count| count * 10 > all) && proposed.iter().all(|&count| count > 0),
        "{settled:?} {proposed:?} of {all}"
    );
}

/// The other cells' lead over the first one is weighted, not counted: it falls towards the one that is far below.
#[test]
fn bars_without_an_end_are_weighted() {
    let mut case = Case::new(&mut Random::of(1, 0), [(0.0, f64::INFINITY), (0.0, 30.0)]);
    case.centers = vec![vec![0.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, -5.0, 0.0]];
    case.with(|cells| {
        let bounded = |weights: [f64; 2]| {
            cells.is_bounded(&cells.space.ranges[0], 0, &[(1, weights[0]), (2, weights[1])])
        };
        assert!(!bounded([1.0, 1.0]) && bounded([6.0, 1.0]));
    });
}
