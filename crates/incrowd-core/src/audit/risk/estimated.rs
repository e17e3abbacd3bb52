//! Risks of a table that is a random sample of a population of which only the size is known.
//!
//! *1/F.* Given that f individuals of a group are in the sample, F has a negative binomial distribution with the
//! sampling fraction p = n/N (Benedetti and Franconi 1998; the individual risk of sdcMicro and mu-Argus with equal
//! weights N/n). Then E\[1/F\] = p ∫ u^(f−1) / (p + (1−p)u) du over \[0, 1\], computed by its recurrence for p < 1/2
//! and as a series of positive terms otherwise; both lose no precision.
//!
//! *Population uniques.* The rule of Dankar et al. (2012) as ARX applies it, without the SNB model: Pitman's model
//! (Hoshino 2001; maximum likelihood by Newton's method) up to a sampling fraction of 10 %, otherwise, or where
//! Newton's method finds no solution, the estimator of Zayatz (1991).
//!
//! Time: linear in the number of different sizes of groups and in the largest size.

use super::gamma::{digamma, ln_gamma, trigamma};
use super::{
    Likeness, OtherEstimate, PopulationFigures, PopulationSource, PopulationUniques, Sums, individuals,
    summary as sum,
};
use std::collections::BTreeMap;

/// The number of groups of each size.
type Groups = BTreeMap<u64, u64>;

/// Pitman's model is preferred up to this sampling fraction.
const SMALL_FRACTION: f64 = 0.1;

/// Terms of the series that are smaller than this share of the sum are left out.
const NEGLIGIBLE: f64 = 1e-17;

/// Sums with the expectation of 1/F.
pub(super) fn summary(groups: &Groups, population: u64, threshold: f64) -> Sums {
    let fraction = fraction(groups, population);
    let risks = Risks::new(fraction, groups.keys().last().copied().unwrap_or(0));
    let likeness = |(&size, &groups): (&u64, &u64)| Likeness {
        size,
        groups,
        risk: risks.of(size),
        in_population: size as f64 / fraction,
    };
    sum(groups.iter().map(likeness), threshold)
}

/// The figures for a population of this size.
pub(super) fn figures(groups: &Groups, population: u64) -> PopulationFigures {
    PopulationFigures {
        source: PopulationSource::DeclaredSize,
        individuals: population,
        sampling_fraction: fraction(groups, population),
        k_map: None,
        presence: None,
        uniques: uniques(groups, population),
    }
}

fn fraction(groups: &Groups, population: u64) -> f64 {
    if population == 0 { 1.0 } else { individuals(groups) as f64 / population as f64 }
}

/// The expectation of 1/F for each size of a group.
struct Risks {
    fraction: f64,
    /// For sizes from 1 on, where the recurrence is stable.
    by_recurrence: Vec<f64>,
}

impl Risks {
    fn new(fraction: f64, largest: u64) -> Self {
        let mut by_recurrence = Vec::new();
        if fraction < 0.5 && fraction > 0.0 {
            // Beyond this size, terms of the series fall quickly.
            let last = largest.min(10_000);
            let odds = fraction / (1.0 - fraction);
            let mut risk = -odds * fraction.ln();
            for size in 1..=last {
                by_recurrence.push(risk);
                risk = odds * (1.0 / size as f64 - risk);
            }
        }
        Self { fraction, by_recurrence }
    }

    fn of(&self, size: u64) -> f64 {
        match self.by_recurrence.get(size as usize - 1) {
            Some(&risk) => risk,
            None => self.by_series(size as f64),
        }
    }

    /// p Σ (1−p)^m B(f, m+1).
    fn by_series(&self, size: f64) -> f64 {
        let (mut term, mut sum, mut m) = (1.0 / size, 0.0, 0.0);
        while term > sum * NEGLIGIBLE {
            sum += term;
            m += 1.0;
            term *= (1.0 - self.fraction) * m / (size + m);
        }
        self.fraction * sum
    }
}

fn uniques(groups: &Groups, population: u64) -> PopulationUniques {
    let fraction = fraction(groups, population);
    let result = |estimator, individuals: f64, other| PopulationUniques {
        estimator,
        individuals,
        sampling_error: (individuals * (1.0 - fraction) / fraction).sqrt(),
        other,
    };
    if !groups.contains_key(&1) {
        let other = None;
        return PopulationUniques { estimator: "zayatz", individuals: 0.0, sampling_error: 0.0, other };
    }
    let other = |estimator, individuals| Some(OtherEstimate { estimator, individuals });
    let zayatz = zayatz(groups, population);
    match pitman(groups, population) {
        Some(pitman) if fraction <= SMALL_FRACTION => result("pitman", pitman, other("zayatz", zayatz)),
        Some(pitman) => result("zayatz", zayatz, other("pitman", pitman)),
        None => result("zayatz", zayatz, None),
    }
}

/// Zayatz's estimator: sizes of groups in the population are as frequent as in the sample.
fn zayatz(groups: &Groups, population: u64) -> f64 {
    let sample = individuals(groups);
    let once: f64 =
        groups.iter().map(|(&size, &groups)| groups as f64 * drawn_once(population, size, sample)).sum();
    let uniques = groups.get(&1).copied().unwrap_or(0) as f64;
    let fraction = sample as f64 / population as f64;
    uniques * (uniques * fraction / once) / fraction
}

