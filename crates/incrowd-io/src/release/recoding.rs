//! How new rows are recoded like a released table. The comments on structs become the schema's descriptions.

use super::object::Object;
use super::syntax::in_words;
use incrowd_core::recoding::{
    AttributeLegend, Extent, Legend, MaskedCode, NumberRange, Recoding, Representatives, Unit,
};
use incrowd_core::table::{Column, Kind, People, Table};
use incrowd_core::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

#[cfg(feature = "schema")]
use schemars::JsonSchema;

/// The version of this part of release files.
const VERSION: u32 = 1;

/// How new rows are recoded like the table: what its public cells cover, where their text does not state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "recoding"))]
pub(super) struct RawRecoding {
    /// The version of this part.
    #[cfg_attr(feature = "schema", schemars(extend("const" = 1)))]
    version: u32,
    /// What is recoded together: a row takes all cells of one group, or every attribute is recoded alone.
    unit: RawUnit,
    /// The recoded attributes, each once.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    attributes: Vec<Object<RawRecoded>>,
}

/// What is recoded together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "unit"))]
enum RawUnit {
    Group,
    Attribute,
}

/// A recoded attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "recoded"))]
struct RawRecoded {
    name: String,
    /// What its values are.
    kind: RawRecodedKind,
    /// What cells cover whose text does not state it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    cells: BTreeMap<String, Object<RawExtent>>,
    /// What stands for the cells in front of a learner, in the order of the cells' texts: one value for each group or, if
    /// every attribute is recoded alone, for each different cell. Numbers (of dates, days since 1970-01-01), or names;
    /// null if values are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    representatives: Option<Vec<Option<RawRepresentative>>>,
}

/// What stands for a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "representative"))]
enum RawRepresentative {
    Number(f64),
    Name(String),
}

/// What the values of a recoded attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "recoded-kind"))]
enum RawRecodedKind {
    Numeric,
    Categorical,
    Date,
}

/// What a cell covers: everything that is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "extent"))]
struct RawExtent {
    /// Everything, missing values included.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    any: bool,
    /// A missing value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
    /// Names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    /// Numbers, or dates as days since 1970-01-01.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<Object<RawRange>>,
    /// Codes by their first characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    codes: Vec<Object<RawCode>>,
}

/// Numbers between two bounds; a bound that is left out means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "range", extend("not" = {
    "anyOf": [{"required": ["from", "above"]}, {"required": ["to", "below"]}]
})))]
struct RawRange {
    /// The lowest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<f64>,
    /// The number that all are above.
    #[serde(skip_serializing_if = "Option::is_none")]
    above: Option<f64>,
    /// The highest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<f64>,
    /// The number that all are below.
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<f64>,
}

/// Codes of one length that begin alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "code"))]
struct RawCode {
    /// The first characters.
    beginning: String,
    /// The number of characters.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 256)))]
    length: u32,
    /// What shorter codes are filled up with on the left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pad: Option<char>,
}

/// A recoding by itself, without its table: what the cells cover, and the cells of each group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWhole {
    recoding: Object<RawRecoding>,
    /// The texts of the cells of each attribute.
    texts: Vec<Vec<String>>,
    /// The cell of each group, for each attribute.
    cells: Vec<Vec<u32>>,
}

/// The text of a recoding by itself, for programs that keep it without its table.
///
/// # Errors
/// When it is beyond the bounds of files.
pub fn recoding_text(recoding: &Recoding) -> Result<String> {
    if !recoding.legend().is_bounded() {
        return Err(too_large());
    }
    let cells = recoding.cells()?;
    let texts = |column: &Column| {
        let values = column.values();
        (0..values.len()).map(|code| values.text(code).into_owned()).collect()
    };
    let whole = RawWhole {
        recoding: Object(write(recoding.legend())),
        texts: cells.columns().iter().map(texts).collect(),
        cells: cells.columns().iter().map(|column| column.codes().iter().collect()).collect(),
    };
    serde_json::to_string(&whole).map_err(|_| Error::internal("the recoding cannot be written as JSON"))
}

