//! Short decimals: readable bounds that are not the value of any individual.

/// The shortest decimal strictly between two numbers.
///
/// Of all multiples of a power of ten between `a` and `b`, those of the largest power count as shortest; of several
/// the one nearest to the middle is taken, and of two equally near the one nearer to zero. So a threshold between 17
/// and 18 is 17.5, between 10 and 37 it is 20, between −3 and 4 it is 0, and neither neighbour can be read off it.
///
/// `a < b` must hold and both be finite. The result `c` then satisfies `a < c <= b`, so that `x < c` separates the two;
/// it is `b` only if no double lies between them. Otherwise the result is `b`.
///
/// Takes time in the number of digits, at most about twenty steps.
pub fn short_decimal_between(a: f64, b: f64) -> f64 {
    if !(a.is_finite() && b.is_finite() && a < b) {
        return b;
    }
    if a < 0.0 && b > 0.0 {
        return 0.0;
    }
    let top = a.abs().max(b.abs()).log10().floor() as i32 + 1;
    (top - DIGITS..=top)
        .rev()
        .find_map(|exponent| multiple_between(a, b, exponent))
        .unwrap_or_else(|| if a.next_up() < b { a.next_up() } else { b })
}

/// A double has at most 17 significant digits; the rest is room for the rounding of the logarithm.
const DIGITS: i32 = 21;

/// The multiple of a power of ten strictly between two numbers that is nearest to their middle.
fn multiple_between(a: f64, b: f64, exponent: i32) -> Option<f64> {
    let middle = f64::midpoint(a, b);
    let near = scaled_down(middle, exponent).round();
    // If any multiple lies between, the one nearest to the middle does; its neighbours make up for rounding.
    [near - 1.0, near, near + 1.0]
        .into_iter()
        .filter_map(|count| format!("{count:.0}e{exponent}").parse::<f64>().ok())
        .filter(|candidate| a < *candidate && *candidate < b)
        .min_by(|c, d| {
            let distance = |x: &f64| (x - middle).abs();
            distance(c).total_cmp(&distance(d)).then(c.abs().total_cmp(&d.abs()))
        })
}

/// The number divided by a power of ten, even if that power is not a double.
fn scaled_down(number: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    number / 10f64.powi(half) / 10f64.powi(exponent - half)
}

/// The number of digits that the shortest decimal form of a number has after the point.
pub(super) fn decimal_places(number: f64) -> usize {
    let text = number.to_string();
    text.split_once('.').map_or(0, |(_, places)| places.len())
}

/// The number rounded to this many digits after the point; never −0.
pub(super) fn rounded(number: f64, places: usize) -> f64 {
    let text = format!("{number:.places$}");
    text.parse().unwrap_or(number) + 0.0
}
