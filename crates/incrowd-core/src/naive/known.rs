//! What the attacker knows: public attributes, and whatever follows from them by declared dependencies.

use crate::error::{Error, Result};
use crate::policy::{Policy, Role};
use std::collections::BTreeSet;

/// All attributes the attacker knows.
pub(super) fn known(policy: &Policy) -> BTreeSet<&str> {
    let mut known: BTreeSet<&str> = policy.with_role(Role::Public).collect();
    // Each round that is not the last adds an attribute, so there are enough rounds.
    for _ in &policy.dependencies {
        for dependency in &policy.dependencies {
            if dependency.from.iter().all(|name| known.contains(name.as_str())) {
                known.insert(&dependency.to);
            }
        }
    }
    known
}

/// Whether the attacker knows an attribute that a model rests on.
pub(super) fn knows(policy: &Policy, name: &str) -> Result<bool> {
    match policy.attribute(name).map(|attribute| attribute.role) {
        Some(Role::Public | Role::Private) => Ok(known(policy).contains(name)),
        Some(Role::Identifier | Role::Ignored) | None => {
            Err(Error::input("a model may rest on public and private attributes only").of_attribute(name))
        }
    }
}
