//! The audit of a tree against a table of which only counts are known, such as one that stays in a database.
//!
//! The audit depends on rows only through how many individuals have each combination of
//! - the classes of the public attributes that the tree tests: values that take the same branch at every test are one
//!   class; or, where these are not very many, of the cell of public values, whose individuals can reach the same leaves;
//! - the values of the private attributes that it tests, and of its class;
//!
//! and, column by column or pair by pair, through
//! - how many individuals have each value of the attributes that the tree lists (what it prints may be rare);
//! - how many have each pair of a public and a private value (a private attribute may follow from a public one).
//!
//! [`CountedTree::attributes`] says which combination to count. The counted rows, with one value for each class, are a
//! table of merged rows, which the same audit judges that judges a table in memory: the report is the same.

use super::{Report, audit_seen, dependencies, worded};
use crate::error::{Error, Result};
use crate::guarantee::Guarantee;
use crate::model::{Model, Node, Tree};
use crate::policy::{Policy, Role};
use crate::printed::rare_in_columns;
use crate::span::{as_model_sees, branch_classes, check_listed, in_days, public_cells};
use crate::table::{Column, People, Table};
use std::borrow::Cow;
use std::ops::Range;

/// A tree to be audited against counts.
#[derive(Debug)]
pub struct CountedTree<'a> {
    model: &'a Model,
    tree: &'a Tree,
    policy: &'a Policy,
    /// The columns of the table, each in a table of its own, with the number of individuals of each value.
    columns: Vec<Table>,
}

/// The attributes whose combinations are counted for the audit of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TreeAttributes {
    /// Public attributes by classes: the class of each code of the column, a missing value's last.
    pub classes: Vec<(String, Vec<u32>)>,
    /// Cells of these attributes, which can be counted instead of their classes: no two individuals of a cell differ in
    /// what they can reach. Empty where there are too many.
    pub cells: Vec<PublicCell>,
    /// Attributes by value.
    pub values: Vec<String>,
}

/// Individuals by their codes of the public attributes that a tree tests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublicCell {
    /// Ranges of codes for each attribute of [`TreeAttributes::classes`]: the first code of each stands for all.
    pub codes: Vec<Vec<Range<u32>>>,
}

impl<'a> CountedTree<'a> {
    /// Prepares the audit of a tree. Each column of the table is in a table of its own, with one row for each value and
    /// the number of individuals who have it as its weight.
    ///
    /// # Errors
    /// When the model is not a tree, individuals have several rows, the policy declares dependencies, or a column
    /// contradicts the policy or the tree.
    pub fn new(model: &'a Model, policy: &'a Policy, columns: Vec<Table>) -> Result<Self> {
        let Model::Tree(tree) = model else {
            return Err(Error::input("only trees can be audited against counts").help(ELSEWHERE));
        };
        if policy.subject.is_some() {
            let what = "tables with several rows per individual cannot be audited against counts";
            return Err(Error::input(what).help(ELSEWHERE));
        }
        if !policy.dependencies.is_empty() {
            let what = "declared dependencies cannot be taken into account in an audit against counts";
            return Err(Error::input(what).help(ELSEWHERE));
        }
        let counted = Self { model, tree, policy, columns };
        for table in &counted.columns {
            counted.check_column(table)?;
        }
        Ok(counted)
    }

    fn check_column(&self, table: &Table) -> Result<()> {
        let (table, policy) = &in_days(table, self.policy, self.model)?;
        policy.check_whole(table)?;
        let tests = self.tests();
        let mut listed = self.tree.attributes().iter().zip(&tests);
        let own = listed.find(|(listed, _)| table.columns().iter().any(|own| own.name() == listed.name));
        match own {
            Some((attribute, false)) => check_listed(table, policy, attribute),
            _ => Ok(()),
        }
    }

    /// For each attribute of the tree whether it is tested.
    fn tests(&self) -> Vec<bool> {
        let mut tested = vec![false; self.tree.attributes().len()];
        for node in self.tree.nodes() {
            if let Node::Test(test) = node {
                tested[test.attribute] = true;
            }
        }
        tested
    }

    fn column(&self, name: &str) -> Result<(&Table, &Column)> {
        let mut found = self.columns.iter().filter_map(|table| Some((table, table.column(name)?)));
        found.next().ok_or_else(|| Error::input("the table has no such column").of_attribute(name))
    }

