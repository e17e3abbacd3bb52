//! Cells of private columns as sets of values, by trying every value: the names that occur anywhere, and numbers at,
//! between and beside those that occur.

use super::commas::{is_ambiguous, listed};
use super::value::Value;
use crate::error::{Error, Result};
use crate::policy::{Attribute, Policy, Role};
use crate::table::{Codes, Column, Kind, Table, Values};
use crate::taxonomy::TaxonomySpec;
use std::collections::BTreeSet;

/// Numbers between two bounds, each with whether it belongs to them.
type Bounds = (Option<(f64, bool)>, Option<(f64, bool)>);

/// What a column of sets states about its rows.
#[derive(Debug, Clone)]
pub(super) struct Sets {
    /// The number of values that were tried.
    pub(super) values: usize,
    /// The values that the cell of each row leaves.
    pub(super) of_row: Vec<BTreeSet<usize>>,
    /// The values that are possible.
    pub(super) domain: BTreeSet<usize>,
    /// The number that each value is.
    numbers: Vec<Option<f64>>,
}

/// The table with equal cells spelled alike; columns of single values are plain.
pub(super) fn plain(table: &Table, policy: &Policy) -> Result<Table> {
    let columns = table.columns().iter().map(|column| match sets(column, policy)? {
        Some(sets) => spelled(column, policy, &sets),
        None => check_plain(column, policy).map(|()| column.clone()),
    });
    Table::new(columns.collect::<Result<_>>()?, table.people().clone())
}

/// Fails where a plain private cell is a value that the policy does not declare.
fn check_plain(column: &Column, policy: &Policy) -> Result<()> {
    let Some(attribute) = policy.attribute(column.name()).filter(|a| a.role == Role::Private) else {
        return Ok(());
    };
    let wants_numbers = attribute.kind == Some(Kind::Numeric) || attribute.range.is_some() || attribute.whole;
    let is_possible = |value: &Value| match value {
        Value::Text(text) if text == "?" => true,
        Value::Text(_) if wants_numbers => false,
        Value::Number(number) if !attribute.values.is_empty() => {
            allowed(attribute, value) && attribute.values.iter().any(|own| self::number(own) == Some(*number))
        }
        value => allowed(attribute, value),
    };
    let known = policy.knows(column.name())?;
    if (0..column.len()).all(|row| known || is_possible(&Value::of_row(column, row))) {
        return Ok(());
    }
    Err(Error::input("a private cell that the policy does not allow"))
}

fn spelled(column: &Column, policy: &Policy, sets: &Sets) -> Result<Column> {
    let Some(attribute) = policy.attribute(column.name()) else { return Ok(column.clone()) };
    let texts: Vec<Option<String>> = (0..column.len()).map(|row| text(column, row)).collect();
    let is_plain = |text: &str| !is_set(attribute, text) || text == "?";
    let alike = |row: usize, other: &usize| sets.of_row[*other] == sets.of_row[row];
    let of_row = |row: usize| {
        let own = (0..column.len()).filter(|other| alike(row, other));
        let own: Vec<Option<String>> = own.map(|other| texts[other].clone()).collect();
        let missing =
            own.iter().any(|text| text.as_deref().is_none_or(|text| names_missing(attribute, text)));
        match sets.of_row[row].len() {
            1 if missing => None,
            1 => {
                let inner = own.iter().flatten().find(|text| is_plain(text)).cloned();
                inner.or_else(|| parts(attribute, own[0].as_deref()?).into_iter().next())
            }
            _ => own.into_iter().flatten().min(),
        }
    };
    let cells: Vec<Option<String>> = (0..column.len()).map(of_row).collect();
    let all_single = sets.of_row.iter().all(|set| set.len() == 1);
    if all_single && about_numbers(column, attribute)? {
        let number = |set: &BTreeSet<usize>| sets.numbers[*set.first()?];
        return Column::from_numbers(column.name(), &sets.of_row.iter().map(number).collect::<Vec<_>>());
    }
    if all_single && attribute.kind == Some(Kind::Ordered) {
        let order = &attribute.values;
        let rank = |text: &Option<String>| order.iter().position(|own| Some(own) == text.as_ref());
        let codes = cells.iter().map(|text| rank(text).unwrap_or(order.len()) as u32);
        let codes = Codes::collect(order.len() + 1, codes);
        return Column::new(column.name(), Values::Ordered(order.iter().collect()), codes);
    }
    Ok(Column::from_texts(column.name(), &cells))
}

