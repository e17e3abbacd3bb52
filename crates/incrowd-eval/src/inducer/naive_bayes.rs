//! Naive Bayes (John and Langley, UAI 1995), with the details of Weka's `NaiveBayes`.
//!
//! The likelihood of a category is its frequency within the class with Laplace's correction, over all values of the
//! column's value table; the prior of a class likewise. The likelihood of a number is the mass of a normal distribution
//! over an interval around it: numbers are rounded to a *precision*, the mean distance of neighbouring values, which is
//! also the width of the interval and six times the minimum deviation. No likelihood is below 1e-75. Missing values are
//! ignored in training and in prediction, and so are categories that are not in the training table and suppressed cells
//! of a release (`*`).
//!
//! **Running time.** Training takes one pass over the cells. Prediction takes one likelihood per value of a column, and
//! one addition per cell and class. Counts are integers and sums run over values in ascending order, so neither the
//! order of rows nor merging them changes a bit of the result.
//!
//! **Deviations from Weka.** The mass of an interval far above the mean is computed as accurately as one far below.
//! Weka subtracts two numbers close to 1 there, and gets zero from about eight deviations on. Classes that do not occur
//! are never predicted.

use super::additive::{Additive, Effect, Term};
use super::{Bound, Classifier, Examples, Inducer};
use incrowd_core::Result;
use incrowd_core::table::Column;
use incrowd_core::taxonomy::ANY;
use statrs::function::erf::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// The minimum likelihood.
const LEAST: f64 = 1e-75;

/// The precision if all numbers are equal.
const USUAL_PRECISION: f64 = 0.01;

/// Deviations up to this carry no information about the scale.
const NO_SCALE: f64 = 1e-10;

/// Naive Bayes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NaiveBayes;

impl Inducer for NaiveBayes {
    fn name(&self) -> &'static str {
        "naive-bayes"
    }

    fn learn(&self, examples: Examples<'_>) -> Result<Box<dyn Classifier>> {
        let bound = examples.bind()?;
        let sizes = bound.sizes();
        let all = (sizes.iter().sum::<u64>() + sizes.len() as u64) as f64;
        let prior = |&size: &u64| if size == 0 { f64::NEG_INFINITY } else { ((size + 1) as f64 / all).ln() };
        Ok(Box::new(Additive {
            classes: bound.classes(),
            base: sizes.iter().map(prior).collect(),
            terms: bound.inputs.iter().map(|input| term(&bound, input)).collect(),
        }))
    }
}

fn term(bound: &Bound<'_>, input: &Column) -> Term {
    let classes = bound.class.values().len();
    let mut counts = bound.counts(input);
    counts.truncate(input.values().len() * classes);
    let effect = match input.values().numbers() {
        Some(numbers) => Effect::Normals(normals(numbers, &counts, classes)),
        None => names(input, &counts, classes),
    };
    Term { name: input.name().to_owned(), effect, missing: vec![0.0; classes] }
}

/// Frequencies within the class, plus one each. A suppressed cell counts as missing.
fn names(input: &Column, counts: &[u64], classes: usize) -> Effect {
    let names: Vec<String> =
        (0..input.values().len()).map(|code| input.values().text(code).into_owned()).collect();
    let speaks: Vec<bool> = names.iter().map(|name| name != ANY).collect();
    let mut totals = vec![speaks.iter().filter(|&&speaks| speaks).count() as u64; classes];
    for (of_name, _) in counts.chunks_exact(classes).zip(&speaks).filter(|&(_, &speaks)| speaks) {
        totals.iter_mut().zip(of_name).for_each(|(total, n)| *total += n);
    }
    let frequency = |(place, &n): (usize, &u64)| {
        if speaks[place / classes] { ((n + 1) as f64 / totals[place % classes] as f64).ln() } else { 0.0 }
    };
    let frequencies = counts.iter().enumerate().map(frequency).collect();
    Effect::Names(names, frequencies)
}

/// One normal distribution per class.
fn normals(numbers: &[f64], counts: &[u64], classes: usize) -> Vec<Normal> {
    let occurs = |place: &usize| counts[place * classes..(place + 1) * classes].iter().any(|&n| n > 0);
    let precision = precision((0..numbers.len()).filter(occurs).map(|place| numbers[place]));
    let of_class = |class: usize| {
        let count = |place: usize| counts[place * classes + class] as f64;
        Normal::new(numbers.iter().enumerate().map(|(place, &number)| (number, count(place))), precision)
    };
    (0..classes).map(of_class).collect()
}

/// The mean distance of neighbours among ascending numbers.
fn precision(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut last, mut sum, mut gaps) = (None, 0.0, 0);
    for number in numbers {
        if let Some(last) = last {
            sum += number - last;
            gaps += 1;
        }
        last = Some(number);
    }
    let mean = sum / f64::from(gaps);
    if mean > 0.0 && mean.is_finite() { mean } else { USUAL_PRECISION }
}

/// A normal distribution of rounded numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Normal {
    mean: f64,
    deviation: f64,
    precision: f64,
}

impl Normal {
    /// The distribution of numbers with these weights.
    pub(super) fn new(weighted: impl Iterator<Item = (f64, f64)> + Clone, precision: f64) -> Self {
        let rounded = weighted.map(|(number, weight)| (round(number, precision), weight));
        let weight: f64 = rounded.clone().map(|(_, weight)| weight).sum();
        let least = precision / 6.0;
        if weight == 0.0 {
            return Self { mean: 0.0, deviation: least, precision };
        }
        let mean = rounded.clone().map(|(number, weight)| number * weight).sum::<f64>() / weight;
        let squares: f64 = rounded.map(|(number, weight)| weight * (number - mean).powi(2)).sum();
        let deviation = (squares / weight).sqrt();
        Self { mean, deviation: if deviation > NO_SCALE { deviation.max(least) } else { least }, precision }
    }

    /// The logarithm of the mass around a number.
    pub(super) fn ln_likelihood(&self, number: f64) -> f64 {
        let distance = round(number, self.precision) - self.mean;
        let end = |half: f64| (distance + half) / self.deviation;
        mass(end(-self.precision / 2.0), end(self.precision / 2.0)).max(LEAST).ln()
    }
}

fn round(number: f64, precision: f64) -> f64 {
    (number / precision).round_ties_even() * precision
}

/// The mass of the standard normal distribution between two numbers, computed on the side where nothing cancels.
fn mass(low: f64, high: f64) -> f64 {
    let below = |x: f64| erfc(-x * FRAC_1_SQRT_2) / 2.0;
    if low > 0.0 { below(-low) - below(-high) } else { below(high) - below(low) }
}
