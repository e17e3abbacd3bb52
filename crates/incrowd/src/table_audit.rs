//! Audits of tables from files: released by incrowd, or of any origin.

use crate::audit::{
    ReleasedTable, Report, StatedPeople, audit_released_table, audit_stated_table, population_of_table,
};
use crate::files::{FileReader, statements};
use crate::guarantee::Guarantee;
use crate::kinds::{check_kinds, check_sets};
use crate::layout::Layout;
use crate::policy::{Policy, Role};
use crate::released::{absent_private, check_public, read_released};
use crate::table::Table;
use crate::work::PopulationFile;
use crate::{Error, Result};
use incrowd_core::nearest::{nearest, which_column};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::TableRelease;
use incrowd_io::{ColumnPlan, ReadPlan, TableRead, format_of_name, read_table};
use std::path::Path;

/// Audits a table of any origin without the columns `without`. If the sidecar of a release is next to the table, or its
/// first line shows it, the table is read in incrowd's own format, not in the format that the policy describes for the
/// source.
///
/// Individuals are counted by the policy's subject column, even if it is in `without`; otherwise by the sidecar.
///
/// # Errors
/// When the guarantee cannot be checked.
pub fn audit_table_file(
    table: &Path,
    without: &[String],
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
) -> Result<Report> {
    audit_table_in(table, without, policy, guarantee, reading, None)
}

/// Like [`audit_table_file`], with risks for a population.
pub(crate) fn audit_table_in(
    table: &Path,
    without: &[String],
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
    population: Option<PopulationFile<'_>>,
) -> Result<Report> {
    let Layout { mut plan, stated, warning } = Layout::of(table, without, policy)?;
    skip(&mut plan, without, policy);
    let read = read_released(table, policy, &mut plan, reading)?;
    check_without(&read, without, policy).map_err(|error| error.in_file(table))?;
    check_private(&read, without, policy).map_err(|error| error.in_file(table))?;
    check_public(&read, policy, &plan).map_err(|error| error.in_file(table))?;
    stated.iter().try_for_each(|stated| check_rows(&read, stated)).map_err(|error| error.in_file(table))?;
    let population =
        population.map(|file| file.read(&plan, policy).map(|table| (file, table))).transpose()?;
    let report = audit_written(&read, without, stated.as_ref(), policy, guarantee, population.as_ref());
    let mut report = report.map_err(|error| error.in_file(table))?;
    report.warnings.extend(warning);
    report.table_file = Some(table.display().to_string());
    Ok(report)
}

/// Leaves columns out of a plan, except the one that individuals are counted by.
pub(crate) fn skip(plan: &mut ReadPlan, without: &[String], policy: &PolicyFile) {
    for name in without.iter().filter(|name| Some(*name) != policy.policy.subject.as_ref()) {
        let skipped = ColumnPlan::new(incrowd_io::Reading::Skip);
        plan.columns.insert(name.clone(), skipped);
    }
}

/// Fails if a column to leave out is neither in the file nor in the policy. A column of the policy may have been
/// removed from the file: it then divides no groups, and what follows from it stays known.
pub(crate) fn check_without(read: &TableRead, without: &[String], policy: &PolicyFile) -> Result<()> {
    let is_known = |name: &String| read.names.contains(name) || policy.policy.attribute(name).is_some();
    match without.iter().find(|name| !is_known(name)) {
        Some(name) => Err(Error::parameters("the table has no such column to leave out")
            .of_attribute(name)
            .help(which_column(name, &read.names))),
        None => Ok(()),
    }
}

/// Fails if a private column is not in the file, and one with nearly its name is, which the policy does not mention: it
/// would not be judged.
pub(crate) fn check_private(read: &TableRead, without: &[String], policy: &PolicyFile) -> Result<()> {
    let unmentioned = |name: &&String| policy.policy.attribute(name).is_none() && !without.contains(name);
    let others: Vec<&str> = read.names.iter().filter(unmentioned).map(String::as_str).collect();
    let is_absent = |name: &&str| read.names.iter().all(|own| own != name);
    for name in policy.policy.with_role(Role::Private).filter(is_absent) {
        if let Some(near) = nearest(name, others.iter().copied()) {
            return Err(Error::input("the table has no such private column")
                .of_attribute(name)
                .help(format!(
                    "did you mean `{near}`? No role is given for it, so it would not be checked; if it is another column, \
                     ignore it explicitly in a policy"
                )));
        }
    }
    Ok(())
}

