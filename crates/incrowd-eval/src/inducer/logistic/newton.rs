//! Newton's method, for few coefficients.

use super::cholesky::solve;
use super::loss::Loss;

/// The tolerance: it ends when the loss can decrease by at most this.
const ENOUGH: f64 = 1e-9;

/// The maximum number of steps. A dozen is typical. Classes that can be separated without errors take one more step for
/// each factor e by which the coefficients grow.
const MOST_STEPS: usize = 100;

/// The maximum number of halvings of a step.
const MOST_HALVES: usize = 40;

/// Returns the coefficients with the smallest loss.
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

/// The first of the step and its halves that decreases the loss sufficiently.
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
