//! The values that a predicate takes, as a set of one field's values.

use super::field::Kind;
use super::fields::{Fields, Precision};
use super::{Element, attributes_only, elements_only, place, refuse};
use crate::import::single;
use incrowd_core::{Error, Result};

/// How deep predicates may be nested.
const DEEPEST: usize = 16;

/// The value of a predicate for a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    True,
    False,
    /// It compares with what is missing.
    Unknown,
    /// Other fields decide.
    Elsewhere,
}

/// A set of values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ValueSet {
    /// All, missing ones too.
    Everything,
    /// None.
    Nothing,
    /// Of one field.
    Of { field: usize, values: Values, missing: Truth },
}

/// Values of a field, without the missing one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// Disjoint intervals in ascending order, each without its lower and with its upper end.
    Numbers(Vec<(f64, f64)>),
    /// For each value the file names whether it is in, and whether all others are.
    Names { listed: Vec<bool>, others: bool },
}

impl ValueSet {
    /// Whether a number is taken, given by the upper end of a cell that no predicate parts.
    pub(super) fn number(&self, end: f64) -> Truth {
        self.truth(|values| match values {
            Values::Numbers(intervals) => intervals.iter().any(|&(low, high)| low < end && end <= high),
            Values::Names { .. } => false,
        })
    }

    /// Whether a name is taken, given by its place, `None` for one that the file does not name.
    pub(super) fn name(&self, place: Option<usize>) -> Truth {
        self.truth(|values| match values {
            Values::Names { listed, others } => place.map_or(*others, |place| listed[place]),
            Values::Numbers(_) => false,
        })
    }

    pub(super) fn missing(&self) -> Truth {
        match self {
            Self::Everything => Truth::True,
            Self::Nothing => Truth::False,
            Self::Of { missing, .. } => *missing,
        }
    }

    /// The number of steps to go through it.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Everything | Self::Nothing => 1,
            Self::Of { values: Values::Numbers(intervals), .. } => 1 + intervals.len(),
            Self::Of { values: Values::Names { listed, .. }, .. } => 1 + listed.len(),
        }
    }

    fn truth(&self, takes: impl Fn(&Values) -> bool) -> Truth {
        let is_taken = match self {
            Self::Everything => true,
            Self::Nothing => false,
            Self::Of { values, .. } => takes(values),
        };
        if is_taken { Truth::True } else { Truth::False }
    }
}

/// The predicate of a node.
pub(super) fn of_node(fields: &Fields, node: Element<'_, '_>) -> Result<ValueSet> {
    let mut predicates = node.children().filter(|child| is_predicate(*child));
    match (predicates.next(), predicates.next()) {
        (Some(one), None) => read(fields, one, 0),
        _ => Err(Error::input("a node does not have exactly one supported predicate")),
    }
}

pub(super) fn is_predicate(element: Element<'_, '_>) -> bool {
    let name = element.tag_name().name();
    matches!(name, "True" | "False" | "SimplePredicate" | "SimpleSetPredicate" | "CompoundPredicate")
}

fn read(fields: &Fields, element: Element<'_, '_>, depth: usize) -> Result<ValueSet> {
    match element.tag_name().name() {
        "True" => Ok(ValueSet::Everything),
        "False" => Ok(ValueSet::Nothing),
        "CompoundPredicate" if depth < DEEPEST => compound(fields, element, depth),
        "SimplePredicate" | "SimpleSetPredicate" => simple(fields, element),
        _ => Err(Error::input("a predicate is not supported")),
    }
}

fn compound(fields: &Fields, element: Element<'_, '_>, depth: usize) -> Result<ValueSet> {
    attributes_only(element, &["booleanOperator"])?;
    let parts = element.children().filter(|child| child.is_element() && !is_extension(*child));
    let mut parts = parts.map(|part| read(fields, part, depth + 1));
    let first = parts.next().ok_or_else(|| Error::input("a compound predicate is empty"))??;
    let is_and = match element.attribute("booleanOperator") {
        // Surrogates apply only where the first field is missing, and they test other fields.
        Some("surrogate") => {
            return Ok(match first {
                ValueSet::Of { field, values, .. } => {
                    ValueSet::Of { field, values, missing: Truth::Elsewhere }
                }
                other => other,
            });
        }
        Some("and") => true,
        Some("or") => false,
        _ => return Err(refuse("the booleanOperator of a compound predicate")),
    };
    parts.try_fold(first, |all, part| {
        let part = part?;
        fields.steps.take(all.size() + part.size())?;
        combine(all, part, is_and)
    })
}

