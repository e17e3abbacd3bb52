//! The columns of a table that the linking does not use but that are released with it.

use super::linked::individuals;
use crate::policy::{Policy, Role};
use crate::table::Table;
use std::collections::BTreeMap;

/// The statements about columns that are neither public nor private.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// Those that name individuals.
    pub naming: Vec<String>,
    /// Those that are not judged, with the individuals who have a value that no other individual has.
    pub not_judged: BTreeMap<String, u64>,
}

/// Looks at every column of a table.
pub fn columns(table: &Table, policy: &Policy) -> Columns {
    let mut found = Columns::default();
    for column in table.columns() {
        let name = column.name().to_owned();
        let attribute = policy.attribute(&name);
        if policy.subject.as_ref() == Some(&name) || attribute.is_some_and(|a| a.role == Role::Identifier) {
            found.naming.push(name);
        } else if attribute.is_none_or(|a| a.role == Role::Ignored && !a.harmless) {
            let is_alone = |row: usize| {
                let code = column.code(row);
                individuals(table, |other| column.code(other) == code) == 1
            };
            found.not_judged.insert(name, individuals(table, is_alone));
        }
    }
    found
}
