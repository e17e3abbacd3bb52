//! Exact arithmetic on doubles: whole numbers times powers of two.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// `mantissa · 2^exponent`.
#[derive(Debug, Clone)]
pub(super) struct Dyadic {
    pub(super) mantissa: BigInt,
    pub(super) exponent: i64,
}

impl Dyadic {
    pub(super) const ZERO: Self = Self { mantissa: BigInt::ZERO, exponent: 0 };

    /// The exact value of a finite number, its mantissa odd unless it is zero.
    pub(super) fn of(number: f64) -> Self {
        const FRACTION: u32 = 52;
        let bits = number.to_bits();
        let biased = (bits >> FRACTION & 0x7FF) as i64;
        let fraction = (bits & ((1 << FRACTION) - 1)) as i64;
        let (mantissa, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << FRACTION, biased - 1075) };
        if mantissa == 0 {
            return Self::ZERO;
        }
        let zeros = mantissa.trailing_zeros();
        let mantissa = BigInt::from(if number < 0.0 { -(mantissa >> zeros) } else { mantissa >> zeros });
        Self { mantissa, exponent: exponent + i64::from(zeros) }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.mantissa.sign() == Sign::NoSign
    }

    pub(super) fn sign(&self) -> Ordering {
        sign(&self.mantissa)
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        Self { mantissa: self.at(exponent) + other.at(exponent), exponent }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&Self { mantissa: -&other.mantissa, exponent: other.exponent })
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        Self { mantissa: &self.mantissa * &other.mantissa, exponent: self.exponent + other.exponent }
    }

    pub(super) fn times_whole(&self, other: &BigInt) -> Self {
        Self { mantissa: &self.mantissa * other, exponent: self.exponent }
    }

    /// Times a power of two.
    pub(super) fn shifted(mut self, by: i64) -> Self {
        self.exponent += by;
        self
    }

    /// In units of a power of two that is not above its own.
    pub(super) fn at(&self, exponent: i64) -> BigInt {
        if self.is_zero() { BigInt::ZERO } else { &self.mantissa << (self.exponent - exponent) }
    }
}

pub(super) fn sign(number: &BigInt) -> Ordering {
    match number.sign() {
        Sign::Minus => Ordering::Less,
        Sign::NoSign => Ordering::Equal,
        Sign::Plus => Ordering::Greater,
    }
}

/// The largest whole number that is not above `over / under`, with `under` above 0.
pub(super) fn floor(over: &BigInt, under: &BigInt) -> BigInt {
    let quotient = over / under;
    let is_exact = &quotient * under == *over;
    if over.sign() == Sign::Minus && !is_exact { quotient - 1 } else { quotient }
}

/// Numbers above 0 as shares of their sum, to about 50 bits.
pub(super) fn shares(numbers: &[Dyadic]) -> Vec<f64> {
    const KEPT: i64 = 60;
    let top = |number: &Dyadic| number.mantissa.bits() as i64 + number.exponent;
    let Some(highest) = numbers.iter().filter(|number| !number.is_zero()).map(top).max() else {
        return vec![0.0; numbers.len()];
    };
    let size = |number: &Dyadic| {
        // Numbers far below the highest one lose bits that do not count beside it.
        let shift = number.exponent - (highest - KEPT);
        let kept = if shift >= 0 { &number.mantissa << shift } else { &number.mantissa >> -shift };
        kept.iter_u64_digits().next().unwrap_or(0) as f64
    };
    let sizes: Vec<f64> = numbers.iter().map(size).collect();
    let sum: f64 = sizes.iter().sum();
    sizes.into_iter().map(|size| size / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_taken_exactly() {
        for (number, mantissa, exponent) in [
            (6.0, 3, 1),
            (-0.75, -3, -2),
            (1.0, 1, 0),
            (5e-324, 1, -1074),
            (f64::MIN_POSITIVE, 1, -1022),
            (1e23, 2_980_232_238_769_531_i64, 25),
        ] {
            let dyadic = Dyadic::of(number);
            assert_eq!((dyadic.mantissa, dyadic.exponent), (BigInt::from(mantissa), exponent), "{number:e}");
        }
        assert!(Dyadic::of(0.0).is_zero() && Dyadic::of(-0.0).is_zero() && !Dyadic::of(5e-324).is_zero());
    }

    #[test]
    fn sums_and_products() {
        let (a, b) = (Dyadic::of(0.75), Dyadic::of(-10.0));
        let is = |dyadic: &Dyadic, number: f64| dyadic.minus(&Dyadic::of(number)).is_zero();
        assert!(is(&a.plus(&b), -9.25) && is(&a.minus(&b), 10.75) && is(&b.minus(&a), -10.75));
        assert!(is(&a.times(&b), -7.5) && is(&a.times_whole(&BigInt::from(-4)), -3.0));
        assert!(is(&a.clone().shifted(3), 6.0) && is(&a.clone().shifted(-1), 0.375));
        assert!(is(&a.plus(&Dyadic::ZERO), 0.75) && is(&Dyadic::ZERO.plus(&a), 0.75));
        assert_eq!(b.at(-2), BigInt::from(-40));
        assert_eq!(Dyadic::ZERO.at(-2), BigInt::ZERO);
        assert_eq!(
            [a, b, Dyadic::ZERO].map(|number| number.sign()),
            [Ordering::Greater, Ordering::Less, Ordering::Equal]
        );
    }

    #[test]
    fn floors() {
        let floor = |over: i32, under: i32| floor(&BigInt::from(over), &BigInt::from(under));
        let floors = [(7, 2, 3), (-7, 2, -4), (6, 2, 3), (-6, 2, -3), (0, 5, 0), (1, 3, 0), (-1, 3, -1)];
        floors
            .into_iter()
            .for_each(|(over, under, expected)| assert_eq!(floor(over, under), BigInt::from(expected)));
    }

    #[test]
    fn shares_add_up_to_one() {
        let of =
            |numbers: &[f64]| shares(&numbers.iter().map(|&number| Dyadic::of(number)).collect::<Vec<_>>());
        assert_eq!(of(&[1.0, 3.0]), [0.25, 0.75]);
        assert_eq!(of(&[1e300, 0.0, 1e300]), [0.5, 0.0, 0.5]);
        assert_eq!(of(&[5e-324, 5e-324]), [0.5, 0.5]);
        assert_eq!(of(&[1e300, 1e-300]), [1.0, 0.0]);
        assert_eq!(of(&[0.0, 0.0]), [0.0, 0.0]);
        let close = of(&[1.0 / 3.0, 1.0 / 7.0, 1e-5]);
        let sum = 1.0 / 3.0 + 1.0 / 7.0 + 1e-5;
        for (share, number) in close.iter().zip([1.0 / 3.0, 1.0 / 7.0, 1e-5]) {
            assert!((share / (number / sum) - 1.0).abs() < 1e-12);
        }
    }
}
