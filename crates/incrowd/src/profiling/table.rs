//! The profile of a table.

use super::draft::draft;
use crate::show::counted;
use incrowd_core::Result;
use incrowd_core::policy::Role;
use incrowd_core::profile::{
    MissingMarks, Profile, ProfileOptions, RecognizedTable, profile_with_progress, understand,
};
use incrowd_core::progress::Progress;
use incrowd_core::table::{Column, RowsLeftOut, Table, Values};
use incrowd_io::ReadPlan;
use incrowd_io::policy::PolicyDraft;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How identifying a table is, and a first policy for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableProfile {
    /// The columns, their combinations and dependencies.
    #[serde(flatten)]
    pub profile: Profile,
    /// The column that identifies individuals with several rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The markers of missing values, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing_marks: BTreeMap<String, Vec<String>>,
    /// Texts that mark missing values elsewhere and are read as values, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values_like_marks: BTreeMap<String, Vec<String>>,
    /// The columns of numbers with decimal commas.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub decimal_commas: BTreeSet<String>,
    /// Whether the file has no header, as far as its first lines show: its columns are numbered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub columns_are_numbered: bool,
    /// The part of the table that the first policy reads.
    pub policy_reads: PolicyReads,
    /// The first policy.
    #[serde(skip)]
    pub policy: PolicyDraft,
}

impl TableProfile {
    /// Profiles a table whose rows were all kept. `file` states how its file is read, `marks` which texts in it were
    /// read as missing values, where that is known, and `line_of_row` in which line of it a row is.
    pub(super) fn new(
        table: Table,
        file: ReadPlan,
        marks: Option<&MissingMarks>,
        few: u64,
        line_of_row: impl Fn(u64) -> Option<u64>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut understood = understand(table, marks)?;
        understood.strays.values_mut().for_each(|strays| strays.line = line_of_row(strays.first - 1));
        let mut options = ProfileOptions::default();
        options.few = few;
        options.subject.clone_from(&understood.subject);
        let mut profile = profile_with_progress(&understood.table, &options, progress)?;
        for column in &mut profile.columns {
            if let Some(strays) = understood.strays.get(&column.name) {
                column.guess.reason += &format!("; {strays}: correct them, or list their text as `missing`");
            }
            if understood.thousands.contains(&column.name) {
                column.guess.reason += THOUSANDS;
            }
            let values = understood.table.column(&column.name).map(Column::values);
            if values.is_some_and(Values::are_spelled_differently) {
                column.guess.reason += SPELLINGS;
            }
        }
        let policy_reads = PolicyReads::new(&understood, &profile);
        let policy = draft(file, &understood, &profile, &policy_reads);
        let RecognizedTable { subject, decimal_commas, marks: missing_marks, values_like_marks, .. } =
            understood;
        Ok(Self {
            profile,
            subject,
            missing_marks,
            values_like_marks,
            decimal_commas,
            columns_are_numbered: false,
            policy_reads,
            policy,
        })
    }
}

/// The remark on a column of numbers with separated thousands.
const THOUSANDS: &str = "; the cells look like numbers with separated thousands, which are read as text: to use them as \
    numbers, remove the separators from the file (1.234,50 becomes 1234,50) and profile it again";

/// The remark on a column with values that differ only in spelling.
const SPELLINGS: &str = "; some values differ only in case or in blanks and count as different values: set spelling = \
    \"ignore-case\" (or \"trim\") for the column, or under [file] for all columns";

/// The part of the table that a first policy reads. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PolicyReads {
    /// The number of rows that it reads.
    pub rows: u64,
    /// The rows that it leaves out.
    pub rows_left_out: RowsLeftOut,
    /// Whether rows with a missing value are kept, because there are too many to leave out.
    pub keeps_missing: bool,
    /// The rows with a missing value and the columns with missing values, whether the rows are kept or not.
    pub rows_with_missing: RowsLeftOut,
}

impl PolicyReads {
    /// Rows with a missing value are left out only if they are few.
    fn new(understood: &RecognizedTable, profile: &Profile) -> Self {
        let is_read = |name: &str| {
            let column = profile.columns.iter().find(|column| column.name == name);
            column.is_some_and(|column| matches!(column.guess.role, Role::Public | Role::Private))
        };
        let is_subject = |name: &str| understood.subject.as_deref() == Some(name);
        let with_missing = understood.left_out(|name| is_read(name) || is_subject(name));
        let class = profile.columns.iter().find(|column| column.guess.class);
        let keeps_missing =
            RecognizedTable::keeps_rows(&with_missing) && class.is_none_or(|class| class.missing == 0);
        // Rows without a subject are left out also where rows with a missing value are kept.
        let rows_left_out =
            if keeps_missing { understood.left_out(is_subject) } else { with_missing.clone() };
        let rows = rows_left_out.of - rows_left_out.total;
        Self { rows, rows_left_out, keeps_missing, rows_with_missing: with_missing }
    }
}

impl fmt::Display for PolicyReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = counted(self.rows, "row");
        match (self.rows_with_missing.total, self.keeps_missing) {
            (0, _) => write!(f, "All {rows} are used."),
            (_, true) if self.rows_left_out.total > 0 => write!(
                f,
                "{rows} are used; left out: {}. Elsewhere a missing value counts as a value of its own.",
                self.rows_left_out
            ),
            (_, true) => write!(
                f,
                "All {rows} are used; a missing value counts as a value of its own (missing-rows = \"drop\" would leave out \
                 {}).",
                self.rows_with_missing.would_be()
            ),
            (_, false) => write!(f, "{rows} are used; left out: {}.", self.rows_left_out),
        }
    }
}
