//! The values that an attribute can take. They are public knowledge (knowing that heights are between 0 and 3 m exposes
//! no one).

use super::clusters::Axis;
use crate::error::{Error, Result};

/// The values an attribute can take.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// These names.
    Values(Vec<String>),
    /// The numbers from `low` to `high`, both included; infinite where no bound is declared.
    Numbers {
        /// The lowest.
        low: f64,
        /// The highest.
        high: f64,
    },
}

impl Domain {
    /// The check of a domain whose numbers may be dates.
    pub(super) fn check_dates(&self, dates: bool) -> Result<()> {
        if dates && matches!(self, Self::Values(_)) {
            return Err(Error::input("dates are numbers of days and cannot be listed by name"));
        }
        self.check()
    }

    fn check(&self) -> Result<()> {
        let fault = match self {
            Self::Values(values) if values.is_empty() => Some("the attribute has no values"),
            Self::Values(values) => repeats(values).then_some("a value of the attribute is listed twice"),
            Self::Numbers { low, high } if low <= high => None,
            Self::Numbers { .. } => Some("the attribute's range is empty"),
        };
        fault.map_or(Ok(()), |what| Err(Error::input(what)))
    }
}

/// An attribute that a model uses.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAttribute {
    /// The column's name.
    pub name: String,
    /// The values it can take.
    pub domain: Domain,
    /// Whether it can be missing.
    pub missing: bool,
    /// Whether its numbers are dates: days since 1970-01-01.
    pub dates: bool,
}

impl ModelAttribute {
    /// An attribute with names as values.
    pub fn categorical<S: Into<String>>(name: &str, values: impl IntoIterator<Item = S>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self { name: name.to_owned(), domain: Domain::Values(values), missing: false, dates: false }
    }

    /// An attribute with any number as value.
    pub fn numeric(name: &str) -> Self {
        let domain = Domain::Numbers { low: f64::NEG_INFINITY, high: f64::INFINITY };
        Self { name: name.to_owned(), domain, missing: false, dates: false }
    }

    /// An axis of a clustering, which has no missing values.
    pub fn of_axis(axis: &Axis) -> Self {
        let (name, domain) = (axis.name.clone(), axis.domain.clone());
        Self { name, domain, missing: false, dates: axis.dates }
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.domain.check_dates(self.dates).map_err(|error| error.of_attribute(&self.name))
    }
}

pub(crate) fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let names: Vec<String> = names.map(str::to_owned).collect();
    if repeats(&names) {
        return Err(Error::input("the release names an attribute twice"));
    }
    Ok(())
}

fn repeats(values: &[String]) -> bool {
    let mut sorted: Vec<&String> = values.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