/// Reads a recoding from its text.
///
/// # Errors
/// When it is not the text of a recoding.
pub fn parse_recoding(text: &str) -> Result<Recoding> {
    let whole: RawWhole = serde_json::from_str(text).map_err(|error| in_words(&error))?;
    let legend = read(whole.recoding.0)?;
    let wrong = || Error::input("the recoding is not complete").help("make it again");
    if whole.texts.len() != legend.attributes.len() || whole.cells.len() != legend.attributes.len() {
        return Err(wrong());
    }
    let mut columns = Vec::new();
    for ((attribute, texts), cells) in legend.attributes.iter().zip(&whole.texts).zip(&whole.cells) {
        let text = |&cell: &u32| texts.get(cell as usize).map(Some).ok_or_else(wrong);
        let cells = cells.iter().map(text).collect::<Result<Vec<_>>>()?;
        columns.push(Column::from_texts(&attribute.name, &cells));
    }
    Recoding::new(legend, &Table::new(columns, People::Rows)?)
}

pub(super) fn write(legend: &Legend) -> RawRecoding {
    let unit = match legend.unit {
        Unit::Group => RawUnit::Group,
        Unit::Attribute => RawUnit::Attribute,
    };
    let attributes = legend.attributes.iter().map(|attribute| {
        let kind = match attribute.kind {
            Kind::Numeric => RawRecodedKind::Numeric,
            Kind::Date => RawRecodedKind::Date,
            _ => RawRecodedKind::Categorical,
        };
        let cells = attribute.cells.iter().map(|(text, extent)| (text.clone(), Object(write_extent(extent))));
        let representatives = attribute.representatives.as_ref().map(write_representatives);
        Object(RawRecoded { name: attribute.name.clone(), kind, cells: cells.collect(), representatives })
    });
    RawRecoding { version: VERSION, unit, attributes: attributes.collect() }
}

fn write_representatives(all: &Representatives) -> Vec<Option<RawRepresentative>> {
    match all {
        Representatives::Numbers(numbers) => {
            numbers.iter().map(|number| number.map(RawRepresentative::Number)).collect()
        }
        Representatives::Names(names) => {
            names.iter().map(|name| name.clone().map(RawRepresentative::Name)).collect()
        }
    }
}

fn write_extent(extent: &Extent) -> RawExtent {
    let range = |range: &NumberRange| {
        let open = |bound: Option<f64>, is_held: bool| bound.filter(|_| !is_held);
        let held = |bound: Option<f64>, is_held: bool| bound.filter(|_| is_held);
        Object(RawRange {
            from: held(range.low, range.from_low),
            above: open(range.low, range.from_low),
            to: held(range.high, range.to_high),
            below: open(range.high, range.to_high),
        })
    };
    let code = |code: &MaskedCode| {
        Object(RawCode { beginning: code.shown.clone(), length: code.length, pad: code.pad })
    };
    RawExtent {
        any: extent.any,
        missing: extent.missing && !extent.any,
        values: extent.names.clone(),
        ranges: extent.ranges.iter().map(range).collect(),
        codes: extent.codes.iter().map(code).collect(),
    }
}

pub(super) fn read(raw: RawRecoding) -> Result<Legend> {
    if raw.version != VERSION {
        return Err(Error::input(format!("version {} of the recoding is not supported", raw.version))
            .help(format!("version {VERSION} is supported; a newer incrowd may support more")));
    }
    let unit = match raw.unit {
        RawUnit::Group => Unit::Group,
        RawUnit::Attribute => Unit::Attribute,
    };
    if raw.attributes.is_empty() {
        return Err(Error::input("the recoding has no attributes"));
    }
    let mut names = HashSet::new();
    if let Some(Object(twice)) = raw.attributes.iter().find(|attribute| !names.insert(&attribute.0.name)) {
        return Err(Error::input("the recoding has this attribute twice").of_attribute(&twice.name));
    }
    let attributes = raw.attributes.into_iter().map(|attribute| read_attribute(attribute.0));
    let legend = Legend { unit, attributes: attributes.collect::<Result<_>>()? };
    if legend.is_bounded() { Ok(legend) } else { Err(too_large()) }
}

