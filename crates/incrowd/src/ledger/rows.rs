//! A digest of what a policy uses of a table: the same for the same individuals in any order and any file format.

use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Column, People, Table};
use sha2::{Digest, Sha256};

/// A digest of some bytes.
type Sum = [u8; 32];

/// The digest of the public and private columns of a table. Individuals are the multisets of their rows, so that neither
/// the order of rows nor how a file calls an individual matters.
pub(super) fn digest_of_rows(table: &Table, policy: &Policy) -> String {
    let is_used = |column: &&Column| {
        let role = policy.attribute(column.name()).map(|attribute| attribute.role);
        matches!(role, Some(Role::Public | Role::Private))
    };
    let mut columns: Vec<&Column> = table.columns().iter().filter(is_used).collect();
    columns.sort_by_key(|column| column.name());
    let values: Vec<Vec<Sum>> = columns.iter().map(|column| values(column)).collect();
    let of_row = |row: usize| {
        let mut sum = Sha256::new();
        columns
            .iter()
            .zip(&values)
            .for_each(|(column, values)| sum.update(values[column.code(row) as usize]));
        Sum::from(sum.finalize())
    };
    let mut individuals: Vec<Vec<Sum>> = match table.people() {
        People::Subjects { of_row: subject_of_row, count } => {
            let mut rows = vec![Vec::new(); *count as usize];
            (0..table.rows()).for_each(|row| rows[subject_of_row[row] as usize].push(of_row(row)));
            rows
        }
        _ => (0..table.rows())
            .flat_map(|row| std::iter::repeat_n(vec![of_row(row)], table.weight(row) as usize))
            .collect(),
    };
    individuals.iter_mut().for_each(|rows| rows.sort_unstable());
    let mut sums: Vec<Sum> = individuals.iter().map(|rows| of_parts(rows)).collect();
    sums.sort_unstable();
    let names: Vec<Sum> = columns.iter().map(|column| Sha256::digest(column.name()).into()).collect();
    let all = of_parts(&[of_parts(&names), of_parts(&sums)]);
    all.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// For each code of a column a digest of its value; a missing value differs from every text.
fn values(column: &Column) -> Vec<Sum> {
    let text = |code: usize| Sha256::digest([b"=", column.values().text(code).as_bytes()].concat()).into();
    (0..column.values().len()).map(text).chain([Sha256::digest(b"?").into()]).collect()
}

fn of_parts(parts: &[Sum]) -> Sum {
    let mut sum = Sha256::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize().into()
}
