//! What dropping rows with missing values would cost.

use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Column, RowsLeftOut, Table};

/// The rows that `missing-rows = "drop"` would leave out, such as `811 of 1,200 rows (67.6 %)`.
pub(crate) fn lost_by_dropping(table: &Table, policy: &Policy) -> String {
    let is_read = |column: &&Column| {
        let role = policy.attribute(column.name()).map(|attribute| attribute.role);
        column.has_missing() && matches!(role, Some(Role::Public | Role::Private))
    };
    let mut is_lost = vec![false; table.rows()];
    for column in table.columns().iter().filter(is_read) {
        let missing = column.missing_code();
        is_lost.iter_mut().zip(column.codes().iter()).for_each(|(lost, code)| *lost |= code == missing);
    }
    let total = is_lost.iter().filter(|&&lost| lost).count() as u64;
    RowsLeftOut { total, of: table.rows() as u64, ..RowsLeftOut::default() }.to_string()
}