/// The sets of a private column of texts; `None` if every cell is a value.
pub(super) fn sets(column: &Column, policy: &Policy) -> Result<Option<Sets>> {
    let Some(attribute) = policy.attribute(column.name()) else { return Ok(None) };
    let is_private = attribute.role == Role::Private && !policy.knows(column.name())?;
    let texts: Vec<Option<String>> = (0..column.len()).map(|row| text(column, row)).collect();
    let any_set = texts.iter().flatten().any(|text| is_set(attribute, text));
    if !is_private || !any_set || column.kind() == Kind::Numeric {
        return Ok(None);
    }
    let numbers = about_numbers(column, attribute)?;
    let is_open = |part: &String| !is_declared(attribute, part) && part == "other values";
    let leaves_open =
        |text: &String| !says_nothing(attribute, text) && parts(attribute, text).iter().any(is_open);
    if !numbers && !attribute.values.is_empty() && texts.iter().flatten().any(leaves_open) {
        return Err(Error::input("a cell covers declared values without naming them"));
    }
    if !numbers && is_ambiguous(attribute, &texts) {
        return Err(Error::input("sets of names with commas"));
    }
    let mut values = if numbers { tried_numbers(attribute, &texts) } else { tried_names(attribute, &texts) };
    values.push(Value::Missing);
    let is_allowed = |value: &Value| allowed(attribute, value);
    let mut of_row = Vec::new();
    for text in &texts {
        let Some(text) = text else {
            of_row.push(BTreeSet::from([values.len() - 1]));
            continue;
        };
        let named = parts(attribute, text).into_iter().filter(|_| bounds(attribute, text).is_none());
        for part in named.filter(|part| !says_nothing(attribute, text) && !names_missing(attribute, part)) {
            let value = if numbers { number(&part).map(Value::Number) } else { Some(Value::Text(part)) };
            if !value.is_some_and(|value| is_allowed(&value)) {
                return Err(Error::input("a private cell that the policy does not allow"));
            }
        }
        let left =
            (0..values.len()).filter(|&v| is_allowed(&values[v]) && covers(attribute, text, &values[v]));
        of_row.push(left.collect::<BTreeSet<usize>>());
    }
    let is_any = |row: &usize| texts[*row].as_deref().is_some_and(|text| says_nothing(attribute, text));
    let said: BTreeSet<usize> =
        (0..texts.len()).filter(|row| !is_any(row)).flat_map(|row| of_row[row].clone()).collect();
    let declared = |v: &usize| match &values[*v] {
        Value::Number(_) => attribute.range.is_some() && is_allowed(&values[*v]),
        Value::Text(text) => attribute.values.contains(text),
        Value::Missing => false,
    };
    let any = (0..texts.len()).any(|row| is_any(&row));
    let open = any && attribute.range.is_none() && attribute.values.is_empty();
    let in_domain = |v: &usize| {
        said.contains(v) || declared(v) || (open && values[*v] != Value::Missing && is_allowed(&values[*v]))
    };
    let domain: BTreeSet<usize> = (0..values.len()).filter(in_domain).collect();
    (0..texts.len()).filter(is_any).for_each(|row| of_row[row].clone_from(&domain));
    if of_row.iter().any(BTreeSet::is_empty) {
        return Err(Error::input("a private cell that the policy does not allow"));
    }
    let numbers = values.iter().map(Value::number).collect();
    Ok(Some(Sets { values: values.len(), of_row, domain, numbers }))
}

