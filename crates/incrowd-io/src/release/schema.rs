//! The JSON Schema of release files, generated from the structs that read them.

use super::object::Object;
use super::raw::{RawClusters, RawEnsemble, RawRules, RawTable, RawTree};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schema of release files (JSON Schema, draft 2020-12), as in `docs/release.schema.json`.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let families = [
        generator.subschema_for::<Object<RawTree>>(),
        generator.subschema_for::<Object<RawEnsemble>>(),
        generator.subschema_for::<Object<RawClusters>>(),
        generator.subschema_for::<Object<RawRules>>(),
        generator.subschema_for::<Object<RawTable>>(),
    ];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "incrowd release",
        "description": "What incrowd releases: a model with its populations, or a table. Version 1.",
        "oneOf": families,
        "$defs": generator.take_definitions(true),
    })
}
