//! Clusterings in other units, and with numbers at the limits of doubles: the same verdict, and the naive audit's.

use crate::cases::Case;
use crate::compare::{differences, fast};
use crate::random::Random;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Axis, Centroid, Clusters, Domain, Model};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::table::{Column, People, Table};

/// A clustering of numbers that can be brought to other units.
#[derive(Debug, Clone)]
struct Plain {
    /// Column by column.
    numbers: Vec<Vec<f64>>,
    roles: Vec<Role>,
    ranges: Vec<(f64, f64)>,
    scales: Vec<f64>,
    centers: Vec<Vec<f64>>,
    k: u64,
}

impl Plain {
    /// The same with numbers, ranges and centres multiplied by one number each axis, and scales by another.
    fn times(&self, units: &[f64], scale: f64) -> Self {
        let mut plain = self.clone();
        for (axis, unit) in units.iter().enumerate() {
            plain.numbers[axis].iter_mut().for_each(|number| *number *= unit);
            plain.centers.iter_mut().for_each(|center| center[axis] *= unit);
            plain.ranges[axis] = (self.ranges[axis].0 * unit, self.ranges[axis].1 * unit);
            plain.scales[axis] *= unit * scale;
        }
        plain
    }

    fn case(&self) -> Case {
        let name = |axis: usize| format!("x{axis}");
        let column = |(axis, numbers): (usize, &Vec<f64>)| {
            Column::from_numbers(&name(axis), &numbers.iter().copied().map(Some).collect::<Vec<_>>())
        };
        let columns = self.numbers.iter().enumerate().map(column).collect::<Result<_, _>>();
        let axis = |(axis, (&(low, high), &scale)): (usize, (&(f64, f64), &f64))| Axis {
            name: name(axis),
            domain: Domain::Numbers { low, high },
            scale,
            dates: false,
        };
        let axes = self.ranges.iter().zip(&self.scales).enumerate().map(axis).collect();
        let centroid = |center: &Vec<f64>| Centroid { center: center.clone(), population: None };
        let attributes = self.roles.iter().enumerate();
        let policy = Policy::new(attributes.map(|(axis, &role)| Attribute::new(name(axis), role)).collect());
        let clusters = Clusters::new(axes, self.centers.iter().map(centroid).collect());
        Case {
            table: Table::new(columns.expect("finite numbers"), People::Rows).expect("columns of one length"),
            policy,
            guarantee: Guarantee::k_anonymity(self.k).expect("k"),
            model: Some(Model::Clusters(clusters.expect("finite numbers"))),
        }
    }

    /// k, the number of spans and of breaches, and whether the guarantee holds.
    fn verdict(&self) -> (u64, u64, u64, bool) {
        let report = fast(&self.case()).expect("every clustering of numbers is decided");
        (report.k, report.spans, report.breaches.expect("counted"), report.holds)
    }
}

/// A clustering of two to four numbers drawn by `number`, at least one of them private.
fn plain(
    random: &mut Random,
    number: impl Fn(&mut Random) -> f64,
    scale: impl Fn(&mut Random) -> f64,
) -> Plain {
    let (axes, rows) = (random.between(2, 4), random.between(2, 8));
    let numbers: Vec<Vec<f64>> = (0..axes).map(|_| (0..rows).map(|_| number(random)).collect()).collect();
    let mut roles: Vec<Role> =
        (0..axes).map(|_| if random.percent(60) { Role::Private } else { Role::Public }).collect();
    (roles[0], roles[1]) = (Role::Public, Role::Private);
    let range = |random: &mut Random, numbers: &Vec<f64>| {
        let ends = [number(random), number(random)];
        let all = || numbers.iter().chain(&ends).copied();
        let low = if random.percent(20) { f64::NEG_INFINITY } else { all().fold(f64::INFINITY, f64::min) };
        let high = if random.percent(20) { f64::INFINITY } else { all().fold(f64::NEG_INFINITY, f64::max) };
        (low, high)
    };
    let ranges = numbers.iter().map(|numbers| range(random, numbers)).collect();
    let centers = random.between(1, 5);
    Plain {
        scales: (0..axes).map(|_| scale(random)).collect(),
        centers: (0..centers).map(|_| (0..axes).map(|_| number(random)).collect()).collect(),
        k: random.between(1, 3) as u64,
        numbers,
        roles,
        ranges,
    }
}

