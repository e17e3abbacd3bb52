//! What an attacker considers possible for a private attribute: the policy's domain, or else every value that the
//! release lists or the table has.

use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{Domain, ModelAttribute};
use crate::policy::Policy;
use crate::table::{Column, Kind};

/// Enough values of the domain to reach every bin, in the order of the release and then of the policy; those of the
/// table come on top.
pub(super) fn domain(
    attribute: &ModelAttribute,
    column: &Column,
    policy: &Policy,
    thresholds: &[f64],
) -> Result<Vec<Value>> {
    let declared = policy.attribute(&attribute.name);
    let range = declared.and_then(|declared| declared.range);
    let names = declared.map_or(&[][..], |declared| &declared.values);
    let fail = |what: &str| Err(Error::input(what).of_attribute(&attribute.name));
    let cells =
        (0..column.len()).map(|row| Value::of_row(column, row)).filter(|value| *value != Value::Missing);
    let mut cells = cells.collect::<Vec<_>>().into_iter();
    let named = |names: &[String]| names.iter().map(|name| Value::of_name(column, name)).collect::<Vec<_>>();
    let sample = if policy.is_whole(&attribute.name) { whole_points } else { points };
    let mut domain = match (&attribute.domain, range) {
        (Domain::Numbers { .. }, _) if column.kind() != Kind::Numeric => {
            return fail("the column is not numeric");
        }
        (Domain::Numbers { low, high }, None) => sample(*low, *high, thresholds),
        (Domain::Numbers { low, high }, Some((lowest, highest))) => {
            if (low.is_finite() && *low < lowest) || (high.is_finite() && *high > highest) {
                return fail("the release declares more than the policy");
            }
            sample(lowest, highest, thresholds)
        }
        (Domain::Values(listed), Some((lowest, highest))) if column.kind() == Kind::Numeric => {
            let numbers: Vec<f64> = named(listed).iter().filter_map(Value::number).collect();
            let inside = |number: &f64| lowest <= *number && *number <= highest;
            if numbers.len() < listed.len() || !numbers.iter().all(inside) {
                return fail("the release declares more than the policy");
            }
            sample(lowest, highest, &numbers)
        }
        (Domain::Values(listed), _) if !names.is_empty() => {
            if listed.iter().any(|name| !names.contains(name)) {
                return fail("the release declares more than the policy");
            }
            let declared = named(names);
            if cells.any(|cell| !declared.contains(&cell)) {
                return fail("the table has more than the policy declares");
            }
            named(&[listed.as_slice(), names].concat())
        }
        (Domain::Values(listed), _) => named(listed),
    };
    let beyond =
        |(low, high): (f64, f64)| cells.any(|cell| cell.number().is_none_or(|x| x < low || high < x));
    if column.kind() == Kind::Numeric && range.is_some_and(beyond) {
        return fail("the table has more than the policy declares");
    }
    if attribute.missing {
        domain.push(Value::Missing);
    }
    Ok(domain)
}

/// The cuts and the ends of the range, a number between any two neighbours, and one beyond an open end.
fn points(low: f64, high: f64, cuts: &[f64]) -> Vec<Value> {
    let inside = cuts.iter().copied().filter(|t| low <= *t && *t <= high);
    let mut points: Vec<f64> = inside.chain([low, high].into_iter().filter(|end| end.is_finite())).collect();
    if points.is_empty() {
        points.push(0.0);
    }
    points.sort_by(f64::total_cmp);
    if low.is_infinite() {
        points.insert(0, points[0] - 1.0);
    }
    if high.is_infinite() {
        points.push(points[points.len() - 1] + 1.0);
    }
    let between: Vec<f64> = points.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    points.into_iter().chain(between).map(Value::Number).collect()
}

/// The whole numbers next to the thresholds and to the ends of the range, of those inside it.
fn whole_points(low: f64, high: f64, thresholds: &[f64]) -> Vec<Value> {
    let ends = [low, high].into_iter().filter(|end| end.is_finite());
    let near = thresholds.iter().copied().chain(ends).chain([0.0]);
    let points = near.flat_map(|x| [x.floor() - 1.0, x.floor(), x.ceil(), x.ceil() + 1.0]);
    points.filter(|&x| low <= x && x <= high).map(Value::Number).collect()
}
