//! Trees of tables that are elsewhere, such as in a database: from counts alone.
//!
//! A miner depends on rows only through how many individuals of a node, or of a span, have each value of an attribute
//! and of the class. [`CountedRows`] answers that, for many nodes and spans at once. The tree is grown by the same code
//! as from a table in memory, which looks counts up (`known`) instead of counting rows. Where one is not known yet, the
//! node stays a leaf for now and the growth goes on elsewhere; then all missing counts are asked for at once and the
//! tree is grown again from its root, until nothing is missing. Growing from known counts takes no time worth mention
//! next to a scan of the rows, and each round makes every open node known: there are about as many rounds as levels.
//!
//! **Guarantee.** The tree and its report are those of [`mine_tree`](super::mine_tree) on the same rows, byte for byte:
//! the growth that counts has missed nothing, and every decision depends on counts alone. The audit is that of
//! [`CountedTree`](incrowd_core::audit::CountedTree). Counts that do not agree with each other are an error.
//!
//! **What is refused.** Individuals with several rows, declared dependencies, earlier releases; a smallest bin that
//! fails the audit, since the second try needs to know the leaf of each row; and the method `best` where it makes its
//! choices on a sample of rows (without a sample, see there, it makes none).

use super::best::{self, Coarse};
use super::grower::Grower;
use super::judge::{AuditCounts, Judge};
use super::known::Known;
use super::params::{CheckedTreeParams, TreeMethod};
use super::task::{Task, class_of_counts};
use super::{MinedTree, c45, finish, id3, unmet_at_root, with_warning};
use crate::refused::unseen;
use incrowd_core::audit::TreeAttributes;
use incrowd_core::policy::Policy;
use incrowd_core::progress::Progress;
use incrowd_core::span::all_in_days;
use incrowd_core::table::{People, Table};
use incrowd_core::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A table of which only counts are known.
pub trait CountedRows: Send {
    /// The columns of the policy, each in a table of its own: a row for each value, with the number of individuals who
    /// have it as its weight. They have the same individuals, and their places and codes are those of all questions.
    fn columns(&self) -> &[Table];

    /// Counts individuals: for each question the pairs that occur.
    ///
    /// # Errors
    /// When they cannot be counted.
    fn count(&mut self, wanted: &[Wanted]) -> Result<Vec<Vec<CountedValue>>>;

    /// The individuals with each combination of values or classes of values, as a table of weighted rows. Any value
    /// stands for its class.
    ///
    /// # Errors
    /// When they cannot be counted.
    fn combinations(&mut self, attributes: &TreeAttributes) -> Result<Table>;

    /// The individuals with each pair of values of two columns, by name.
    ///
    /// # Errors
    /// When they cannot be counted.
    fn pair(&mut self, public: &str, private: &str) -> Result<Table>;
}

/// A question: how many individuals of a cell have each value of a column, and of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The number of the cell: the same for the same individuals.
    pub cell: u32,
    /// Who is in the cell: those who pass all of these tests.
    pub tests: Vec<CellTest>,
    /// What is counted: the codes of a column, or classes of them.
    pub of: CountedBy,
    /// What else is counted by.
    pub by: CountedBy,
}

/// A test of a column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CellTest {
    /// The place of the column.
    pub column: usize,
    /// The codes that pass, ascending.
    pub codes: Vec<Range<u32>>,
}

/// What individuals are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CountedBy {
    /// The codes of a column, by its place.
    Values(usize),
    /// Classes of the codes of a column: its place, and the class of each code, the missing one's last.
    Classes(usize, Arc<[u32]>),
}

/// How many individuals have a code and a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedValue {
    /// The code or class of what is counted.
    pub code: u32,
    /// The code or class that is counted by.
    pub label: u32,
    /// How many individuals have both.
    pub individuals: u64,
}

/// Grows a tree under the guarantee of `params` from counts, and audits it: the tree that
/// [`mine_tree`](super::mine_tree) makes of the same rows.
///
/// # Errors
/// As [`mine_tree`](super::mine_tree); when counts do not suffice, cannot be obtained or do not agree.
pub fn mine_tree_from_counts(
    rows: &mut dyn CountedRows,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let mined = mine_once(rows, policy, params, progress)?;
    with_warning(mined, params, |params| mine_once(rows, policy, params, progress))
}

