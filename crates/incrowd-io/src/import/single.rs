//! Comparisons of single-precision numbers, as comparisons of doubles.
//!
//! scikit-learn and most ONNX models round a number to single precision before they compare it. Rounding is monotone,
//! so there is one largest double that still ends up at or below the threshold, and comparing with it routes every
//! double exactly as they do.

/// The largest double that, rounded to single precision, is at most `threshold` (a finite number).
pub(super) fn threshold(threshold: f64) -> f64 {
    let nearest = threshold as f32;
    let below = if f64::from(nearest) > threshold { nearest.next_down() } else { nearest };
    let middle = f64::midpoint(wide(below), wide(below.next_up()));
    // A double right in the middle is rounded to the even one of its neighbours.
    if below.to_bits().is_multiple_of(2) { middle } else { middle.next_down() }
}

/// A single as a double; beyond the largest one comes what would be next if exponents went on.
fn wide(number: f32) -> f64 {
    if number.is_infinite() { f64::from(number.signum()) * 2.0_f64.powi(128) } else { f64::from(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(limit: f64, number: f64) {
        let there = f64::from(number as f32) <= limit;
        assert_eq!(number <= threshold(limit), there, "{number:e} and {limit:e}");
    }

    proptest! {
        #[test]
        fn routes_as_the_rounded_number(bits in any::<u64>(), near in -3_i64..=3, other in any::<u64>()) {
            let limit = f64::from_bits(bits);
            prop_assume!(limit.is_finite());
            let limits = [limit, f64::from(limit as f32), f64::from_bits(bits & !0xfff_ffff)];
            for limit in limits.into_iter().filter(|limit| limit.is_finite()) {
                let at = threshold(limit);
                let close = f64::from_bits(at.to_bits().wrapping_add_signed(near));
                for number in [close, limit, f64::from_bits(other), f64::from(at as f32), f64::from((at as f32).next_up())] {
                    if number.is_finite() {
                        check(limit, number);
                    }
                }
            }
        }
    }

    #[test]
    fn ends_of_the_range() {
        for limit in [
            0.0,
            -0.0,
            30.5,
            0.1,
            1e-45,
            -1e-45,
            f64::MAX,
            f64::MIN,
            f64::from(f32::MAX),
            -f64::from(f32::MAX),
        ] {
            for number in [
                0.0,
                1e-46,
                -1e-46,
                30.5,
                30.500_000_9,
                30.500_001,
                3.4e38,
                3.5e38,
                -3.4e38,
                -3.5e38,
                1e300,
                -1e300,
            ] {
                check(limit, number);
            }
        }
    }
}
