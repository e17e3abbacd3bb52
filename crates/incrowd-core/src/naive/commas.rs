//! Names with commas within sets: quoted ones, and those that cannot be told from several names.

use super::said::{braces, is_set, says_nothing};
use crate::policy::Attribute;
use crate::taxonomy::TaxonomySpec;
use std::collections::BTreeSet;

/// The names that a set lists: quoted ones, in which a quote is written twice, and plain ones.
pub(super) fn listed(inside: &str) -> Vec<String> {
    let plain = || inside.split(',').map(|part| part.trim().to_owned()).collect();
    quoted(inside).unwrap_or_else(plain)
}

/// `None` if no name is quoted, or if some quotes are part of names.
fn quoted(inside: &str) -> Option<Vec<String>> {
    let (mut names, mut any) = (Vec::new(), false);
    let mut left: Vec<char> = inside.chars().rev().collect();
    loop {
        while left.last().is_some_and(|c| c.is_whitespace()) {
            left.pop();
        }
        let mut name = String::new();
        if left.last() == Some(&'"') {
            (_, any) = (left.pop(), true);
            loop {
                match left.pop()? {
                    '"' if left.last() == Some(&'"') => name.extend(left.pop()),
                    '"' => break,
                    other => name.push(other),
                }
            }
            while left.last().is_some_and(|c| c.is_whitespace()) {
                left.pop();
            }
            if left.last().is_some_and(|&c| c != ',') {
                return None;
            }
        } else {
            while left.last().is_some_and(|&c| c != ',') {
                name.extend(left.pop());
            }
            name.truncate(name.trim_end().len());
        }
        names.push(name);
        if left.pop().is_none() {
            return any.then_some(names);
        }
    }
}

/// Whether a column of names has sets whose commas may be part of names: a set with one part several times besides
/// others, or a set with all parts of another cell in a row.
pub(super) fn is_ambiguous(attribute: &Attribute, texts: &[Option<String>]) -> bool {
    let has_tree = matches!(attribute.taxonomy, Some(TaxonomySpec::Tree(_)));
    if has_tree || !attribute.values.is_empty() {
        return false;
    }
    let texts: BTreeSet<&String> = texts.iter().flatten().collect();
    let split = |text: &str| text.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let is_name = |text: &str| text.contains(',') && !is_set(attribute, text);
    let names: Vec<Vec<String>> = texts.iter().filter(|text| is_name(text)).map(|text| split(text)).collect();
    texts.iter().any(|text| {
        let Some(inside) = braces(text).filter(|inside| quoted(inside).is_none()) else { return false };
        let parts = split(inside);
        let different = parts.iter().collect::<BTreeSet<_>>().len();
        let has_name = |name: &Vec<String>| (0..parts.len()).any(|at| parts[at..].starts_with(name));
        !says_nothing(attribute, text)
            && ((different > 1 && different < parts.len()) || names.iter().any(has_name))
    })
}
