//! Private attributes that follow from public ones in the data (an attacker may infer them), or that determine public
//! ones (an attacker then knows which private values are possible for whom).

use crate::error::{Error, Result};
use crate::group::group_rows;
use crate::policy::{Dependency, Policy, Role};
use crate::profile::{DependencyRule, FoundDependency, find_dependencies, supports, varies};
use crate::table::{Column, Table};
use crate::words::{all, count, counted};

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

/// Warnings about declared dependencies that the table contradicts.
pub(super) fn contradicted(table: &Table, policy: &Policy) -> Vec<String> {
    let found = policy.dependencies.iter().filter_map(|declared| contradiction(table, declared));
    found.map(|what| format!("{what}; correct the data, or remove the dependency")).collect()
}

/// Refuses declared dependencies that the owner's table contradicts, if attackers count as knowing a private attribute
/// because of them: no requirement would protect it. Audits take the policy as it is, so this is checked where a
/// table is first used under it.
///
/// # Errors
/// When there is such a dependency.
pub fn refuse_contradicted(table: &Table, policy: &Policy) -> Result<()> {
    let known = policy.known();
    let is_private = |name: &str| policy.attribute(name).is_some_and(|own| own.role == Role::Private);
    let taken = policy.dependencies.iter().filter(|own| is_private(&own.to) && known.contains(&own.to));
    for declared in taken {
        if let Some(what) = contradiction(table, declared) {
            let why = format!(
                "{what}; because of this declaration, attackers would count as knowing `{}`, and no requirement would \
                 protect it",
                declared.to
            );
            return Err(Error::input(why).help(format!(
                "correct the data, remove the dependency, or give `{}` the role \"public\" if attackers do know it",
                declared.to
            )));
        }
    }
    Ok(())
}

/// The same for one public and one private attribute, given the two columns alone: what follows from the public one, and
/// what the public one follows from.
pub(super) fn undeclared_of_pair(
    table: &Table,
    policy: &Policy,
    public: &str,
    private: &str,
) -> Result<(Vec<String>, Vec<String>)> {
    let rule = DependencyRule::default();
    let forward = find_dependencies(table, &[public], &[private], &rule)?;
    let backward = find_dependencies(table, &[private], &[public], &rule)?;
    let forward = forward.iter().map(|found| sentence(found, "private", "public"));
    let backward = backward.iter().filter(|found| !is_declared(policy, found));
    Ok((forward.collect(), backward.map(|found| sentence(found, "public", "private")).collect()))
}

/// Whether a column can follow from another one, given both alone with the number of individuals of each value.
pub(super) fn may_follow(from: &Table, to: &Table) -> bool {
    let rule = DependencyRule::default();
    let columns = from.columns().first().zip(to.columns().first());
    columns.is_some_and(|(own, other)| supports(from, own, &rule) && varies(to, other, &rule))
}

/// In how many cases a declared dependency does not hold in the table, if there are some.
fn contradiction(table: &Table, declared: &Dependency) -> Option<String> {
    let from: Option<Vec<&Column>> = declared.from.iter().map(|name| table.column(name)).collect();
    let (from, to) = from.zip(table.column(&declared.to))?;
    let groups = group_rows(table.rows(), &from);
    let mut values = vec![0_u32; groups.count as usize];
    for row in groups.refined(to).first_rows() {
        values[groups.of_row[row as usize] as usize] += 1;
    }
    let several = values.iter().filter(|&&values| values > 1).count() as u64;
    let names: Vec<String> = declared.from.iter().map(|name| format!("`{name}`")).collect();
    (several > 0).then(|| {
        format!(
            "`{}` does not follow from {} in the table, though the policy declares it: {} of {} occur with several values \
             of `{}`",
            declared.to,
            all(&names),
            count(several),
            counted(u64::from(groups.count), if from.len() == 1 { "value" } else { "combination" }),
            declared.to
        )
    })
}

fn is_declared(policy: &Policy, found: &FoundDependency) -> bool {
    let within = |from: &[String]| from.iter().all(|name| found.from.contains(name));
    policy.dependencies.iter().any(|declared| declared.to == found.to && within(&declared.from))
}

fn sentence(found: &FoundDependency, to: &str, from: &str) -> String {
    let how = if found.is_exact() { "follows" } else { "nearly always follows" };
    format!("{to} `{}` {how} from {from} `{}`", found.to, found.from.join("` and `"))
}
