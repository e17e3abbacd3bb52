//! The columns of a table in an engine, coded under a policy.

use super::{arrays, of_engine, weighted};
use crate::dataset::OpenOptions;
use crate::files::uncounted_identifiers;
use crate::table::{Column, Kind, RowsLeftOut, Table};
use crate::{Error, Result};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use incrowd_io::policy::PolicyFile;
use incrowd_io::{Frame, MissingRows, ReadPlan, RepeatedIdentifier, TableRead, check_left_out, read_frame};
use incrowd_sql::{Classes, Dictionary, EngineColumn, Missing, Part, Remote};
use std::collections::HashMap;
use std::sync::Arc;

/// A column of a table in an engine.
pub(super) struct CodedColumn {
    /// Its place in the engine's table.
    place: usize,
    /// Its values as the engine writes them, among the rows that are counted.
    dictionary: Dictionary,
    /// The same values as they are read: a row for each.
    pub(super) column: Column,
}

impl CodedColumn {
    /// The column in a table of its own, with the number of rows of each value.
    pub(super) fn table(&self) -> Result<Table> {
        weighted::single(&self.column, &self.dictionary.counts)
    }

    /// What rows are counted by to count its values.
    pub(super) fn values(&self) -> Part<'static> {
        Part::Values(self.place)
    }

    /// Classes of its values, given the class of each value of the engine.
    pub(super) fn classes<'c>(&'c self, of_key: &'c [u32]) -> Classes<'c> {
        Classes { column: self.place, keys: &self.dictionary.keys, of_key }
    }

    /// The code of each value.
    pub(super) fn code_of_key(&self) -> HashMap<Option<&str>, u32> {
        self.dictionary.keys.iter().map(Option::as_deref).zip(self.column.codes().iter()).collect()
    }
}

/// The codes of columns, row by row.
pub(super) type CodesOf<'a> = Vec<(&'a Column, Vec<u32>)>;

/// A table in an engine, whose rows with missing values are left out if the plan says so.
pub(super) struct Coded {
    pub(super) remote: Remote,
    pub(super) columns: Vec<CodedColumn>,
    pub(super) left_out: RowsLeftOut,
}

/// How rows are counted by a column.
pub(super) enum By<'a> {
    /// By its values.
    Values(&'a CodedColumn),
    /// By classes of them: the class of each code, a missing value's last.
    Classes(&'a CodedColumn, &'a [u32]),
}

impl Coded {
    /// Reads the values of all columns that the plan keeps.
    ///
    /// # Errors
    /// When the table does not fit the plan.
    pub(super) fn read(mut remote: Remote, plan: &ReadPlan, options: &OpenOptions) -> Result<Self> {
        let mut columns = Vec::new();
        for place in kept(&remote, plan, options)? {
            let dictionary = remote.dictionary(place)?;
            let column = coded(&remote.columns()[place], &dictionary, plan, options)?;
            columns.push(CodedColumn { place, dictionary, column });
        }
        let mut coded = Self { remote, columns, left_out: RowsLeftOut::default() };
        coded.leave_out(plan)?;
        Ok(coded)
    }

    /// The column of a name.
    ///
    /// # Errors
    /// When it is not kept.
    pub(super) fn column(&self, name: &str) -> Result<&CodedColumn> {
        let found = self.columns.iter().find(|own| own.column.name() == name);
        found.ok_or_else(|| Error::input("the table has no such column").of_attribute(name))
    }

    fn leave_out(&mut self, plan: &ReadPlan) -> Result<()> {
        self.left_out = RowsLeftOut { of: self.remote.rows(), ..RowsLeftOut::default() };
        let missing: Vec<Missing> = self.columns.iter().filter_map(missing).collect();
        let name = |missing: &Missing| self.remote.columns()[missing.column].name.clone();
        let rule = |missing: &Missing| plan.missing_rows_of(&name(missing));
        let missing: Vec<Missing> =
            missing.into_iter().filter(|missing| rule(missing) != MissingRows::Keep).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = missing.iter().map(name).collect();
        if let Some(refused) = missing.iter().find(|missing| rule(missing) == MissingRows::Refuse) {
            return Err(Error::input("a value is missing").of_attribute(name(refused)).help(
                "set `missing-rows`: \"drop\" leaves such rows out, \"keep\" treats missing as a value",
            ));
        }
        let (total, of_columns) = self.remote.leave_out(&missing)?;
        (self.left_out.total, self.left_out.columns) = (total, names.into_iter().zip(of_columns).collect());
        if self.remote.kept() == 0 {
            return Err(
                Error::input("every row has a missing value").help("check the table and the missing markers")
            );
        }
        check_left_out(&self.left_out, plan.max_rows_left_out)?;
        let is_ranked =
            |name: &str| plan.columns.get(name).is_some_and(|column| column.kind == Some(Kind::Ordered));
        for column in &mut self.columns {
            let left = self.remote.dictionary(column.place)?;
            let rows = column.code_rows(&left.keys)?;
            let kept = column.column.select(&rows);
            // Values that only occur in rows that are left out are not values of the table, unless they are declared.
            let kept = if is_ranked(kept.name()) { kept } else { kept.compacted() };
            (column.column, column.dictionary) = (kept, left);
        }
        Ok(())
    }

