//! From files to an audit in one call.

use crate::audit::{
    ReleasedTable, Report, StatedPeople, Statements, audit_model, audit_released_table, audit_stated_table,
    population_of_model, population_of_table,
};
use crate::guarantee::Guarantee;
use crate::kinds::{check_kinds, check_sets};
use crate::layout::Layout;
use crate::model::Model;
use crate::policy::Policy;
use crate::progress::Progress;
use crate::released::{absent_private, check_public, read_released};
use crate::table::{RowsLeftOut, Table};
use crate::unnamed::{beside_the_trees, with_class_name, with_class_values};
use crate::work::PopulationFile;
use crate::{Error, Result};
use incrowd_core::nearest::which_column;
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{ModelRelease, Origin, Release, TableRelease};
use incrowd_io::{
    ColumnPlan, Compared, Elsewhere, KeepItems, Maker, ReadPlan, TableRead, check_commas, check_numbers,
    check_spelling, check_values, format_of_name, is_item_of_table, looks_like_table, read_any_model,
    read_as_maker, read_baskets, read_table, rules_over_table,
};
use std::path::Path;

/// How files are read: the number of threads, and progress reporting.
#[derive(Clone, Copy)]
pub struct FileReader<'a> {
    /// The number of threads; 0 means one per core.
    pub threads: usize,
    /// The receiver of progress reports.
    pub progress: &'a dyn Progress,
}

impl FileReader<'_> {
    /// Reads a table as described by a policy.
    ///
    /// # Errors
    /// When the file cannot be read or does not fit the policy, or the class has only one value after rows are left
    /// out.
    pub fn table(&self, path: &Path, policy: &PolicyFile, purpose: Purpose) -> Result<TableRead> {
        self.planned_table(path, policy, &policy.read_plan(purpose))
    }

    fn planned_table(&self, path: &Path, policy: &PolicyFile, plan: &ReadPlan) -> Result<TableRead> {
        let read = read_table(path, plan, self.threads, self.progress)?;
        check_source(&read, &policy.policy).map_err(|error| error.in_file(path))?;
        Ok(read)
    }
}

/// Fails if the owner's table does not fit the policy.
pub(crate) fn check_source(read: &TableRead, policy: &Policy) -> Result<()> {
    check_class(read, policy).and_then(|()| policy.check_declared(&read.table))
}

/// Fails if rows were left out and all other rows have the same class value.
fn check_class(read: &TableRead, policy: &Policy) -> Result<()> {
    let left_out = &read.rows_left_out;
    let Some(class) = policy.class.as_ref().and_then(|class| read.table.column(class)) else { return Ok(()) };
    let mut codes = class.codes().iter();
    let first = codes.next();
    if left_out.total == 0 || codes.any(|code| Some(code) != first) {
        return Ok(());
    }
    Err(Error::input(format!("{left_out} are left out, and all other rows have the same class value"))
        .of_attribute(class.name())
        .help("correct the marks of missing values (`missing`), or keep such rows: missing-rows = \"keep\""))
}

/// The data that a model is made from: a table, or baskets converted to a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Data {
    /// The table; for baskets, with one column per item that was kept.
    pub table: Table,
    /// The policy; for baskets, with the items as its attributes.
    pub policy: Policy,
    /// Whether the data are baskets.
    pub baskets: bool,
    /// The rows left out because a value is missing.
    pub rows_left_out: RowsLeftOut,
    /// Warnings for the owner.
    pub warnings: Vec<String>,
}

impl Data {
    /// Creates data from a table under its policy.
    pub(crate) fn of_table(table: Table, policy: Policy, rows_left_out: RowsLeftOut) -> Self {
        Self { table, policy, baskets: false, rows_left_out, warnings: Vec::new() }
    }
}

impl FileReader<'_> {
    /// Reads the data that a model is made from: baskets if the policy has `[items]` (with the items in `keep`), a
    /// table otherwise.
    ///
    /// # Errors
    /// When the file cannot be read or does not fit the policy.
    pub fn data(&self, path: &Path, policy: &PolicyFile, keep: KeepItems<'_>) -> Result<Data> {
        self.planned_data(path, policy, &policy.read_plan(Purpose::Source), keep)
    }

    /// Like [`Self::data`], with this plan for a table.
    fn planned_data(
        &self,
        path: &Path,
        policy: &PolicyFile,
        plan: &ReadPlan,
        keep: KeepItems<'_>,
    ) -> Result<Data> {
        let Some(items) = &policy.items else {
            let TableRead { table, rows_left_out, .. } = self.planned_table(path, policy, plan)?;
            let policy = policy.policy.clone();
            return Ok(Data { table, policy, baskets: false, rows_left_out, warnings: Vec::new() });
        };
        let read = read_baskets(path, items, keep, self.progress)?;
        if let KeepItems::Named(names) = keep
            && let Some(name) = names.iter().find(|name| read.items.binary_search(name).is_err())
        {
            return Err(Error::input("no basket has this item").of_attribute(name).in_file(path).help(
                "audit rules against the baskets they were made from; arules files do not distinguish items with commas",
            ));
        }
        let (with, mut warnings) = policy.with_items(&read.items)?;
        warnings.extend(looks_like_table(path).unwrap_or(false).then(|| LIKE_A_TABLE.to_owned()));
        let mut policy = with.policy;
        policy.attributes.retain(|attribute| read.table.column(&attribute.name).is_some());
        let rows_left_out = RowsLeftOut { of: read.table.rows() as u64, ..RowsLeftOut::default() };
        Ok(Data { table: read.table, policy, baskets: true, rows_left_out, warnings })
    }
}

