//! Items of rules, written as objects with one key: `{"cherries": "yes"}`.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// An attribute and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawItem {
    pub(super) attribute: String,
    pub(super) value: String,
}

impl Serialize for RawItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.attribute, &self.value)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ItemVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = RawItem;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an item, an object with one attribute and its value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawItem, A::Error> {
        let first = map.next_entry::<String, String>()?;
        let (attribute, value) = first.ok_or_else(|| A::Error::custom("an item needs an attribute"))?;
        match map.next_key::<String>()? {
            None => Ok(RawItem { attribute, value }),
            Some(_) => Err(A::Error::custom("an item has one attribute; put the others into separate items")),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawItem {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "item".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "An attribute and its value, as an object with one key.",
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": {"type": "string"}
        })
    }
}