fn too_large() -> Error {
    Error::limit("the recoding lists more values than the limit allows")
        .help("check that the file is a release, or give its attributes coarser taxonomies")
}

fn read_attribute(raw: RawRecoded) -> Result<AttributeLegend> {
    let kind = match raw.kind {
        RawRecodedKind::Numeric => Kind::Numeric,
        RawRecodedKind::Categorical => Kind::Categorical,
        RawRecodedKind::Date => Kind::Date,
    };
    let cells = raw.cells.into_iter().map(|(text, extent)| Ok((text, read_extent(extent.0)?)));
    let cells: Vec<(String, Extent)> =
        cells.collect::<Result<_>>().map_err(|error: Error| error.of_attribute(&raw.name))?;
    let legend = AttributeLegend::new(&raw.name, kind, cells);
    Ok(match raw.representatives {
        Some(all) => legend.with_representatives(read_representatives(kind, all, &raw.name)?),
        None => legend,
    })
}

fn read_representatives(
    kind: Kind,
    all: Vec<Option<RawRepresentative>>,
    name: &str,
) -> Result<Representatives> {
    let wrong = || {
        let error = Error::input("a representative of the recoding is not of the attribute's kind");
        error.of_attribute(name).help("numbers and dates have numbers, other attributes have names")
    };
    let number = |one: RawRepresentative| match one {
        RawRepresentative::Number(number) if number.is_finite() => Ok(number),
        _ => Err(wrong()),
    };
    let text = |one: RawRepresentative| match one {
        RawRepresentative::Name(name) => Ok(name),
        RawRepresentative::Number(_) => Err(wrong()),
    };
    Ok(match kind {
        Kind::Numeric | Kind::Date => {
            let numbers = all.into_iter().map(|one| one.map(number).transpose());
            Representatives::Numbers(numbers.collect::<Result<_>>()?)
        }
        _ => {
            let names = all.into_iter().map(|one| one.map(text).transpose());
            Representatives::Names(names.collect::<Result<_>>()?)
        }
    })
}

fn read_extent(raw: RawExtent) -> Result<Extent> {
    if raw.any {
        return Ok(Extent::anything());
    }
    let ranges = raw.ranges.into_iter().map(|range| read_range(range.0)).collect::<Result<_>>()?;
    let codes = raw.codes.into_iter().map(|code| read_code(code.0)).collect::<Result<_>>()?;
    Ok(Extent::union([Extent { any: false, missing: raw.missing, names: raw.values, ranges, codes }]))
}

fn read_range(raw: RawRange) -> Result<NumberRange> {
    if (raw.from.is_some() && raw.above.is_some()) || (raw.to.is_some() && raw.below.is_some()) {
        return Err(Error::input("a range of the recoding has two bounds on one side"));
    }
    let (low, high) = (raw.from.or(raw.above), raw.to.or(raw.below));
    if low.zip(high).is_some_and(|(low, high)| low > high) {
        return Err(Error::input("a range of the recoding ends before it begins"));
    }
    Ok(NumberRange { low, high, from_low: raw.from.is_some(), to_high: raw.to.is_some() })
}

