//! What the columns of a model's matrix stand for: numbers, codes of values, or one value (one-hot).

use super::HELP;
use incrowd_core::model::{Domain, ModelAttribute};
use incrowd_core::{Error, Result};
use serde::Deserialize;
use std::collections::HashMap;

/// A column of a model's matrix, as JSON says it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawColumn {
    /// The column of the table it is made from.
    pub(super) name: String,
    /// It is 1 where the table has this value, and 0 elsewhere.
    pub(super) equals: Option<String>,
    /// It is the place of the table's value in this list.
    pub(super) codes: Option<Vec<String>>,
    /// All values the table's column can take, if they are more than those named.
    pub(super) values: Option<Vec<String>>,
    /// Whether it can be missing.
    #[serde(default)]
    pub(super) missing: bool,
}

/// What a feature says of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Coding {
    /// The number itself; `true` if it is rounded to single precision first.
    Number { single: bool },
    /// A number for each value, and one for all others.
    Codes { codes: HashMap<String, f64>, others: Option<f64> },
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
        Ok(columns)
    }

    fn add_raw(&mut self, raw: RawColumn, single: bool) -> Result<()> {
        let (coding, named) = match (raw.equals, raw.codes) {
            (None, None) if raw.values.is_none() => (Coding::Number { single }, Vec::new()),
            (Some(value), None) => {
                let codes = HashMap::from([(value.clone(), 1.0)]);
                (Coding::Codes { codes, others: Some(0.0) }, vec![value])
            }
            (None, Some(codes)) => {
                let places = codes.iter().cloned().zip((0_u32..).map(f64::from)).collect();
                (Coding::Codes { codes: places, others: None }, codes)
            }
            _ => {
                return Err(Error::new(
                    "it needs one of \"equals\" and \"codes\", or neither and no \"values\"",
                ));
            }
        };
        self.add(&raw.name, coding, named.into_iter().chain(raw.values.unwrap_or_default()), raw.missing)
    }

    /// Adds a feature made from a column of the table, which can have these values.
    pub(super) fn add(
        &mut self,
        name: &str,
        coding: Coding,
        values: impl IntoIterator<Item = String>,
        missing: bool,
    ) -> Result<()> {
        let by_number = matches!(coding, Coding::Number { .. });
        let attribute = self.attribute(name, by_number);
        let declared = &mut self.attributes[attribute];
        declared.missing |= missing;
        match &mut declared.domain {
            Domain::Numbers { .. } if by_number => {}
            Domain::Values(domain) if !by_number => {
                for value in values {
                    let place = domain.len();
                    self.known[attribute].entry(value.clone()).or_insert_with(|| {
                        domain.push(value);
                        place
                    });
                }
            }
            _ => return Err(Error::new("the same column is taken for numbers and for values")),
        }
        self.features.push(Feature { attribute, coding });
        Ok(())
    }

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
