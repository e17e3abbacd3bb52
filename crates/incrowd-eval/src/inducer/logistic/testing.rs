//! Helpers for tests: the end points of the methods, and a slow method to compare with.

use super::design::Design;
use super::loss::Loss;
use super::{lbfgs, newton};
use crate::inducer::Bound;

/// The end point of a method.
pub(in crate::inducer) struct End {
    pub(in crate::inducer) loss: f64,
    /// The largest entry of the gradient.
    pub(in crate::inducer) slope: f64,
    /// Whether the gradient agrees with finite differences of the loss.
    pub(in crate::inducer) gradient_is_right: bool,
}

pub(in crate::inducer) fn newton(bound: &Bound<'_>, ridge: f64) -> End {
    end(bound, ridge, newton::minimize)
}

pub(in crate::inducer) fn lbfgs(bound: &Bound<'_>, ridge: f64) -> End {
    end(bound, ridge, lbfgs::minimize)
}

/// Gradient descent with steps short enough never to increase the loss.
pub(in crate::inducer) fn descent(bound: &Bound<'_>, ridge: f64) -> End {
    end(bound, ridge, |loss| {
        let mut at = loss.start();
        let mut length = 1.0;
        for _ in 0..3000 {
            let (value, gradient) = loss.gradient(&at);
            let next: Vec<f64> = at.iter().zip(&gradient).map(|(x, slope)| x - length * slope).collect();
            if loss.value(&next) < value {
                at = next;
                length *= 1.1;
            } else {
                length /= 2.0;
            }
        }
        at
    })
}

fn end(bound: &Bound<'_>, ridge: f64, minimize: impl Fn(&Loss<'_>) -> Vec<f64>) -> End {
    let design = Design::new(bound);
    let loss = Loss::new(&design, ridge);
    let at = minimize(&loss);
    let (value, gradient) = loss.gradient(&at);
    let slope = gradient.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()));
    // Near the end point, where the gradient is not 0.
    let beside: Vec<f64> = at.iter().map(|x| x + 0.3).collect();
    let gradient = loss.gradient(&beside).1;
    let difference = |place: usize| {
        let moved = |by: f64| {
            let mut moved = beside.clone();
            moved[place] += by;
            loss.value(&moved)
        };
        (moved(1e-5) - moved(-1e-5)) / 2e-5
    };
    let right = (0..at.len()).all(|place| (difference(place) - gradient[place]).abs() < 1e-3);
    End { loss: value, slope, gradient_is_right: right }
}
