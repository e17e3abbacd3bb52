//! Every measure against its definition on random counts, the worked figures of the papers, and closure under merging.

use super::*;
use proptest::prelude::*;

/// A span's counts over all values, and the whole table's.
struct Case {
    counts: Vec<(u32, u64)>,
    whole: Whole,
}

impl Case {
    fn new(span: &[u64], rest: &[u64]) -> Self {
        let counts = (0_u32..).zip(span).filter(|&(_, &n)| n > 0).map(|(v, &n)| (v, n)).collect();
        let whole = Whole::new(span.iter().zip(rest).map(|(a, b)| a + b).collect());
        Self { counts, whole }
    }

    fn histogram(&self) -> Histogram<'_> {
        let total = self.counts.iter().map(|&(_, n)| n).sum();
        Histogram::new(ValueCounts::Occurring(&self.counts), total, &self.whole)
    }

    fn holds(&self, requirement: Requirement) -> bool {
        let histograms = [self.histogram()];
        let population = histograms[0].total;
        let smallest_bin = self.counts.iter().map(|&(_, n)| n).min().unwrap_or(0);
        let crowd =
            Crowd { population, alike: population, single_bin: false, smallest_bin, histograms: &histograms };
        let guarantee = Guarantee::new(vec![requirement], Scope::All).unwrap();
        guarantee.broken_by(&crowd).next().is_none()
    }
}

fn shares(counts: &[u64]) -> Vec<f64> {
    let total: u64 = counts.iter().sum();
    counts.iter().map(|&n| n as f64 / total as f64).collect()
}

fn naive_ordered(p: &[f64], q: &[f64]) -> f64 {
    let (mut flow, mut sum, mut occurring) = (0.0, 0.0, 0);
    for (a, b) in p.iter().zip(q).filter(|&(_, &b)| b > 0.0) {
        flow += a - b;
        sum += f64::abs(flow);
        occurring += 1;
    }
    sum / f64::from((occurring - 1).max(1))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 || (a.is_infinite() && b.is_infinite())
}

fn span_and_rest() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    (2_usize..7).prop_flat_map(|m| {
        let span = prop::collection::vec(0_u64..6, m).prop_filter("somebody", |s| s.iter().sum::<u64>() > 0);
        (span, prop::collection::vec(0_u64..9, m))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn measures_equal_their_definitions((span, rest) in span_and_rest()) {
        let case = Case::new(&span, &rest);
        let values = case.histogram();
        let whole: Vec<u64> = span.iter().zip(&rest).map(|(a, b)| a + b).collect();
        let (p, q) = (shares(&span), shares(&whole));
        let entropy: f64 = p.iter().filter(|&&x| x > 0.0).map(|x| -x * x.ln()).sum();
        let highest = p.iter().copied().fold(0.0, f64::max);
        prop_assert_eq!(distinct::measure(&values), p.iter().filter(|&&x| x > 0.0).count() as u64);
        prop_assert!(close(entropy::measure(&values), entropy.exp()));
        prop_assert!(close(confidence::measure(&values), highest));
        prop_assert!(close(alpha::measure(&values), highest));
        let equal = p.iter().zip(&q).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0;
        prop_assert!(close(closeness::measure(&values, Distance::Equal), equal));
        prop_assert!(close(closeness::measure(&values, Distance::Ordered), naive_ordered(&p, &q)));
        let growth = p.iter().zip(&q).filter(|(a, _)| **a > 0.0).map(|(a, b)| (a - b) / b).fold(0.0, f64::max);
        prop_assert!(close(beta::measure(&values), growth));
        let mut sorted = span.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        for l in 1..=span.len() {
            let ratio = sorted[0] as f64 / sorted[l - 1..].iter().sum::<u64>() as f64;
            prop_assert!(close(recursive::measure(&values, l as u32), ratio));
        }
    }

    /// Two spans that satisfy a requirement still do when merged: pruning is safe.
    #[test]
    fn requirements_are_closed_under_merging(
        (one, two, rest) in (2_usize..6).prop_flat_map(|m| {
            let counts = || prop::collection::vec(0_u64..6, m);
            (counts(), counts(), counts())
        }),
        level in 0.05_f64..1.0,
        l in 1_u32..4,
    ) {
        let add = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(x, y)| x + y).collect::<Vec<_>>();
        let requirements = [
            Requirement::k(u64::from(l) * 3, SingleBin::Counted),
            Requirement::distinct_l(l),
            Requirement::entropy_l(1.0 + level * f64::from(l)),
            Requirement::recursive_l(level * 3.0, l),
            Requirement::confidence(level),
            Requirement::alpha(level),
            Requirement::t_closeness(level, Distance::Equal),
            Requirement::t_closeness(level, Distance::Ordered),
            Requirement::beta(level * 3.0),
            Requirement::smallest_bin(u64::from(l)),
        ];
        let first = Case::new(&one, &add(&two, &rest));
        let second = Case::new(&two, &add(&one, &rest));
        let merged = Case::new(&add(&one, &two), &rest);
        prop_assume!(first.histogram().total > 0 && second.histogram().total > 0);
        for requirement in requirements.map(Result::unwrap) {
            if first.holds(requirement) && second.holds(requirement) {
                prop_assert!(merged.holds(requirement), "{}", requirement);
            }
        }
    }
}

