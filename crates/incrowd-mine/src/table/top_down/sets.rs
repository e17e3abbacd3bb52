//! Sets of attributes that one attacker knows.

use super::super::params::CheckedTableParams;
use super::super::task::Task;
use incrowd_core::nearest::nearest;
use incrowd_core::policy::Role;
use incrowd_core::{Error, Result};

/// The sets of public attributes, each by their place in the task and with what follows from them; one set of all if
/// none is given.
///
/// # Errors
/// When a name is not that of a public attribute, or an attribute is in no set: it would be released unchanged to
/// someone.
pub(super) fn sets(task: &Task<'_>, params: &CheckedTableParams) -> Result<Vec<Vec<usize>>> {
    let all = || (0..task.attributes.len()).collect::<Vec<_>>();
    if params.sets.is_empty() {
        return Ok(vec![all()]);
    }
    let name = |attribute: usize| task.attributes[attribute].column.name();
    let mut sets = Vec::new();
    for set in &params.sets {
        set.iter().try_for_each(|name| check_name(task, name))?;
        let known = task.policy.known_to(set).known();
        sets.push(all().into_iter().filter(|&i| known.iter().any(|known| known == name(i))).collect());
    }
    match all().into_iter().find(|attribute| !sets.iter().any(|set: &Vec<usize>| set.contains(attribute))) {
        None => Ok(sets),
        Some(left_out) => Err(Error::input("this attribute is public and in none of the sets")
            .of_attribute(name(left_out))
            .help("add it to a set, or give it another role in the policy")),
    }
}

fn check_name(task: &Task<'_>, name: &str) -> Result<()> {
    if task.policy.attribute(name).is_some_and(|attribute| attribute.role == Role::Public) {
        return Ok(());
    }
    let public: Vec<&str> = task.policy.with_role(Role::Public).collect();
    let near = nearest(name, public.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    Err(Error::input("a set names an attribute that is not public")
        .of_attribute(name)
        .help(format!("{near}the public attributes are: {}", public.join(", "))))
}
