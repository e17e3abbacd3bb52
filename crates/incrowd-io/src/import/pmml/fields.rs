//! The fields that a tree may test, also under other names.
//!
//! What is not listed here is refused: a reader that skips a replacement of missing values or a rounding would route
//! individuals differently from the program that made the file.

use super::field::{Field, Kind};
use super::steps::Steps;
use super::{Element, attributes_only, child, named, refuse};
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
        let &(place, precision) = from.ok_or("a DerivedField based on another one that is not supported")?;
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

fn class_values(element: Element<'_, '_>) -> Vec<String> {
    let valid = |value: &Element<'_, '_>| matches!(value.attribute("property"), None | Some("valid"));
    let mut seen = HashSet::new();
    let values = named(element, "Value").filter(valid).filter_map(|value| value.attribute("value"));
    values.filter(|value| seen.insert(*value)).map(str::to_owned).collect()
}