fn text(column: &Column, row: usize) -> Option<String> {
    match Value::of_row(column, row) {
        Value::Number(number) => Some(number.to_string()),
        Value::Text(text) => Some(text),
        Value::Missing => None,
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}

/// Whether the policy names this very text as a value.
fn is_declared(attribute: &Attribute, text: &str) -> bool {
    let in_tree = match &attribute.taxonomy {
        Some(TaxonomySpec::Tree(tree)) => tree.values().any(|value| value == text),
        _ => false,
    };
    in_tree || attribute.values.iter().any(|value| value == text)
}

fn names_missing(attribute: &Attribute, text: &str) -> bool {
    text == "?" && !is_declared(attribute, text)
}

/// Whether a cell is everything, whatever that is.
pub(super) fn says_nothing(attribute: &Attribute, text: &str) -> bool {
    !is_declared(attribute, text)
        && (text == "*" || braces(text).is_some_and(|inside| listed(inside).iter().any(|part| part == "*")))
}

pub(super) fn braces(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    (!inside.trim().is_empty()).then_some(inside)
}

/// Whether a cell is more than a value.
pub(super) fn is_set(attribute: &Attribute, text: &str) -> bool {
    let is_mask = masked(attribute, text).is_some();
    !is_declared(attribute, text)
        && (text == "*"
            || text == "other values"
            || is_mask
            || braces(text).is_some()
            || bounds(attribute, text).is_some()
            || !under(attribute, text).is_empty())
}

/// The beginning of a masked code.
pub(super) fn masked<'t>(attribute: &Attribute, text: &'t str) -> Option<&'t str> {
    let Some(TaxonomySpec::Prefix(prefix)) = &attribute.taxonomy else { return None };
    (text.ends_with(prefix.mask()) && !is_declared(attribute, text))
        .then(|| text.trim_end_matches(prefix.mask()))
}

/// The values under a group of a taxonomy that is given value by value.
fn under(attribute: &Attribute, text: &str) -> Vec<String> {
    let Some(TaxonomySpec::Tree(tree)) = &attribute.taxonomy else { return Vec::new() };
    tree.paths().filter(|(_, above)| above.contains(&text)).map(|(value, _)| value.to_owned()).collect()
}

/// The values that a cell names.
pub(super) fn parts(attribute: &Attribute, text: &str) -> Vec<String> {
    if is_declared(attribute, text) {
        return vec![text.to_owned()];
    }
    let group = under(attribute, text);
    if text != "*" && !group.is_empty() {
        return group;
    }
    let Some(inside) = braces(text) else { return vec![text.to_owned()] };
    let of_part = |part: String| match under(attribute, &part) {
        group if group.is_empty() => vec![part],
        group => group,
    };
    listed(inside).into_iter().flat_map(of_part).collect()
}

/// The bounds of an interval, and whether the value may be missing; none where values are names.
pub(super) fn bounds(attribute: &Attribute, text: &str) -> Option<(Bounds, bool)> {
    let named = attribute.kind.is_some_and(|kind| kind != Kind::Numeric) || !attribute.values.is_empty();
    if named {
        return None;
    }
    let (text, missing) = match text.strip_suffix("or ?") {
        Some(rest) => (rest.trim_end(), true),
        None => (text, false),
    };
    let signs = [("<=", false, true), (">=", true, true), ("<", false, false), (">", true, false)];
    if text == "any number" || text == "any date" {
        return Some(((None, None), missing));
    }
    for (sign, is_low, held) in signs {
        if let Some(rest) = text.strip_prefix(sign) {
            let bound = Some((number(rest)?, held));
            return Some((if is_low { (bound, None) } else { (None, bound) }, missing));
        }
    }
    let (low, high) = text.strip_prefix(['[', '('])?.strip_suffix([']', ')'])?.split_once(',')?;
    let low = (number(low)?, text.starts_with('['));
    Some(((Some(low), Some((number(high)?, text.ends_with(']')))), missing))
}

/// Whether the cells are about numbers.
fn about_numbers(column: &Column, attribute: &Attribute) -> Result<bool> {
    if attribute.kind == Some(Kind::Numeric) || attribute.range.is_some() || attribute.whole {
        return Ok(true);
    }
    if attribute.kind.is_some() || !attribute.values.is_empty() {
        return Ok(false);
    }
    let texts: Vec<String> = (0..column.len()).filter_map(|row| text(column, row)).collect();
    let is_interval = |text: &String| bounds(attribute, text).is_some();
    let is_any = |text: &String| says_nothing(attribute, text);
    let is_number = |text: &String| {
        parts(attribute, text).iter().all(|part| names_missing(attribute, part) || number(part).is_some())
    };
    let telling: Vec<&String> = texts.iter().filter(|text| !is_any(text)).collect();
    if !telling.is_empty() && telling.iter().all(|text| is_interval(text) || is_number(text)) {
        return Ok(true);
    }
    if texts.iter().any(is_interval) {
        return Err(Error::input("intervals and names"));
    }
    Ok(false)
}

