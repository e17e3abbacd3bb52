//! Private attributes that never differ between the rows of an individual.

use crate::guarantee::{Guarantee, SeveralRows};
use crate::table::{People, Table};

/// The warning about private attributes of a release (`names`) that never differ between the rows of an individual, if
/// individuals have several rows and k is not required over all of them: each row is judged as if it had a value of its
/// own. A released table no longer shows this without its column of individuals.
pub fn unchanging<'a>(
    table: &Table,
    names: impl IntoIterator<Item = &'a str>,
    guarantee: &Guarantee,
) -> Option<String> {
    let People::Subjects { of_row, count } = table.people() else { return None };
    let is_strict = guarantee.several_rows() == SeveralRows::Strict && guarantee.asked_k().is_some();
    if is_strict || !table.has_several_rows() {
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
    let mut names: Vec<&str> = names.into_iter().collect();
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
