//! From a policy to a plan for the reader.

use super::PolicyFile;
use super::attributes::declared_values;
use crate::plan::{ColumnPlan, MissingRows, ReadPlan, Reading, Unlisted};
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::table::Kind;

/// The purpose of reading a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It is the owner's own table, to be mined or to be checked against.
    Source,
    /// It is a table that is, or is about to be, released: what an attacker knows may be intervals and `*`, and is
    /// distinguished as the file distinguishes it; every row counts; ignored columns are examined, too, and so are
    /// unlisted ones unless the policy refuses them. Identifiers are not stored.
    Release,
}

impl PolicyFile {
    /// How to read a table under this policy.
    pub fn read_plan(&self, purpose: Purpose) -> ReadPlan {
        let mut plan = self.file.clone().with_codes();
        let known = self.policy.known();
        for attribute in &self.policy.attributes {
            let is_known = known.contains(&attribute.name);
            plan.columns.insert(attribute.name.clone(), self.column(attribute, purpose, is_known));
        }
        if let Some(subject) = &self.policy.subject {
            let (reading, of_release) = (Reading::Subject, purpose == Purpose::Release);
            let spelling = self.spellings.get(subject).copied();
            let column = ColumnPlan {
                reading,
                optional: of_release,
                required: of_release,
                spelling,
                ..ColumnPlan::default()
            };
            plan.columns.insert(subject.clone(), column);
        }
        if purpose == Purpose::Release {
            plan = plan.with_missing_rows(MissingRows::Keep);
            if plan.unlisted == Unlisted::Skip {
                plan.unlisted = Unlisted::Bystander;
            }
        }
        plan
    }

    fn column(&self, attribute: &Attribute, purpose: Purpose, is_known: bool) -> ColumnPlan {
        let of = |reading| ColumnPlan { reading, ..ColumnPlan::default() };
        match (attribute.role, purpose) {
            (Role::Ignored, Purpose::Release) if !attribute.harmless => of(Reading::Bystander),
            (Role::Identifier | Role::Ignored, _) => of(Reading::Skip),
            // What follows from public attributes may be left out of a release; it is then not revealed.
            (role, Purpose::Release) if is_known => {
                ColumnPlan { optional: role == Role::Private, ..of(Reading::Exact) }
            }
            // What a release does not contain is not revealed.
            (_, Purpose::Release) => ColumnPlan { optional: true, ..self.kept(attribute) },
            _ => self.kept(attribute),
        }
    }

    fn kept(&self, attribute: &Attribute) -> ColumnPlan {
        let is_ordered = attribute.kind == Some(Kind::Ordered);
        ColumnPlan {
            reading: Reading::Keep,
            kind: attribute.kind,
            order: if is_ordered { attribute.values.clone() } else { Vec::new() },
            date_order: self.date_orders.get(&attribute.name).copied(),
            decimal: self.decimals.get(&attribute.name).copied(),
            missing: self.missing.get(&attribute.name).cloned(),
            spelling: self.spellings.get(&attribute.name).copied(),
            missing_rows: self.missing_rows.get(&attribute.name).copied(),
            spellings: declared_values(attribute),
            optional: false,
            required: false,
        }
    }
}
