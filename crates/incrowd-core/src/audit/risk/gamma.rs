//! The logarithm of the gamma function and its first two derivatives, for positive arguments.
//!
//! Arguments below 12 are shifted upwards by the recurrences; then the asymptotic series (Abramowitz and Stegun,
//! 6.1.41, 6.3.18, 6.4.12) have errors below 1e-13.

/// From here on, the asymptotic series are used.
const LARGE: f64 = 12.0;

/// The logarithm of the gamma function.
pub(super) fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < LARGE {
        shift += x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series - shift
}

/// Its first derivative.
pub(super) fn digamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < LARGE {
        shift += 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y * (1.0 / 132.0)))));
    x.ln() - 0.5 / x - series - shift
}

/// Its second derivative.
pub(super) fn trigamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < LARGE {
        shift += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        y / x * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y * (1.0 / 30.0 - y * (5.0 / 66.0)))));
    1.0 / x + 0.5 * y + series + shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-11 * other.abs().max(1.0), "{one} is not {other}");
    }

    #[test]
    fn has_the_known_values() {
        let pi = std::f64::consts::PI;
        near(ln_gamma(5.0), 24.0_f64.ln());
        near(ln_gamma(0.5), pi.sqrt().ln());
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(digamma(0.5), -0.577_215_664_901_532_9 - 2.0 * 2.0_f64.ln());
        near(trigamma(1.0), pi * pi / 6.0);
        near(trigamma(0.5), pi * pi / 2.0);
    }

    #[test]
    fn satisfies_the_recurrences() {
        for x in [0.01, 0.3, 2.5, 11.9, 12.1, 1e4] {
            near(ln_gamma(x + 1.0), ln_gamma(x) + x.ln());
            near(digamma(x + 1.0), digamma(x) + 1.0 / x);
            near(trigamma(x + 1.0) + 1.0 / (x * x), trigamma(x));
        }
    }
}