fn is_extension(element: Element<'_, '_>) -> bool {
    element.tag_name().name() == "Extension"
}

fn combine(a: ValueSet, b: ValueSet, is_and: bool) -> Result<ValueSet> {
    use ValueSet::{Everything, Nothing, Of};
    match (a, b) {
        (Everything, other) | (other, Everything) => Ok(if is_and { other } else { Everything }),
        (Nothing, other) | (other, Nothing) => Ok(if is_and { Nothing } else { other }),
        (Of { field, values: a, missing: x }, Of { field: other, values: b, missing: y })
            if field == other =>
        {
            Ok(Of { field, values: a.combine(b, is_and), missing: both(x, y, is_and) })
        }
        _ => Err(Error::input("a branch tests two fields at once")),
    }
}

/// Kleene's connectives.
fn both(a: Truth, b: Truth, is_and: bool) -> Truth {
    let decisive = if is_and { Truth::False } else { Truth::True };
    if a == decisive || b == decisive {
        decisive
    } else if a == Truth::Elsewhere || b == Truth::Elsewhere {
        Truth::Elsewhere
    } else if a == Truth::Unknown || b == Truth::Unknown {
        Truth::Unknown
    } else {
        a
    }
}

impl Values {
    fn combine(self, other: Self, is_and: bool) -> Self {
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) if is_and => Self::Numbers(intersection(&a, &b)),
            (Self::Numbers(a), Self::Numbers(b)) => Self::Numbers(union(a, b)),
            (Self::Names { listed, others }, Self::Names { listed: more, others: and }) => {
                let join = |a: bool, b: bool| if is_and { a && b } else { a || b };
                let listed = listed.into_iter().zip(more).map(|(a, b)| join(a, b)).collect();
                Self::Names { listed, others: join(others, and) }
            }
            // A field has one kind of values.
            (values, _) => values,
        }
    }
}

fn intersection(a: &[(f64, f64)], b: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (mut i, mut j) = (0, 0);
    let mut both = Vec::new();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (low, high) = (x.0.max(y.0), x.1.min(y.1));
        if low < high {
            both.push((low, high));
        }
        if x.1 < y.1 { i += 1 } else { j += 1 }
    }
    both
}

/// Disjoint intervals in ascending order.
fn union(mut a: Vec<(f64, f64)>, b: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    a.extend(b);
    a.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (low, high) in a {
        match merged.last_mut() {
            Some(last) if low <= last.1 => last.1 = last.1.max(high),
            _ => merged.push((low, high)),
        }
    }
    merged
}

fn simple(fields: &Fields, element: Element<'_, '_>) -> Result<ValueSet> {
    let is_set = element.tag_name().name() == "SimpleSetPredicate";
    attributes_only(
        element,
        if is_set { &["field", "booleanOperator"] } else { &["field", "operator", "value"] },
    )?;
    elements_only(element, if is_set { &["Array"] } else { &[] })?;
    let (field, precision) = fields.asked(element)?;
    let operator = element.attribute(if is_set { "booleanOperator" } else { "operator" }).unwrap_or_default();
    let kind = fields.field(field).kind;
    let (values, missing) = match (operator, kind) {
        ("isMissing", _) => (nothing(fields, field), Truth::True),
        ("isNotMissing", _) => (complement(nothing(fields, field)), Truth::False),
        (_, Kind::Number) => (numbers(element, operator, precision)?, Truth::Unknown),
        _ => (names(fields, field, element, operator)?, Truth::Unknown),
    };
    Ok(ValueSet::Of { field, values, missing })
}

fn nothing(fields: &Fields, field: usize) -> Values {
    let field = fields.field(field);
    match field.kind {
        Kind::Number => Values::Numbers(Vec::new()),
        _ => Values::Names { listed: vec![false; field.known.len()], others: false },
    }
}

fn complement(values: Values) -> Values {
    match values {
        Values::Names { listed, others } => {
            Values::Names { listed: listed.into_iter().map(|is_in| !is_in).collect(), others: !others }
        }
        Values::Numbers(intervals) => {
            let mut rest = Vec::new();
            let mut from = f64::NEG_INFINITY;
            for (low, high) in intervals {
                if from < low {
                    rest.push((from, low));
                }
                from = high;
            }
            if from < f64::INFINITY {
                rest.push((from, f64::INFINITY));
            }
            Values::Numbers(rest)
        }
    }
}

