//! New rows recoded like a released table.

use crate::dataset::OpenOptions;
use crate::loaded::{Loaded, Looks};
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::recoding::{Legend, Recoding, RecodingCounts, Shown};
use incrowd_core::table::{People, RowsLeftOut, Table};
use incrowd_core::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::{Release, TableRelease};
use incrowd_io::{
    ColumnPlan, ReadPlan, Reading, format_of_name, read_table, recoding_plan, recoding_plan_of,
    released_cells_plan,
};
use incrowd_mine::table::TableMethod;
use std::path::{Path, PathBuf};

/// A builder for recoding new rows.
#[derive(Debug, Clone)]
#[must_use = "nothing happens until it is run"]
pub struct TransformJob<'m> {
    loaded: &'m Loaded,
    rows: PathBuf,
    looks: Looks,
    shown: Shown,
    options: OpenOptions,
}

/// New rows that were recoded like a released table.
///
/// They are not a release: nothing is guaranteed about a table of new rows alone.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Transformed {
    /// The rows, in the order of their file: recoded public columns and, under a policy, its private columns unchanged.
    pub table: Table,
    /// How many rows were covered.
    pub counts: RecodingCounts,
    /// The columns of the file that were left out.
    pub columns_left_out: Vec<String>,
    /// The rows left out because a value is missing, according to the policy.
    pub rows_left_out: RowsLeftOut,
}

impl Loaded {
    /// Returns the path of the released table, which is next to its release file.
    ///
    /// # Errors
    /// When it is not the release of a table.
    pub fn table_path(&self) -> Result<PathBuf> {
        let (stated, path) = self.stated_table()?;
        Ok(stated.table_path(path))
    }

    /// Reads the recoding of a released table: the release file, and the public cells of the table next to it.
    ///
    /// # Errors
    /// When it is not the release of a table, it states no recoding, or the table is not the one that was released.
    pub fn recoding(&self, options: &OpenOptions) -> Result<Recoding> {
        let (stated, path) = self.stated_table()?;
        let legend = self.legend()?;
        let table = stated.table_path(path);
        stated.check_digest(&table)?;
        let plan = released_cells_plan(legend, format_of_name(&table)?);
        let reading = options.reading();
        let read = read_table(&table, &plan, reading.threads, reading.progress)?;
        Recoding::new(legend.clone(), &read.table).map_err(|error| error.in_file(&table))
    }

    /// Recodes the rows of a table like the released table.
    pub fn transform(&self, rows: impl AsRef<Path>) -> TransformJob<'_> {
        TransformJob {
            loaded: self,
            rows: rows.as_ref().to_owned(),
            looks: Looks::Plan(ReadPlan::default()),
            shown: Shown::Cells,
            options: OpenOptions::new(),
        }
    }

    pub(crate) fn legend(&self) -> Result<&Legend> {
        let (stated, _) = self.stated_table()?;
        stated.recoding.as_ref().ok_or_else(|| {
            self.located(Error::input("the release file does not state how its table was recoded").help(
                "make the table again: earlier versions did not state it, and taxonomies of over a million values are not stated",
            ))
        })
    }

    /// Whether private columns of the released table show branches of a tree. Which one a row shows depends on its path.
    fn shows_branches(&self) -> bool {
        let method = self.stated_table().ok().and_then(|(stated, _)| stated.origin.method.as_deref());
        method.is_some_and(|name| name.parse() == Ok(TableMethod::Spans))
    }

    pub(crate) fn stated_table(&self) -> Result<(&TableRelease, &Path)> {
        match (self.release(), self.path()) {
            (Release::Table(stated), Some(path)) => Ok((stated, path)),
            (Release::Table(_), None) => Err(Error::parameters(
                "the released table cannot be found without the path of its release file",
            )),
            (Release::Model(_), _) => Err(self.located(
                Error::input(format!("expected the release file of a table, found {}", self.family()))
                    .help("give the .json file that is next to a table made by incrowd"),
            )),
        }
    }
}

/// A plan that leaves out the private columns that a tree may test: the released table shows their branches, which no
/// value stands for without the tree.
fn without_branches(mut plan: ReadPlan, policy: &PolicyFile) -> ReadPlan {
    let class = policy.policy.class.as_deref();
    let is_tested =
        |attribute: &&Attribute| attribute.role == Role::Private && class != Some(attribute.name.as_str());
    for attribute in policy.policy.attributes.iter().filter(is_tested) {
        plan.columns.insert(attribute.name.clone(), ColumnPlan::new(Reading::Skip));
    }
    plan
}

impl TransformJob<'_> {
    /// Reads the new rows as the policy describes the owner's table, and keeps its private columns.
    pub fn policy(mut self, policy: PolicyFile) -> Self {
        self.looks = Looks::Policy(Box::new(policy));
        self
    }

    /// Describes the file of new rows. Everything not specified is detected. Only public columns are kept.
    pub fn plan(mut self, plan: ReadPlan) -> Self {
        self.looks = Looks::Plan(plan);
        self
    }

    /// Sets what recoded columns show: cells, or what stands for them if the release states it.
    pub fn shown(mut self, shown: Shown) -> Self {
        self.shown = shown;
        self
    }

    /// Sets how the files are read.
    pub fn options(mut self, options: OpenOptions) -> Self {
        self.options = options;
        self
    }

    /// Recodes the rows.
    ///
    /// # Errors
    /// When the release states no recoding, the file lacks a public column of the released table, or the policy does
    /// not fit the release.
    pub fn run(self) -> Result<Transformed> {
        let legend = self.loaded.legend()?;
        let plan = match &self.looks {
            Looks::Policy(policy) => {
                let plan = recoding_plan_of(legend, policy).map_err(|error| self.loaded.located(error))?;
                if self.loaded.shows_branches() { without_branches(plan, policy) } else { plan }
            }
            Looks::Plan(plan) => recoding_plan(legend, plan.clone()),
        };
        let recoding = self.loaded.recoding(&self.options)?;
        let reading = self.options.reading();
        let read = read_table(&self.rows, &plan, reading.threads, reading.progress)?;
        let _stage = reading.progress.stage("recoding", None);
        let rows = Table::new(read.table.into_columns(), People::Rows)?;
        if self.shown == Shown::Representatives && !recoding.has_representatives() {
            let error =
                Error::input("the release file does not state what stands for the cells of its table");
            return Err(self
                .loaded
                .located(error.help("make the table again with representatives, or recode rows to cells")));
        }
        let (table, counts) = recoding
            .apply_shown(&rows, self.shown, reading.progress)
            .map_err(|error| error.in_file(&self.rows))?;
        let is_left_out = |name: &String| table.column(name).is_none();
        let columns_left_out = read.names.into_iter().filter(is_left_out).collect();
        Ok(Transformed { table, counts, columns_left_out, rows_left_out: read.rows_left_out })
    }
}
