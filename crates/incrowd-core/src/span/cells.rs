//! Ensembles with cells: the attributes that cells define, as columns that an attacker knows.
//!
//! An attacker who knows every attribute that the tree of cells tests knows the cell of every individual, and so all
//! attributes that cells define. Nothing else follows from the cells: they are a function of public attributes, and the
//! release states no populations of theirs (`docs/proofs.md`).

use super::days::{InDays, in_days};
use crate::error::{Error, Result};
use crate::model::{CellTree, Model};
use crate::policy::{Attribute, Policy, Role};
use crate::predict::with_cells;
use crate::table::Table;
use std::borrow::Cow;

/// The table and the policy as a model sees them: dates as numbers of days ([`in_days`]), and the attributes that cells
/// define as public columns.
///
/// # Errors
/// As [`in_days`]; and when cells test an attribute that the attacker does not know, a row is in no cell, or the table
/// or the policy has an attribute of the same name as one that cells define.
pub fn as_model_sees<'a>(table: &'a Table, policy: &'a Policy, model: &Model) -> Result<InDays<'a>> {
    let (table, policy) = in_days(table, policy, model)?;
    let Model::Ensemble(ensemble) = model else { return Ok((table, policy)) };
    let Some(cells) = ensemble.cells() else { return Ok((table, policy)) };
    let known = with_known(&policy, cells)?;
    Ok((Cow::Owned(with_cells(&table, cells)?), Cow::Owned(known)))
}

fn with_known(policy: &Policy, cells: &CellTree) -> Result<Policy> {
    let knowledge = policy.knowledge();
    for name in cells.tested() {
        if !knowledge.knows(name)? {
            return Err(Error::input(
                "the cells of the release test an attribute that an attacker does not know",
            )
            .of_attribute(name)
            .help("make it public in the policy, or release an ensemble whose cells do not test it"));
        }
    }
    let mut policy = policy.clone();
    for attribute in cells.attributes() {
        if policy.attribute(&attribute.name).is_some() {
            return Err(Error::input(
                "the release defines an attribute of the same name as one in the policy",
            )
            .of_attribute(&attribute.name)
            .help("rename the attribute in the policy and in the table"));
        }
        policy.attributes.push(Attribute::new(&attribute.name, Role::Public));
    }
    Ok(policy)
}
