//! What the plan and the file declare for each column, combined once before the first row.

use super::dialect::Cut;
use super::number;
use super::speller::Speller;
use crate::bounds::check_columns;
use crate::plan::{ColumnPlan, Decimal, Encoding, Format, MissingRows, ReadPlan, Reading, Unlisted};
use hashbrown::HashSet;
use incrowd_core::nearest::{nearest, which_column};
use incrowd_core::table::{DateOrder, Kind};
use incrowd_core::words::{count, counted};
use incrowd_core::{Error, Result};

/// What a file states about a column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DeclaredColumn {
    pub(super) name: String,
    /// The kind of its values, where the format states it.
    pub(super) kind: Option<Kind>,
    /// All its values, where the format lists them.
    pub(super) values: Option<Vec<String>>,
    /// Why it cannot be kept.
    pub(super) unfit: Option<String>,
    /// Whether its name is a cell of the first line, which may be a row. Errors show such a name only if it is expected.
    pub(super) of_line: bool,
}

impl DeclaredColumn {
    pub(super) fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A column whose name is a cell of the first line.
    pub(super) fn of_line(name: impl Into<String>) -> Self {
        Self { name: name.into(), of_line: true, ..Self::default() }
    }

    /// Whether its name is certainly a name.
    fn is_named(&self, plan: &ReadPlan) -> bool {
        !self.of_line || listed(self, plan).is_some()
    }
}

/// What becomes of the cells of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Job {
    /// Nothing.
    Skip,
    /// Numbers if all are numbers, else text; settled by the first block, and given up where later ones differ.
    Find,
    /// Numbers.
    Numbers {
        /// Whether only the first block stated this.
        guessed: bool,
    },
    /// Text.
    Texts,
    /// Text in this order.
    Ranked(Vec<String>),
    /// Dates.
    Dates(Option<DateOrder>),
    /// The numbers of individuals.
    Subject {
        /// Whether a row without one is an error also where rows with a missing value are kept.
        required: bool,
    },
}

/// Whether a dot at the end of a cell is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dot {
    /// It stays.
    Stays,
    /// It goes.
    Goes,
    /// It goes unless the cell is a number.
    GoesFromText,
}

/// How the cells of a column are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) name: String,
    /// Its name, if that is certainly a name and not a cell of a first line that may be a row.
    pub(super) shown: Option<String>,
    pub(super) job: Job,
    /// The decimal separator of its numbers.
    pub(super) decimal: Decimal,
    /// Whether a leading zero makes the column text, where only its cells show what it is.
    pub(super) codes: bool,
    /// Missing markers.
    pub(super) missing: Vec<String>,
    /// All values allowed, where they are listed.
    pub(super) allowed: Option<HashSet<String>>,
    pub(super) dot: Dot,
    /// Whether its cells are distinguished as the file distinguishes them.
    pub(super) exact: bool,
    /// Whether spaces around its cells are part of them.
    pub(super) verbatim: bool,
    /// Which spellings of its texts are one value.
    pub(super) speller: Speller,
    /// What happens to rows without a value.
    pub(super) missing_rows: MissingRows,
}

impl Rule {
    /// The number that a text represents in this column.
    pub(super) fn number(&self, text: &[u8]) -> Option<f64> {
        let is_guessed = matches!(self.job, Job::Find | Job::Numbers { guessed: true });
        if self.codes && is_guessed && number::has_leading_zero(text) {
            return None;
        }
        number::parse_with(text, self.decimal)
    }

    /// Whether the column contains numbers whose texts do not matter: none of them is a missing marker.
    #[cfg(feature = "arrow")]
    pub(super) fn takes_numbers(&self) -> bool {
        let is_number = |mark: &String| number::parse(mark.as_bytes()).is_some();
        matches!(self.job, Job::Numbers { .. }) && !self.missing.iter().any(is_number)
    }

    /// Whether rows without a value are left out.
    pub(super) fn leaves_out(&self) -> bool {
        self.missing_rows == MissingRows::Drop || self.job == (Job::Subject { required: false })
    }

    /// Whether a row without a value is an error.
    pub(super) fn refuses(&self) -> bool {
        self.missing_rows == MissingRows::Refuse || self.job == (Job::Subject { required: true })
    }

    /// Whether the text is a missing marker.
    pub(super) fn is_missing(&self, text: &[u8]) -> bool {
        if self.exact {
            return false;
        }
        let counts_empty =
            matches!(self.job, Job::Numbers { .. } | Job::Dates(_) | Job::Find | Job::Subject { .. });
        (text.is_empty() && counts_empty) || self.missing.iter().any(|mark| mark.as_bytes() == text)
    }
}

