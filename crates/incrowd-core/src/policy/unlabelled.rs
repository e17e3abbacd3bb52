//! The error about rows without a class.

use crate::error::Error;
use crate::table::{Column, RowsLeftOut};

/// The error for a class that is missing in some rows, which no method can learn from. Without the column, how many
/// rows these are is not said.
pub fn without_class(class: &str, column: Option<&Column>) -> Error {
    let what = match column {
        None => "some rows have no class".to_owned(),
        Some(column) => {
            let total = column.codes().iter().filter(|&code| code == column.missing_code()).count() as u64;
            let rows = RowsLeftOut { total, of: column.len() as u64, ..RowsLeftOut::default() };
            format!("{rows} {} no class", if total == 1 { "has" } else { "have" })
        }
    };
    Error::input(what).of_attribute(class).help(format!(
        "to leave out only these rows, set missing-rows = \"drop\" under [attributes.\"{class}\"] in the policy"
    ))
}
