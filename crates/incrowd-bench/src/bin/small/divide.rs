//! The sets and their splits as files for other programs.

use incrowd_bench::small::SmallSet;
use incrowd_core::table::{Column, Values};
use incrowd_core::{Error, Result};
use serde_json::{Value, json};
use std::path::Path;

/// Writes a file for each set: its attributes (numbers, or codes of names), its class, and the rows of every split.
pub(crate) fn divide(sets: &[SmallSet], folder: &Path, splits: u64) -> Result<()> {
    for set in sets {
        let (class, attributes): (Vec<&Column>, Vec<&Column>) =
            set.table.columns().iter().partition(|column| column.name() == "class");
        let splits: Vec<_> = (0..splits).map(|number| set.split(number)).collect();
        let text = json!({
            "name": set.name,
            "attributes": attributes.into_iter().map(attribute).collect::<Vec<_>>(),
            "class": class.into_iter().flat_map(|class| class.codes().iter()).collect::<Vec<_>>(),
            "splits": splits,
        })
        .to_string();
        let file = folder.join(format!("{}.json", set.name));
        std::fs::write(&file, text).map_err(|error| Error::input(error.to_string()).in_file(file))?;
    }
    Ok(())
}

fn attribute(column: &Column) -> Value {
    let codes = column.codes().iter();
    match column.values() {
        Values::Numeric(numbers) => {
            json!({"names": false, "cells": codes.map(|code| numbers[code as usize]).collect::<Vec<_>>()})
        }
        _ => json!({"names": true, "cells": codes.collect::<Vec<_>>()}),
    }
}