    /// Counts rows by some columns: a table of weighted rows, whose columns have the values of all rows.
    ///
    /// # Errors
    /// When the engine fails or its table changes.
    pub(super) fn counted(remote: &mut Remote, by: &[By<'_>]) -> Result<Table> {
        let classes: Vec<Vec<u32>> = by.iter().map(By::class_of_key).collect();
        let parts: Vec<Part<'_>> = by.iter().zip(&classes).map(|(by, of_key)| by.part(of_key)).collect();
        let counted = remote.counted(&parts)?;
        let columns = by.iter().zip(&counted.parts).map(|(by, keys)| by.codes(keys));
        weighted::table(columns.collect::<Result<_>>()?, &counted.counts)
    }

    /// Counts rows by a part whose keys are numbers, and by some columns: the numbers, the counts, and the codes of each
    /// column.
    ///
    /// # Errors
    /// When the engine fails or its table changes.
    pub(super) fn counted_with<'a>(
        remote: &mut Remote,
        part: Part<'_>,
        by: &[By<'a>],
    ) -> Result<(Vec<usize>, Vec<u64>, CodesOf<'a>)> {
        let classes: Vec<Vec<u32>> = by.iter().map(By::class_of_key).collect();
        let others = by.iter().zip(&classes).map(|(by, of_key)| by.part(of_key));
        let parts: Vec<Part<'_>> = std::iter::once(part).chain(others).collect();
        let counted = remote.counted(&parts)?;
        let number = |key: &Option<String>| {
            key.as_ref().and_then(|key| key.parse().ok()).ok_or_else(weighted::changed)
        };
        let numbers = counted.parts[0].iter().map(number).collect::<Result<_>>()?;
        let columns = by.iter().zip(&counted.parts[1..]).map(|(by, keys)| by.codes(keys));
        Ok((numbers, counted.counts, columns.collect::<Result<_>>()?))
    }

    /// The warnings about identifiers that repeat although rows count as individuals. Only how often they do leaves the
    /// engine.
    ///
    /// # Errors
    /// When the engine fails.
    pub(super) fn repeats(&mut self, policy: &PolicyFile, plan: &ReadPlan) -> Result<Vec<String>> {
        let (mut found, mut other) = (Vec::new(), None);
        for name in uncounted_identifiers(&policy.policy) {
            let is_own = |column: &EngineColumn| column.name == name && column.kind.is_some();
            let Some(place) = self.remote.columns().iter().position(is_own) else { continue };
            let except: Vec<String> = plan.missing.iter().cloned().chain([String::new()]).collect();
            let counts = self.remote.repeats(place, &except)?;
            if counts == (0, 1) {
                other.get_or_insert_with(|| name.clone());
            }
            found.extend(RepeatedIdentifier::of_counts(&name, counts, self.remote.rows()));
        }
        found.iter_mut().for_each(|own| own.other.clone_from(&other));
        Ok(found.iter().map(RepeatedIdentifier::warning).collect())
    }
}

impl CodedColumn {
    /// The rows of some values.
    fn code_rows(&self, keys: &[Option<String>]) -> Result<Vec<u32>> {
        let row: HashMap<Option<&str>, u32> =
            self.dictionary.keys.iter().map(Option::as_deref).zip(0..).collect();
        keys.iter().map(|key| row.get(&key.as_deref()).copied().ok_or_else(weighted::changed)).collect()
    }
}

impl<'a> By<'a> {
    fn column(&self) -> &'a CodedColumn {
        match self {
            By::Values(column) | By::Classes(column, _) => column,
        }
    }

