//! A field of the data, and what happens to a value before a predicate sees it.

use super::{Element, attributes_only, elements_only, named, refuse};
use incrowd_core::{Error, Result};
use std::collections::{HashMap, HashSet};

/// The content of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers.
    Number,
    /// Names.
    Text,
    /// Numbers taken as names.
    Code,
    /// `true` and `false`.
    Boolean,
}

/// What happens to values that are not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Invalid {
    Refused,
    AsIs,
    AsMissing,
    AsValue(String),
}

/// What a predicate sees of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldValue<'a> {
    /// This one.
    Value(&'a str),
    /// One that nothing in the file names.
    Other,
    /// None.
    Missing,
    /// The file's reader ends with an error.
    Refused,
}

/// A field of the data.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// All values the file names.
    pub(super) known: Vec<String>,
    places: HashMap<String, usize>,
    /// The valid values, where they are listed.
    valid: HashSet<String>,
    missing_marks: HashSet<String>,
    invalid_marks: HashSet<String>,
    invalid: Invalid,
    /// The replacement of a missing value.
    pub(super) replacement: Option<String>,
    pub(super) is_active: bool,
    /// Whether a predicate tests it.
    pub(super) is_asked: bool,
}

impl Field {
    pub(super) fn new(element: Element<'_, '_>) -> Result<Self> {
        attributes_only(element, &["name", "displayName", "optype", "dataType", "isCyclic"])?;
        elements_only(element, &["Value", "Interval"])?;
        let name = element.attribute("name").unwrap_or_default().to_owned();
        let kind = kind(element).map_err(|error| error.of_attribute(&name))?;
        let mut field = Self {
            name,
            kind,
            known: Vec::new(),
            places: HashMap::new(),
            valid: HashSet::new(),
            missing_marks: HashSet::new(),
            invalid_marks: HashSet::new(),
            invalid: Invalid::Refused,
            replacement: None,
            is_active: false,
            is_asked: false,
        };
        field.add_values(element).map_err(|error| error.of_attribute(&field.name))?;
        Ok(field)
    }

    fn add_values(&mut self, element: Element<'_, '_>) -> Result<()> {
        if self.kind == Kind::Boolean {
            ["true", "false"].into_iter().for_each(|value| self.add_valid(value.to_owned()));
        }
        for value in named(element, "Value") {
            attributes_only(value, &["value", "displayValue", "property"])?;
            let Some(text) = value.attribute("value") else { continue };
            let text = self.canonical(text)?;
            match value.attribute("property") {
                None | Some("valid") => self.add_valid(text),
                Some("missing") => drop(self.missing_marks.insert(text.clone())),
                Some("invalid") => drop(self.invalid_marks.insert(text.clone())),
                Some(_) => return Err(refuse("the property of a Value")),
            }
        }
        let marks: Vec<String> = self.missing_marks.iter().chain(&self.invalid_marks).cloned().collect();
        marks.into_iter().for_each(|mark| self.know(mark));
        Ok(())
    }

    fn add_valid(&mut self, value: String) {
        self.know(value.clone());
        self.valid.insert(value);
    }

    pub(super) fn know(&mut self, value: String) {
        let place = self.known.len();
        self.places.entry(value.clone()).or_insert_with(|| {
            self.known.push(value);
            place
        });
    }

    /// The place of a value among those the file names.
    pub(super) fn place(&self, value: &str) -> Option<usize> {
        self.places.get(value).copied()
    }

    /// A value as it is compared: numbers that are names have one notation each.
    pub(super) fn canonical(&self, text: &str) -> Result<String> {
        if self.kind != Kind::Code {
            return Ok(text.to_owned());
        }
        let number: Option<f64> = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or_else(|| Error::input("a value of a numeric field is not a number"))?;
        Ok((number + 0.0).to_string())
    }