/// The confidence that an entropy l allows depends on the number of values: why a cap is a requirement of its own.
#[test]
fn entropy_caps_confidence_for_two_values_only() {
    let entropy_holds =
        |span: &[u64]| Case::new(span, &vec![0; span.len()]).holds(Requirement::entropy_l(1.526).unwrap());
    assert!(entropy_holds(&[8499, 1501]) && !entropy_holds(&[8510, 1490]));
    assert!(entropy_holds(&[8890, 555, 555]) && !entropy_holds(&[8930, 535, 535]));
    let ten = |most: u64| [&[most][..], &[(10_000 - most) / 9; 9]].concat();
    assert!(entropy_holds(&ten(9262)) && !entropy_holds(&ten(9289)));
    assert!(!Case::new(&ten(9262), &[0; 10]).holds(Requirement::confidence(0.85).unwrap()));
}

#[test]
fn equally_frequent_values_have_exactly_their_number_as_effective_number() {
    for m in 1_u32..40 {
        let case = Case::new(&vec![7; m as usize], &vec![0; m as usize]);
        assert!(case.holds(Requirement::entropy_l(f64::from(m)).unwrap()), "{m}");
        assert!(!case.holds(Requirement::entropy_l(f64::from(m) + 0.001).unwrap()), "{m}");
    }
}

#[test]
fn shares_equal_to_the_cap_hold() {
    for percent in 1..100_u64 {
        let case = Case::new(&[percent, 100 - percent], &[0, 0]);
        let highest = percent.max(100 - percent);
        assert!(case.holds(Requirement::confidence(highest as f64 / 100.0).unwrap()));
        assert!(!case.holds(Requirement::confidence((highest as f64 - 0.5) / 100.0).unwrap()));
    }
}

#[test]
fn a_single_bin_is_exempt_only_on_request() {
    let crowd = Crowd { population: 2, alike: 1, single_bin: true, smallest_bin: 2, histograms: &[] };
    let breach = |single_bin| {
        let k = Requirement::k(3, single_bin).unwrap();
        Guarantee::new(vec![k], Scope::Class).unwrap().broken_by(&crowd).count()
    };
    assert_eq!((breach(SingleBin::Counted), breach(SingleBin::Exempt)), (1, 0));
}

#[test]
fn senseless_parameters_are_refused() {
    let senseless = [
        Requirement::k(0, SingleBin::Counted),
        Requirement::distinct_l(0),
        Requirement::entropy_l(0.5),
        Requirement::entropy_l(f64::NAN),
        Requirement::recursive_l(0.0, 2),
        Requirement::recursive_l(1.0, 0),
        Requirement::confidence(0.0),
        Requirement::confidence(1.1),
        Requirement::t_closeness(-0.1, Distance::Equal),
        Requirement::t_closeness(f64::NAN, Distance::Equal),
        Requirement::alpha(f64::NAN),
        Requirement::beta(0.0),
        Requirement::smallest_bin(0),
    ];
    assert!(senseless.iter().all(Result::is_err));
    let k = |n| Requirement::k(n, SingleBin::Counted).unwrap();
    assert!(Guarantee::new(vec![k(2), k(3)], Scope::Class).is_err());
}
