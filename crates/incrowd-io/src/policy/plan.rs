//! From a policy to a plan for the reader.

use super::PolicyFile;
use crate::plan::{ColumnPlan, MissingRows, ReadPlan, Reading};
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::table::Kind;

/// What a table is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It is the owner's own table, to be mined or to be checked against.
    Source,
    /// It is a table that is, or is about to be, given away: public columns may hold intervals and `*`, so they are
    /// text and `?` is nothing special there; every row counts; columns that should not be there are skipped.
    Release,
}

impl PolicyFile {
    /// How to read a table under this policy.
    pub fn read_plan(&self, purpose: Purpose) -> ReadPlan {
        let mut plan = self.file.clone();
        for attribute in &self.policy.attributes {
            plan.columns.insert(attribute.name.clone(), self.column(attribute, purpose));
        }
        if let Some(subject) = &self.policy.subject {
            let reading = match purpose {
                Purpose::Source => Reading::Subject,
                Purpose::Release => Reading::Skip,
            };
            plan.columns.insert(subject.clone(), ColumnPlan { reading, ..ColumnPlan::default() });
        }
        if purpose == Purpose::Release {
            plan.missing_rows = MissingRows::Keep;
        }
        plan
    }

    fn column(&self, attribute: &Attribute, purpose: Purpose) -> ColumnPlan {
        match (attribute.role, purpose) {
            (Role::Identifier | Role::Ignored, _) => {
                ColumnPlan { reading: Reading::Skip, ..ColumnPlan::default() }
            }
            (Role::Public, Purpose::Release) => {
                ColumnPlan { reading: Reading::Text, missing: Some(Vec::new()), ..ColumnPlan::default() }
            }
            _ => self.kept(attribute),
        }
    }

    fn kept(&self, attribute: &Attribute) -> ColumnPlan {
        let is_ordered = attribute.kind == Some(Kind::Ordered);
        ColumnPlan {
            reading: Reading::Keep,
            kind: attribute.kind,
            order: if is_ordered { attribute.values.clone() } else { Vec::new() },
            missing: self.missing.get(&attribute.name).cloned(),
            optional: false,
        }
    }
}
