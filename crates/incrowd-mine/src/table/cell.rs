//! What a released cell states about an attribute.

use super::task::Attribute;
use incrowd_core::recoding::name_in_set;
use incrowd_core::span::ANY_DATE;
use incrowd_core::table::Date;
use incrowd_core::taxonomy::{ANY, MISSING, TaxonomyNode, interval_label};
use std::hash::{Hash, Hasher};

/// The content of a released cell: less than the value itself, or another value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// The value of this code; the missing code is a separate value.
    Value(u32),
    /// A group of the attribute's taxonomy.
    Group(TaxonomyNode),
    /// A number, or a date as a number of days, within these bounds.
    Interval(Interval),
    /// One of these values, by code, ascending.
    OneOf(Vec<u32>),
    /// A number that was computed, such as a mean.
    Number(f64),
    /// Anything.
    Any,
}

/// Numbers between two bounds; a missing bound means no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) holds: Holds,
    /// Whether the value may be missing instead.
    pub(crate) or_missing: bool,
}

/// Which of its bounds an interval contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The lower one: `[low, high)`, as taxonomies have it.
    Low,
    /// The upper one: `(low, high]`, as the thresholds of trees have it.
    High,
    /// Both: `[low, high]`, as the range of a group's own numbers.
    Both,
}

impl Interval {
    /// Whether a number is within the bounds.
    pub(crate) fn contains(&self, number: f64) -> bool {
        let (at_low, at_high) = match self.holds {
            Holds::Low => (true, false),
            Holds::High => (false, true),
            Holds::Both => (true, true),
        };
        self.low.is_none_or(|low| low < number || at_low && low <= number)
            && self.high.is_none_or(|high| number < high || at_high && number <= high)
    }

    /// Whether no number is in it: tests can leave missing values alone.
    fn is_empty(&self) -> bool {
        let both = self.low.zip(self.high);
        both.is_some_and(|(low, high)| if self.holds == Holds::Both { low > high } else { low >= high })
    }

    /// Whether nothing is stated: any number, or a missing value where there is one.
    pub(super) fn is_anything(&self, attribute: &Attribute<'_>) -> bool {
        self.low.is_none() && self.high.is_none() && (self.or_missing || !attribute.column.has_missing())
    }

    /// The interval as a release shows it: days are whole, so that of dates both bounds can be days that belong to it.
    pub(super) fn shown(&self, attribute: &Attribute<'_>) -> Self {
        if !attribute.is_date() {
            return *self;
        }
        let low = self.low.map(|low| if self.holds == Holds::High { low.floor() + 1.0 } else { low.ceil() });
        let high =
            self.high.map(|high| if self.holds == Holds::Low { high.ceil() - 1.0 } else { high.floor() });
        Self { low, high, holds: Holds::Both, ..*self }
    }

    fn text(&self, attribute: &Attribute<'_>) -> String {
        let shown = self.shown(attribute);
        if self.or_missing && shown.is_empty() {
            return MISSING.to_owned();
        }
        let within = if attribute.is_date() { shown.text_of_dates() } else { shown.text_of_numbers() };
        if self.or_missing { format!("{within} or {MISSING}") } else { within }
    }

    fn text_of_numbers(&self) -> String {
        let Self { low, high, holds, .. } = *self;
        match (low, high, holds) {
            (None, None, _) => "any number".to_owned(),
            (_, _, Holds::Low) => interval_label(low, high),
            (Some(low), Some(high), Holds::Both) => format!("[{low}, {high}]"),
            (Some(low), Some(high), Holds::High) => format!("({low}, {high}]"),
            (Some(low), None, Holds::High) => format!("> {low}"),
            (Some(low), None, Holds::Both) => format!(">= {low}"),
            (None, Some(high), _) => format!("<= {high}"),
        }
    }

    fn text_of_dates(&self) -> String {
        let [low, high] = [self.low, self.high].map(|day| day.map(Date::text_of_days));
        match (low, high) {
            (None, None) => ANY_DATE.to_owned(),
            // Beside missing values only an interval is in the notation of cells.
            (Some(low), Some(high)) if low == high && !self.or_missing => low,
            (Some(low), Some(high)) => format!("[{low}, {high}]"),
            (Some(low), None) => format!(">= {low}"),
            (None, Some(high)) => format!("<= {high}"),
        }
    }
}

