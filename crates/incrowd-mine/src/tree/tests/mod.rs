//! Tests of the miner's parts and of whole trees on small tables.

mod breach;
mod figures;
mod labels;
mod missing;
mod papers;
mod random;
mod spans;

use super::{Method, Mined, TreeParams, mine_tree};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role, Undeclared};
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;

/// A policy with these roles; the last attribute is the class.
fn policy(roles: &[(&str, Role)]) -> Policy {
    Policy {
        attributes: roles.iter().map(|&(name, role)| Attribute::new(name, role)).collect(),
        class: roles.last().map(|(name, _)| (*name).to_owned()),
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
    }
}

fn mine(table: &Table, policy: &Policy, method: Method, guarantee: &Guarantee) -> Result<Mined> {
    mine_tree(table, policy, &TreeParams::new(method, guarantee.clone()).check()?, &Silent)
}
