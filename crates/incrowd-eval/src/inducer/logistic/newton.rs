//! Newton's method, for few coefficients.

use super::cholesky::solve;
use super::loss::Loss;

/// It ends when the loss can fall by no more than this.
const ENOUGH: f64 = 1e-9;

/// The most steps. A dozen are usual; classes that can be told apart without errors take one more for each e-fold the coefficients grow by.
const MOST_STEPS: usize = 100;

/// How often a step is halved.
const MOST_HALVES: usize = 40;

/// The coefficients with the least loss.
pub(super) fn minimize(loss: &Loss<'_>) -> Vec<f64> {
    let mut at = loss.start();
    let mut value = loss.value(&at);
    for _ in 0..MOST_STEPS {
        let (gradient, mut matrix) = loss.curvature(&at);
        let step = solve(&mut matrix, &gradient);
        let fall: f64 = step.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
        if fall.is_nan() || fall <= 2.0 * ENOUGH {
            break;
        }
        let Some((next, next_value)) = descend(loss, &at, value, &step, fall) else { break };
        (at, value) = (next, next_value);
    }
    at
}

/// The first of the step and its halves with which the loss falls as it should.
pub(super) fn descend(
    loss: &Loss<'_>,
    at: &[f64],
    value: f64,
    step: &[f64],
    fall: f64,
) -> Option<(Vec<f64>, f64)> {
    let mut part = 1.0;
    for _ in 0..MOST_HALVES {
        let next: Vec<f64> = at.iter().zip(step).map(|(at, step)| at - part * step).collect();
        let next_value = loss.value(&next);
        if next_value <= value - 1e-4 * part * fall {
            return Some((next, next_value));
        }
        part /= 2.0;
    }
    None
}
