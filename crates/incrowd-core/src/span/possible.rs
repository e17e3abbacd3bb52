//! What an attacker considers possible for a private attribute.
//!
//! The policy's domain wins: if it declares one (`values`, `order`, `range`), the attacker considers exactly these
//! values possible, whatever the release lists. A value of the table or of the release outside the domain is a
//! contradiction. If the policy declares nothing, the domain consists of the values that the release declares and those
//! that occur in the table. A missing value is a separate value if the release or the table has one.

use super::bind::{domain_codes, not_numeric, parse_bits};
use super::occurring_first;
use crate::error::{Error, Result};
use crate::model::{Domain, ModelAttribute};
use crate::policy::Policy;
use crate::table::{Column, Values};
use hashbrown::HashSet;

/// What an attacker considers possible of a private attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Possible {
    /// The attribute with the values that the release lists, in its order, then all others; or with its whole range.
    pub(crate) attribute: ModelAttribute,
    /// Numbers of the table outside the range, where the release alone declares it.
    pub(crate) points: Vec<f64>,
    /// Of numbers that a release lists one by one: the lowest of those that are possible besides, if there are any.
    pub(crate) other: Option<f64>,
    /// Whether only whole numbers are possible.
    pub(crate) whole: bool,
}

impl Possible {
    /// What is possible of an attribute that a release declares.
    ///
    /// # Errors
    /// When the policy, the release and the table contradict each other.
    pub(crate) fn new(attribute: &ModelAttribute, column: &Column, policy: &Policy) -> Result<Self> {
        let declared = policy.attribute(&attribute.name);
        let (range, whole) =
            (declared.and_then(|attribute| attribute.range), policy.is_whole(&attribute.name));
        let names = declared.map_or(&[][..], |attribute| &attribute.values);
        let (domain, points, other) = match (&attribute.domain, column.values()) {
            (Domain::Numbers { low, high }, Values::Numeric(numbers)) => {
                let occurring = occurring(column).map(|code| numbers[code]);
                let ((low, high), points) = interval((*low, *high), range, occurring, column)?;
                let (low, high) = if whole { (low.ceil(), high.floor()) } else { (low, high) };
                (Domain::Numbers { low, high }, points, None)
            }
            (Domain::Numbers { .. }, _) => return Err(not_numeric(column)),
            (Domain::Values(listed), Values::Numeric(numbers)) => {
                let values = with_occurring(listed, column);
                let other = range.map(|range| lowest_other((range, whole), &values, listed, numbers, column));
                (Domain::Values(values), Vec::new(), other.transpose()?.flatten())
            }
            (Domain::Values(listed), _) => {
                (Domain::Values(all_names(listed, names, column)?), Vec::new(), None)
            }
        };
        let missing = attribute.missing || column.has_missing();
        let attribute = ModelAttribute { domain, missing, ..attribute.clone() };
        Ok(Self { attribute, points, other, whole })
    }

    /// The values by name, those of the release first; none where it declares a range.
    pub(crate) fn names(&self) -> &[String] {
        match &self.attribute.domain {
            Domain::Values(values) => values,
            Domain::Numbers { .. } => &[],
        }
    }

    /// The number of values if each name is one, any other number is one, and a missing value is one.
    pub(crate) fn values(&self) -> usize {
        self.names().len() + usize::from(self.other.is_some()) + usize::from(self.attribute.missing)
    }

    /// Whether more than one value is possible.
    pub(crate) fn has_choice(&self) -> bool {
        let more = usize::from(self.attribute.missing) + self.points.len();
        match self.attribute.domain {
            Domain::Values(_) => self.values() > 1,
            Domain::Numbers { low, high } => low < high || usize::from(low <= high) + more > 1,
        }
    }

    /// The cells of the values (as numbered by [`Possible::values`]) from the lowest to the highest, as the column
    /// orders them. A release may list values in any order, but the column determines the distance of two ordered
    /// values; values that no individual has come last.
    pub(crate) fn order(&self, column: &Column) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.values() as u32).collect();
        let rank = |cell: &u32| match (self.names().get(*cell as usize), column.values()) {
            (None, _) if *cell as usize == self.names().len() => self.other.unwrap_or(f64::INFINITY),
            (None, _) => f64::INFINITY,
            (Some(name), Values::Numeric(_)) => {
                name.trim().parse().ok().filter(|n: &f64| n.is_finite()).unwrap_or(f64::MAX)
            }
            (Some(name), values) => values.find(name).map_or(f64::MAX, f64::from),
        };
        order.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
        occurring_first(order, &self.cell_of_code(column), column)
    }

    /// The cell of each code of the column, a missing value's last; [`u32::MAX`] for those that do not occur and are
    /// not possible.
    pub(crate) fn cell_of_code(&self, column: &Column) -> Vec<u32> {
        let missing = if self.attribute.missing { self.values() as u32 - 1 } else { u32::MAX };
        let codes = domain_codes(&self.attribute.domain, column.values()).into_iter();
        codes.map(|value| value.unwrap_or(u32::MAX)).chain([missing]).collect()
    }
}

