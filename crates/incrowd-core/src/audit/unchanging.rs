//! Private attributes that never differ between the rows of an individual.

use crate::span::Sensitive;
use crate::table::{People, Table};

/// The warning about private attributes of the release that never differ between the rows of an individual, where
/// individuals have several rows: each row is judged as if it had a value of its own.
pub(super) fn unchanging(table: &Table, sensitive: &[Sensitive]) -> Option<String> {
    let People::Subjects { of_row, count } = table.people() else { return None };
    if !table.has_several_rows() {
        return None;
    }
    let is_unchanging = |name: &&str| {
        let Some(column) = table.column(name).filter(|column| column.code_count() > 1) else { return false };
        let mut own: Vec<Option<u32>> = vec![None; *count as usize];
        column
            .codes()
            .iter()
            .zip(of_row)
            .all(|(code, &subject)| *own[subject as usize].get_or_insert(code) == code)
    };
    let mut names: Vec<&str> =
        sensitive.iter().flat_map(|one| one.about.iter().map(String::as_str)).collect();
    names.sort_unstable();
    names.dedup();
    let names: Vec<String> =
        names.into_iter().filter(is_unchanging).map(|name| format!("`{name}`")).collect();
    let are = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| {
        format!(
            "{} {are} the same in all rows of each individual: an attacker who expects this can compare the groups of \
             all rows and learn more than is counted here; require several-rows = \"strict\", or release one row per \
             individual",
            names.join(", ")
        )
    })
}
