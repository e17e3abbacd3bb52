//! The input of the table miner: the source bound to the policy.

use super::cell::{Holds, Interval, value_text};
use incrowd_core::guarantee::{Guarantee, PrivateItem};
use incrowd_core::policy::{Attribute as Declared, Policy, Role, without_class};
use incrowd_core::recoding::Extent;
use incrowd_core::span::is_recoded_cell;
use incrowd_core::table::{Column, Date, Kind, Table};
use incrowd_core::taxonomy::{Taxonomy, TaxonomyNode, short_decimal_between};
use incrowd_core::{Error, Result};

/// A table to be released under a policy.
pub(crate) struct Task<'a> {
    pub(crate) table: &'a Table,
    pub(crate) policy: &'a Policy,
    /// The policy that the released table is audited under, where dates are dates.
    pub(crate) audited_under: &'a Policy,
    pub(crate) guarantee: &'a Guarantee,
    /// What an attacker knows of every individual, in the order of the table: the quasi-identifiers. These change.
    pub(crate) attributes: Vec<Attribute<'a>>,
    /// The private columns by their place in the table, the class among them: these stay as they are.
    pub(crate) private: Vec<usize>,
    /// The class, where the policy names one and it is private: the place of its column.
    pub(crate) class: Option<usize>,
    /// The private columns whose values the guarantee applies to.
    pub(crate) in_scope: Vec<usize>,
}

/// An attribute that an attacker knows.
pub(crate) struct Attribute<'a> {
    pub(crate) column: &'a Column,
    /// Its place in the table.
    pub(crate) place: usize,
    pub(crate) taxonomy: Option<Taxonomy>,
    /// The lowest and highest number it can take: declared, or else those that occur.
    pub(crate) range: (f64, f64),
    /// How much its loss counts; 1 on average.
    pub(crate) weight: f64,
}

/// Refuses private cells that a reader of the released table, and the audit, would take for recoded ones.
fn refuse_recoded(column: &Column, declared: &Declared) -> Result<()> {
    let values = column.values();
    let is_recoded =
        |code: u32| (code as usize) < values.len() && is_recoded_cell(declared, &values.text(code as usize));
    let first = column.values().texts().and_then(|_| column.codes().iter().position(is_recoded));
    match first {
        Some(row) => {
            let mut error = Error::input(
                "a private value is written like a recoded cell, such as `*` or `{a, b}`: in a released table it would mean \
                 several values",
            )
            .of_attribute(column.name())
            .help(
                "if it marks a missing value, list it in `missing`; if it is a value, set kind = \"categorical\" and list all \
                 values in `values`, or write it otherwise",
            );
            error.place.row = Some(row as u64 + 1);
            Err(error)
        }
        None => Ok(()),
    }
}

impl<'a> Task<'a> {
    /// Binds a table to a policy.
    ///
    /// # Errors
    /// When the policy and the table do not fit, or nothing is public.
    pub(crate) fn new(table: &'a Table, policy: &'a Policy, guarantee: &'a Guarantee) -> Result<Self> {
        for name in policy.with_role(Role::Public) {
            table.require(name)?;
        }
        let known = policy.knowledge();
        let mut task = Self {
            table,
            policy,
            audited_under: policy,
            guarantee,
            attributes: Vec::new(),
            private: Vec::new(),
            class: None,
            in_scope: Vec::new(),
        };
        for (place, column) in table.columns().iter().enumerate() {
            let declared = policy.attribute(column.name());
            let Some(declared) = declared.filter(|a| matches!(a.role, Role::Public | Role::Private)) else {
                continue;
            };
            if !known.knows(column.name())? {
                refuse_recoded(column, declared)?;
                task.private.push(place);
                continue;
            }
            let spec = declared.taxonomy.as_ref();
            let taxonomy = spec
                .map(|spec| Taxonomy::build_weighted(spec, column, |row| table.weight(row)))
                .transpose()?;
            let range = declared.range.unwrap_or_else(|| ends(column));
            task.attributes.push(Attribute { column, place, taxonomy, range, weight: declared.weight });
        }
        if task.attributes.is_empty() {
            return Err(Error::input(
                "no column of the table is public in the policy, so there is nothing to recode",
            )
            .help("give the columns an attacker may know the role \"public\""));
        }
        if table.rows() == 0 {
            return Err(Error::input("the table has no rows"));
        }
        let mean = task.attributes.iter().map(|own| own.weight).sum::<f64>() / task.attributes.len() as f64;
        task.attributes.iter_mut().for_each(|own| own.weight /= mean);
        task.class = task.find_class()?;
        task.in_scope = task.resolve_scope()?;
        Ok(task)
    }