    fn class_of_key(&self) -> Vec<u32> {
        match self {
            By::Values(_) => Vec::new(),
            By::Classes(own, of_code) => {
                own.column.codes().iter().map(|code| of_code[code as usize]).collect()
            }
        }
    }

    fn part<'p>(&self, of_key: &'p [u32]) -> Part<'p>
    where
        'a: 'p,
    {
        match self {
            By::Values(own) => Part::Values(own.place),
            By::Classes(own, _) => {
                Part::Classes(Classes { column: own.place, keys: &own.dictionary.keys, of_key })
            }
        }
    }

    /// The codes of what the engine returned; of a class, that of its first value.
    fn codes(&self, keys: &[Option<String>]) -> Result<(&'a Column, Vec<u32>)> {
        let column = self.column();
        let code_of_key = column.code_of_key();
        let mut of_class: HashMap<u32, u32> = HashMap::new();
        if let By::Classes(_, of_code) = self {
            let mut codes: Vec<u32> = column.column.codes().iter().collect();
            codes.sort_unstable();
            codes.into_iter().for_each(|code| {
                of_class.entry(of_code[code as usize]).or_insert(code);
            });
        }
        let code = |key: &Option<String>| match self {
            By::Values(_) => code_of_key.get(&key.as_deref()).copied(),
            By::Classes(..) => of_class.get(&key.as_ref()?.parse().ok()?).copied(),
        };
        let codes = keys.iter().map(|key| code(key).ok_or_else(weighted::changed)).collect::<Result<_>>()?;
        Ok((&column.column, codes))
    }
}

/// The values of a column that mean that the value is missing, if it has some.
fn missing(own: &CodedColumn) -> Option<Missing> {
    let code = own.column.missing_code();
    let keys = own.dictionary.keys.iter().zip(own.column.codes().iter());
    let keys: Vec<Option<String>> =
        keys.filter(|(_, own)| *own == code).map(|(key, _)| key.clone()).collect();
    (!keys.is_empty()).then_some(Missing { column: own.place, keys })
}

/// The places of the columns that a plan keeps.
///
/// # Errors
/// When the table does not have the columns of the plan.
pub(super) fn kept(remote: &Remote, plan: &ReadPlan, options: &OpenOptions) -> Result<Vec<usize>> {
    let columns = remote.columns();
    let row = columns.iter().map(|column| arrays::absent(column, 1)).collect();
    let plan = plan.clone().with_missing_rows(MissingRows::Keep);
    let read = read(columns, row, &plan, options)?;
    let is_kept = |column: &EngineColumn| read.table.column(&column.name).is_some();
    Ok((0..columns.len()).filter(|&place| is_kept(&columns[place])).collect())
}

fn coded(
    own: &EngineColumn,
    dictionary: &Dictionary,
    plan: &ReadPlan,
    options: &OpenOptions,
) -> Result<Column> {
    let mut plan = plan.clone().with_missing_rows(MissingRows::Keep);
    plan.columns.retain(|name, _| *name == own.name);
    // What is not listed is kept here, or it would not be among the columns that are.
    plan.columns.entry(own.name.clone()).or_default();
    let array = arrays::array(own, &dictionary.keys)?;
    let read = read(std::slice::from_ref(own), vec![array], &plan, options)?;
    read.table.into_columns().pop().ok_or_else(|| Error::internal("a column was not read"))
}

/// Reads arrays as the columns of a frame.
fn read(
    columns: &[EngineColumn],
    arrays: Vec<ArrayRef>,
    plan: &ReadPlan,
    options: &OpenOptions,
) -> Result<TableRead> {
    let reading = options.reading();
    read_frame(frame(columns, arrays)?, plan, reading.threads, reading.progress).map_err(of_engine)
}

/// Arrays as a frame.
///
/// # Errors
/// When they have different lengths.
pub(super) fn frame(columns: &[EngineColumn], arrays: Vec<ArrayRef>) -> Result<Frame> {
    let field = |(column, array): (&EngineColumn, &ArrayRef)| {
        Field::new(&column.name, array.data_type().clone(), true)
    };
    let schema = Arc::new(Schema::new(columns.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)
        .map_err(|_| Error::internal("columns of different lengths"))?;
    Ok(Frame::of_batches(schema, vec![batch]))
}