/// The warning about a table that is read as baskets.
const LIKE_A_TABLE: &str = "the file looks like a table, but the policy describes baskets ([items]): every line counts as \
    a basket, even a header; for a table, give each column a role under [attributes]";

impl FileReader<'_> {
    /// Fails for rules made elsewhere whose items are ambiguous in the baskets.
    fn check_items(&self, path: &Path, policy: &PolicyFile, elsewhere: &Elsewhere) -> Result<()> {
        let (Some(items), names) = (&policy.items, &elsewhere.names_with_commas) else { return Ok(()) };
        if names.is_empty() {
            return Ok(());
        }
        let read = read_baskets(path, items, KeepItems::Named(&[]), self.progress)?;
        check_commas(names, |name| read.items.binary_search_by(|item| item.as_str().cmp(name)).is_ok())
    }
}

/// Audits a release file, or a model made elsewhere. A model needs the table it was made from. The sidecar of a table
/// names the released table, which is audited on its own.
///
/// # Errors
/// When the guarantee cannot be checked, or data are given for a released table.
pub fn audit_release_file(
    release: &Path,
    data: Option<&Path>,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
) -> Result<Report> {
    audit_release_in(release, data, policy, guarantee, reading, None)
}

/// Like [`audit_release_file`], with risks for a population.
pub(crate) fn audit_release_in(
    release: &Path,
    data: Option<&Path>,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
    population: Option<PopulationFile<'_>>,
) -> Result<Report> {
    let read = read_any_model(release)?;
    if matches!((&read.0, data), (Release::Table(_), Some(_))) {
        return Err(Error::parameters("a released table is audited on its own, not against its source")
            .of_parameter("data")
            .help("leave out the source; the release file states the individuals of the table"));
    }
    audit_read(read, release, data, policy, guarantee, reading, population)
}

/// Audits a release that has already been read. For a released table, the data are ignored.
pub(crate) fn audit_read(
    (read, maker): (Release, Maker),
    release: &Path,
    data: Option<&Path>,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
    population: Option<PopulationFile<'_>>,
) -> Result<Report> {
    let stated = match read {
        Release::Table(table) => {
            return audit_sidecar(release, &table, policy, guarantee, reading, population);
        }
        Release::Model(stated) => stated,
    };
    let data = data.ok_or_else(|| {
        Error::parameters("the table that the model was made from is missing")
            .help("a model is audited against its table: name that table (`data`)")
    })?;
    let read = |plan: &ReadPlan, stated: &ModelRelease| {
        if let Maker::Elsewhere(elsewhere) = &maker {
            reading.check_items(data, policy, elsewhere).map_err(|error| error.in_file(release))?;
            check_spelling(data, plan, &stated.model, reading.threads, reading.progress)
                .map_err(|error| error.in_file(release))?;
        }
        let names = stated.model.attribute_names();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        reading.planned_data(data, policy, plan, KeepItems::Named(&names))
    };
    audit_stated_model(stated, &maker, policy, guarantee, read, population)
        .map_err(|error| error.in_file(release))
}

/// Audits a model against its table, which `read` reads by a plan as the program that made the model does.
pub(crate) fn audit_stated_model(
    mut stated: ModelRelease,
    maker: &Maker,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    read: impl FnOnce(&ReadPlan, &ModelRelease) -> Result<Data>,
    population: Option<PopulationFile<'_>>,
) -> Result<Report> {
    stated.model = with_class_name(stated.model, maker, &policy.policy)?;
    let mut plan = policy.read_plan(Purpose::Source);
    read_as_maker(&mut plan, Compared::of(&stated.model), maker)?;
    let data = read(&plan, &stated)?;
    let model = fitting(stated.model, &data, maker)?;
    let table = data.table;
    if stated.individuals.is_some_and(|stated| stated != table.individuals()) {
        return Err(other_individuals());
    }
    let report = audit_model(&table, &data.policy, &model, guarantee)?;
    let mut report = report.compared_with(&statements(&stated.origin));
    if let Some(population) = population {
        if data.baskets {
            return Err(no_population_of_baskets());
        }
        let all = population.read(&plan, policy)?;
        let groups = population.located(population_of_model(&table, &data.policy, &model, &all))?;
        report.risk = report.risk.with_population(groups);
    }
    let warnings = data.warnings.into_iter().chain(data.rows_left_out.warning());
    let warnings = warnings.chain(beside_the_trees(maker, &data.policy)?);
    report.warnings.splice(0..0, warnings.collect::<Vec<_>>());
    report.rows_left_out = data.rows_left_out;
    Ok(report)
}

