//! Numbers in cells.

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The finite number a cell stands for, exactly as `str::parse` reads it, with zero made positive.
pub(super) fn parse(cell: &[u8]) -> Option<f64> {
    if let Some(number) = parse_short(cell) {
        return Some(number + 0.0);
    }
    // Words for what is no finite number would parse as well.
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

    proptest! {
        #[test]
        fn equals_the_standard_library(cell in "[-+]?[0-9]{0,18}\\.?[0-9]{0,9}(e-?[0-9]{1,2})?") {
            prop_assert_eq!(parse(cell.as_bytes()).map(f64::to_bits), slow(&cell));
        }
    }
}
