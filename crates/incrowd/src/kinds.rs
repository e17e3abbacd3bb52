//! Checks that the cells of a table's private columns have one reading for all attackers.

use crate::policy::Role;
use crate::table::{Column, Kind};
use crate::table_audit::attackers;
use crate::{Error, Result};
use incrowd_io::TableRead;
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::TableRelease;
use std::collections::HashSet;

/// Fails if a release file declares a column of numbers as names, and some numbers are written in several forms: `1`
/// and `1.0` would count as two values, which only the policy may decide.
///
/// # Errors
/// When there is such a column.
pub(crate) fn check_kinds(read: &TableRead, stated: &TableRelease, policy: &PolicyFile) -> Result<()> {
    for (name, &kind) in &stated.kinds {
        let is_declared = policy.policy.attribute(name).is_some_and(|attribute| attribute.kind.is_some());
        let column = read.table.column(name).filter(|_| kind == Kind::Categorical && !is_declared);
        if column.is_some_and(has_numbers_in_several_forms) {
            return Err(Error::input("some numbers are written in several forms, such as 7 and 007, in a column of codes")
                .of_attribute(name)
                .help("set the attribute's `kind` in the policy: \"categorical\" keeps them apart, \"numeric\" makes them one"));
        }
    }
    Ok(())
}

/// Fails where a private attribute follows from one of the policy's sets and not from another. Cells that an attacker
/// knows are compared as they are written; numbers and dates that they do not know, by value.
///
/// # Errors
/// When there is such an attribute and the policy does not call its cells names.
pub(crate) fn check_sets(policy: &PolicyFile) -> Result<()> {
    let known: Vec<HashSet<String>> =
        attackers(policy).iter().map(|policy| policy.known().into_iter().collect()).collect();
    let private = policy.policy.attributes.iter().filter(|attribute| attribute.role == Role::Private);
    for attribute in private.filter(|attribute| attribute.kind != Some(Kind::Categorical)) {
        let knowing = known.iter().filter(|known| known.contains(&attribute.name)).count();
        if knowing != 0 && knowing != known.len() {
            return Err(Error::input(
                "this attribute follows from one of the sets but not from another, so its cells cannot be read in one way",
            )
            .of_attribute(&attribute.name)
            .help("set `kind = \"categorical\"` in the policy, or add the attributes that it follows from to every set"));
        }
    }
    Ok(())
}

fn has_numbers_in_several_forms(column: &Column) -> bool {
    let Some(texts) = column.values().texts() else { return false };
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| text.trim().parse().ok()).collect();
    let mut seen = HashSet::new();
    // Negative zero is zero.
    numbers.is_some_and(|numbers| !numbers.iter().all(|number| seen.insert((number + 0.0).to_bits())))
}
