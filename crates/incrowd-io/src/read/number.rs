//! Numbers in cells.

use crate::plan::Decimal;

/// Powers of ten that a double represents exactly.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The finite number that a cell represents, with this before its decimals.
pub(super) fn parse_with(cell: &[u8], decimal: Decimal) -> Option<f64> {
    match decimal {
        Decimal::Point => parse(cell),
        Decimal::Comma if cell.contains(&b'.') => None,
        Decimal::Comma => {
            let with_point: Vec<u8> =
                cell.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
            parse(&with_point)
        }
    }
}

/// Whether a zero stands before another digit: `01738` may be a code.
pub(super) fn has_leading_zero(cell: &[u8]) -> bool {
    let digits = cell.strip_prefix(b"-").unwrap_or(cell);
    matches!(digits, [b'0', next, ..] if next.is_ascii_digit())
}

/// The finite number that a cell represents, exactly as `str::parse` reads it, with zero made positive.
pub(super) fn parse(cell: &[u8]) -> Option<f64> {
    if let Some(number) = parse_short(cell) {
        return Some(number + 0.0);
    }
    // Words for numbers that are not finite would parse as well.
    let number: f64 = std::str::from_utf8(cell).ok()?.parse().ok()?;
    number.is_finite().then_some(number + 0.0)
}

/// Up to 15 digits with at most one point inside: both the digits and the power of ten are exact doubles, so one
/// division rounds correctly (Clinger 1990).
fn parse_short(cell: &[u8]) -> Option<f64> {
    let (sign, digits) = match cell {
        [b'-', rest @ ..] => (-1.0, rest),
        rest => (1.0, rest),
    };
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let (mut whole, mut count, mut point) = (0_u64, 0_usize, None);
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                whole = whole * 10 + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
    }
    if count == 0 || count > 15 {
        return None;
    }
    Some(sign * (whole as f64 / POWERS[count - point.unwrap_or(count)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(cell: &str) -> Option<u64> {
        cell.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| (number + 0.0).to_bits())
    }

    #[test]
    fn odd_cells() {
        for cell in
            ["", "-", ".", "-.", "+1", "1.", ".5", "-0", "1e5", "inf", "nan", "1e999", "1..2", "0x10", "1_0"]
        {
            assert_eq!(parse(cell.as_bytes()).map(f64::to_bits), slow(cell), "{cell}");
        }
    }

    #[test]
    fn decimal_commas() {
        let comma = |cell: &str| parse_with(cell.as_bytes(), Decimal::Comma);
        assert_eq!(comma("3,5"), Some(3.5));
        assert_eq!((comma("-12,25"), comma("7"), comma("1,5e3")), (Some(-12.25), Some(7.0), Some(1500.0)));
        for cell in ["3.5", "1.234,5", "1,2,3", ",", ""] {
            assert_eq!(comma(cell), None, "{cell}");
        }
        assert_eq!(parse_with(b"3,5", Decimal::Point), None);
    }

    proptest! {
        #[test]
        fn equals_the_standard_library(cell in "[-+]?[0-9]{0,18}\\.?[0-9]{0,9}(e-?[0-9]{1,2})?") {
            prop_assert_eq!(parse(cell.as_bytes()).map(f64::to_bits), slow(&cell));
        }
    }
}