/// How all columns are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) columns: Vec<Rule>,
    /// Whether cells may have spaces and quotes around them that are not part of their text.
    pub(super) delimited: bool,
    /// The delimiter that makes several columns of the file, where the plan's makes one.
    pub(super) other_delimiter: Option<u8>,
    /// The declared encoding of the text.
    pub(super) encoding: Encoding,
}

impl Rules {
    /// Which columns are distinguished as the file distinguishes them.
    pub(super) fn exact(&self) -> Vec<bool> {
        self.columns.iter().map(|rule| rule.exact).collect()
    }

    /// How the cells of each column are cut. Spaces around cells are significant in CSV only.
    pub(super) fn cuts(&self, format: Format) -> Vec<Cut> {
        let cut = |rule: &Rule| match (rule.exact, rule.verbatim) {
            (true, _) => Cut::Exact,
            (false, true) if format == Format::Csv => Cut::Verbatim,
            _ => Cut::Trimmed,
        };
        self.columns.iter().map(cut).collect()
    }
}

/// Combines the plan with what the file states. `always_missing` is the format's own marker.
pub(super) fn settle(
    mut declared: Vec<DeclaredColumn>,
    plan: &ReadPlan,
    always_missing: Option<&str>,
    dot: Dot,
) -> Result<Rules> {
    check_columns(declared.len())?;
    rename(&mut declared, plan)?;
    if is_line_of_names(&declared, plan) {
        declared.iter_mut().for_each(|column| column.of_line = false);
    }
    check_names(&declared, plan)?;
    check_listed(&declared, plan)?;
    check_unlisted(&declared, plan)?;
    let last = declared.len().saturating_sub(1);
    let columns = declared
        .into_iter()
        .enumerate()
        .map(|(i, column)| rule(column, plan, always_missing, if i == last { dot } else { Dot::Stays }))
        .collect::<Result<Vec<_>>>()?;
    check_jobs(&columns)?;
    Ok(Rules { columns, delimited: true, other_delimiter: None, encoding: plan.encoding })
}

/// Whether the first line contains so many of the expected names that its other cells are names, too.
fn is_line_of_names(declared: &[DeclaredColumn], plan: &ReadPlan) -> bool {
    let has = |name: &String| declared.iter().any(|column| column.name == *name);
    let found = plan.columns.keys().filter(|name| has(name)).count();
    found > 1 && found * 2 >= plan.columns.len()
}

fn rename(declared: &mut [DeclaredColumn], plan: &ReadPlan) -> Result<()> {
    let Some(names) = &plan.names else { return Ok(()) };
    if names.len() != declared.len() {
        let (names, columns) = (names.len() as u64, declared.len() as u64);
        let are = if names == 1 { "is" } else { "are" };
        let what = format!("{} {are} given for {}", counted(names, "name"), counted(columns, "column"));
        return Err(Error::input(what).help("name every column of the file, or check the delimiter"));
    }
    for (column, name) in declared.iter_mut().zip(names) {
        column.name.clone_from(name);
        column.of_line = false;
    }
    Ok(())
}

fn check_names(declared: &[DeclaredColumn], plan: &ReadPlan) -> Result<()> {
    let mut seen = HashSet::new();
    for (i, column) in declared.iter().enumerate() {
        if !seen.insert(column.name.as_str()) {
            let error = Error::input("duplicate column name")
                .at_column(i as u64 + 1)
                .help(if plan.names.is_some() {
                    "rename the columns in the policy"
                } else {
                    "rename the columns in the file, or set `names` under [file] in the policy; if the first line is \
                     a row, set `header = false`"
                });
            // A name that was not given may be a cell of a first line that is a row.
            let is_name = plan.names.is_some() || plan.columns.contains_key(&column.name);
            return Err(if is_name { error.of_attribute(&column.name) } else { error });
        }
    }
    Ok(())
}