/// Every name there is, and two for all that a cell covers without naming them.
fn tried_names(attribute: &Attribute, texts: &[Option<String>]) -> Vec<Value> {
    let mut names: BTreeSet<String> = attribute.values.iter().cloned().collect();
    for text in texts.iter().flatten().filter(|text| !says_nothing(attribute, text)) {
        for part in parts(attribute, text) {
            if part == "other values" && !is_declared(attribute, &part) {
                names.extend(["\u{1}one other".to_owned(), "\u{1}another".to_owned()]);
            } else if let Some(beginning) = masked(attribute, &part) {
                if !attribute.values.is_empty() {
                    continue;
                }
                let length = part.chars().count() - beginning.chars().count();
                names.extend(["\u{2}", "\u{3}"].map(|c| format!("{beginning}{}", c.repeat(length))));
            } else if !names_missing(attribute, &part) {
                names.insert(part);
            }
        }
    }
    if attribute.values.is_empty() {
        names.extend(["\u{4}one more".to_owned(), "\u{4}two more".to_owned()]);
    }
    names.into_iter().map(Value::Text).collect()
}

/// Every number that occurs, two between any two of them, and some on both sides.
fn tried_numbers(attribute: &Attribute, texts: &[Option<String>]) -> Vec<Value> {
    let mut numbers: Vec<f64> = attribute.range.into_iter().flat_map(|(low, high)| [low, high]).collect();
    for text in texts.iter().flatten() {
        match bounds(attribute, text) {
            Some(((low, high), _)) => numbers.extend(low.iter().chain(&high).map(|bound| bound.0)),
            None => numbers.extend(parts(attribute, text).iter().filter_map(|part| number(part))),
        }
    }
    numbers.push(0.0);
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    let mut all = numbers.clone();
    if attribute.whole {
        let mut next = low.floor() - 3.0;
        while next <= high.ceil() + 3.0 {
            all.push(next);
            next += 1.0;
        }
    }
    let third = |pair: &[f64]| (pair[1] - pair[0]) / 3.0;
    all.extend(numbers.windows(2).flat_map(|pair| [pair[0] + third(pair), pair[1] - third(pair)]));
    all.extend([low - 1.0, low - 2.0, high + 1.0, high + 2.0]);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all.into_iter().map(Value::Number).collect()
}

/// Whether the policy allows a value.
fn allowed(attribute: &Attribute, value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            attribute.range.is_none_or(|(low, high)| low <= *number && *number <= high)
                && (!attribute.whole || number.fract() == 0.0)
        }
        Value::Text(text) => {
            let stands_for_others = text.contains(['\u{1}', '\u{2}', '\u{3}', '\u{4}']);
            let is_name = text == "other values" || masked(attribute, text).is_some();
            attribute.values.is_empty() || stands_for_others || is_name || attribute.values.contains(text)
        }
        Value::Missing => true,
    }
}

/// Whether someone with this value can have this cell.
fn covers(attribute: &Attribute, text: &str, value: &Value) -> bool {
    if let Some(((low, high), missing)) = bounds(attribute, text) {
        let Value::Number(number) = value else { return missing };
        let above = low.is_none_or(|(low, held)| low < *number || (held && low <= *number));
        return above && high.is_none_or(|(high, held)| *number < high || (held && *number <= high));
    }
    parts(attribute, text).iter().any(|part| match value {
        Value::Missing => names_missing(attribute, part),
        Value::Number(own) => number(part).is_some_and(|number| number.total_cmp(own).is_eq()),
        Value::Text(_) if names_missing(attribute, part) => false,
        Value::Text(own) if part == "other values" && !is_declared(attribute, part) => {
            own.starts_with('\u{1}')
        }
        Value::Text(own) => match masked(attribute, part) {
            Some(beginning) => own.starts_with(beginning) && own.chars().count() == part.chars().count(),
            None => own == part,
        },
    })
}