/// The probability that a sample contains exactly one individual of a group of the population.
fn drawn_once(population: u64, size: u64, sample: u64) -> f64 {
    if population - size < sample - 1 {
        return 0.0;
    }
    let [population, size, sample] = [population, size, sample].map(|number| number as f64);
    // The hypergeometric distribution at 1.
    (size.ln() + ln_choose(population - size, sample - 1.0) - ln_choose(population, sample)).exp()
}

fn ln_choose(n: f64, k: f64) -> f64 {
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}

/// The most steps of Newton's method.
const STEPS: usize = 300;

/// The expected number of uniques of a population under Pitman's model; `None` if it cannot be fitted.
fn pitman(groups: &Groups, population: u64) -> Option<f64> {
    let (theta, alpha) = fitted(groups)?;
    let uniques = (ln_gamma(theta + 1.0) - ln_gamma(theta + alpha) + alpha * (population as f64).ln()).exp();
    (uniques.is_finite() && uniques <= population as f64).then_some(uniques)
}

/// The parameters of Pitman's model of greatest likelihood.
fn fitted(groups: &Groups) -> Option<(f64, f64)> {
    let of_size = |size: u64| groups.get(&size).copied().unwrap_or(0) as f64;
    let (ones, twos) = (of_size(1), of_size(2).max(1.0));
    let (all, n) = (groups.values().sum::<u64>() as f64, individuals(groups) as f64);
    let c = ones * (ones - 1.0) / twos;
    let theta = (n * all * c - ones * (n - 1.0) * (2.0 * all + c)) / (2.0 * ones * all + ones * c - n * c);
    let alpha = (theta * (ones - n) + (n - 1.0) * ones) / (n * all);
    let is_inside = |theta: f64, alpha: f64| alpha > 0.0 && alpha < 1.0 && theta > 0.0;
    let mut at = if is_inside(theta, alpha) { (theta, alpha) } else { (1.0, 0.5) };
    let mut slope = Slope::at(groups, all, n, at);
    for _ in 0..STEPS {
        let (step_theta, step_alpha) = slope.step()?;
        let mut share = 1.0;
        loop {
            let next = (at.0 + share * step_theta, at.1 + share * step_alpha);
            if is_inside(next.0, next.1) {
                let there = Slope::at(groups, all, n, next);
                if there.size() < slope.size() {
                    let is_done = (next.0 - at.0).abs() < 1e-10 * at.0 && (next.1 - at.1).abs() < 1e-12;
                    (at, slope) = (next, there);
                    if is_done {
                        return Some(at);
                    }
                    break;
                }
            }
            share /= 2.0;
            if share < 1e-12 {
                // No step improves: rounding is reached, or no solution exists.
                return (slope.size() < 1e-6).then_some(at);
            }
        }
    }
    None
}

/// The first and second derivatives of the logarithm of the likelihood.
struct Slope {
    by_theta: f64,
    by_alpha: f64,
    by_theta_twice: f64,
    by_both: f64,
    by_alpha_twice: f64,
    /// The scale that `by_theta` is compared with.
    scale: f64,
}

impl Slope {
    fn at(groups: &Groups, all: f64, n: f64, (theta, alpha): (f64, f64)) -> Self {
        let ratio = theta / alpha;
        // Σ 1/(θ + iα) for i from 1 to J − 1, and its derivatives.
        let first = (digamma(ratio + all) - digamma(ratio + 1.0)) / alpha;
        let squares = (trigamma(ratio + 1.0) - trigamma(ratio + all)) / (alpha * alpha);
        let once = ((all - 1.0) - theta * first) / alpha;
        let mixed = (first - theta * squares) / alpha;
        let twice = ((all - 1.0) - 2.0 * theta * first + theta * theta * squares) / (alpha * alpha);
        let (mut within, mut within_squares) = (0.0, 0.0);
        for (&size, &groups) in groups.range(2..) {
            within += groups as f64 * (digamma(size as f64 - alpha) - digamma(1.0 - alpha));
            within_squares += groups as f64 * (trigamma(1.0 - alpha) - trigamma(size as f64 - alpha));
        }
        let total = digamma(theta + n) - digamma(theta + 1.0);
        let total_squares = trigamma(theta + 1.0) - trigamma(theta + n);
        Self {
            by_theta: first - total,
            by_alpha: once - within,
            by_theta_twice: total_squares - squares,
            by_both: -mixed,
            by_alpha_twice: -twice - within_squares,
            scale: theta,
        }
    }

    /// Newton's step to where both first derivatives are 0.
    fn step(&self) -> Option<(f64, f64)> {
        let determinant = self.by_theta_twice * self.by_alpha_twice - self.by_both * self.by_both;
        let theta = (self.by_both * self.by_alpha - self.by_alpha_twice * self.by_theta) / determinant;
        let alpha = (self.by_both * self.by_theta - self.by_theta_twice * self.by_alpha) / determinant;
        (theta.is_finite() && alpha.is_finite()).then_some((theta, alpha))
    }

    /// How far from 0 the first derivatives are, in units that do not depend on θ.
    fn size(&self) -> f64 {
        (self.by_theta * self.scale).abs() + self.by_alpha.abs()
    }
}
