//! The notation of released cells, as `docs/tables.md` describes it.

use super::number;
use crate::policy::Attribute;
use crate::recoding::{Extent, NumberRange, quoted_parts};
use crate::span::ANY_DATE;
use crate::taxonomy::{ANY, MISSING, TaxonomySpec};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// What a cell looks like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Notation<'t> {
    /// A value.
    Value(&'t str),
    /// One of these.
    OneOf(Vec<Cow<'t, str>>),
    /// A number between two bounds.
    Interval(Interval),
    /// Anything.
    Any,
}

impl<'t> Notation<'t> {
    /// The values it names.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let (value, parts): (Option<&str>, &[Cow<'t, str>]) = match self {
            Self::Value(value) => (Some(*value), &[]),
            Self::OneOf(parts) => (None, parts.as_slice()),
            Self::Interval(_) | Self::Any => (None, &[]),
        };
        value.into_iter().chain(parts.iter().map(|part| &**part))
    }
}

/// Numbers between two bounds; a missing bound means no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: Option<Bound>,
    pub(super) high: Option<Bound>,
    pub(super) or_missing: bool,
}

/// A bound, and whether it belongs to the interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bound {
    pub(super) at: f64,
    pub(super) held: bool,
}

/// Reads the cells of one attribute.
pub(super) struct Reader<'a> {
    /// Values that the policy names. They are what they read like, never notation.
    declared: HashSet<&'a str>,
    /// The values under each group of a taxonomy given value by value.
    groups: HashMap<&'a str, Vec<&'a str>>,
    /// What codes are masked with.
    mask: Option<char>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(attribute: &'a Attribute) -> Self {
        let mut declared: HashSet<&str> = attribute.values.iter().map(String::as_str).collect();
        let mut groups: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut mask = None;
        match &attribute.taxonomy {
            Some(TaxonomySpec::Tree(tree)) => {
                declared.extend(tree.values());
                for (value, above) in tree.paths() {
                    above.into_iter().for_each(|group| groups.entry(group).or_default().push(value));
                }
            }
            Some(TaxonomySpec::Prefix(prefix)) => mask = Some(prefix.mask()),
            _ => {}
        }
        Self { declared, groups, mask }
    }

    /// Whether a cell is more than a single value.
    pub(super) fn is_set(&self, text: &str) -> bool {
        let is_masked = self.mask.is_some_and(|mask| text.ends_with(mask));
        !self.declared.contains(text)
            && (is_masked
                || text.starts_with(['*', '{', '[', '(', '<', '>', 'a', 'o'])
                    && !matches!(read(text), Notation::Value(_))
                || text == crate::printed::OTHER_VALUES
                || self.groups.contains_key(text))
    }

    /// The content of a cell.
    pub(super) fn read<'t>(&self, text: &'t str) -> Notation<'t>
    where
        'a: 't,
    {
        if self.declared.contains(text) {
            return Notation::Value(text);
        }
        if text == ANY {
            return Notation::Any;
        }
        if let Some(values) = self.groups.get(text) {
            return Notation::OneOf(values.iter().map(|&value| Cow::Borrowed(value)).collect());
        }
        let is_masked = self.mask.is_some_and(|mask| text.ends_with(mask));
        match read(text) {
            Notation::Value(value) if is_masked || value == crate::printed::OTHER_VALUES => {
                Notation::OneOf(vec![Cow::Borrowed(value)])
            }
            Notation::OneOf(parts) => Notation::OneOf(self.whole_parts(&parts, text)),
            said => said,
        }
    }

    /// The parts of a set with groups of the taxonomy as their values, and with declared values put together again that
    /// have commas themselves and are not quoted.
    fn whole_parts<'t>(&self, parts: &[Cow<'t, str>], text: &'t str) -> Vec<Cow<'t, str>>
    where
        'a: 't,
    {
        let mut whole: Vec<Cow<'t, str>> = Vec::new();
        let is_split = inside(text).is_some_and(|inside| quoted_parts(inside).is_none());
        let with_commas = || self.declared.iter().filter(|value| is_split && value.contains(','));
        let held: Vec<&str> = with_commas().filter(|value| text.contains(**value)).copied().collect();
        let is_own = |part: &str| self.declared.contains(part);
        let is_inside = |part: &str| held.iter().any(|value| value.split(',').any(|own| own.trim() == part));
        for part in parts {
            match self.groups.get(&**part) {
                Some(values) => whole.extend(values.iter().map(|&value| Cow::Borrowed(value))),
                None if is_inside(part) && !is_own(part) => {}
                None => whole.push(part.clone()),
            }
        }
        let held = held.iter().filter_map(|value| text.find(value).map(|at| &text[at..at + value.len()]));
        whole.extend(held.map(Cow::Borrowed));
        whole
    }
}