impl Cell {
    /// The text of the cell.
    pub(crate) fn text(&self, attribute: &Attribute<'_>) -> String {
        match self {
            Self::Value(code) => attribute.value_text(*code),
            Self::Group(node) => {
                attribute.taxonomy.as_ref().map_or(ANY, |taxonomy| taxonomy.label(*node)).to_owned()
            }
            Self::Interval(interval) if interval.is_anything(attribute) => ANY.to_owned(),
            Self::Interval(interval) => interval.text(attribute),
            Self::OneOf(codes) => {
                let parts = parts_of(codes, attribute).map(|part| part.text(attribute));
                let parts: Vec<String> = parts.map(|part| name_in_set(&part).into_owned()).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Self::Number(number) => number.to_string(),
            Self::Any => ANY.to_owned(),
        }
    }

    /// Whether the cell is true of someone with this value.
    pub(crate) fn covers(&self, code: u32, attribute: &Attribute<'_>) -> bool {
        match self {
            Self::Value(value) => *value == code,
            Self::Group(node) => attribute
                .taxonomy
                .as_ref()
                .is_none_or(|taxonomy| taxonomy.contains(*node, taxonomy.leaf(code))),
            Self::Interval(interval) => {
                attribute.number(code).map_or(interval.or_missing, |number| interval.contains(number))
            }
            Self::OneOf(codes) => codes.binary_search(&code).is_ok(),
            Self::Number(number) => attribute.number(code).is_some_and(|n| n.total_cmp(number).is_eq()),
            Self::Any => true,
        }
    }

    /// Whether the cell states nothing.
    pub(crate) fn is_suppressed(&self, attribute: &Attribute<'_>) -> bool {
        match self {
            Self::Any | Self::Group(TaxonomyNode::ROOT) => true,
            Self::Interval(interval) => interval.is_anything(attribute),
            _ => false,
        }
    }
}

// Bounds and means are finite, so equality is an equivalence.
impl Eq for Cell {}

impl Hash for Cell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Value(code) => code.hash(state),
            Self::Group(node) => node.hash(state),
            // Zero has two signs that are equal; adding zero leaves one.
            Self::Interval(Interval { low, high, .. }) => {
                [low, high].map(|bound| bound.map(|bound| (bound + 0.0).to_bits())).hash(state);
            }
            Self::OneOf(codes) => codes.hash(state),
            Self::Number(number) => (number + 0.0).to_bits().hash(state),
            Self::Any => {}
        }
    }
}

/// Some values in as few cells as the taxonomy has groups: the largest groups that are among them, then single values.
pub(super) fn parts_of<'c>(
    codes: &'c [u32],
    attribute: &'c Attribute<'_>,
) -> impl Iterator<Item = Cell> + 'c {
    let mut said = vec![false; codes.len()];
    codes.iter().enumerate().filter_map(move |(place, &code)| {
        let Some(taxonomy) = &attribute.taxonomy else { return Some(Cell::Value(code)) };
        if said[place] {
            return None;
        }
        let is_among = |code: u32| codes.binary_search(&code).is_ok();
        let whole = |node: &TaxonomyNode| taxonomy.codes_under(*node).all(is_among);
        let up = |node: &TaxonomyNode| taxonomy.parent(*node).filter(whole);
        let top = std::iter::successors(Some(taxonomy.leaf(code)), up).last().unwrap_or(TaxonomyNode::ROOT);
        let mut count = 0;
        taxonomy.codes_under(top).filter_map(|code| codes.binary_search(&code).ok()).for_each(|place| {
            said[place] = true;
            count += 1;
        });
        // One value is called by its own name.
        Some(if count > 1 { Cell::Group(top) } else { Cell::Value(code) })
    })
}

/// How the value of a code reads in a release.
pub(super) fn value_text(column: &incrowd_core::table::Column, code: u32) -> String {
    if code == column.missing_code() {
        return MISSING.to_owned();
    }
    match column.values().numbers().filter(|_| column.is_in_days()) {
        Some(days) => Date::text_of_days(days[code as usize]),
        None => column.values().text(code as usize).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_core::table::Column;
    use incrowd_core::taxonomy::{Taxonomy, TaxonomySpec};

    #[test]
    fn sets_are_told_by_the_groups_that_lie_in_them() {
        let days = ["2023-01-01", "2023-02-01", "2023-04-01", "2023-04-02", "2023-05-01", "2023-07-01"];
        let cells: Vec<Option<&str>> = days.iter().copied().map(Some).chain([None]).collect();
        let column = Column::from_texts("day", &cells);
        let taxonomy = Taxonomy::build_weighted(&TaxonomySpec::Calendar, &column, |_| 1).expect("dates");
        let mut attribute =
            Attribute { column: &column, place: 0, taxonomy: Some(taxonomy), range: (0.0, 0.0), weight: 1.0 };
        let set = Cell::OneOf(vec![0, 1, 2, 3, 5, 6]);
        assert_eq!(set.text(&attribute), "{2023-Q1, 2023-04, 2023-07-01, ?}");
        attribute.taxonomy = None;
        assert_eq!(Cell::OneOf(vec![0, 6]).text(&attribute), "{2023-01-01, ?}");
    }
}
