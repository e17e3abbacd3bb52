//! The groups of a release, counted in a table of the population.
//!
//! A population has the public attributes of everyone, one row each, and includes the individuals of the table. Its
//! rows are linked to the release together with the table's, by the same code as in the audit: an individual's group
//! does not depend on private values, so those of the first row stand in for the unknown ones.

use super::{
    Likeness, PopulationFigures, PopulationSource, PopulationUniques, Presence, Sums, individuals, summary,
};
use crate::audit::ReleasedTable;
use crate::error::{Error, Result};
use crate::group::sizes;
use crate::model::Model;
use crate::policy::Policy;
use crate::span::{Linking, canonical, in_days, link, link_columns, released_in_days};
use crate::table::{Codes, Column, Date, Kind, People, Table};
use std::collections::BTreeMap;

/// The sizes of the groups of a release, in its table and in the population.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopulationGroups {
    /// For each group its individuals in the table and in the population; those of the table may be 0.
    pub(super) sizes: Vec<(u64, u64)>,
}

/// Counts the spans of a model in a population.
///
/// # Errors
/// When the population lacks a public attribute that the model uses, its values are not in the model's domain, or it
/// does not include the individuals of the table.
pub fn population_of_model(
    table: &Table,
    policy: &Policy,
    model: &Model,
    population: &Table,
) -> Result<PopulationGroups> {
    let used = model.attribute_names();
    let is_tied = |name: &str| {
        let mut ties = policy.dependencies.iter();
        ties.any(|tie| tie.to == name || tie.from.iter().any(|from| from == name))
    };
    let all = with_population(table, policy, population, |name| used.contains(&name) || is_tied(name))?;
    let (all, policy) = &in_days(&all, policy, model)?;
    count(&link(all, policy, model)?, table, population)
}

/// Counts the groups of a released table in a population, whose public cells are written as in the release.
///
/// # Errors
/// As [`population_of_model`].
pub fn population_of_table(
    released: &ReleasedTable<'_>,
    policy: &Policy,
    population: &Table,
) -> Result<PopulationGroups> {
    let is_needed = |name: &str| !released.left_out.iter().any(|other| other == name);
    let all = with_population(released.table, policy, population, is_needed)?;
    let (all, policy) = &released_in_days(&all, policy)?;
    let all = &*canonical(all, policy)?;
    count(&link_columns(all, policy, released.left_out)?, released.table, population)
}

/// The rows of a table followed by those of its population, which must have the known attributes that are needed.
fn with_population(
    table: &Table,
    policy: &Policy,
    population: &Table,
    is_needed: impl Fn(&str) -> bool,
) -> Result<Table> {
    if table.rows() == 0 {
        return Err(Error::input("the table has no rows"));
    }
    let known = policy.known();
    let is_known = |name: &str| known.iter().any(|known| known == name);
    let column = |column: &Column| match population.column(column.name()) {
        Some(other) if is_known(column.name()) => joined(column, other),
        None if is_known(column.name()) && is_needed(column.name()) => Err(missing_column(column.name())),
        _ => {
            let own = 0..column.len() as u32;
            let rows: Vec<u32> = own.chain(std::iter::repeat_n(0, population.rows())).collect();
            Ok(column.select(&rows))
        }
    };
    Table::new(table.columns().iter().map(column).collect::<Result<_>>()?, People::Rows)
}

fn missing_column(name: &str) -> Error {
    Error::input("the population lacks this public attribute")
        .of_attribute(name)
        .help("add the column to the table of the population")
}

/// The cells of one column followed by those of another.
fn joined(own: &Column, other: &Column) -> Result<Column> {
    if own.kind() == Kind::Numeric && other.kind() == Kind::Numeric {
        let cells = [own, other].into_iter().flat_map(|column| {
            let numbers = column.values().numbers().unwrap_or_default();
            column.codes().iter().map(|code| numbers.get(code as usize).copied())
        });
        return Ok(Column::from_numbers(own.name(), &cells.collect::<Vec<_>>())?.dated_as(own));
    }
    if own.values() == other.values() {
        let codes = Codes::collect(own.values().len() + 1, own.codes().iter().chain(other.codes().iter()));
        return Column::new(own.name(), own.values().clone(), codes);
    }
    let cells = [own, other].into_iter().flat_map(|column| {
        let code = |code: u32| (code != column.missing_code()).then(|| column.values().text(code as usize));
        column.codes().iter().map(code)
    });
    let cells: Vec<_> = cells.collect();
    let names = Column::from_texts(own.name(), &cells);
    match (own.in_days(), other.in_days()) {
        (Some(_), Some(_)) => names.with_dates(|text| Date::parse(text, None)),
        _ => Ok(names),
    }
}

fn count(linking: &Linking<'_>, table: &Table, population: &Table) -> Result<PopulationGroups> {
    let of_row: Vec<u32> =
        linking.span_of_row.iter().map(|&part| linking.joint_of(part as usize) as u32).collect();
    let (own, others) = of_row.split_at(table.rows());
    let groups = linking.joint_spans();
    let sizes: Vec<(u64, u64)> =
        sizes(own, groups, table).into_iter().zip(sizes(others, groups, population)).collect();
    if sizes.iter().any(|&(in_table, in_population)| in_table > in_population) {
        return Err(Error::input("a group has more individuals in the table than in the population")
            .help("the population must include every individual of the table, with public values written in the same way"));
    }
    Ok(PopulationGroups { sizes })
}

impl PopulationGroups {
    pub(super) fn summary(&self, threshold: f64) -> Sums {
        let of_table = self.sizes.iter().filter(|(in_table, _)| *in_table > 0);
        let likeness = |&(size, in_population): &(u64, u64)| Likeness {
            size,
            groups: 1,
            risk: 1.0 / in_population as f64,
            in_population: in_population as f64,
        };
        summary(of_table.map(likeness), threshold)
    }

    pub(super) fn figures(&self, groups: &BTreeMap<u64, u64>) -> PopulationFigures {
        let population: u64 = self.sizes.iter().map(|&(_, size)| size).sum();
        let share = |&(own, all): &(u64, u64)| own as f64 / all as f64;
        let occurring = || self.sizes.iter().filter(|(_, all)| *all > 0).map(share);
        let uniques = self.sizes.iter().filter(|(_, all)| *all == 1).count();
        PopulationFigures {
            source: PopulationSource::Table,
            individuals: population,
            sampling_fraction: individuals(groups) as f64 / population as f64,
            k_map: self.sizes.iter().filter(|(own, _)| *own > 0).map(|&(_, all)| all).min(),
            presence: occurring()
                .reduce(f64::min)
                .zip(occurring().reduce(f64::max))
                .map(|(lowest, highest)| Presence { lowest, highest }),
            uniques: PopulationUniques {
                estimator: "counted",
                individuals: uniques as f64,
                sampling_error: 0.0,
                other: None,
            },
        }
    }
}