/// What a cell about numbers covers, without the policy. None if it is not about numbers.
pub(crate) fn extent_of_numbers(cell: &str) -> Option<Extent> {
    let part = |part: &str| match part {
        MISSING => Some(Extent::missing()),
        part => number(part).map(|number| Extent::range(NumberRange::point(number))),
    };
    match read(cell) {
        Notation::Any => Some(Extent::anything()),
        Notation::Value(value) => part(value),
        Notation::OneOf(parts) => {
            parts.iter().map(|name| part(name)).collect::<Option<Vec<_>>>().map(Extent::union)
        }
        Notation::Interval(Interval { low, high, or_missing }) => {
            let range = NumberRange {
                low: low.map(|bound| bound.at),
                high: high.map(|bound| bound.at),
                from_low: low.is_some_and(|bound| bound.held),
                to_high: high.is_some_and(|bound| bound.held),
            };
            let missing = or_missing.then(Extent::missing);
            Some(Extent::union(std::iter::once(Extent::range(range)).chain(missing)))
        }
    }
}

/// The inside of the braces of a set.
pub(super) fn inside(text: &str) -> Option<&str> {
    let set = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    set.filter(|inside| !inside.trim().is_empty())
}

/// The parts of a set without quotes.
pub(super) fn unquoted_parts(text: &str) -> Option<Vec<&str>> {
    let inside = inside(text).filter(|inside| quoted_parts(inside).is_none())?;
    Some(inside.split(',').map(str::trim).collect())
}

/// The parts of a set; where no name is quoted, every comma separates two.
pub(super) fn parts_of_set(inside: &str) -> Vec<Cow<'_, str>> {
    let split = || inside.split(',').map(|part| Cow::Borrowed(part.trim())).collect();
    quoted_parts(inside).unwrap_or_else(split)
}

/// The content of a cell, without the policy.
pub(super) fn read(text: &str) -> Notation<'_> {
    if text == ANY {
        return Notation::Any;
    }
    if let Some(inside) = inside(text) {
        let parts = parts_of_set(inside);
        return if parts.iter().any(|part| part == ANY) { Notation::Any } else { Notation::OneOf(parts) };
    }
    let (numbers, or_missing) = match text.strip_suffix("or ?") {
        Some(numbers) => (numbers.trim_end(), true),
        None => (text, false),
    };
    match interval(numbers) {
        Some((low, high)) => Notation::Interval(Interval { low, high, or_missing }),
        None => Notation::Value(text),
    }
}

fn interval(text: &str) -> Option<(Option<Bound>, Option<Bound>)> {
    let one = |rest: &str, held: bool| number(rest).map(|at| Bound { at, held });
    if text == "any number" || text == ANY_DATE {
        return Some((None, None));
    }
    if let Some(rest) = text.strip_prefix("<=") {
        return Some((None, Some(one(rest, true)?)));
    }
    if let Some(rest) = text.strip_prefix(">=") {
        return Some((Some(one(rest, true)?), None));
    }
    if let Some(rest) = text.strip_prefix('<') {
        return Some((None, Some(one(rest, false)?)));
    }
    if let Some(rest) = text.strip_prefix('>') {
        return Some((Some(one(rest, false)?), None));
    }
    let inside = text.strip_prefix(['[', '('])?.strip_suffix([']', ')'])?;
    let (low, high) = inside.split_once(',')?;
    let (low, high) = (one(low, text.starts_with('['))?, one(high, text.ends_with(']'))?);
    Some((Some(low), Some(high)))
}
