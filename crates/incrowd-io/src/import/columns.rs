//! The meaning of the columns of a model's matrix: numbers, codes of values, or one value (one-hot).

use super::HELP;
use incrowd_core::model::{Domain, ModelAttribute};
use incrowd_core::{Error, Result};
use serde::{Deserialize, Deserializer};
use std::collections::{HashMap, HashSet};

/// A column of a model's matrix, as stated in JSON.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawColumn {
    /// The column of the table it is made from.
    pub(super) name: String,
    /// It is 1 where the table has this value (null: none), and 0 elsewhere.
    #[serde(default, deserialize_with = "said")]
    pub(super) equals: Equals,
    /// It is the place of the table's value in this list, in which null is a missing one.
    pub(super) codes: Option<Vec<Option<String>>>,
    /// What a value is that is not in the list, or among those of the column's one-hot features; without it the encoder
    /// takes no such value.
    pub(super) unknown: Option<f64>,
    /// With codes: what a missing value is, if it is a number.
    pub(super) missing_code: Option<f64>,
    /// All values the table's column can take, if they are more than those named.
    pub(super) values: Option<Vec<String>>,
    /// Whether it can be missing.
    #[serde(default)]
    pub(super) missing: bool,
}

impl RawColumn {
    /// A column of numbers.
    pub(super) fn numeric(name: String) -> Self {
        let (equals, codes, unknown, missing_code, values) = (Equals::Unsaid, None, None, None, None);
        Self { name, equals, codes, unknown, missing_code, values, missing: false }
    }

    /// A column of the places of these values, which can be missing.
    pub(super) fn coded(name: String, values: Vec<String>) -> Self {
        let codes = Some(values.into_iter().map(Some).collect());
        Self { codes, missing: true, ..Self::numeric(name) }
    }
}

/// The value of a one-hot feature.
#[derive(Debug, Clone, Default)]
pub(super) enum Equals {
    /// It is not one.
    #[default]
    Unsaid,
    /// Missing values.
    Missing,
    /// A value.
    Value(String),
}

/// A key that is there, also if it is null.
fn said<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Equals, D::Error> {
    Ok(Option::deserialize(deserializer)?.map_or(Equals::Missing, Equals::Value))
}

/// The feature of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Coding {
    /// The number itself: whether it is rounded to single precision first, and whether it can be NaN.
    Number { single: bool, nan: bool },
    /// A number for each value.
    Codes(Codes),
}

/// A number for each value, one for all others, and one for a missing value; without it that is NaN if `nan`, and
/// cannot be otherwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Codes {
    /// By the places of the values among those of the attribute.
    pub(super) of_place: Vec<(usize, f64)>,
    pub(super) others: Option<f64>,
    pub(super) missing: Option<f64>,
    pub(super) nan: bool,
    /// What a value is that the column can have and this list lacks, where that is known.
    pub(super) known: Option<f64>,
    /// Whether it is a one-hot feature that a list of columns names.
    pub(super) hot: bool,
}

/// A column of a model's matrix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Feature {
    /// Which attribute it is made from.
    pub(super) attribute: usize,
    pub(super) coding: Coding,
}

/// The attributes of a model, and the features made from them.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) attributes: Vec<ModelAttribute>,
    pub(super) features: Vec<Feature>,
    places: HashMap<String, usize>,
    known: Vec<HashMap<String, usize>>,
}

impl Columns {
    /// The columns JSON lists; numbers are rounded to single precision first if `single`.
    pub(super) fn new(raw: Vec<RawColumn>, single: bool) -> Result<Self> {
        let mut columns = Self::default();
        for (i, column) in raw.into_iter().enumerate() {
            let name = column.name.clone();
            let added = columns.add_raw(column, single);
            added.map_err(|error| {
                error.about(format_args!("column {}", i + 1)).of_attribute(name).help(HELP)
            })?;
        }
        columns.complete();
        Ok(columns)
    }

    /// Gives the one-hot features of an encoder that takes no unknown value 0 for every other value it knows.
    fn complete(&mut self) {
        let strict = |feature: &Feature| match &feature.coding {
            Coding::Codes(codes) if codes.hot && codes.others.is_none() => Some(codes.missing),
            _ => None,
        };
        let with_missing = self.features.iter().filter(|feature| strict(feature) == Some(Some(1.0)));
        let with_missing: HashSet<usize> = with_missing.map(|feature| feature.attribute).collect();
        for feature in self.features.iter_mut().filter(|feature| strict(feature).is_some()) {
            let Coding::Codes(codes) = &mut feature.coding else { continue };
            codes.known = Some(0.0);
            if with_missing.contains(&feature.attribute) {
                codes.missing = codes.missing.or(Some(0.0));
            }
        }
    }

