//! The fields that a tree may test, and what happens to a value before a predicate sees it.
//!
//! What is not listed here is refused: a reader that skips a replacement of missing values or a rounding would route
//! individuals differently from the program that made the file.

use super::steps::Steps;
use super::{Element, attributes_only, child, elements_only, named, refuse};
use incrowd_core::model::{Domain, ModelAttribute};
use incrowd_core::{Error, Result};
use std::collections::{HashMap, HashSet};

/// How the numbers of a field are rounded and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Precision {
    /// Numbers are rounded to single precision first.
    pub(super) rounded: bool,
    /// What they are compared with is single, too.
    pub(super) single: bool,
    /// They are compared as whole numbers.
    pub(super) whole: bool,
}

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
pub(super) enum Seen<'a> {
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
    name: String,
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
    is_active: bool,
    /// Whether a predicate tests it.
    is_asked: bool,
}

/// The fields of a file, and what derived ones are made from.
#[derive(Debug, Default)]
pub(super) struct Fields {
    all: Vec<Field>,
    places: HashMap<String, (usize, Precision)>,
    /// Derived fields that are not supported, and why.
    not_understood: HashMap<String, &'static str>,
    /// The steps taken so far to find out what predicates take.
    pub(super) steps: Steps,
}

impl Field {
    fn new(element: Element<'_, '_>) -> Result<Self> {
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

    fn know(&mut self, value: String) {
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
    fn canonical(&self, text: &str) -> Result<String> {
        if self.kind != Kind::Code {
            return Ok(text.to_owned());
        }
        let number: Option<f64> = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or_else(|| Error::input("a value of a numeric field is not a number"))?;
        Ok((number + 0.0).to_string())
    }

    /// Reads the field's entry in the mining schema.
    fn add_schema(&mut self, element: Element<'_, '_>, declared: Option<&str>) -> Result<()> {
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
            return Err(refuse("a MiningField with another optype than its DataField"));
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
    fn check_numbers(&self, element: Element<'_, '_>) -> Result<()> {
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
    pub(super) fn seen_of_missing(&self) -> Seen<'_> {
        self.replacement.as_deref().map_or(Seen::Missing, Seen::Value)
    }

    /// What a predicate sees of a value the file names.
    pub(super) fn seen<'a>(&'a self, value: &'a str) -> Seen<'a> {
        if self.missing_marks.contains(value) {
            self.seen_of_missing()
        } else if self.is_valid(value) {
            Seen::Value(value)
        } else {
            self.seen_of_invalid(Seen::Value(value))
        }
    }

    /// What a predicate sees of a value the file does not name.
    pub(super) fn seen_of_others(&self) -> Seen<'_> {
        if self.valid.is_empty() { Seen::Other } else { self.seen_of_invalid(Seen::Other) }
    }

    fn seen_of_invalid<'a>(&'a self, as_it_is: Seen<'a>) -> Seen<'a> {
        match &self.invalid {
            Invalid::Refused => Seen::Refused,
            Invalid::AsIs => as_it_is,
            Invalid::AsMissing => self.seen_of_missing(),
            Invalid::AsValue(value) => Seen::Value(value),
        }
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

impl Fields {
    /// The fields whose numbers are compared as names.
    pub(super) fn codes(&self) -> Vec<String> {
        self.all.iter().filter(|field| field.kind == Kind::Code).map(|field| field.name.clone()).collect()
    }

    /// The fields of a file, and the values it lists for the class.
    pub(super) fn new(
        root: Element<'_, '_>,
        model: Element<'_, '_>,
        target: &str,
    ) -> Result<(Self, Vec<String>)> {
        let mut fields = Self::default();
        let mut class = None;
        let dictionary =
            child(root, "DataDictionary").ok_or_else(|| Error::input("the file declares no fields"))?;
        let schema: HashMap<&str, Element<'_, '_>> = child(model, "MiningSchema")
            .into_iter()
            .flat_map(|schema| named(schema, "MiningField"))
            .filter_map(|field| Some((field.attribute("name")?, field)))
            .collect();
        let listed = child(model, "MiningSchema").map_or(0, |schema| named(schema, "MiningField").count());
        if listed > schema.len() {
            return Err(Error::input("a MiningField is listed twice, or has no name"));
        }
        for element in named(dictionary, "DataField") {
            let name = element.attribute("name").ok_or_else(|| Error::input("a DataField has no name"))?;
            if name == target {
                class = Some(class_values(element));
                continue;
            }
            let usage = schema.get(name).map(|field| field.attribute("usageType").unwrap_or("active"));
            if usage == Some("active") {
                fields.add(element, schema[name]).map_err(|error| error.of_attribute(name))?;
            }
        }
        fields.derive(root, "TransformationDictionary")?;
        fields.derive(model, "LocalTransformations")?;
        Ok((fields, class.ok_or_else(|| Error::input("the field it predicts is not declared"))?))
    }

    fn add(&mut self, element: Element<'_, '_>, schema: Element<'_, '_>) -> Result<()> {
        let mut field = Field::new(element)?;
        field.add_schema(schema, element.attribute("optype"))?;
        field.check_numbers(element)?;
        let single = element.attribute("dataType") == Some("float");
        let whole = element.attribute("dataType") == Some("integer");
        let place = (self.all.len(), Precision { rounded: single, single, whole });
        if self.places.insert(field.name.clone(), place).is_some() {
            return Err(Error::input("a field is declared twice"));
        }
        self.all.push(field);
        Ok(())
    }

    /// Fields that are others under another name, perhaps rounded.
    fn derive(&mut self, parent: Element<'_, '_>, list: &'static str) -> Result<()> {
        for element in child(parent, list).into_iter().flat_map(|list| named(list, "DerivedField")) {
            let name = element.attribute("name").unwrap_or_default();
            if self.places.contains_key(name) || self.not_understood.contains_key(name) {
                return Err(Error::input("a field is declared twice").of_attribute(name));
            }
            match self.derived(element) {
                Ok(place) => drop(self.places.insert(name.to_owned(), place)),
                Err(what) => drop(self.not_understood.insert(name.to_owned(), what)),
            }
        }
        Ok(())
    }

    fn derived(&self, element: Element<'_, '_>) -> std::result::Result<(usize, Precision), &'static str> {
        attributes_only(element, &["name", "displayName", "optype", "dataType"])
            .map_err(|_| "an attribute of a DerivedField")?;
        let mut parts = element.children().filter(Element::is_element);
        let (Some(reference), None) = (parts.next(), parts.next()) else {
            return Err("a DerivedField that is more than a FieldRef");
        };
        if reference.tag_name().name() != "FieldRef" {
            return Err("a DerivedField that is not a FieldRef");
        }
        if reference.attributes().any(|attribute| attribute.name() != "field") {
            return Err("an attribute of a FieldRef (such as mapMissingTo)");
        }
        let from = reference.attribute("field").and_then(|from| self.places.get(from));
        let &(place, precision) = from.ok_or("a DerivedField made from one that is not supported")?;
        let same = (element.attribute("optype"), element.attribute("dataType"));
        match (self.all[place].kind, same) {
            (Kind::Number, (Some("continuous"), Some("float"))) => {
                Ok((place, Precision { rounded: true, single: true, whole: false }))
            }
            (Kind::Number, (Some("continuous"), Some("double"))) => {
                Ok((place, Precision { rounded: precision.rounded, single: false, whole: false }))
            }
            (Kind::Number, (Some("continuous"), Some("integer"))) if precision.whole => {
                Ok((place, precision))
            }
            (Kind::Text, (Some("categorical" | "ordinal"), Some("string")))
            | (Kind::Boolean, (Some("categorical"), Some("boolean"))) => Ok((place, precision)),
            _ => Err("the optype and dataType of a DerivedField"),
        }
    }

    /// The field that a predicate tests.
    pub(super) fn asked(&self, element: Element<'_, '_>) -> Result<(usize, Precision)> {
        let name = element.attribute("field").unwrap_or_default();
        if let Some(&place) = self.places.get(name) {
            return Ok(place);
        }
        Err(match self.not_understood.get(name) {
            Some(what) => refuse(what).of_attribute(name),
            None => Error::input("a predicate tests a field that is not declared, or not active")
                .of_attribute(name),
        })
    }

    pub(super) fn field(&self, place: usize) -> &Field {
        &self.all[place]
    }

    /// Records that a predicate tests a field and names these values.
    pub(super) fn ask(&mut self, place: usize, values: Vec<String>) -> Result<()> {
        let field = &mut self.all[place];
        field.is_asked = true;
        if field.kind != Kind::Number {
            for value in values {
                let value = field.canonical(&value).map_err(|error| error.of_attribute(&field.name))?;
                field.know(value);
            }
        }
        Ok(())
    }

    /// The values a predicate names, as they are compared.
    pub(super) fn canonical(&self, place: usize, values: Vec<String>) -> Result<HashSet<String>> {
        values.into_iter().map(|value| self.all[place].canonical(&value)).collect()
    }

    /// The attributes that the tree tests, and the place of each field among them.
    pub(super) fn attributes(&self) -> (Vec<ModelAttribute>, Vec<usize>) {
        let (mut attributes, mut places) = (Vec::new(), Vec::new());
        for field in &self.all {
            places.push(attributes.len());
            if !field.is_asked || !field.is_active {
                continue;
            }
            let mut attribute = ModelAttribute::numeric(&field.name);
            if field.kind != Kind::Number {
                attribute.domain = Domain::Values(field.possible().cloned().collect());
            }
            attributes.push(attribute);
        }
        (attributes, places)
    }
}

impl Field {
    /// The values a table can have without an error of the file's reader.
    pub(super) fn possible(&self) -> impl Iterator<Item = &String> {
        self.known.iter().filter(|value| self.seen(value) != Seen::Refused)
    }
}

fn class_values(element: Element<'_, '_>) -> Vec<String> {
    let valid = |value: &Element<'_, '_>| matches!(value.attribute("property"), None | Some("valid"));
    let mut seen = HashSet::new();
    let values = named(element, "Value").filter(valid).filter_map(|value| value.attribute("value"));
    values.filter(|value| seen.insert(*value)).map(str::to_owned).collect()
}