fn read_code(raw: RawCode) -> Result<MaskedCode> {
    let shown = raw.beginning.chars().count();
    if !(1..=MaskedCode::MOST_CHARACTERS).contains(&raw.length) || shown > raw.length as usize {
        return Err(Error::input(
            "a code of the recoding is longer than its stated length, or than the limit",
        )
        .help(format!("the limit is {} characters", MaskedCode::MOST_CHARACTERS)));
    }
    Ok(MaskedCode { shown: raw.beginning, length: raw.length, pad: raw.pad })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Legend> {
        read(serde_json::from_str::<Object<RawRecoding>>(text).expect("JSON of this shape").0)
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = r#"{"version": 1, "unit": "attribute", "attributes": [
            {"name": "age", "kind": "numeric", "cells": {"young": {"ranges": [{"from": 0, "below": 30}], "missing": true}}},
            {"name": "home", "kind": "categorical", "cells": {
                "Europe": {"values": ["France", "Germany"]}, "123**": {"codes": [{"beginning": "123", "length": 5, "pad": "0"}]},
                "all": {"any": true}}},
            {"name": "day", "kind": "date"}]}"#;
        let legend = parse(text).expect("a legend");
        assert_eq!(read(write(&legend)).expect("the same"), legend);
        assert_eq!(legend.attributes[1].cells.len(), 3);
        let released =
            [Some("Europe"), Some("x")].map(|home| Column::from_texts("home", &[home, Some("123**")]));
        let [age, day] = ["age", "day"].map(|name| Column::from_texts(name, &[Some("*"), Some("?")]));
        for home in released {
            let table = Table::new(vec![age.clone(), home, day.clone()], People::Rows).expect("columns");
            let recoding = Recoding::new(legend.clone(), &table).expect("a recoding");
            let text = recoding_text(&recoding).expect("text");
            assert_eq!(parse_recoding(&text).expect("the same"), recoding);
            assert!(parse_recoding(&text.replace("\"cells\":[[", "\"cells\":[[9,")).is_err());
        }
        let represented = text
            .replace(r#""kind": "date""#, r#""kind": "date", "representatives": [17.5, null]"#)
            .replace(r#""kind": "numeric","#, r#""kind": "numeric", "representatives": [30, 4.25],"#)
            .replace(
                r#""kind": "categorical","#,
                r#""kind": "categorical", "representatives": ["x", null],"#,
            );
        let legend = parse(&represented).expect("a legend");
        assert!(legend.attributes.iter().all(|attribute| attribute.representatives.is_some()));
        assert_eq!(read(write(&legend)).expect("the same"), legend);
        // A cell that states itself what it covers is not repeated.
        let plain = r#"{"version": 1, "unit": "group", "attributes": [
            {"name": "age", "kind": "numeric", "cells": {"<= 3": {"ranges": [{"to": 3}]}}}]}"#;
        assert!(parse(plain).expect("a legend").attributes[0].cells.is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let of = |cell: &str| {
            format!(
                r#"{{"version": 1, "unit": "group", "attributes": [{{"name": "a", "kind": "numeric", "cells": {{"x": {cell}}}}}]}}"#
            )
        };
        for (text, what) in [
            (r#"{"version": 2, "unit": "group", "attributes": []}"#.to_owned(), "version 2"),
            (r#"{"version": 1, "unit": "group", "attributes": []}"#.to_owned(), "no attributes"),
            (
                r#"{"version": 1, "unit": "group", "attributes": [{"name": "a", "kind": "date"}, {"name": "a", "kind": "date"}]}"#
                    .to_owned(),
                "twice",
            ),
            (
                r#"{"version": 1, "unit": "group", "attributes": [{"name": "a", "kind": "date", "representatives": ["x"]}]}"#
                    .to_owned(),
                "of the attribute's kind",
            ),
            (of(r#"{"ranges": [{"from": 1, "above": 1}]}"#), "two bounds"),
            (of(r#"{"ranges": [{"from": 2, "to": 1}]}"#), "ends before"),
            (of(r#"{"codes": [{"beginning": "12", "length": 1}]}"#), "longer"),
            (of(r#"{"codes": [{"beginning": "12", "length": 4000000000, "pad": "0"}]}"#), "longer"),
        ] {
            let error = parse(&text).expect_err(what);
            assert!(error.what.contains(what), "{what}: {error}");
        }
    }
}