    /// Reads the field's entry in the mining schema.
    pub(super) fn add_schema(&mut self, element: Element<'_, '_>, declared: Option<&str>) -> Result<()> {
        const KNOWN: [&str; 11] = [
            "name",
            "usageType",
            "optype",
            "importance",
            "outliers",
            "lowValue",
            "highValue",
            "missingValueReplacement",
            "missingValueTreatment",
            "invalidValueTreatment",
            "invalidValueReplacement",
        ];
        attributes_only(element, &KNOWN)?;
        if element.attribute("optype").is_some_and(|optype| Some(optype) != declared) {
            return Err(refuse("a MiningField whose optype differs from that of its DataField"));
        }
        if !matches!(element.attribute("outliers"), None | Some("asIs")) {
            return Err(refuse("the treatment of outliers"));
        }
        if element.attribute("missingValueTreatment") == Some("returnInvalid") {
            return Err(refuse("missingValueTreatment=\"returnInvalid\""));
        }
        let replacement = element.attribute("invalidValueReplacement");
        self.invalid = match (element.attribute("invalidValueTreatment"), replacement) {
            (None | Some("returnInvalid"), None) => Invalid::Refused,
            (Some("asIs"), None) => Invalid::AsIs,
            (Some("asMissing"), None) => Invalid::AsMissing,
            (Some("asValue"), Some(value)) => Invalid::AsValue(self.canonical(value)?),
            _ => return Err(refuse("this invalidValueTreatment")),
        };
        if let Invalid::AsValue(value) = &self.invalid {
            self.know(value.clone());
        }
        if let Some(value) = element.attribute("missingValueReplacement") {
            let value = self.canonical(value)?;
            self.know(value.clone());
            self.replacement = Some(value);
        }
        self.is_active = true;
        Ok(())
    }

    /// Whether numbers reach a predicate as they are; a field of names always can be read.
    pub(super) fn check_numbers(&self, element: Element<'_, '_>) -> Result<()> {
        let is_number = self.kind == Kind::Number;
        let has_interval = named(element, "Interval").next().is_some();
        if !is_number {
            return if has_interval {
                Err(refuse("an Interval of values that are not numbers"))
            } else {
                Ok(())
            };
        }
        if !self.missing_marks.is_empty() {
            return Err(refuse("a number that marks a missing value"));
        }
        let listed = has_interval || !self.valid.is_empty() || !self.invalid_marks.is_empty();
        if listed && self.invalid != Invalid::AsIs {
            return Err(refuse("an Interval or a list of valid numbers")
                .help("write it with invalidValueTreatment=\"asIs\", so that every number has a branch"));
        }
        Ok(())
    }

    fn is_valid(&self, value: &str) -> bool {
        !self.invalid_marks.contains(value) && (self.valid.is_empty() || self.valid.contains(value))
    }

    /// What a predicate sees of a missing value.
    pub(super) fn seen_of_missing(&self) -> FieldValue<'_> {
        self.replacement.as_deref().map_or(FieldValue::Missing, FieldValue::Value)
    }

    /// What a predicate sees of a value the file names.
    pub(super) fn seen<'a>(&'a self, value: &'a str) -> FieldValue<'a> {
        if self.missing_marks.contains(value) {
            self.seen_of_missing()
        } else if self.is_valid(value) {
            FieldValue::Value(value)
        } else {
            self.seen_of_invalid(FieldValue::Value(value))
        }
    }

    /// What a predicate sees of a value the file does not name.
    pub(super) fn seen_of_others(&self) -> FieldValue<'_> {
        if self.valid.is_empty() { FieldValue::Other } else { self.seen_of_invalid(FieldValue::Other) }
    }

    fn seen_of_invalid<'a>(&'a self, as_it_is: FieldValue<'a>) -> FieldValue<'a> {
        match &self.invalid {
            Invalid::Refused => FieldValue::Refused,
            Invalid::AsIs => as_it_is,
            Invalid::AsMissing => self.seen_of_missing(),
            Invalid::AsValue(value) => FieldValue::Value(value),
        }
    }

    /// The values a table can have without an error of the file's reader.
    pub(super) fn possible(&self) -> impl Iterator<Item = &String> {
        self.known.iter().filter(|value| self.seen(value) != FieldValue::Refused)
    }
}

fn kind(element: Element<'_, '_>) -> Result<Kind> {
    let numeric = |data_type| matches!(data_type, Some("integer" | "float" | "double"));
    match (element.attribute("optype"), element.attribute("dataType")) {
        (Some("continuous"), data_type) if numeric(data_type) => Ok(Kind::Number),
        (Some("categorical" | "ordinal"), Some("string")) => Ok(Kind::Text),
        (Some("categorical" | "ordinal"), Some("integer" | "double")) => Ok(Kind::Code),
        (Some("categorical"), Some("boolean")) => Ok(Kind::Boolean),
        _ => Err(refuse("the optype and dataType of a field")),
    }
}
