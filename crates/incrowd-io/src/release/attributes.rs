//! Attributes of models, and looking them up by name.

use super::object::Object;
use super::raw::RawAttribute;
use incrowd_core::model::{Domain, ModelAttribute};
use incrowd_core::{Error, Result};
use std::collections::{HashMap, HashSet};

pub(super) fn read(raw: Vec<Object<RawAttribute>>) -> Result<Vec<ModelAttribute>> {
    let read_one = |(i, Object(raw)): (usize, Object<RawAttribute>)| {
        let name = raw.name.clone();
        attribute(raw).map_err(|error| at(format_args!("attribute {}", i + 1), error).of_attribute(name))
    };
    raw.into_iter().enumerate().map(read_one).collect()
}

pub(super) fn write(attributes: &[ModelAttribute]) -> Vec<Object<RawAttribute>> {
    let write_one = |attribute: &ModelAttribute| {
        let (values, (low, high)) = match &attribute.domain {
            Domain::Values(values) => (Some(values.clone()), (None, None)),
            Domain::Numbers { low, high } => (None, (bound(*low), bound(*high))),
        };
        let (numeric, missing, dates) = (values.is_none(), attribute.missing, attribute.dates);
        Object(RawAttribute { name: attribute.name.clone(), values, numeric, low, high, missing, dates })
    };
    attributes.iter().map(write_one).collect()
}

/// An end of a range as in the file: infinite ones are left out.
pub(super) fn bound(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Puts where something is in front of what is wrong with it.
pub(super) fn at(place: std::fmt::Arguments<'_>, mut error: Error) -> Error {
    error.what = format!("{place}: {}", error.what);
    error
}

fn attribute(raw: RawAttribute) -> Result<ModelAttribute> {
    let domain = match raw.values {
        Some(_) if raw.numeric => {
            return Err(Error::input("it is numeric and lists values").help("remove one of the two"));
        }
        Some(_) if raw.low.or(raw.high).is_some() => {
            return Err(Error::input("it lists values and has a lowest or highest number")
                .help("remove one of the two"));
        }
        None if !raw.numeric => {
            return Err(
                Error::input("its values are not given").help("list \"values\", or set \"numeric\": true")
            );
        }
        // Tables are read without the spaces around a cell, so only one of the two would be met.
        Some(values) if repeats_trimmed(&values) => {
            return Err(Error::input("two of its values differ only in the spaces around them")
                .help("give one of them another name, in the table as well"));
        }
        Some(values) => Domain::Values(values),
        None => Domain::Numbers {
            low: raw.low.unwrap_or(f64::NEG_INFINITY),
            high: raw.high.unwrap_or(f64::INFINITY),
        },
    };
    Ok(ModelAttribute { name: raw.name, domain, missing: raw.missing, dates: raw.dates })
}

/// Whether two different texts are equal without the spaces around them.
fn repeats_trimmed(values: &[String]) -> bool {
    let different: HashSet<&str> = values.iter().map(String::as_str).collect();
    let trimmed: HashSet<&str> = values.iter().map(|value| value.trim()).collect();
    trimmed.len() < different.len()
}

/// Attributes and their values by name.
pub(super) struct Lookup<'a> {
    attributes: &'a [ModelAttribute],
    by_name: HashMap<&'a str, usize>,
    /// For each attribute the place of each of its values.
    by_value: Vec<HashMap<&'a str, u32>>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(attributes: &'a [ModelAttribute]) -> Self {
        let by_name =
            attributes.iter().enumerate().map(|(i, attribute)| (attribute.name.as_str(), i)).collect();
        let by_value = attributes.iter().map(|attribute| places(values(attribute))).collect();
        Self { attributes, by_name, by_value }
    }

    /// The place of the attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Result<usize> {
        let found = self.by_name.get(name).copied();
        found.ok_or_else(|| {
            Error::input("the attribute is not listed")
                .of_attribute(name)
                .help("list it under \"attributes\"")
        })
    }

    /// The place of a value within the attribute's domain.
    pub(super) fn value(&self, attribute: usize, value: &str) -> Option<u32> {
        self.by_value[attribute].get(value).copied()
    }

    /// Whether an attribute's numbers are dates.
    pub(super) fn dates(&self, attribute: usize) -> bool {
        self.attributes[attribute].dates
    }

    /// The names of an attribute's values; none for numbers.
    pub(super) fn values(&self, attribute: usize) -> &'a [String] {
        values(&self.attributes[attribute])
    }
}

/// The place of each name in a list.
pub(super) fn places(names: &[String]) -> HashMap<&str, u32> {
    names.iter().map(String::as_str).zip(0..).collect()
}

/// The names of an attribute's values; none for numbers.
pub(crate) fn values(attribute: &ModelAttribute) -> &[String] {
    match &attribute.domain {
        Domain::Values(values) => values,
        Domain::Numbers { .. } => &[],
    }
}

/// Populations on their way in: none can exceed the individuals stated, and all together must be countable.
pub(super) struct Populations {
    individuals: Option<u64>,
    sum: u64,
}

impl Populations {
    pub(super) fn new(individuals: Option<u64>) -> Self {
        Self { individuals, sum: 0 }
    }

    pub(super) fn add(&mut self, population: u64) -> Result<()> {
        if self.individuals.is_some_and(|individuals| population > individuals) {
            return Err(Error::input("it contains more individuals than the release")
                .help("correct \"individuals\" or the population"));
        }
        let sum = self.sum.checked_add(population);
        self.sum = sum.ok_or_else(|| Error::limit("the populations are too large to be added up"))?;
        Ok(())
    }
}
