//! Private attributes that follow from public ones in the data (what an attacker may work out by himself).

use crate::error::Result;
use crate::policy::{Policy, Role};
use crate::profile::{DependencyRule, find_dependencies};
use crate::table::Table;

/// The attributes among `names` that the attacker is not said to know, but that follow from a public column, as sentences.
///
/// Looks for columns that determine another one, exactly or nearly so, by the rule of [`find_dependencies`], which leaves out
/// accidents of small groups.
pub(super) fn undeclared(table: &Table, policy: &Policy, names: &[&str]) -> Result<Vec<String>> {
    let known = policy.known();
    let has = |name: &&str| table.column(name).is_some();
    let from: Vec<&str> = policy.with_role(Role::Public).filter(has).collect();
    let to: Vec<&str> = names.iter().copied().filter(|name| !known.iter().any(|k| k == name)).collect();
    let found = find_dependencies(table, &from, &to, &DependencyRule::default())?;
    let sentence = |found: &crate::profile::FoundDependency| {
        let how = if found.is_exact() { "follows" } else { "nearly always follows" };
        format!("private `{}` {how} from public `{}`", found.to, found.from.join("` and `"))
    };
    Ok(found.iter().map(sentence).collect())
}
