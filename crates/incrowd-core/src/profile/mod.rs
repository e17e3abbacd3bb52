//! What a table reveals about its individuals before it has a policy.
//!
//! A profile contains, for every column, how many individuals it singles out and a guess of its role; the
//! [combinations](ColumnCombination) of columns that single out the most individuals; and the
//! [dependencies](FoundDependency) between columns. It never contains a value of the table.
//!
//! All figures count individuals: a weighted row counts as often as its weight, the rows of one subject once.

mod combinations;
mod dependencies;
mod guess;
mod strays;
#[cfg(test)]
mod tests;
mod thousands;
mod understand;
mod units;
mod words;

pub use combinations::{ColumnCombination, SearchExtent};
pub use dependencies::{DependencyRule, FoundDependency, find_dependencies};
pub(crate) use dependencies::{supports, varies};
pub use guess::Guess;
pub use strays::Strays;
pub use understand::{MissingMarks, RecognizedTable, understand};

pub(crate) use words::words as words_of;

use crate::audit::{SafeHarborIdentifier, safe_harbor_identifier};
use crate::error::Result;
use crate::group::{Crowds, crowds};
use crate::policy::Role;
use crate::progress::{Progress, Silent};
use crate::table::{Column, Kind, Table};
use rayon::prelude::*;

/// Options of a profile.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProfileOptions {
    /// A group of fewer individuals than this is small.
    pub few: u64,
    /// The columns combinations are made of; when empty, all that are guessed to be public.
    pub columns: Vec<String>,
    /// The column that identifies individuals, where the table keeps it: it is an identifier.
    pub subject: Option<String>,
    /// The most columns in a combination.
    pub largest: usize,
    /// The number of combinations of each size that are listed.
    pub listed: usize,
    /// The number of rows that may be read to find combinations, over all combinations. It bounds the time: a processor
    /// core reads about a hundred million per second.
    pub budget: u64,
    /// The rows by which combinations are chosen in tables with more than four times as many; the combinations that are
    /// listed are measured on all rows.
    pub searched_rows: usize,
    /// What counts as a dependency.
    pub dependencies: DependencyRule,
}

impl Default for ProfileOptions {
    fn default() -> Self {
        Self {
            few: 5,
            columns: Vec::new(),
            subject: None,
            largest: 4,
            listed: 5,
            budget: 400_000_000,
            searched_rows: MANY_ROWS / 4,
            dependencies: DependencyRule::default(),
        }
    }
}

/// What a table reveals about its individuals.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Profile {
    /// The number of rows that the table has; merged rows count as often as they occurred.
    pub rows: u64,
    /// The number of individuals that it is about.
    pub individuals: u64,
    /// A group of fewer individuals than this is small.
    pub few: u64,
    /// Each column, in schema order.
    pub columns: Vec<ColumnProfile>,
    /// The most identifying combinations of each size, the smallest size first, the most identifying first within it;
    /// none that leaves every individual among many.
    pub combinations: Vec<ColumnCombination>,
    /// How they were searched for.
    pub search: SearchExtent,
    /// The dependencies found, exact or nearly exact; in schema order.
    pub dependencies: Vec<FoundDependency>,
}

/// What one column reveals.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct ColumnProfile {
    /// The column's name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// The number of different values that occur.
    pub distinct: u64,
    /// In how many rows the value is missing.
    pub missing: u64,
    /// The share of individuals whose value no other individual has.
    pub unique: f64,
    /// The share of individuals who share their value with few.
    pub few: f64,
    /// The individuals with the rarest value.
    pub smallest: u64,
    /// What the column probably is to an attacker.
    pub guess: Guess,
    /// The identifier of the Safe Harbor method of HIPAA that its name suggests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safe_harbor: Option<SafeHarborIdentifier>,
}

/// Profiles a table.
///
/// Takes time linear in the rows for each column, each pair of columns that could depend and each combination examined.
pub fn profile(table: &Table, options: &ProfileOptions) -> Profile {
    profiled(table, options, &Silent)
}

/// Profiles a table and reports progress.
///
/// # Errors
/// When the work was cancelled.
pub fn profile_with_progress(
    table: &Table,
    options: &ProfileOptions,
    progress: &dyn Progress,
) -> Result<Profile> {
    let profile = profiled(table, options, progress);
    progress.check().map(|()| profile)
}

fn profiled(table: &Table, options: &ProfileOptions, progress: &dyn Progress) -> Profile {
    let columns = column_profiles(table, options);
    let candidates: Vec<&Column> = table
        .columns()
        .iter()
        .zip(&columns)
        .filter(|(column, profile)| match options.columns.as_slice() {
            [] => profile.guess.role == Role::Public,
            names => names.iter().any(|name| name == column.name()),
        })
        .map(|(column, _)| column)
        .collect();
    let (combinations, search) = combinations::search(table, &candidates, options, progress);
    let all: Vec<&Column> = table.columns().iter().collect();
    let dependencies = dependencies::find(table, &all, &all, &options.dependencies, progress);
    Profile {
        rows: (0..table.rows()).map(|row| u64::from(table.weight(row))).sum(),
        individuals: table.individuals(),
        few: options.few,
        columns,
        combinations,
        search,
        dependencies,
    }
}

fn column_profiles(table: &Table, options: &ProfileOptions) -> Vec<ColumnProfile> {
    let crowds = each(table, table.columns(), |column| crowds(table, &[column], options.few));
    let guesses = guess::guess(table, &crowds, options.subject.as_deref());
    let one = |((column, crowds), guess): ((&Column, Crowds), Guess)| ColumnProfile {
        name: column.name().to_owned(),
        kind: if guess.kind == Kind::Date { Kind::Date } else { column.kind() },
        distinct: crowds.groups - u64::from(column.has_missing()),
        missing: missing(table, column),
        unique: share(crowds.alone, table),
        few: share(crowds.few, table),
        smallest: crowds.smallest,
        guess,
        safe_harbor: safe_harbor_identifier(column.name()),
    };
    table.columns().iter().zip(crowds).zip(guesses).map(one).collect()
}

fn missing(table: &Table, column: &Column) -> u64 {
    if !column.has_missing() {
        return 0;
    }
    let code = column.missing_code();
    let rows = (0..table.rows()).filter(|&row| column.code(row) == code);
    rows.map(|row| u64::from(table.weight(row))).sum()
}

/// Above this many rows, work on one item keeps all cores busy, and many at once would take much memory.
const MANY_ROWS: usize = 1 << 20;

/// Works on each item: all at once, or for large tables one after the other, each in parallel within itself.
fn each<T: Sync, R: Send>(table: &Table, items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    if table.rows() > MANY_ROWS {
        items.iter().map(work).collect()
    } else {
        items.par_iter().map(work).collect()
    }
}

/// So many individuals as a share of all; zero for an empty table.
fn share(individuals: u64, table: &Table) -> f64 {
    individuals as f64 / table.individuals().max(1) as f64
}

/// Whether a name suggests health, money, law or performance, which are usually private.
pub fn speaks_of_private(name: &str) -> bool {
    words::private(&words::words(name)).is_some()
}