    fn add_raw(&mut self, raw: RawColumn, single: bool) -> Result<()> {
        let has_numbers = raw.unknown.is_some() || raw.missing_code.is_some();
        let is_hot = raw.missing_code.is_none() && raw.unknown.is_none_or(|unknown| unknown == 0.0);
        let (coding, listed) = match (raw.equals, raw.codes) {
            (Equals::Unsaid, None) if raw.values.is_none() && !has_numbers => {
                (Coding::Number { single, nan: true }, Vec::new())
            }
            (Equals::Missing, None) if is_hot => (one_hot(Some(1.0), raw.unknown), Vec::new()),
            (Equals::Value(value), None) if is_hot => (one_hot(raw.unknown, raw.unknown), vec![(value, 1.0)]),
            (Equals::Unsaid, Some(codes)) => ordinal(codes, (raw.unknown, raw.missing_code), raw.missing)?,
            _ => {
                return Err(Error::input(
                    "its keys contradict each other: give \"equals\", \"codes\" or neither, with only the keys that belong to it",
                ));
            }
        };
        self.add(&raw.name, coding, listed, raw.values.unwrap_or_default(), raw.missing)
    }

    /// Adds a feature made from a column of the table, which can have the values that its coding lists, and these.
    pub(super) fn add(
        &mut self,
        name: &str,
        mut coding: Coding,
        listed: Vec<(String, f64)>,
        values: Vec<String>,
        missing: bool,
    ) -> Result<()> {
        let by_number = matches!(coding, Coding::Number { .. });
        let attribute = self.attribute(name, by_number);
        let declared = &mut self.attributes[attribute];
        declared.missing |= missing;
        match &mut declared.domain {
            Domain::Numbers { .. } if by_number => {}
            Domain::Values(domain) if !by_number => {
                let known = &mut self.known[attribute];
                let mut place_of = |value: String| {
                    let next = domain.len();
                    known.get(&value).copied().unwrap_or_else(|| {
                        domain.push(value.clone());
                        known.insert(value, next);
                        next
                    })
                };
                let of_place: Vec<_> =
                    listed.into_iter().map(|(value, code)| (place_of(value), code)).collect();
                values.into_iter().for_each(|value| _ = place_of(value));
                if let Coding::Codes(codes) = &mut coding {
                    codes.of_place = of_place;
                    check_places(&codes.of_place)?;
                }
            }
            _ => return Err(Error::input("the same column is used both for numbers and for values")),
        }
        self.features.push(Feature { attribute, coding });
        Ok(())
    }

    /// The place of an attribute.
    fn attribute(&mut self, name: &str, by_number: bool) -> usize {
        let next = self.attributes.len();
        let place = *self.places.entry(name.to_owned()).or_insert(next);
        if place == next {
            let attribute = if by_number {
                ModelAttribute::numeric(name)
            } else {
                ModelAttribute::categorical(name, Vec::<String>::new())
            };
            self.attributes.push(attribute);
            self.known.push(HashMap::new());
        }
        place
    }
}

/// Checks that no value is listed twice.
fn check_places(of_place: &[(usize, f64)]) -> Result<()> {
    let mut seen = HashSet::with_capacity(of_place.len());
    let is_new = |&(place, _): &(usize, f64)| seen.insert(place);
    if of_place.iter().all(is_new) { Ok(()) } else { Err(Error::input("a value is listed twice")) }
}

/// The place of a value in a list as its number.
fn ordinal(
    codes: Vec<Option<String>>,
    (unknown, missing_code): (Option<f64>, Option<f64>),
    nan: bool,
) -> Result<(Coding, Vec<(String, f64)>)> {
    let place = codes.iter().position(Option::is_none).map(|place| place as f64);
    if place.is_some() && missing_code.is_some() {
        return Err(Error::input("a missing value has two codes"));
    }
    let numbered = codes.into_iter().zip((0_u32..).map(f64::from));
    let listed: Vec<(String, f64)> = numbered.filter_map(|(value, code)| Some((value?, code))).collect();
    let codes = Codes { others: unknown, missing: place.or(missing_code), nan, ..Codes::default() };
    Ok((Coding::Codes(codes), listed))
}

/// The same for all values but those that are listed, and something for missing ones. Unknown ones may not be taken at
/// all.
fn one_hot(missing: Option<f64>, unknown: Option<f64>) -> Coding {
    Coding::Codes(Codes { others: unknown, missing, hot: true, ..Codes::default() })
}
