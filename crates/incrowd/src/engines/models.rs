//! The audit of a tree against a table in an engine.

use super::coded::{By, Coded, CodedColumn};
use super::weighted::{self, changed};
use crate::audit::{CountedTree, PublicCell, Report, TreeAttributes};
use crate::dataset::OpenOptions;
use crate::files::statements;
use crate::found::{Found, find};
use crate::guarantee::Guarantee;
use crate::table::{Column, Table};
use crate::table_audit::other_individuals;
use crate::{Error, Result};
use incrowd_io::Maker;
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{ModelRelease, Release};
use incrowd_sql::{Cell, CellRange, Part, Remote, Source};
use std::path::Path;

/// Audits a tree of incrowd against the table in an engine that it was made from.
///
/// # Errors
/// When the guarantee cannot be checked.
pub(crate) fn audit_in_engine(
    release: &Path,
    source: &Source,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    options: &OpenOptions,
) -> Result<Report> {
    policy.refuse_baskets()?;
    let Found::Release(Release::Model(stated), Maker::Incrowd) = find(release)? else {
        return Err(Error::input(
            "only models that incrowd made can be audited against a table in a database",
        )
        .in_file(release)
        .help("export the table to a file (Parquet) where that is allowed, and audit against the file"));
    };
    // What cannot be audited is refused before anything is counted.
    CountedTree::new(&stated.model, &policy.policy, Vec::new()).map_err(|error| error.in_file(release))?;
    let coded = opened(source, policy, options).map_err(|error| error.in_file(source.to_string()))?;
    audited(&stated, coded, policy, guarantee).map_err(|error| error.in_file(release))
}

/// The columns of the owner's table, and the warnings about identifiers that repeat.
///
/// # Errors
/// When the table cannot be read or does not fit the policy.
pub(super) fn opened(
    source: &Source,
    policy: &PolicyFile,
    options: &OpenOptions,
) -> Result<(Coded, Vec<String>)> {
    let plan = policy.read_plan(Purpose::Source);
    let mut coded = Coded::read(Remote::open(source)?, &plan, options)?;
    let repeats = coded.repeats(policy, &plan)?;
    check_source(&coded, policy)?;
    Ok((coded, repeats))
}

fn audited(
    stated: &ModelRelease,
    (mut coded, repeats): (Coded, Vec<String>),
    policy: &PolicyFile,
    guarantee: &Guarantee,
) -> Result<Report> {
    if stated.individuals.is_some_and(|stated| stated != coded.remote.kept()) {
        return Err(other_individuals());
    }
    let alone = coded.columns.iter().map(CodedColumn::table).collect::<Result<_>>()?;
    let counted = CountedTree::new(&stated.model, &policy.policy, alone)?;
    let report = judged(&counted, &mut coded, guarantee)?;
    let mut report = report.compared_with(&statements(&stated.origin));
    let warnings = repeats.into_iter().chain(coded.left_out.warning());
    report.warnings.splice(0..0, warnings);
    report.rows_left_out = coded.left_out;
    Ok(report)
}

/// Counts what the audit looks at, and audits.
fn judged(counted: &CountedTree<'_>, coded: &mut Coded, guarantee: &Guarantee) -> Result<Report> {
    let Coded { remote, columns, .. } = coded;
    let table = combinations(remote, columns, &counted.attributes()?)?;
    counted.audit(&table, guarantee, |public, private| pair(remote, columns, public, private))
}

/// Counts the combinations that the audit of a tree depends on.
///
/// # Errors
/// When the engine fails or its table changes.
pub(super) fn combinations(
    remote: &mut Remote,
    columns: &[CodedColumn],
    attributes: &TreeAttributes,
) -> Result<Table> {
    if !attributes.cells.is_empty() {
        return cell_combinations(remote, columns, attributes);
    }
    // In the order of the table.
    let by = columns.iter().filter_map(|own| {
        let name = own.column.name();
        let classes = attributes.classes.iter().find(|(other, _)| other == name);
        match classes {
            Some((_, classes)) => Some(By::Classes(own, classes)),
            None => attributes.values.iter().any(|other| other == name).then_some(By::Values(own)),
        }
    });
    Coded::counted(remote, &by.collect::<Vec<_>>())
}

/// The same by cells of the public attributes, of which the first code of each attribute stands for all.
fn cell_combinations(
    remote: &mut Remote,
    columns: &[CodedColumn],
    attributes: &TreeAttributes,
) -> Result<Table> {
    let public: Vec<&CodedColumn> =
        attributes.classes.iter().map(|(name, _)| column(columns, name)).collect::<Result<_>>()?;
    let values: Vec<By<'_>> =
        attributes.values.iter().map(|name| column(columns, name).map(By::Values)).collect::<Result<_>>()?;
    let codes: Vec<Vec<u32>> = public.iter().map(|own| own.column.codes().iter().collect()).collect();
    let cell = |cell: &PublicCell| {
        let own = public.iter().zip(&codes).zip(&cell.codes);
        own.map(|((own, codes), ranges)| CellRange { numbers: own.classes(codes), ranges: ranges.clone() })
            .collect()
    };
    let cells: Vec<Cell<'_>> = attributes.cells.iter().map(cell).collect();
    let (numbers, counts, mut of_values) = Coded::counted_with(remote, Part::Cells(&cells), &values)?;
    for (place, own) in public.iter().enumerate() {
        let code = |number: &usize| {
            let cell = attributes.cells.get(*number).ok_or_else(changed)?;
            cell.codes[place].first().map(|range| range.start).ok_or_else(changed)
        };
        of_values.push((&own.column, numbers.iter().map(code).collect::<Result<_>>()?));
    }
    // In the order of the table.
    let place =
        |(own, _): &(&Column, Vec<u32>)| columns.iter().position(|other| other.column.name() == own.name());
    of_values.sort_by_key(place);
    weighted::table(of_values, &counts)
}

fn column<'c>(columns: &'c [CodedColumn], name: &str) -> Result<&'c CodedColumn> {
    let found = columns.iter().find(|own| own.column.name() == name);
    found.ok_or_else(|| Error::input("the table has no such column").of_attribute(name))
}

/// Counts the pairs of values of two columns.
///
/// # Errors
/// When one is not there, the engine fails or its table changes.
pub(super) fn pair(
    remote: &mut Remote,
    columns: &[CodedColumn],
    public: &str,
    private: &str,
) -> Result<Table> {
    let by = [By::Values(column(columns, public)?), By::Values(column(columns, private)?)];
    Coded::counted(remote, &by)
}

/// Fails if the owner's table does not fit the policy.
fn check_source(coded: &Coded, policy: &PolicyFile) -> Result<()> {
    let class = policy.policy.class.as_ref().and_then(|class| coded.column(class).ok());
    if let Some(class) = class.filter(|class| coded.left_out.total > 0 && class.column.code_count() < 2) {
        return Err(Error::input(format!(
            "{} are left out, and all other rows have the same class value",
            coded.left_out.rows()
        ))
        .of_attribute(class.column.name())
        .help(
            "correct the marks of missing values (`missing`), or keep such rows: missing-rows = \"keep\"",
        ));
    }
    let check = |table| policy.policy.check_declared(&table).map_err(super::of_engine);
    coded.columns.iter().try_for_each(|own| own.table().and_then(check))
}
