#![allow(clippy::float_cmp, reason = "the result is one exact double")]

use super::*;
use proptest::prelude::*;

#[test]
fn examples() {
    for (a, b, expected) in [
        (17.0, 18.0, 17.5),
        (10.0, 37.0, 20.0),
        (8.0, 12.0, 10.0),
        (95.0, 105.0, 100.0),
        (-3.0, 4.0, 0.0),
        (0.0, 1.0, 0.5),
        (0.0, 100.0, 50.0),
        (-18.0, -17.0, -17.5),
        (0.1, 0.2, 0.15),
        (1.234_567, 1.234_569, 1.234_568),
        (1e300, 1e301, 5e300),
        (10.0, 40.0, 20.0),
        (-40.0, -10.0, -20.0),
        (0.0, f64::from_bits(1), f64::from_bits(1)),
        (1.0, 1.0f64.next_up(), 1.0f64.next_up()),
    ] {
        assert_eq!(short_decimal_between(a, b), expected, "between {a} and {b}");
    }
}

#[test]
fn bounds_that_make_no_sense_do_no_harm() {
    for (a, b) in [(2.0, 1.0), (1.0, 1.0), (f64::NEG_INFINITY, 1.0), (f64::NAN, 3.0)] {
        assert_eq!(short_decimal_between(a, b), b);
    }
    assert_eq!(short_decimal_between(0.0, f64::INFINITY), f64::INFINITY);
}

proptest! {
    #[test]
    fn lies_strictly_between(a in any::<f64>(), b in any::<f64>()) {
        prop_assume!(a.is_finite() && b.is_finite() && a != b);
        let (a, b) = (a.min(b), a.max(b));
        let cut = short_decimal_between(a, b);
        prop_assert!(a < cut && (cut < b || a.next_up() == b));
    }

    #[test]
    fn lies_between_close_numbers(bits in 0..f64::MAX.to_bits() - 5, steps in 1u64..5) {
        let (a, b) = (f64::from_bits(bits), f64::from_bits(bits + steps));
        let cut = short_decimal_between(a, b);
        prop_assert!(a < cut && (cut < b || steps == 1));
    }

    /// Against the definition on numbers with four decimal places, counted in ten-thousandths.
    #[test]
    fn none_is_shorter(a in -3_000_000i64..3_000_000, gap in 2i64..2_000_000) {
        let b = a + gap;
        let cut = short_decimal_between(a as f64 / 1e4, b as f64 / 1e4);
        let units = (cut * 1e4).round() as i64;
        let between = |power: i64| (a / power - 1..=b / power + 1).map(move |n| n * power);
        let powers = [10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1];
        let shortest = powers
            .into_iter()
            .find_map(|power| {
                let inside = between(power).filter(|n| a < *n && *n < b);
                inside.min_by_key(|n| ((2 * n - a - b).abs(), n.abs()))
            })
            .unwrap_or_default();
        prop_assert_eq!(units, if a < 0 && b > 0 { 0 } else { shortest });
    }

    #[test]
    fn is_symmetric(a in -1e6f64..1e6, b in -1e6f64..1e6) {
        let (a, b) = (a.min(b), a.max(b).max(a.min(b).next_up()));
        prop_assert_eq!(short_decimal_between(-b, -a), -short_decimal_between(a, b) + 0.0);
    }
}
