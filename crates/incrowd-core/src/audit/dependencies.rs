//! Private attributes that follow from public ones in the data (an attacker may infer them), or that determine public
//! ones (an attacker then knows which private values are possible for whom).

use crate::error::Result;
use crate::policy::{Policy, Role};
use crate::profile::{DependencyRule, FoundDependency, find_dependencies};
use crate::table::Table;

/// The attributes among `names` that the policy does not declare known, but that follow from a public column or that a
/// public column follows from, in words.
///
/// Looks for columns that determine another one, exactly or nearly so, by the rule of [`find_dependencies`], which
/// ignores coincidences in small groups.
pub(super) fn undeclared(table: &Table, policy: &Policy, names: &[&str]) -> Result<Vec<String>> {
    let known = policy.known();
    let has = |name: &&str| table.column(name).is_some();
    let public: Vec<&str> = policy.with_role(Role::Public).filter(has).collect();
    let private: Vec<&str> = names.iter().copied().filter(|name| !known.iter().any(|k| k == name)).collect();
    let rule = DependencyRule::default();
    let forward = find_dependencies(table, &public, &private, &rule)?;
    let backward = find_dependencies(table, &private, &public, &rule)?;
    let forward = forward.iter().map(|found| sentence(found, "private", "public"));
    let backward = backward.iter().filter(|found| !is_declared(policy, found));
    Ok(forward.chain(backward.map(|found| sentence(found, "public", "private"))).collect())
}

fn is_declared(policy: &Policy, found: &FoundDependency) -> bool {
    let within = |from: &[String]| from.iter().all(|name| found.from.contains(name));
    policy.dependencies.iter().any(|declared| declared.to == found.to && within(&declared.from))
}

fn sentence(found: &FoundDependency, to: &str, from: &str) -> String {
    let how = if found.is_exact() { "follows" } else { "nearly always follows" };
    format!("{to} `{}` {how} from {from} `{}`", found.to, found.from.join("` and `"))
}