/// The numbers at and below a limit, as the largest double that is there; of a field of single precision the limit is
/// single, too.
pub(super) fn up_to(text: &str, precision: Precision) -> Result<(f64, f64)> {
    let wrong = || Error::input("a number is compared with something that is not a finite number");
    let (limit, below) = if precision.single {
        let limit: f32 = text.trim().parse().map_err(|_| wrong())?;
        (f64::from(limit), f64::from(limit.next_down()))
    } else {
        let limit: f64 = text.trim().parse().map_err(|_| wrong())?;
        (limit, limit.next_down())
    };
    if !limit.is_finite() || !below.is_finite() {
        return Err(wrong());
    }
    let exact = |limit: f64| if precision.rounded { single::threshold(limit) } else { limit };
    Ok((exact(below), exact(limit)))
}

fn numbers(element: Element<'_, '_>, operator: &str, precision: Precision) -> Result<Values> {
    let mut limits = Vec::new();
    for value in values_named(element)? {
        if precision.whole && value.trim().parse::<i64>().is_err() {
            return Err(refuse("a comparison of whole numbers with a number that is not whole"));
        }
        limits.push(up_to(&value, precision)?);
    }
    let is_set = element.tag_name().name() == "SimpleSetPredicate";
    if !is_set && limits.len() != 1 {
        return Err(Error::input("a predicate compares with nothing"));
    }
    let each = || union(limits.clone(), Vec::new());
    let (below, at) = limits.first().copied().unwrap_or_default();
    let intervals = match (operator, is_set) {
        ("lessOrEqual", false) => vec![(f64::NEG_INFINITY, at)],
        ("lessThan", false) => vec![(f64::NEG_INFINITY, below)],
        ("greaterThan", false) => vec![(at, f64::INFINITY)],
        ("greaterOrEqual", false) => vec![(below, f64::INFINITY)],
        ("equal", false) | ("isIn", true) => each(),
        ("notEqual", false) | ("isNotIn", true) => return Ok(complement(Values::Numbers(each()))),
        _ => return Err(place(refuse("the operator of a predicate"), element)),
    };
    Ok(Values::Numbers(intervals))
}

fn names(fields: &Fields, field: usize, element: Element<'_, '_>, operator: &str) -> Result<Values> {
    fields.steps.take(fields.field(field).known.len())?;
    let named = fields.canonical(field, values_named(element)?)?;
    let is_set = element.tag_name().name() == "SimpleSetPredicate";
    if !is_set && named.len() != 1 {
        return Err(Error::input("a predicate compares with nothing"));
    }
    let listed = fields.field(field).known.iter().map(|value| named.contains(value)).collect();
    let values = Values::Names { listed, others: false };
    match (operator, is_set) {
        ("equal", false) | ("isIn", true) => Ok(values),
        ("notEqual", false) | ("isNotIn", true) => Ok(complement(values)),
        _ => Err(place(refuse("the operator of a predicate"), element)),
    }
}

/// The values a predicate compares with: its own, or those of its array.
pub(super) fn values_named(element: Element<'_, '_>) -> Result<Vec<String>> {
    if let Some(value) = element.attribute("value") {
        return Ok(vec![value.to_owned()]);
    }
    let array = element.children().find(|child| child.tag_name().name() == "Array");
    let Some(array) = array else { return Ok(Vec::new()) };
    if array.children().count() > 1 {
        return Err(refuse("an array that contains more than text"));
    }
    words(array.text().unwrap_or_default())
}

/// The words of an array: separated by spaces, in double quotes where they contain spaces, a quote inside as `\"`.
fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let mut word = String::new();
            let mut characters = rest.char_indices().skip(1).peekable();
            let end = loop {
                match characters.next() {
                    Some((_, '\\')) if matches!(characters.peek(), Some((_, '"' | '\\'))) => {
                        word.extend(characters.next().map(|(_, c)| c));
                    }
                    Some((end, '"')) => break end,
                    Some((_, other)) => word.push(other),
                    None => return Err(Error::input("a quote in an array is not closed")),
                }
            };
            words.push(word);
            rest = rest[end + 1..].trim_start_matches(is_space);
        } else {
            let end = rest.find(is_space).unwrap_or(rest.len());
            // Readers do not agree on whether other spaces divide words.
            if rest[..end].contains(char::is_whitespace) {
                return Err(refuse("unquoted white space other than a space in an array"));
            }
            words.push(rest[..end].to_owned());
            rest = rest[end..].trim_start_matches(is_space);
        }
    }
    Ok(words)
}

/// White space as XML has it.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}
