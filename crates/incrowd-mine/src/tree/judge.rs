//! What a finished tree is audited against: a table in memory, or counts of one that is elsewhere.

use incrowd_core::audit::{CountedTree, Report, TreeAttributes, audit_model, holds};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Model;
use incrowd_core::policy::Policy;
use incrowd_core::span::{in_days, link};
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use std::borrow::Cow;

/// What a tree is audited against.
pub(crate) enum Judge<'a> {
    /// A table in memory.
    Rows(&'a Table),
    /// A table of which only counts are known, and its columns with the number of individuals of each value.
    Counts(&'a dyn AuditCounts, &'a [Table]),
}

/// What the audit of a tree needs to know of a table whose rows are elsewhere.
pub(crate) trait AuditCounts: Sync {
    /// As [`CountedRows::combinations`](super::counted::CountedRows::combinations).
    fn combinations(&self, attributes: &TreeAttributes) -> Result<Table>;

    /// As [`CountedRows::pair`](super::counted::CountedRows::pair).
    fn pair(&self, public: &str, private: &str) -> Result<Table>;
}

impl Judge<'_> {
    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Rows(table) => table.rows(),
            Self::Counts(_, tables) => {
                let individuals = tables.first().map_or(0, Table::individuals);
                usize::try_from(individuals).unwrap_or(usize::MAX)
            }
        }
    }

    /// The audit of a model.
    ///
    /// # Errors
    /// When it cannot be done.
    pub(crate) fn audit(&self, policy: &Policy, model: &Model, guarantee: &Guarantee) -> Result<Report> {
        let (rows, tables) = match self {
            Self::Rows(table) => return audit_model(table, policy, model, guarantee),
            Self::Counts(rows, tables) => (rows, tables),
        };
        let counted = CountedTree::new(model, policy, tables.to_vec())?;
        let table = combinations(*rows, &counted, tables)?;
        counted.audit(&table, guarantee, |public, private| rows.pair(public, private))
    }

    /// Whether all spans of a model meet the guarantee.
    ///
    /// # Errors
    /// When they cannot be counted.
    pub(crate) fn holds(&self, policy: &Policy, model: &Model, guarantee: &Guarantee) -> Result<bool> {
        let table = match self {
            Self::Rows(table) => Cow::Borrowed(*table),
            Self::Counts(rows, tables) => {
                let counted = CountedTree::new(model, policy, tables.to_vec())?;
                Cow::Owned(combinations(*rows, &counted, tables)?)
            }
        };
        let (table, policy) = &in_days(&table, policy, model)?;
        holds(table, policy, &link(table, policy, model)?, guarantee)
    }
}

/// The combinations that the audit of a tree depends on, of all individuals.
fn combinations(rows: &dyn AuditCounts, counted: &CountedTree<'_>, tables: &[Table]) -> Result<Table> {
    let table = rows.combinations(&counted.attributes()?)?;
    if table.individuals() == tables.first().map_or(0, Table::individuals) {
        return Ok(table);
    }
    Err(changed())
}

/// The error for counts that do not agree.
pub(crate) fn changed() -> Error {
    Error::input("the table changed while it was read: its counts do not agree")
        .help("read a table or files that nothing writes to")
}
