//! The audit of a tree against a table in an engine.

use super::coded::{By, Coded, CodedColumn};
use crate::audit::{CountedTree, Report};
use crate::dataset::OpenOptions;
use crate::files::statements;
use crate::found::{Found, find};
use crate::guarantee::Guarantee;
use crate::table_audit::other_individuals;
use crate::{Error, Result};
use incrowd_io::Maker;
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{ModelRelease, Release};
use incrowd_sql::{Remote, Source};
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
    let coded = coded(source, policy, options).map_err(|error| error.in_file(source.to_string()))?;
    audited(&stated, coded, policy, guarantee).map_err(|error| error.in_file(release))
}

/// The columns of the owner's table, and the warnings about it.
fn coded(source: &Source, policy: &PolicyFile, options: &OpenOptions) -> Result<(Coded, Vec<String>)> {
    let plan = policy.read_plan(Purpose::Source);
    let mut coded = Coded::read(Remote::open(source)?, &plan, options)?;
    let repeats = coded.repeats(policy, &plan)?;
    check_source(&coded, policy)?;
    let warnings = repeats.into_iter().chain(coded.left_out.warning()).collect();
    Ok((coded, warnings))
}

fn audited(
    stated: &ModelRelease,
    (mut coded, warnings): (Coded, Vec<String>),
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
    report.warnings.splice(0..0, warnings);
    report.rows_left_out = coded.left_out;
    Ok(report)
}

/// Counts what the audit looks at, and audits.
fn judged(counted: &CountedTree<'_>, coded: &mut Coded, guarantee: &Guarantee) -> Result<Report> {
    let attributes = counted.attributes()?;
    let Coded { remote, columns, .. } = coded;
    let find = |name: &str| {
        let found = columns.iter().find(|own| own.column.name() == name);
        found.ok_or_else(|| Error::input("the table has no such column").of_attribute(name))
    };
    // In the order of the table.
    let by = columns.iter().filter_map(|own| {
        let name = own.column.name();
        let classes = attributes.classes.iter().find(|(other, _)| other == name);
        match classes {
            Some((_, classes)) => Some(By::Classes(own, classes)),
            None => attributes.values.iter().any(|other| other == name).then_some(By::Values(own)),
        }
    });
    let table = Coded::counted(remote, &by.collect::<Vec<_>>())?;
    counted.audit(&table, guarantee, |public, private| {
        Coded::counted(remote, &[By::Values(find(public)?), By::Values(find(private)?)])
    })
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
