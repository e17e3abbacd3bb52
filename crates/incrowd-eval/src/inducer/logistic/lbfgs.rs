//! L-BFGS (Liu and Nocedal, Mathematical Programming 1989), for many coefficients.

use super::loss::Loss;
use super::newton::descend;
use std::collections::VecDeque;

/// The number of stored pairs.
const PAIRS: usize = 10;

/// The tolerance: it ends when the squared gradient, scaled by the second derivatives at the start, is at most this
/// share of the loss.
const ENOUGH: f64 = 1e-10;

/// The maximum number of steps.
const MOST_STEPS: usize = 500;

/// A step, the change of the gradient along it, and the inverse of their product.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// Returns the coefficients with the smallest loss.
pub(super) fn minimize(loss: &Loss<'_>) -> Vec<f64> {
    let mut at = loss.start();
    let diagonal = loss.diagonal(&at);
    let (mut value, mut gradient) = loss.gradient(&at);
    let mut pairs: VecDeque<Pair> = VecDeque::new();
    for _ in 0..MOST_STEPS {
        let left: f64 = gradient.iter().zip(&diagonal).map(|(slope, scale)| slope * slope / scale).sum();
        if left.is_nan() || left <= ENOUGH * value.max(1.0) {
            break;
        }
        let step = direction(&pairs, &gradient, &diagonal);
        let fall = dot(&step, &gradient);
        let Some((next, _)) = descend(loss, &at, value, &step, fall) else { break };
        let (next_value, next_gradient) = loss.gradient(&next);
        let step: Vec<f64> = difference(&next, &at);
        let change = difference(&next_gradient, &gradient);
        let product = dot(&step, &change);
        if product > 0.0 {
            pairs.push_back(Pair { step, change, inverse: 1.0 / product });
            pairs.drain(..pairs.len().saturating_sub(PAIRS));
        }
        (at, value, gradient) = (next, next_value, next_gradient);
    }
    at
}

/// The gradient times the stored approximation of the inverse second derivatives.
fn direction(pairs: &VecDeque<Pair>, gradient: &[f64], diagonal: &[f64]) -> Vec<f64> {
    let mut direction = gradient.to_vec();
    let mut factors = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let factor = pair.inverse * dot(&pair.step, &direction);
        add(&mut direction, &pair.change, -factor);
        factors.push(factor);
    }
    direction.iter_mut().zip(diagonal).for_each(|(x, scale)| *x /= scale);
    for (pair, factor) in pairs.iter().zip(factors.iter().rev()) {
        let back = pair.inverse * dot(&pair.change, &direction);
        add(&mut direction, &pair.step, factor - back);
    }
    direction
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

fn difference(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(x, y)| x - y).collect()
}

fn add(sum: &mut [f64], other: &[f64], factor: f64) {
    sum.iter_mut().zip(other).for_each(|(x, y)| *x += factor * y);
}