/// Small whole numbers and short decimals, so that there are ties and what rounding makes of them.
fn usual(random: &mut Random) -> Plain {
    let unit = random.pick(&[1.0, 1.0, 0.5, 0.1, 0.01]);
    let scale = |random: &mut Random| random.pick(&[1.0, 1.0, 2.0, 0.7, 3.1, 0.29]);
    plain(random, move |random| (random.between(0, 12) as f64 - 6.0) * unit, scale)
}

/// Numbers at the limits of doubles: neighbours, subnormal ones, −0, huge ones.
fn extreme(random: &mut Random) -> Plain {
    const NUMBERS: [f64; 16] = [
        0.0,
        -0.0,
        5e-324,
        -1e-310,
        f64::MIN_POSITIVE,
        1e-300,
        1e-5,
        0.1,
        0.3,
        0.300_000_000_000_000_04,
        1.0,
        -1.0,
        9_007_199_254_740_993.0,
        1e200,
        f64::MAX,
        f64::MIN,
    ];
    let few: Vec<f64> = (0..random.between(2, 5)).map(|_| random.pick(&NUMBERS)).collect();
    let scale = |random: &mut Random| random.pick(&[1.0, 1.0, 0.3, 5e-324, 1e-160, 1e160, f64::MAX]);
    plain(random, move |random| random.pick(&few), scale)
}

fn check_naive(cases: u64, make: fn(&mut Random) -> Plain) {
    let cases = std::env::var("INCROWD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    for seed in 0..cases {
        let plain = make(&mut Random::new(seed));
        let found = differences(&plain.case());
        assert_eq!(found, Some(Vec::new()), "seed {seed}: {plain:?}");
    }
}

#[test]
fn on_clusters_of_decimals() {
    check_naive(2000, usual);
}

#[test]
fn on_clusters_of_extreme_numbers() {
    check_naive(600, extreme);
}

#[test]
fn scales_multiplied_by_a_power_of_two_change_nothing() {
    for seed in 0..300 {
        let plain = usual(&mut Random::new(seed));
        let (verdict, units) = (plain.verdict(), vec![1.0; plain.scales.len()]);
        for exponent in (-60..=60).step_by(12).chain([-1000, 1, 1000]) {
            let scaled = plain.times(&units, 2_f64.powi(exponent));
            assert_eq!(scaled.verdict(), verdict, "seed {seed}, 2^{exponent}: {plain:?}");
        }
    }
}

#[test]
fn units_change_nothing() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let plain = usual(random);
        let verdict = plain.verdict();
        for _ in 0..5 {
            let unit = |random: &mut Random| 2_f64.powi(random.between(0, 120) as i32 - 60);
            let units: Vec<f64> = plain.scales.iter().map(|_| unit(random)).collect();
            assert_eq!(plain.times(&units, 1.0).verdict(), verdict, "seed {seed}, {units:?}: {plain:?}");
        }
        let far = [2_f64.powi(900), 2_f64.powi(-900), 1.0, 2_f64.powi(500)];
        assert_eq!(plain.times(&far[..plain.scales.len()], 1.0).verdict(), verdict, "seed {seed}: {plain:?}");
    }
}

/// Multiplying every scale of a clustering does not change the model, and must not change the verdict.
#[test]
fn a_breach_at_one_scale_is_one_at_every_scale() {
    let plain = Plain {
        numbers: vec![vec![0.0, 0.0, 4.0], vec![4.0, 5.0, 0.0], vec![4.0, 6.0, 1.0]],
        roles: vec![Role::Public, Role::Private, Role::Private],
        ranges: vec![(f64::NEG_INFINITY, f64::INFINITY), (0.0, 6.0), (0.0, 6.0)],
        scales: vec![1.0; 3],
        centers: vec![vec![1.0, 3.0, -6.0], vec![1.0, -3.0, 12.0], vec![-6.0, -3.0, -1.0]],
        k: 2,
    };
    for exponent in -60..=60 {
        let scaled = plain.times(&[1.0; 3], 2_f64.powi(exponent));
        assert_eq!(scaled.verdict(), (1, 2, 1, false), "2^{exponent}");
        assert_eq!(differences(&scaled.case()), Some(Vec::new()), "2^{exponent}");
    }
}