    /// The task whose released table is audited under another policy than the source is bound to.
    pub(crate) fn audited_under(mut self, policy: &'a Policy) -> Self {
        self.audited_under = policy;
        self
    }

    /// The private columns whose values the guarantee applies to.
    fn resolve_scope(&self) -> Result<Vec<usize>> {
        let contained = |&place: &usize| {
            let name = self.table.columns()[place].name();
            if self.class == Some(place) { PrivateItem::class(name) } else { PrivateItem::attribute(name) }
        };
        let contained: Vec<PrivateItem<'_>> = self.private.iter().map(contained).collect();
        let scope = self.guarantee.resolve(self.policy, &contained)?;
        let places = self.private.iter().copied().zip(scope.applies);
        Ok(places.filter(|&(_, applies)| applies).map(|(place, _)| place).collect())
    }

    fn find_class(&self) -> Result<Option<usize>> {
        let Some(name) = self.policy.class.as_deref() else { return Ok(None) };
        let column = self.table.require(name)?;
        if column.has_missing() {
            return Err(without_class(name, Some(column)));
        }
        Ok(self.private.iter().copied().find(|&place| self.table.columns()[place].name() == name))
    }

    /// The class, for methods that learn.
    ///
    /// # Errors
    /// When there is none, or an attacker knows it.
    pub(crate) fn learned_class(&self) -> Result<&'a Column> {
        self.class.map(|place| &self.table.columns()[place]).ok_or_else(|| match &self.policy.class {
            None => Error::input("the method needs a class, and the policy names none").help(METHODS_WITHOUT),
            Some(name) => Error::input("the method needs a private class, and this one is public")
                .of_attribute(name)
                .help(METHODS_WITHOUT),
        })
    }
}

const METHODS_WITHOUT: &str =
    "set class = \"name\" of a private attribute in the policy, or choose the method mondrian or best";

impl Attribute<'_> {
    /// How the value of a code reads in a release.
    pub(crate) fn value_text(&self, code: u32) -> String {
        value_text(self.column, code)
    }

    /// The number of a code; none for a missing value or a name.
    pub(crate) fn number(&self, code: u32) -> Option<f64> {
        self.column.values().numbers()?.get(code as usize).copied()
    }

    /// The code of a row.
    pub(crate) fn code(&self, row: u32) -> u32 {
        self.column.code(row as usize)
    }

    /// Whether it has dates, which are numbers of days here.
    pub(crate) fn is_date(&self) -> bool {
        self.column.is_in_days()
    }

    /// Whether it is numeric, or has dates that are numbers of days.
    pub(crate) fn is_numeric(&self) -> bool {
        self.column.values().numbers().is_some()
    }

    /// The first and the last day of a part of the calendar; none for missing dates.
    pub(crate) fn days_of(&self, node: TaxonomyNode) -> Option<Interval> {
        let label = self.taxonomy.as_ref().filter(|_| self.is_date())?.label(node);
        let days = *Extent::of_text(Kind::Date, label)?.ranges.first()?;
        Some(Interval { low: days.low, high: days.high, holds: Holds::Both, or_missing: false })
    }

    /// A bound between two neighbouring numbers, the lower of which is not above it: a short decimal, or of dates the
    /// end of a part of the calendar.
    pub(crate) fn bound_between(&self, below: f64, above: f64) -> f64 {
        if self.is_date() { Date::day_between(below, above) } else { short_decimal_between(below, above) }
    }

    /// The number of values it can take: the leaves of its taxonomy, or those that occur.
    pub(crate) fn domain_size(&self) -> usize {
        match &self.taxonomy {
            Some(taxonomy) => taxonomy.leaf_count(TaxonomyNode::ROOT),
            None => self.column.code_count(),
        }
    }

    /// The number of leaves of its taxonomy that are numbers within an interval; none without a taxonomy. Dates are
    /// measured by the calendar: which of its days occur does not matter.
    pub(crate) fn leaves_within(&self, interval: &Interval) -> Option<usize> {
        let taxonomy = self.taxonomy.as_ref().filter(|_| !self.is_date())?;
        let number = |leaf: &TaxonomyNode| taxonomy.label(*leaf).parse::<f64>().ok();
        let leaves = taxonomy.leaves(TaxonomyNode::ROOT).iter().filter_map(number);
        Some(leaves.filter(|&number| interval.contains(number)).count())
    }
}

/// The lowest and highest number of a column, those that no row has included.
fn ends(column: &Column) -> (f64, f64) {
    match column.values().numbers() {
        Some([first, .., last]) => (*first, *last),
        Some([only]) => (*only, *only),
        _ => (0.0, 0.0),
    }
}