fn mine_once(
    rows: &mut dyn CountedRows,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    check_tree_from_counts(policy, params)?;
    let (tables, policy) = in_days(rows.columns(), policy)?;
    let class = class_of_counts(&tables, &policy)?;
    let is_class = |table: &Table| table.column(class.column.name()).is_some();
    let coarse =
        (params.method == TreeMethod::Best).then(|| Coarse::of_columns(&tables, &policy)).transpose()?;
    let (coarse, columns, bins) = coarse
        .map_or((None, None, Vec::new()), |(coarse, columns, bins)| (Some(coarse), Some(columns), bins));
    let known = Known::new(&class, tables.iter().position(is_class).unwrap_or(0), bins);
    let rows = Shared(Mutex::new(rows));
    let empty = Table::new(Vec::new(), People::Rows)?;
    let (judge, columns) = (Judge::Counts(&rows, &tables), columns.as_deref().unwrap_or(&tables));
    let task = Task::of_counts(&empty, columns, &policy, params, (&known, judge))?;
    grown(&task, &rows, (coarse.as_ref(), params), progress).map_err(|error| {
        let is_late = error.kind == ErrorKind::Breach && params.guarantee.asked_smallest_bin().is_some();
        if is_late { whole_tree() } else { unseen(error) }
    })
}

/// One question at a time.
struct Shared<'r>(Mutex<&'r mut dyn CountedRows>);

impl Shared<'_> {
    fn ask<T>(&self, ask: impl FnOnce(&mut dyn CountedRows) -> T) -> T {
        ask(&mut **self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AuditCounts for Shared<'_> {
    fn combinations(&self, attributes: &TreeAttributes) -> Result<Table> {
        self.ask(|rows| rows.combinations(attributes))
    }

    fn pair(&self, public: &str, private: &str) -> Result<Table> {
        self.ask(|rows| rows.pair(public, private))
    }
}

/// Grows the tree until nothing is missing.
fn grown<'t>(
    task: &'t Task<'t>,
    rows: &Shared<'_>,
    (coarse, params): (Option<&Coarse>, &CheckedTreeParams),
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let known = task.known.ok_or_else(|| Error::internal("a table of counts without counts"))?;
    let stage = progress.stage("growing", None);
    loop {
        let mut grower = Grower::new(task);
        if let Some(broken) = grower.root_breach() {
            return Err(unmet_at_root(&grower, broken));
        }
        match coarse {
            Some(coarse) => best::grow_from_counts(&mut grower, coarse, params, progress),
            None if params.method == TreeMethod::KadetId3 => id3::grow(&mut grower, progress),
            None => c45::grow(&mut grower, params, progress),
        }
        progress.check()?;
        grower.check_size()?;
        let wanted = known.wanted();
        if wanted.is_empty() {
            stage.finish()?;
            let _stage = progress.stage("auditing", None);
            return match coarse {
                Some(_) => best::release_from_counts(&grower, params, progress),
                None => finish(&grower, params, progress),
            };
        }
        known.learn(rows.ask(|rows| rows.count(&wanted))?)?;
    }
}

/// The columns and the policy with dates as numbers of days.
fn in_days(columns: &[Table], policy: &Policy) -> Result<(Vec<Table>, Policy)> {
    let mut policy = policy.clone();
    let mut tables = Vec::with_capacity(columns.len());
    for own in columns {
        let (table, with) = all_in_days(own, &policy)?;
        let with = with.into_owned();
        tables.push(table.into_owned());
        policy = with;
    }
    Ok((tables, policy))
}

/// Fails where counts do not suffice to make a tree. Nothing needs to be counted to know this.
///
/// # Errors
/// When they do not.
pub fn check_tree_from_counts(policy: &Policy, params: &CheckedTreeParams) -> Result<()> {
    let refused = |what: &str| Err(Error::input(what).help(ELSEWHERE));
    if params.method == TreeMethod::Best && params.sample {
        return Err(Error::parameters(
            "the method `best` chooses its impurity and its pruning on a sample of rows, and only counts of this table are known",
        )
        .of_parameter("sample")
        .help("choose nothing (no sample), use the method `kadet-c45`, or export a sample of individuals to a file"));
    }
    if policy.subject.is_some() {
        return refused("individuals with several rows cannot be mined from counts yet");
    }
    if !policy.dependencies.is_empty() {
        return refused("declared dependencies cannot be taken into account when mining from counts");
    }
    if policy.earlier.is_some() {
        return refused("earlier releases cannot be taken into account when mining from counts");
    }
    Ok(())
}

fn whole_tree() -> Error {
    Error::input(
        "a part of a group is smaller than the smallest bin, which counts of single splits do not show; nothing was released",
    )
    .help(ELSEWHERE)
}

/// What to do about what counts do not suffice for.
const ELSEWHERE: &str =
    "where that is allowed, export the table or a sample of individuals to a file, and mine the file";