/// Audits a table, including columns of its file that were not read, for every attacker of the policy.
pub(crate) fn audit_written(
    read: &TableRead,
    without: &[String],
    stated: Option<&TableRelease>,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    population: Option<&(PopulationFile<'_>, Table)>,
) -> Result<Report> {
    check_sets(policy)?;
    if let Some(stated) = stated {
        check_kinds(read, stated, policy)?;
    }
    let is_unread = |name: &&String| read.table.column(name).is_none();
    let unread: Vec<String> = read.names.iter().filter(is_unread).cloned().collect();
    let legend = stated.and_then(|stated| stated.recoding.as_ref());
    let released = ReleasedTable { table: &read.table, unread: &unread, left_out: without, legend };
    let reports = match uncounted(read, policy) {
        None => {
            let audit = |policy: &Policy| {
                let mut report = audit_released_table(&released, policy, guarantee)?;
                if let Some((file, all)) = population {
                    let groups = file.located(population_of_table(&released, policy, all))?;
                    report.risk = report.risk.with_population(groups);
                }
                Ok(report)
            };
            attackers(policy).iter().map(audit).collect::<Result<Vec<_>>>()?
        }
        Some(subject) => {
            if population.is_some() {
                return Err(not_countable(subject));
            }
            let people = stated.map_or(&[][..], |stated| &stated.people);
            let attackers = attackers(policy);
            if people.len() != attackers.len() {
                return Err(not_countable(subject));
            }
            if people.iter().any(|each| each.individuals != people[0].individuals) {
                return Err(other_individuals());
            }
            let audit = |(policy, people): (&Policy, &StatedPeople)| {
                audit_stated_table(&released, policy, guarantee, people)
            };
            attackers.iter().zip(people).map(audit).collect::<Result<Vec<_>>>()?
        }
    };
    let report = Report::of_several(reports).ok_or_else(|| Error::internal("nothing was audited"))?;
    // How many individuals share groups by all attributes is not stated for a table without its subject column.
    let is_counted = !policy.sets.is_empty() && uncounted(read, policy).is_none();
    let all = is_counted.then(|| audit_released_table(&released, &policy.policy, guarantee)).transpose()?;
    let mut report = report.of_sets(&policy.sets, all.as_ref());
    report.warnings.extend(of_unread_lines(read.unread_lines));
    report.warnings.extend(absent_private(read, without, policy, &report.warnings));
    let individuals = stated.and_then(|stated| stated.individuals);
    if individuals.is_some_and(|stated| stated != report.individuals) {
        return Err(other_individuals());
    }
    Ok(report)
}

/// A word on what the file of a table contains besides its cells.
fn of_unread_lines(lines: u64) -> Option<String> {
    let words = "the file contains lines that are comments or skipped, and the audit does not check them";
    (lines > 0).then(|| format!("{words} ({lines}): remove them before the file is released"))
}

/// The error for a release whose number of individuals differs from the table's.
pub(crate) fn other_individuals() -> Error {
    Error::input("the release states a different number of individuals than the table has")
        .help("audit the release against the table it was made from, read in the same way")
}

/// The policy for each attacker: one attacker who knows all public attributes, or one per set of attributes in the
/// policy.
pub(crate) fn attackers(policy: &PolicyFile) -> Vec<Policy> {
    match policy.sets.as_slice() {
        [] => vec![policy.policy.clone()],
        sets => sets.iter().map(|set| policy.policy.known_to(set)).collect(),
    }
}

/// The subject column, if the policy has one and the table does not.
fn uncounted<'a>(read: &TableRead, policy: &'a PolicyFile) -> Option<&'a str> {
    policy.policy.subject.as_deref().filter(|subject| !read.names.iter().any(|name| name == subject))
}

/// The error for a table without its subject column: which rows belong to the same individual is unknown.
fn not_countable(subject: &str) -> Error {
    Error::input("the table has no subject column, so individuals cannot be counted")
        .of_attribute(subject)
        .help("audit a copy that has the subject column, and leave that column out of the audit (`without`); a table made by incrowd needs no subject column: audit the table as it was made, with its release file next to it, and leave removed columns out (`without`)")
}

/// Audits a released table by its release file.
pub(crate) fn audit_sidecar(
    sidecar: &Path,
    stated: &TableRelease,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
    population: Option<PopulationFile<'_>>,
) -> Result<Report> {
    let path = stated.table_path(sidecar);
    stated.check_digest(&path)?;
    let plan = policy.written_plan(format_of_name(&path)?, &stated.kinds);
    let read = read_table(&path, &plan, reading.threads, reading.progress)?;
    let population =
        population.map(|file| file.read(&plan, policy).map(|table| (file, table))).transpose()?;
    let mut report = check_rows(&read, stated)
        .and_then(|()| audit_written(&read, &[], Some(stated), policy, guarantee, population.as_ref()))
        .map_err(|error| error.in_file(&path))?;
    report.table_file = Some(path.display().to_string());
    Ok(report.compared_with(&statements(&stated.origin)))
}

fn check_rows(read: &TableRead, stated: &TableRelease) -> Result<()> {
    if stated.rows == read.rows_read {
        return Ok(());
    }
    Err(Error::input("the number of rows differs from the release file's")
        .help("audit the table in the form in which it was released"))
}
