//! What a predicate takes, as a set of one field's values.

use super::Fields;
use crate::import::single;
use incrowd_core::model::Domain;
use incrowd_core::{Error, Result};
use roxmltree::Node as Element;

/// How deep predicates may stand inside one another.
const DEEPEST: usize = 16;

/// A set of values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Taken {
    /// All, missing ones too.
    Everything,
    /// None.
    Nothing,
    /// Of one field.
    Of { place: usize, values: Values, missing: bool },
}

/// Values of a field, without the missing one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// Disjoint intervals in ascending order, each without its lower and with its upper end.
    Numbers(Vec<(f64, f64)>),
    /// For each value of the domain whether it is in, and whether all others are.
    Names { listed: Vec<bool>, others: bool },
}

/// The predicate of a node.
pub(super) fn of_node(fields: &Fields, node: Element<'_, '_>) -> Result<Taken> {
    let predicate = node.children().find(|child| is_predicate(*child));
    read(fields, predicate.ok_or_else(|| Error::new("a node has no predicate that is understood"))?, 0)
}

fn is_predicate(element: Element<'_, '_>) -> bool {
    let name = element.tag_name().name();
    matches!(name, "True" | "False" | "SimplePredicate" | "SimpleSetPredicate" | "CompoundPredicate")
}

fn read(fields: &Fields, element: Element<'_, '_>, depth: usize) -> Result<Taken> {
    match element.tag_name().name() {
        "True" => Ok(Taken::Everything),
        "False" => Ok(Taken::Nothing),
        "CompoundPredicate" if depth < DEEPEST => compound(fields, element, depth),
        "SimplePredicate" | "SimpleSetPredicate" => simple(fields, element),
        _ => Err(Error::new("a predicate is not understood")),
    }
}

fn compound(fields: &Fields, element: Element<'_, '_>, depth: usize) -> Result<Taken> {
    let mut parts =
        element.children().filter(|child| is_predicate(*child)).map(|part| read(fields, part, depth + 1));
    let first = parts.next().ok_or_else(|| Error::new("a compound predicate is empty"))??;
    let is_and = match element.attribute("booleanOperator") {
        // Surrogates speak only where the first field is missing.
        Some("surrogate") => return Ok(first),
        Some("and") => true,
        Some("or") => false,
        _ => return Err(Error::new("a compound predicate is neither \"and\" nor \"or\"")),
    };
    parts.try_fold(first, |all, part| combine(all, part?, is_and))
}

fn combine(a: Taken, b: Taken, is_and: bool) -> Result<Taken> {
    use Taken::{Everything, Nothing, Of};
    match (a, b) {
        (Everything, other) | (other, Everything) => Ok(if is_and { other } else { Everything }),
        (Nothing, other) | (other, Nothing) => Ok(if is_and { Nothing } else { other }),
        (Of { place, values: a, missing: x }, Of { place: other, values: b, missing: y })
            if place == other =>
        {
            let values = a.combine(b, is_and);
            Ok(Of { place, values, missing: if is_and { x && y } else { x || y } })
        }
        _ => Err(Error::new("a branch asks two fields at once")),
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

fn union(a: Vec<(f64, f64)>, b: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, f64)> = a.into_iter().chain(b).collect();
    all.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (low, high) in all {
        match merged.last_mut() {
            Some(last) if low <= last.1 => last.1 = last.1.max(high),
            _ => merged.push((low, high)),
        }
    }
    merged
}

fn simple(fields: &Fields, element: Element<'_, '_>) -> Result<Taken> {
    let field = element.attribute("field").and_then(|name| fields.places.get(name));
    let &(place, single) =
        field.ok_or_else(|| Error::new("a predicate asks a field that is not declared"))?;
    let is_set = element.tag_name().name() == "SimpleSetPredicate";
    let operator = element.attribute(if is_set { "booleanOperator" } else { "operator" }).unwrap_or_default();
    let domain = &fields.attributes[place].domain;
    let values = match (operator, domain) {
        ("isMissing", _) => nothing(domain),
        ("isNotMissing", _) => complement(nothing(domain)),
        (_, Domain::Numbers { .. }) => numbers(element, operator, single)?,
        (_, Domain::Values(domain)) => names(element, operator, domain)?,
    };
    Ok(Taken::Of { place, values, missing: operator == "isMissing" })
}

fn nothing(domain: &Domain) -> Values {
    match domain {
        Domain::Numbers { .. } => Values::Numbers(Vec::new()),
        Domain::Values(domain) => Values::Names { listed: vec![false; domain.len()], others: false },
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

fn numbers(element: Element<'_, '_>, operator: &str, single: bool) -> Result<Values> {
    let up_to = |number: f64| if single { single::threshold(number) } else { number };
    let below = |number: f64| up_to(number.next_down());
    let mut parsed = Vec::new();
    for value in values_named(element)? {
        let number: Option<f64> = value.trim().parse().ok().filter(|number: &f64| number.is_finite());
        parsed.push(number.ok_or_else(|| Error::new("a number is compared with what is no finite number"))?);
    }
    let one = parsed.first().copied().ok_or_else(|| Error::new("a predicate compares with nothing"))?;
    let each =
        || parsed.iter().fold(Vec::new(), |all, &number| union(all, vec![(below(number), up_to(number))]));
    let intervals = match operator {
        "lessOrEqual" => vec![(f64::NEG_INFINITY, up_to(one))],
        "lessThan" => vec![(f64::NEG_INFINITY, below(one))],
        "greaterThan" => vec![(up_to(one), f64::INFINITY)],
        "greaterOrEqual" => vec![(below(one), f64::INFINITY)],
        "equal" | "isIn" => each(),
        "notEqual" | "isNotIn" => return Ok(complement(Values::Numbers(each()))),
        _ => return Err(Error::new("the operator of a predicate is not understood")),
    };
    Ok(Values::Numbers(intervals))
}

fn names(element: Element<'_, '_>, operator: &str, domain: &[String]) -> Result<Values> {
    let named: std::collections::HashSet<String> = values_named(element)?.into_iter().collect();
    let listed = domain.iter().map(|value| named.contains(value)).collect();
    let values = Values::Names { listed, others: false };
    match operator {
        "equal" | "isIn" => Ok(values),
        "notEqual" | "isNotIn" => Ok(complement(values)),
        _ => Err(Error::new("the operator of a predicate is not understood")),
    }
}

/// The values a predicate compares with: its own, or those of its array.
pub(super) fn values_named(element: Element<'_, '_>) -> Result<Vec<String>> {
    if let Some(value) = element.attribute("value") {
        return Ok(vec![value.to_owned()]);
    }
    let array = element.children().find(|child| child.tag_name().name() == "Array");
    array.map_or_else(|| Ok(Vec::new()), |array| words(array.text().unwrap_or_default()))
}

/// The words of an array: apart by blanks, in double quotes where they hold blanks, a quote inside as `\"`.
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
                    None => return Err(Error::new("a quote in an array is not closed")),
                }
            };
            words.push(word);
            rest = rest[end + 1..].trim_start();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            rest = rest[end..].trim_start();
        }
    }
    Ok(words)
}
