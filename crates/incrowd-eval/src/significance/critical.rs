//! Critical differences of average ranks.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Nemenyi's critical difference: two methods whose average ranks are further apart differ, at a level such as 0.05.
pub fn nemenyi(methods: usize, blocks: usize, level: f64) -> f64 {
    studentized_range(methods, 1.0 - level) / std::f64::consts::SQRT_2 * scale(methods, blocks)
}

/// Bonferroni and Dunn's critical difference: a method whose average rank is further from a control's differs from it,
/// at a level such as 0.05.
///
/// It is smaller than Nemenyi's, because fewer pairs are compared. Demšar's table misprints the quantile for nine
/// methods at 0.05 (2.724 for 2.734).
pub fn bonferroni_dunn(methods: usize, blocks: usize, level: f64) -> f64 {
    let pairs = methods.saturating_sub(1).max(1) as f64;
    Normal::standard().inverse_cdf(1.0 - level / (2.0 * pairs)) * scale(methods, blocks)
}

/// The standard deviation of the difference of two average ranks.
pub(super) fn scale(methods: usize, blocks: usize) -> f64 {
    let k = methods as f64;
    (k * (k + 1.0) / (6.0 * blocks.max(1) as f64)).sqrt()
}

/// The quantile of the range of n standard normal numbers (the studentized range with infinitely many degrees of
/// freedom).
pub(super) fn studentized_range(count: usize, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    // Sixty halvings exceed the precision of a double.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if range_below(count, middle) < probability { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The probability that n standard normal numbers lie within a range: the largest is at z, and all others between z −
/// range and z.
///
/// Computed by the trapezoidal rule, which converges exponentially for functions that vanish at both ends. With these
/// steps it is exact up to rounding.
fn range_below(count: usize, range: f64) -> f64 {
    const STEP: f64 = 0.05;
    const STEPS: i32 = 180;
    let normal = Normal::standard();
    let others = count.saturating_sub(1) as i32;
    let at = |step: i32| {
        let z = f64::from(step) * STEP;
        normal.pdf(z) * (normal.cdf(z) - normal.cdf(z - range)).powi(others)
    };
    count as f64 * STEP * (-STEPS..=STEPS).map(at).sum::<f64>()
}
