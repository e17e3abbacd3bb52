//! What the cells of a draft mean, so that the recoding can be applied to new rows ([`incrowd_core::recoding`]).
//!
//! A cell covers what it states, not only the values of the source that it was made for: an interval covers every
//! number between its bounds, a group of the taxonomy every value that the taxonomy has there. Nothing of the source
//! enters that the released cells do not show.

use super::cell::{Cell, Holds, parts_of};
use super::draft::Draft;
use super::params::TableMethod;
use super::task::{Attribute, Task};
use incrowd_core::recoding::{AttributeLegend, Extent, Legend, MaskedCode, NumberRange, Unit};
use incrowd_core::table::{Date, Kind};
use incrowd_core::taxonomy::{MISSING, Taxonomy, TaxonomyNode, TaxonomySpec};

/// The legend of a draft's cells.
pub(super) fn legend(task: &Task<'_>, draft: &Draft, method: TableMethod) -> Legend {
    let unit =
        if matches!(method, TableMethod::Tds | TableMethod::Tdr) { Unit::Attribute } else { Unit::Group };
    let of_attribute = |(attribute, column): (&Attribute<'_>, &super::draft::Recoded)| {
        let meaning = Meaning::new(task, attribute);
        let cells = column.cells.iter().map(|cell| (cell.text(attribute), meaning.of(cell)));
        AttributeLegend::new(attribute.column.name(), meaning.kind, cells)
    };
    Legend { unit, attributes: task.attributes.iter().zip(&draft.columns).map(of_attribute).collect() }
}

/// What cells of one attribute cover.
struct Meaning<'t> {
    attribute: &'t Attribute<'t>,
    spec: Option<&'t TaxonomySpec>,
    kind: Kind,
}

impl<'t> Meaning<'t> {
    fn new(task: &'t Task<'_>, attribute: &'t Attribute<'_>) -> Self {
        let column = attribute.column;
        let kind = if column.is_in_days() || column.in_days().is_some_and(|days| !days.values().is_empty()) {
            Kind::Date
        } else if attribute.is_numeric() {
            Kind::Numeric
        } else {
            Kind::Categorical
        };
        let spec = task.policy.attribute(column.name()).and_then(|declared| declared.taxonomy.as_ref());
        Self { attribute, spec, kind }
    }

    fn of(&self, cell: &Cell) -> Extent {
        match cell {
            _ if cell.is_suppressed(self.attribute) => Extent::anything(),
            Cell::Value(code) => self.of_value(*code),
            Cell::Group(node) => self.of_group(*node),
            Cell::Interval(interval) => {
                let interval = interval.shown(self.attribute);
                let range = NumberRange {
                    low: interval.low,
                    high: interval.high,
                    from_low: interval.low.is_some() && interval.holds != Holds::High,
                    to_high: interval.high.is_some() && interval.holds != Holds::Low,
                };
                let missing = interval.or_missing.then(Extent::missing);
                Extent::union(std::iter::once(Extent::range(range)).chain(missing))
            }
            Cell::OneOf(codes) => Extent::union(parts_of(codes, self.attribute).map(|part| self.of(&part))),
            Cell::Number(number) => Extent::range(NumberRange::point(*number)),
            Cell::Any => Extent::anything(),
        }
    }

    fn of_value(&self, code: u32) -> Extent {
        let column = self.attribute.column;
        if code == column.missing_code() {
            return Extent::missing();
        }
        match self.attribute.number(code) {
            Some(number) => Extent::range(NumberRange::point(number)),
            None => self.of_text(&column.values().text(code as usize)),
        }
    }

    /// A single value by its text.
    fn of_text(&self, text: &str) -> Extent {
        let number = match self.kind {
            Kind::Numeric => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            Kind::Date => Date::parse(text, None).map(|date| f64::from(date.days())),
            _ => None,
        };
        number.map_or_else(|| Extent::name(text), |number| Extent::range(NumberRange::point(number)))
    }

    fn of_group(&self, node: TaxonomyNode) -> Extent {
        let Some(taxonomy) = &self.attribute.taxonomy else { return Extent::anything() };
        if node == TaxonomyNode::ROOT {
            return Extent::anything();
        }
        let label = taxonomy.label(node);
        let stated = match self.spec {
            Some(TaxonomySpec::Prefix(prefix)) if label != MISSING => {
                let shown = label.trim_end_matches(prefix.mask()).to_owned();
                let code = MaskedCode { shown, length: label.chars().count() as u32, pad: prefix.pad() };
                Some(Extent { codes: vec![code], ..Extent::default() })
            }
            Some(
                TaxonomySpec::Intervals(_)
                | TaxonomySpec::Quantiles(_)
                | TaxonomySpec::Round
                | TaxonomySpec::Calendar,
            ) => Extent::of_text(self.kind, label),
            _ => None,
        };
        stated.unwrap_or_else(|| self.of_leaves(taxonomy, node))
    }

    /// All values that the taxonomy has under a group.
    fn of_leaves(&self, taxonomy: &Taxonomy, node: TaxonomyNode) -> Extent {
        let leaf = |&leaf: &TaxonomyNode| match (taxonomy.code(leaf), taxonomy.label(leaf)) {
            (Some(code), _) => self.of_value(code),
            (None, MISSING) => Extent::missing(),
            (None, label) => self.of_text(label),
        };
        Extent::union(taxonomy.leaves(node).iter().map(leaf))
    }
}