/// Every column that is to be read must be there; one that is optional or to be skipped need not.
fn check_listed(declared: &[DeclaredColumn], plan: &ReadPlan) -> Result<()> {
    let names: Vec<&str> = declared.iter().map(|column| column.name.as_str()).collect();
    let has = |name: &str| names.iter().any(|&other| root(other) == name || other == name);
    let may_lack = |reading: Reading| matches!(reading, Reading::Skip | Reading::Bystander);
    let is_needed = |column: &ColumnPlan| !may_lack(column.reading) && !column.optional;
    let is_absent = |(name, column): &(&String, &ColumnPlan)| is_needed(column) && !has(name);
    if let Some((name, column)) = plan.columns.iter().find(is_absent) {
        if names.iter().any(|name| name.contains(char::REPLACEMENT_CHARACTER)) {
            return Err(Error::input("the names of the columns are not UTF-8")
                .help("declare `encoding`, such as \"windows-1252\", or save the file as UTF-8"));
        }
        let what = match column.reading {
            Reading::Subject => "the file has no such column, which the policy names as its `subject`",
            _ => "the file has no such column",
        };
        let error = Error::input(what).of_attribute(name);
        // A first line without any name that is looked for may be someone's row.
        let are_names = plan.names.is_some() || plan.columns.keys().any(|name| has(name));
        return Err(error.help(if are_names {
            // Only public columns of a table to audit are read exactly.
            let removed = match column.reading {
                Reading::Exact => "; if it was removed from the table, leave it out of the audit as well (`without`)",
                _ => "",
            };
            columns_of(name, declared, plan) + removed
        } else if let Some(other) = other_delimiter(&names, plan) {
            format!(
                "its first line contains `{other}`: if it separates the cells, leave `delimiter` out under [file] in the policy, so that it is detected in each \
                 file; or set `delimiter` to '{other}'"
            )
        } else {
            // A line of several names was divided at the right delimiter.
            let delimiter =
                if names.len() == 1 { ", and that `delimiter` under [file] in the policy is right" } else { "" };
            format!(
                "it has none of the expected columns: check that the policy or release belongs to this file{delimiter}; if its \
                 first line is a row, set `header = false` and `names` under [file] in the policy"
            )
        }));
    }
    Ok(())
}

/// The help for a column that is not there: the nearest name, and the names of the columns that are.
fn columns_of(name: &str, declared: &[DeclaredColumn], plan: &ReadPlan) -> String {
    let (named, others): (Vec<&DeclaredColumn>, Vec<_>) =
        declared.iter().partition(|column| column.is_named(plan));
    let named: Vec<&str> = named.iter().map(|column| column.name.as_str()).collect();
    if others.is_empty() {
        return which_column(name, &named);
    }
    let near = nearest(name, declared.iter().map(|column| column.name.as_str()));
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let (of, are) = if others.len() == 1 { ("other column", "is") } else { ("other columns", "are") };
    format!(
        "{near}its columns are: {}, and {} {of} that {are} not shown, because the first line may be a row of values \
         (`header = false`)",
        named.join(", "),
        count(others.len() as u64),
    )
}

/// What is said of a column without a role.
const UNLISTED: &str = "the policy does not mention this column";

/// Every column must be listed, unless the plan allows others.
fn check_unlisted(declared: &[DeclaredColumn], plan: &ReadPlan) -> Result<()> {
    if plan.unlisted != Unlisted::Refuse {
        return Ok(());
    }
    let is_listed = |column: &DeclaredColumn| listed(column, plan).is_some();
    let Some((place, column)) = declared.iter().enumerate().find(|(_, column)| !is_listed(column)) else {
        return Ok(());
    };
    let is_absent = |name: &&str| !declared.iter().any(|column| column.name == *name);
    let absent = plan.columns.keys().map(String::as_str).filter(is_absent);
    let near = nearest(&column.name, absent);
    let others = declared.iter().filter(|column| !is_listed(column)).count() as u64 - 1;
    let error = Error::input(match others {
        0 => UNLISTED.to_owned(),
        _ => format!("{UNLISTED}, nor {} of the file", counted(others, "other")),
    });
    let error = if near.is_some() || column.is_named(plan) {
        error.of_attribute(&column.name)
    } else {
        error.at_column(place as u64 + 1)
    };
    let near = near.map_or_else(String::new, |near| {
        format!("the policy mentions `{near}`, which the file does not have: correct the name, or else ")
    });
    Err(error.help(format!("{near}give it a role; a column that is `ignored` is not used and not checked")))
}

/// The plan of a column, or of the outermost column that it is nested in.
fn listed<'p>(column: &DeclaredColumn, plan: &'p ReadPlan) -> Option<&'p ColumnPlan> {
    let nested = column.unfit.is_some().then(|| root(&column.name));
    plan.columns.get(&column.name).or_else(|| plan.columns.get(nested?))
}

/// A common delimiter other than the one in use that names contain, in words.
fn other_delimiter(names: &[&str], plan: &ReadPlan) -> Option<&'static str> {
    let common = [(";", ';'), (",", ','), ("tab", '\t'), ("|", '|')];
    let is_other = |c: char| plan.delimiter.is_some_and(|own| char::from(own) != c);
    let is_in_names = |c: char| names.len() == 1 && names.iter().any(|name| name.contains(c));
    common.into_iter().find(|&(_, c)| is_other(c) && is_in_names(c)).map(|(word, _)| word)
}

/// The outermost name of a nested column.
fn root(name: &str) -> &str {
    name.split_once('.').map_or(name, |(root, _)| root)
}

