//! From files to an audit in one call.

use crate::audit::{Report, Statements, audit_model, population_of_model, refuse_contradicted};
use crate::found::{Found, find};
use crate::guarantee::Guarantee;
use crate::model::Model;
use crate::policy::{Policy, Role};
use crate::progress::Progress;
use crate::publication::STRUCTURE;
use crate::table::{RowsLeftOut, Table};
pub use crate::table_audit::audit_table_file;
use crate::table_audit::{audit_sidecar, audit_table_in, other_individuals};
use crate::unnamed::{beside_the_trees, with_class_name, with_class_values};
use crate::work::PopulationFile;
use crate::{Error, Result};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{ModelRelease, Origin, Release};
use incrowd_io::{
    Compared, Elsewhere, KeepItems, Maker, ReadPlan, RepeatedIdentifier, TableRead, check_commas,
    check_numbers, check_spelling, check_values, is_item_of_table, line_of_row, looks_like_table,
    read_as_maker, read_baskets, read_table, repeated_identifiers, rules_over_table,
};
use incrowd_mine::Structure;
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

    /// The warnings about a table whose rows are counted as individuals, although an identifier repeats.
    pub(crate) fn repeats(&self, path: &Path, policy: &PolicyFile) -> Vec<String> {
        let identifiers = uncounted_identifiers(&policy.policy);
        let plan = policy.read_plan(Purpose::Source);
        // An identifier that cannot be read, such as a list in a Parquet file, is not compared.
        let found = repeated_identifiers(path, &plan, &identifiers, self.threads).unwrap_or_default();
        found.iter().map(RepeatedIdentifier::warning).collect()
    }

    fn planned_table(&self, path: &Path, policy: &PolicyFile, plan: &ReadPlan) -> Result<TableRead> {
        let read = read_table(path, plan, self.threads, self.progress)?;
        check_source(&read, &policy.policy)
            .map_err(|error| with_line(error, &read, path, plan).in_file(path))?;
        Ok(read)
    }
}

/// The identifiers of a table whose rows count as individuals.
pub(crate) fn uncounted_identifiers(policy: &Policy) -> Vec<String> {
    if policy.subject.is_some() {
        return Vec::new();
    }
    let identifiers = policy.attributes.iter().filter(|attribute| attribute.role == Role::Identifier);
    identifiers.map(|attribute| attribute.name.clone()).collect()
}

/// The line of the file in which an error's row is, and the cell in it.
fn with_line(mut error: Error, read: &TableRead, path: &Path, plan: &ReadPlan) -> Error {
    error.place.row = error.place.row.map(|row| read.row_of_file(row - 1) + 1);
    let line = error.place.row.and_then(|row| line_of_row(path, plan, row - 1).ok().flatten());
    if let Some(line) = line {
        (error.place.row, error.place.line) = (None, Some(line));
        let column = |name: &String| read.names.iter().position(|own| own == name);
        error.place.column = error.place.attribute.as_ref().and_then(column).map(|place| place as u64 + 1);
    }
    error
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
    Err(Error::input(format!(
        "{} are left out, and all other rows have the same class value",
        left_out.rows()
    ))
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
            let warnings = self.repeats(path, policy);
            let policy = policy.policy.clone();
            return Ok(Data { table, policy, baskets: false, rows_left_out, warnings });
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
    let found = find(release)?;
    match found {
        // With data, the file should have been a model.
        Found::Table(error) if data.is_some() => Err(error),
        Found::Released(_) | Found::Release(Release::Table(_), _) if data.is_some() => Err(on_its_own()),
        found => audit_found(found, release, data, policy, guarantee, reading, population),
    }
}

/// The error for the source of a released table.
fn on_its_own() -> Error {
    Error::parameters("a released table is audited on its own, not against its source")
        .of_parameter("data")
        .help("leave out the source; the release file states the individuals of the table")
}

/// Audits what a file was found to be. For a table, the data are ignored.
pub(crate) fn audit_found(
    found: Found,
    release: &Path,
    data: Option<&Path>,
    policy: &PolicyFile,
    guarantee: &Guarantee,
    reading: FileReader<'_>,
    population: Option<PopulationFile<'_>>,
) -> Result<Report> {
    match found {
        Found::Table(_) => audit_table_in(release, &[], policy, guarantee, reading, population),
        Found::Released(stated) => {
            let sidecar = release.with_extension("json");
            audit_sidecar(&sidecar, &stated, policy, guarantee, reading, population)
        }
        Found::Release(read, maker) => {
            audit_read((read, maker), release, data, policy, guarantee, reading, population)
        }
    }
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
        Error::parameters(
            "a model is audited against the table that it was made from, and no table was given",
        )
        .help("give that table (`data`)")
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
    refuse_contradicted(&table, &data.policy)?;
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

/// What a release states about itself.
pub(crate) fn statements(origin: &Origin) -> Statements<'_> {
    let measured = |name: &str| origin.measured.get(name).and_then(serde_json::Value::as_u64);
    let blind =
        origin.parameters.get(STRUCTURE).is_some_and(|structure| structure == Structure::Blind.name());
    Statements { guarantee: &origin.guarantee, k: measured("k"), exposed: measured("exposed"), blind }
}
