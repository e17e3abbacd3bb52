//! Declared dependencies that involve something the attacker does not know: only combinations that occur in the table are possible.

use super::known::known;
use crate::error::Result;
use crate::policy::Policy;
use crate::table::{Column, Table};
use std::collections::BTreeSet;

/// The attributes of every relation that is tied to one of these private attributes, directly or through others.
pub(super) fn tied<'p>(policy: &'p Policy, names: &BTreeSet<&str>) -> Vec<BTreeSet<&'p str>> {
    let known = known(policy);
    let all: Vec<BTreeSet<&str>> = policy
        .dependencies
        .iter()
        .map(|d| d.from.iter().chain([&d.to]).map(String::as_str).collect::<BTreeSet<_>>())
        .filter(|relation| !relation.is_subset(&known))
        .collect();
    let mut reached: BTreeSet<&str> = names.iter().copied().filter(|name| !known.contains(name)).collect();
    // Each round that is not the last adds an attribute, so there are enough rounds.
    for _ in &policy.attributes {
        for relation in all.iter().filter(|relation| !relation.is_disjoint(&reached)).collect::<Vec<_>>() {
            reached.extend(relation.iter().filter(|name| !known.contains(*name)));
        }
    }
    all.into_iter().filter(|relation| !relation.is_disjoint(&reached)).collect()
}

/// The columns that relations name and a model does not, each with whether the attacker knows it.
pub(super) fn others<'a>(
    table: &'a Table,
    policy: &Policy,
    relations: &[BTreeSet<&str>],
    own: &BTreeSet<&str>,
) -> Result<Vec<(&'a Column, bool)>> {
    let known = known(policy);
    let names: BTreeSet<&str> =
        relations.iter().flatten().copied().filter(|name| !own.contains(name)).collect();
    names.into_iter().map(|name| Ok((table.require(name)?, known.contains(name)))).collect()
}