fn rule(column: DeclaredColumn, plan: &ReadPlan, always_missing: Option<&str>, dot: Dot) -> Result<Rule> {
    let listed = listed(&column, plan);
    let shown = column.is_named(plan).then(|| column.name.clone());
    let job = job(&column, listed, plan.unlisted).map_err(|error| error.of_attribute(&column.name))?;
    let exact = job != Job::Skip && is_exact(listed, plan.unlisted);
    let speller = speller(&column, &job, listed, plan, exact);
    let missing = listed.and_then(|plan| plan.missing.clone()).unwrap_or_else(|| plan.missing.clone());
    let mut missing: Vec<String> = missing.into_iter().map(|mark| speller.marker(mark)).collect();
    missing.extend(always_missing.map(str::to_owned));
    let decimal = listed.and_then(|plan| plan.decimal).unwrap_or(plan.decimal);
    let dot = if exact { Dot::Stays } else { dot };
    let allowed = match &job {
        Job::Ranked(order) => Some(order.iter().cloned().collect()),
        Job::Texts if !exact => column.values.map(|values| values.into_iter().collect()),
        _ => None,
    };
    let verbatim = job == Job::Texts && listed.is_some_and(|plan| plan.reading == Reading::Verbatim);
    let codes = plan.codes;
    let missing_rows = listed.and_then(|plan| plan.missing_rows).unwrap_or(plan.missing_rows);
    Ok(Rule {
        name: column.name,
        shown,
        job,
        decimal,
        codes,
        missing,
        allowed,
        dot,
        exact,
        verbatim,
        speller,
        missing_rows,
    })
}

/// Reads spellings of the values that the plan or the file declares as these values. What is read as it stands is not
/// respelled.
fn speller(
    column: &DeclaredColumn,
    job: &Job,
    listed: Option<&ColumnPlan>,
    plan: &ReadPlan,
    exact: bool,
) -> Speller {
    let is_verbatim = listed.is_some_and(|plan| plan.reading == Reading::Verbatim);
    if exact || is_verbatim || *job == Job::Skip {
        return Speller::default();
    }
    let spelling = listed.and_then(|plan| plan.spelling).unwrap_or(plan.spelling);
    let of_plan = listed.into_iter().flat_map(|plan| plan.order.iter().chain(&plan.spellings));
    Speller::new(spelling, of_plan.chain(column.values.iter().flatten()).cloned())
}

fn is_exact(listed: Option<&ColumnPlan>, unlisted: Unlisted) -> bool {
    match listed {
        Some(plan) => matches!(plan.reading, Reading::Exact | Reading::Bystander),
        None => unlisted == Unlisted::Bystander,
    }
}

fn job(column: &DeclaredColumn, listed: Option<&ColumnPlan>, unlisted: Unlisted) -> Result<Job> {
    let default = ColumnPlan::default();
    let reading = match listed {
        None if unlisted == Unlisted::Skip => Reading::Skip,
        None if unlisted == Unlisted::Bystander => Reading::Bystander,
        _ => listed.unwrap_or(&default).reading,
    };
    let plan = listed.unwrap_or(&default);
    if column.unfit.is_some() && reading == Reading::Bystander {
        return Ok(Job::Skip);
    }
    if let (Some(why), false) = (&column.unfit, reading == Reading::Skip) {
        return Err(Error::input(why.clone()).help("exclude it: give it the role `ignored`"));
    }
    match (reading, plan.kind.or(column.kind)) {
        (Reading::Skip, _) => Ok(Job::Skip),
        (Reading::Subject, _) => Ok(Job::Subject { required: plan.required }),
        (Reading::Exact | Reading::Bystander, _) => Ok(Job::Texts),
        (_, Some(Kind::Ordered)) => ranked(plan),
        (Reading::Keep, Some(Kind::Date)) => Ok(Job::Dates(plan.date_order)),
        (Reading::Text | Reading::Verbatim, _) | (_, Some(Kind::Categorical)) => Ok(Job::Texts),
        (_, Some(Kind::Numeric)) => Ok(Job::Numbers { guessed: false }),
        _ => Ok(Job::Find),
    }
}

fn ranked(plan: &ColumnPlan) -> Result<Job> {
    let mut seen = HashSet::new();
    if plan.order.is_empty() {
        return Err(
            Error::input("an ordered column needs its values in order").help("list them in the policy")
        );
    }
    if !plan.order.iter().all(|value| seen.insert(value)) {
        return Err(Error::input("the declared order contains a value twice").help("name each value once"));
    }
    Ok(Job::Ranked(plan.order.clone()))
}

fn check_jobs(columns: &[Rule]) -> Result<()> {
    let mut subjects = columns.iter().filter(|column| matches!(column.job, Job::Subject { .. })).skip(1);
    if let Some(second) = subjects.next() {
        return Err(Error::input("there are two subject columns")
            .of_attribute(&second.name)
            .help("name one subject column"));
    }
    if columns.iter().all(|column| column.job == Job::Skip) {
        return Err(
            Error::input("every column of the file is ignored").help("give at least one column a role")
        );
    }
    Ok(())
}