/// The error for baskets with a population.
fn no_population_of_baskets() -> Error {
    Error::parameters("a population cannot be counted for baskets")
        .of_parameter("population")
        .help("declare the number of individuals (`population_size`)")
}

/// Adapts a model to the data: rules made elsewhere may write items as `attribute=value`, and trees made elsewhere must
/// use the values of the table.
fn fitting(model: Model, data: &Data, maker: &Maker) -> Result<Model> {
    let model = with_class_values(model, maker, &data.table)?;
    if let Maker::Elsewhere(elsewhere) = maker {
        check_values(&model.trees(), &data.table, &data.policy)?;
        check_numbers(&model.trees(), &data.table, elsewhere)?;
    }
    match (model, data.baskets) {
        (Model::Rules(rules), false) => match maker {
            Maker::Elsewhere(elsewhere) => {
                check_commas(&elsewhere.names_with_commas, |name| is_item_of_table(name, &data.table))?;
                rules_over_table(&rules, &data.table).map(Model::Rules)
            }
            Maker::Incrowd => Ok(Model::Rules(rules)),
        },
        (Model::Rules(rules), true) => Ok(Model::Rules(rules)),
        (_, true) => Err(Error::input("the policy describes items, but the model is not a set of rules")
            .help("give each column a role under [attributes]")),
        (model, false) => Ok(model),
    }
}

fn audit_sidecar(
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
    let report = check_rows(&read, stated)
        .and_then(|()| audit_written(&read, &[], Some(stated), policy, guarantee, population.as_ref()))
        .map_err(|error| error.in_file(path))?;
    Ok(report.compared_with(&statements(&stated.origin)))
}

fn check_rows(read: &TableRead, stated: &TableRelease) -> Result<()> {
    if stated.rows == read.rows_read {
        return Ok(());
    }
    Err(Error::input("the number of rows differs from the release file's")
        .help("audit the table in the form in which it was released"))
}

/// What a release states about itself.
pub(crate) fn statements(origin: &Origin) -> Statements<'_> {
    let measured = |name: &str| origin.measured.get(name).and_then(serde_json::Value::as_u64);
    Statements { guarantee: &origin.guarantee, k: measured("k"), exposed: measured("exposed") }
}

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
    check_public(&read, policy, &plan).map_err(|error| error.in_file(table))?;
    stated.iter().try_for_each(|stated| check_rows(&read, stated)).map_err(|error| error.in_file(table))?;
    let population =
        population.map(|file| file.read(&plan, policy).map(|table| (file, table))).transpose()?;
    let report = audit_written(&read, without, stated.as_ref(), policy, guarantee, population.as_ref());
    let mut report = report.map_err(|error| error.in_file(table))?;
    report.warnings.extend(warning);
    Ok(report)
}

/// Leaves columns out of a plan, except the one that individuals are counted by.
pub(crate) fn skip(plan: &mut ReadPlan, without: &[String], policy: &PolicyFile) {
    for name in without.iter().filter(|name| Some(*name) != policy.policy.subject.as_ref()) {
        let skipped = ColumnPlan::new(incrowd_io::Reading::Skip);
        plan.columns.insert(name.clone(), skipped);
    }
}

/// Fails if a column to leave out is neither in the file nor in the policy. A column of the policy may have been removed
/// from the file: it then divides no groups, and what follows from it stays known.
pub(crate) fn check_without(read: &TableRead, without: &[String], policy: &PolicyFile) -> Result<()> {
    let is_known = |name: &String| read.names.contains(name) || policy.policy.attribute(name).is_some();
    match without.iter().find(|name| !is_known(name)) {
        Some(name) => Err(Error::parameters("the table has no such column to leave out")
            .of_attribute(name)
            .help(which_column(name, &read.names))),
        None => Ok(()),
    }
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
    let released = ReleasedTable { table: &read.table, unread: &unread, left_out: without };
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
    let mut report = Report::of_several(reports).ok_or_else(|| Error::internal("nothing was audited"))?;
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
    let words = "the file contains lines that are comments or skipped, and the audit does not judge them";
    (lines > 0).then(|| format!("{words} ({lines}): remove them before the file is released"))
}

/// The error for a release whose number of individuals differs from the table's.
fn other_individuals() -> Error {
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
        .help("audit the table with its subject column, and leave that column out of the audit (`without`); for a table made by incrowd, keep the release file next to it, which states the individuals of each group; if private columns were removed from such a table, audit the table as it was made, and leave them out of the audit (`without`)")
}
