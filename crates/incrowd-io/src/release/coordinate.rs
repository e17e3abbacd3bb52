//! Coordinates of centres: a number for an axis of numbers, a list of numbers for an axis of names.

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// The position of a centre on one axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RawCoordinate {
    Number(f64),
    /// One number for each value of the axis.
    Shares(Vec<f64>),
}

impl Serialize for RawCoordinate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Shares(shares) => shares.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RawCoordinate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CoordinateVisitor)
    }
}

struct CoordinateVisitor;

impl<'de> Visitor<'de> for CoordinateVisitor {
    type Value = RawCoordinate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a list of numbers for an axis with values,")
    }

    fn visit_f64<E>(self, number: f64) -> Result<RawCoordinate, E> {
        Ok(RawCoordinate::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<RawCoordinate, E> {
        Ok(RawCoordinate::Number(number as f64))
    }

    fn visit_i64<E>(self, number: i64) -> Result<RawCoordinate, E> {
        Ok(RawCoordinate::Number(number as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawCoordinate, A::Error> {
        let mut shares = Vec::new();
        while let Some(share) = list.next_element()? {
            shares.push(share);
        }
        Ok(RawCoordinate::Shares(shares))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawCoordinate {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "coordinate".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number; for an axis with values a list of numbers, one per value.",
            "oneOf": [
                {"type": "number"},
                {"type": "array", "items": {"type": "number"}, "minItems": 1}
            ]
        })
    }
}