/// Whether the attacker considers more values possible of a private column than occur in it.
pub(crate) fn more_than_occur(column: &Column, policy: &Policy) -> bool {
    let Some(declared) = policy.attribute(column.name()) else { return false };
    let codes: Vec<usize> = occurring(column).collect();
    match column.values() {
        Values::Numeric(numbers) => {
            let beyond = |(low, high): (f64, f64)| {
                codes.iter().all(|&code| low < numbers[code] || numbers[code] < high)
            };
            // Those that occur are within the range, so all whole numbers occur iff there are no more.
            let more = |(low, high): (f64, f64)| high.floor() - low.ceil() + 1.0 > codes.len() as f64;
            declared.range.is_some_and(|range| if declared.whole { more(range) } else { beyond(range) })
        }
        values => {
            declared.values.iter().any(|name| !codes.iter().any(|&code| values.text(code) == name.as_str()))
        }
    }
}

/// The codes of values that occur, ascending.
pub(crate) fn occurring(column: &Column) -> impl Iterator<Item = usize> + use<> {
    let mut occurs = vec![false; column.values().len() + 1];
    column.codes().iter().for_each(|code| occurs[code as usize] = true);
    occurs.pop();
    (0..occurs.len()).filter(move |&code| occurs[code])
}

/// The policy's range; without one, the release's, and the numbers of the table outside it.
fn interval(
    (low, high): (f64, f64),
    declared: Option<(f64, f64)>,
    mut occurring: impl Iterator<Item = f64>,
    column: &Column,
) -> Result<((f64, f64), Vec<f64>)> {
    let Some((lowest, highest)) = declared else {
        let points = occurring.filter(|&number| number < low || high < number).collect();
        return Ok(((low, high), points));
    };
    if (low.is_finite() && low < lowest) || (high.is_finite() && highest < high) {
        return Err(release_contradicts(column));
    }
    if occurring.any(|number| number < lowest || highest < number) {
        return Err(table_contradicts(column));
    }
    Ok(((lowest, highest), Vec::new()))
}

/// The values of the release, then all others: those of the policy, or without any those of the table.
fn all_names(listed: &[String], declared: &[String], column: &Column) -> Result<Vec<String>> {
    if declared.is_empty() {
        return Ok(with_occurring(listed, column));
    }
    let known: HashSet<&str> = declared.iter().map(String::as_str).collect();
    if listed.iter().any(|name| !known.contains(name.as_str())) {
        return Err(release_contradicts(column));
    }
    if occurring(column).any(|code| !known.contains(column.values().text(code).as_ref())) {
        return Err(table_contradicts(column));
    }
    let told: HashSet<&str> = listed.iter().map(String::as_str).collect();
    let others = declared.iter().filter(|name| !told.contains(name.as_str()));
    Ok(listed.iter().chain(others).cloned().collect())
}

/// The values of the release, then those of the table that it does not list.
fn with_occurring(listed: &[String], column: &Column) -> Vec<String> {
    let places = domain_codes(&Domain::Values(listed.to_vec()), column.values());
    let others = occurring(column).filter(|&code| places[code].is_none());
    listed.iter().cloned().chain(others.map(|code| column.values().text(code).into_owned())).collect()
}

/// The lowest number of the range that is not among the values, if there is one.
fn lowest_other(
    ((low, high), whole): ((f64, f64), bool),
    values: &[String],
    listed: &[String],
    numbers: &[f64],
    column: &Column,
) -> Result<Option<f64>> {
    let outside = |number: f64| !(low <= number && number <= high);
    if listed.iter().any(|name| name.trim().parse().map_or(true, outside)) {
        return Err(release_contradicts(column));
    }
    if occurring(column).any(|code| outside(numbers[code])) {
        return Err(table_contradicts(column));
    }
    let is_listed = |x: f64| values.iter().any(|name| parse_bits(name) == Some((x + 0.0).to_bits()));
    // Of one number more than there are values, one is not among them.
    let steps = 0..=values.len();
    let mut tried = steps.map(|step| match (whole, step) {
        (true, _) => low.ceil() + step as f64,
        (false, 0) => low,
        (false, _) => low.next_up(),
    });
    Ok(tried.find(|&x| x <= high && !is_listed(x)))
}

fn release_contradicts(column: &Column) -> Error {
    Error::input("the release declares a value that the policy does not")
        .of_attribute(column.name())
        .help("add it to `values`, `order` or `range` in the policy, or check that the release belongs to it")
}

fn table_contradicts(column: &Column) -> Error {
    Error::input("the table has a value that the policy does not declare")
        .of_attribute(column.name())
        .help("add it to `values`, `order` or `range` in the policy, or check how missing values are read")
}

#[cfg(test)]
mod tests {
    use super::interval;
    use crate::table::Column;

    /// A release must not go beyond the policy's range at either end.
    #[test]
    fn ranges_of_releases_are_within_the_policys() {
        let column = Column::from_numbers("x", &[Some(1.0)]).unwrap();
        let range = |own: (f64, f64)| interval(own, Some((0.0, 10.0)), [1.0].into_iter(), &column);
        assert_eq!(range((0.0, 10.0)).unwrap().0, (0.0, 10.0));
        assert_eq!(range((f64::NEG_INFINITY, f64::INFINITY)).unwrap().0, (0.0, 10.0));
        assert!(range((-1.0, 10.0)).is_err() && range((0.0, 11.0)).is_err());
        assert!(interval((0.0, 10.0), Some((2.0, 10.0)), [1.0].into_iter(), &column).is_err());
    }
}
