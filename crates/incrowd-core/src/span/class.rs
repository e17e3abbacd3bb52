//! The class of a tree or an ensemble in a table, and the attributes that a release lists and does not test.

use super::bind::{CellMap, domain_codes, outside};
use super::possible::Possible;
use crate::error::Result;
use crate::model::{Class, ModelAttribute};
use crate::policy::{AttackerKnowledge, Policy, Role};
use crate::table::{Column, Table};

/// The class of a tree in a table.
#[derive(Clone)]
pub(super) struct ClassSide<'a> {
    pub(super) column: &'a Column,
    pub(super) public: bool,
    /// The class value of each class code.
    pub(super) of_code: Vec<u32>,
    /// All class values that are possible, from the lowest to the highest: those of the tree, then those only the
    /// policy declares, which have a population of 0 in every leaf.
    pub(super) order: Vec<u32>,
}

impl<'a> ClassSide<'a> {
    pub(super) fn new(table: &'a Table, policy: &Policy, class: &Class) -> Result<Self> {
        let (column, domain) = (table.require(&class.name)?, class_domain(class));
        let of_code: Vec<u32> = domain_codes(&domain.domain, column.values())
            .into_iter()
            .map(|value| value.unwrap_or(CellMap::OUTSIDE))
            .chain([CellMap::OUTSIDE])
            .collect();
        let stray = of_code.iter().filter(|&&value| value == CellMap::OUTSIDE).count() > 1;
        let occurs = || column.codes().iter().any(|code| of_code[code as usize] == CellMap::OUTSIDE);
        if column.has_missing() || (stray && occurs()) {
            return Err(outside(column.name()));
        }
        let public = policy.knows(&class.name)?;
        let order = if public {
            (0..class.values.len() as u32).collect()
        } else {
            // Every class value of the release occurs in it, so the table adds none; a policy may.
            Possible::new(&domain, column, policy)?.order(column)
        };
        Ok(Self { column, public, of_code, order })
    }
}

/// Whether the release contradicts the policy in a private attribute that it lists and does not test.
pub(super) fn check_untested(
    table: &Table,
    policy: &Policy,
    known: &AttackerKnowledge<'_>,
    attribute: &ModelAttribute,
) -> Result<()> {
    let private = policy.attribute(&attribute.name).is_some_and(|declared| declared.role == Role::Private);
    match table.column(&attribute.name) {
        Some(column) if private && !known.knows(&attribute.name)? => {
            Possible::new(attribute, column, policy).map(|_| ())
        }
        _ => Ok(()),
    }
}

fn class_domain(class: &Class) -> ModelAttribute {
    ModelAttribute::categorical(&class.name, class.values.clone())
}
