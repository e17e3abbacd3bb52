//! Columns of numbers with a unit, which are not read as numbers: `172 cm`, `12,3 %`, `€ 345`.

use crate::table::{Column, Values};

/// The longest unit, in characters.
const LONGEST: usize = 8;
/// The fewest values that show a unit.
const FEWEST: usize = 3;

/// Whether nearly all values of a column are numbers with the same unit.
pub(super) fn has_unit(column: &Column) -> bool {
    let Values::Categorical(texts) = column.values() else { return false };
    let Some(unit) = texts.iter().take(2 * FEWEST).find_map(unit) else { return false };
    let mut others = 0;
    for text in texts.iter() {
        others += usize::from(self::unit(text) != Some(unit));
        if others * 20 > texts.len() {
            return false;
        }
    }
    texts.len() >= FEWEST
}

/// The unit behind or before a number.
fn unit(text: &str) -> Option<&str> {
    let is_number =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+' | '\'' | ' ' | '\u{a0}');
    let unit = text.trim_matches(is_number);
    let rest = text.strip_suffix(unit).or_else(|| text.strip_prefix(unit))?;
    let is_unit = !unit.is_empty()
        && unit.chars().count() <= LONGEST
        && !unit.contains(|c: char| c.is_ascii_digit())
        && unit.contains(|c: char| c.is_alphabetic() || matches!(c, '%' | '€' | '$' | '£' | '°'));
    // Codes such as `A-172` are no measurements: their letters come first, and no space follows.
    let is_behind = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
    let is_money = matches!(unit, "€" | "$" | "£" | "EUR" | "USD" | "CHF");
    let digits = rest.chars().filter(char::is_ascii_digit).count();
    (is_unit && (is_behind || is_money) && (1..=12).contains(&digits)).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> bool {
        let texts: Vec<Option<&str>> = texts.iter().copied().map(Some).collect();
        has_unit(&Column::from_texts("size", &texts))
    }

    #[test]
    fn numbers_with_one_unit_are_found() {
        assert!(found(&["172cm", "180cm", "165cm"]));
        assert!(found(&["12,3 %", "4 %", "-0,5 %"]));
        assert!(found(&["€ 345", "€ 1.200", "€ 12"]));
        assert!(!found(&["172cm", "180 kg", "165cm", "3 l"]), "several units");
        assert!(!found(&["P172", "P180", "P165"]), "codes");
        assert!(!found(&["5a", "7b", "9c"]), "house numbers");
        assert!(!found(&["172", "180", "165"]) && !found(&["a", "b", "c"]));
        assert!(!found(&["172cm", "180cm"]), "too few");
    }
}
