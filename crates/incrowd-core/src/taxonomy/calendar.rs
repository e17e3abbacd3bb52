//! Dates by the calendar: day, month, quarter, year.

use super::ANY;
use super::tree::Grower;
use crate::error::{Error, Result};
use crate::table::{Column, Date};
use std::borrow::Cow;

/// Grows 2026-05-31 → 2026-05 → 2026-Q2 → 2026 → \*; returns the leaf of each date.
pub(super) fn grow(column: &Column) -> Result<(Grower, Vec<u32>)> {
    let values = column.values();
    let mut grower = Grower::with_root(ANY);
    let leaves = (0..values.len())
        .map(|code| {
            let text = match values.numbers().filter(|_| column.is_in_days()) {
                Some(days) => Cow::Owned(Date::text_of_days(days[code])),
                None => values.text(code),
            };
            let (year, month, _) = Date::parse(&text, None).ok_or_else(not_dates)?.parts();
            let quarter = month.div_ceil(3);
            let groups =
                [format!("{year:04}-{month:02}"), format!("{year:04}-Q{quarter}"), format!("{year:04}")];
            grower.add_value(&text, groups.into_iter().chain([ANY.to_owned()]))
        })
        .collect::<Result<_>>()?;
    Ok((grower, leaves))
}

fn not_dates() -> Error {
    Error::input("a calendar taxonomy needs dates").help("set kind = \"date\" in the policy")
}

#[cfg(test)]
mod tests {
    use crate::table::Column;
    use crate::taxonomy::{Taxonomy, TaxonomySpec};

    #[test]
    fn days_lie_in_months_quarters_and_years() {
        let column = Column::from_texts("day", &[Some("2026-05-31"), Some("2026-06-01"), Some("2027-01-01")]);
        let taxonomy = Taxonomy::build_weighted(&TaxonomySpec::Calendar, &column, |_| 1).expect("dates");
        let path = |code: u32| -> Vec<String> {
            (0..=taxonomy.height())
                .map(|depth| taxonomy.label(taxonomy.ancestor_at_depth(code, depth)).to_owned())
                .collect()
        };
        assert_eq!(path(0), ["*", "2026", "2026-Q2", "2026-05", "2026-05-31"]);
        assert_eq!(path(1), ["*", "2026", "2026-Q2", "2026-06", "2026-06-01"]);
        let names = Column::from_texts("day", &[Some("monday")]);
        assert!(Taxonomy::build_weighted(&TaxonomySpec::Calendar, &names, |_| 1).is_err());
    }
}
