//! What a blind structure requires of the way a table was read.

use crate::dataset::Dataset;
use incrowd_core::{Error, Result};
use incrowd_mine::Structure;

/// Fails if a blind structure is asked for and rows were left out because a value is missing that an attacker does not
/// know: which individuals are in the release would then depend on private values.
pub(crate) fn check_left_out(structure: Structure, data: &Dataset) -> Result<()> {
    if structure != Structure::Blind {
        return Ok(());
    }
    let known = data.policy().known();
    let left_out = data.rows_left_out();
    let is_private = |name: &&String| !known.contains(*name);
    match left_out.columns.keys().find(is_private) {
        Some(column) => Err(Error::parameters(
            "a structure cannot be blind if rows are left out because of missing private values",
        )
        .of_attribute(column)
        .help("keep such rows: missing-rows = \"keep\"")),
        None => Ok(()),
    }
}