    /// The attributes whose combinations are to be counted.
    ///
    /// # Errors
    /// When the table lacks one, the policy gives one no usable role, or the tree has no branch for a value.
    pub fn attributes(&self) -> Result<TreeAttributes> {
        let known = self.policy.knowledge();
        let class = &self.tree.class().name;
        self.column(class)?;
        let mut found = TreeAttributes { values: vec![class.clone()], ..TreeAttributes::default() };
        let mut public: Vec<(usize, Cow<'_, Table>)> = Vec::new();
        for (place, (attribute, tested)) in self.tree.attributes().iter().zip(self.tests()).enumerate() {
            if !tested || attribute.name == *class {
                continue;
            }
            let (table, _) = self.column(&attribute.name)?;
            if !known.knows(&attribute.name)? {
                found.values.push(attribute.name.clone());
                continue;
            }
            let (table, _) = in_days(table, self.policy, self.model)?;
            let column = table.require(&attribute.name)?;
            found.classes.push((attribute.name.clone(), branch_classes(self.tree, place, column)?));
            public.push((place, table));
        }
        let columns = public.iter().map(|(place, table)| {
            table.require(&self.tree.attributes()[*place].name).map(|column| (*place, column))
        });
        let cells = public_cells(self.tree, &columns.collect::<Result<Vec<_>>>()?)?.unwrap_or_default();
        // One cell of all individuals has nothing to tell apart.
        let cells = if public.is_empty() { Vec::new() } else { cells };
        found.cells = cells.into_iter().map(|codes| PublicCell { codes }).collect();
        Ok(found)
    }

    /// Audits the tree. `table` has a row for each combination of [`CountedTree::attributes`], weighted by the number of
    /// individuals, where any value of a class stands for all of them, and the values of a column are those of all rows.
    /// `pair` returns the table of a public and a private attribute, weighted alike; it is called only for pairs of which
    /// one attribute can follow from the other.
    ///
    /// # Errors
    /// As [`audit_model`](super::audit_model), and when a pair cannot be counted.
    pub fn audit(
        &self,
        table: &Table,
        guarantee: &Guarantee,
        pair: impl FnMut(&str, &str) -> Result<Table>,
    ) -> Result<Report> {
        if !matches!(table.people(), People::Weights(_)) {
            return Err(Error::internal("counted rows have weights"));
        }
        let warnings = self.undeclared(pair);
        let days: Vec<_> = self
            .columns
            .iter()
            .map(|own| as_model_sees(own, self.policy, self.model))
            .collect::<Result<_>>()?;
        let columns: Vec<&Table> = days.iter().map(|(table, _)| &**table).collect();
        let (table, policy) = &as_model_sees(table, self.policy, self.model)?;
        let rare_values = || rare_in_columns(&columns, policy, self.model, guarantee);
        let mut report = audit_seen(table, policy, self.model, guarantee, warnings, rare_values)?;
        // Rows are individuals here, however they are merged.
        report.rows = report.individuals;
        report.rows_left_out.of = report.individuals;
        Ok(report)
    }

    /// Warnings about dependencies that the data shows and the policy does not declare, in the order in which they are
    /// found in a table.
    fn undeclared(&self, mut pair: impl FnMut(&str, &str) -> Result<Table>) -> Result<Vec<String>> {
        let known = self.policy.known();
        let has = |name: &&str| self.column(name).is_ok();
        let public: Vec<&str> = self.policy.with_role(Role::Public).filter(has).collect();
        let names = self.model.attribute_names();
        let private: Vec<&str> =
            names.into_iter().filter(|name| !known.iter().any(|other| other == name)).collect();
        let mut forward = vec![Vec::new(); public.len()];
        let mut backward = vec![Vec::new(); private.len()];
        for (from, public) in forward.iter_mut().zip(&public) {
            for (to, private) in backward.iter_mut().zip(&private) {
                let (own, other) = (self.column(public)?.0, self.column(private)?.0);
                if !dependencies::may_follow(own, other) && !dependencies::may_follow(other, own) {
                    continue;
                }
                let table = pair(public, private)?;
                let found = dependencies::undeclared_of_pair(&table, self.policy, public, private)?;
                from.extend(found.0);
                to.extend(found.1);
            }
        }
        worded(self.policy, &[forward.concat(), backward.concat()].concat())
    }
}

/// What to do about what counts do not suffice for.
const ELSEWHERE: &str =
    "export the table to a file (Parquet) where that is allowed, and audit against the file";
