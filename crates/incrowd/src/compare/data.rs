//! The data of a comparison: tables, the policy, and the division of rows.

use super::CheckedCompareParams;
use crate::policy::{Policy, Role, without_class};
use crate::table::{Column, Kind, Table};
use crate::{Error, Result};
use incrowd_core::words::count;
use incrowd_eval::folds::{Fold, Protocol, divide};
use sha2::{Digest, Sha256};

/// The data of a comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompareData<'a> {
    /// The name of the table in the report.
    pub(crate) name: &'a str,
    /// The table.
    pub(crate) table: &'a Table,
    /// A separate table of test rows. All rows of `table` are for training then.
    pub(crate) test: Option<&'a Table>,
    /// The policy: roles and class.
    pub(crate) policy: &'a Policy,
    /// If the table is a random sample, how many individuals it was drawn from.
    pub(crate) sample_of: Option<u64>,
}

/// The source, checked and divided.
pub(super) struct Divided<'a> {
    pub(super) source: CompareData<'a>,
    pub(super) class: &'a str,
    /// All attributes that inducers may use, without the class.
    pub(super) inputs: Vec<String>,
    /// The number of class values.
    pub(super) classes: usize,
    pub(super) folds: Vec<Fold>,
    /// A digest of the tables and the policy.
    pub(super) fingerprint: String,
}

impl<'a> Divided<'a> {
    pub(super) fn new(source: CompareData<'a>, params: &CheckedCompareParams) -> Result<Self> {
        let class = source.policy.class.as_deref().ok_or_else(|| {
            Error::input("the policy names no class to predict").help("add `class = \"NAME\"` to the policy")
        })?;
        let column = source.table.require(class)?;
        if column.has_missing() {
            return Err(without_class(class, Some(column)));
        }
        source.test.map_or(Ok(()), |test| check_alike(source.table, test, source.policy))?;
        let classes = classes(column, source.test.map(|test| test.require(class)).transpose()?);
        let is_input = |role: Role| matches!(role, Role::Public | Role::Private);
        let attributes = source.policy.attributes.iter().filter(|a| is_input(a.role) && a.name != class);
        let inputs = attributes.map(|a| a.name.clone()).filter(|name| source.table.column(name).is_some());
        let folds = if source.test.is_some() {
            Vec::new()
        } else {
            let codes: Vec<u32> = column.codes().iter().collect();
            divide(&codes, source.table.people(), params.protocol, params.seed)?
        };
        let fingerprint = fingerprint(source);
        Ok(Self { source, class, inputs: inputs.collect(), classes, folds, fingerprint })
    }

    /// The number of pairs of training and test rows.
    pub(super) fn times(&self) -> usize {
        if self.source.test.is_some() { 1 } else { self.folds.len() }
    }

    /// The number of individuals in the smallest training part.
    pub(super) fn smallest_training(&self) -> u64 {
        let all = self.source.table.individuals();
        self.folds.iter().map(|fold| self.source.table.individuals_among(&fold.train)).min().unwrap_or(all)
    }

    /// The training rows and the test rows of a fold.
    pub(super) fn fold(&self, fold: usize) -> Result<(Table, Table)> {
        if let Some(test) = self.source.test {
            return Ok((self.source.table.clone(), test.clone()));
        }
        let Fold { train, test } = &self.folds[fold];
        Ok((fitted(&self.source.table.select(train))?, self.source.table.select(test)))
    }

    pub(super) fn protocol(&self, protocol: Protocol) -> String {
        let drawn = self.sample();
        match (self.source.test, drawn) {
            (Some(test), None) => format!("trained on all rows, tested on {} separate rows", test.rows()),
            (Some(test), Some(drawn)) => {
                format!("trained on {drawn}, tested on {} separate rows", test.rows())
            }
            (None, None) => protocol.words(),
            (None, Some(drawn)) => format!("{}, on {drawn}", protocol.words()),
        }
    }

    /// What the table is a sample of, in words.
    pub(super) fn sample(&self) -> Option<String> {
        let own = count(self.source.table.individuals());
        self.source.sample_of.map(|all| format!("a random sample of {own} of {} individuals", count(all)))
    }
}

/// A table without the numbers that occur only in other rows. Categories stay, since the domain of an attribute is
/// known beforehand.
pub(super) fn fitted(table: &Table) -> Result<Table> {
    let fit = |column: &Column| match column.kind() {
        Kind::Numeric => column.clone().compacted(),
        _ => column.clone(),
    };
    Table::new(table.columns().iter().map(fit).collect(), table.people().clone())
}

/// Fails if an attribute is numeric in the training rows and categorical in the test rows, or the reverse: no model
/// could be applied to the other.
fn check_alike(train: &Table, test: &Table, policy: &Policy) -> Result<()> {
    let used = policy.attributes.iter().filter(|a| matches!(a.role, Role::Public | Role::Private));
    for name in used.map(|attribute| attribute.name.as_str()) {
        let Some(column) = train.column(name) else { continue };
        let (is_number, is_test_number) =
            (column.kind() == Kind::Numeric, test.require(name)?.kind() == Kind::Numeric);
        if is_number != is_test_number {
            let word = |is_number: bool| if is_number { "numbers" } else { "names" };
            let what =
                format!("training rows have {} here, test rows {}", word(is_number), word(is_test_number));
            return Err(Error::input(what)
                .of_attribute(name)
                .help("correct the wrong file, or set the `kind` of the attribute in the policy"));
        }
    }
    Ok(())
}

/// The number of class values in training and test rows.
fn classes(train: &Column, test: Option<&Column>) -> usize {
    let known = texts(train);
    let more = test.map(texts).unwrap_or_default();
    known.len() + more.iter().filter(|text| !known.contains(text)).count()
}

fn texts(column: &Column) -> Vec<String> {
    (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect()
}

fn fingerprint(source: CompareData<'_>) -> String {
    let mut digest = Sha256::new();
    for table in std::iter::once(source.table).chain(source.test) {
        digest.update(table.rows().to_le_bytes());
        digest.update(format!("{:?}", table.people()));
        for column in table.columns() {
            digest.update(column.name().as_bytes());
            digest.update([0]);
            texts(column).iter().for_each(|text| {
                digest.update(text.as_bytes());
                digest.update([0]);
            });
            column.codes().iter().for_each(|code| digest.update(code.to_le_bytes()));
        }
    }
    digest.update(format!("{:?}", source.policy));
    hex(&digest.finalize())
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
