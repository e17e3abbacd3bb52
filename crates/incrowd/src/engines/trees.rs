//! Trees of a table in an engine: the engine counts, and the miner decides.

use super::coded::{Coded, CodedColumn};
use super::models::{combinations, opened, pair};
use super::weighted::changed;
use crate::Result;
use crate::audit::TreeAttributes;
use crate::dataset::OpenOptions;
use crate::table::{RowsLeftOut, Table};
use incrowd_io::policy::PolicyFile;
use incrowd_mine::tree::{
    CellTest, CheckedTreeParams, CountedBy, CountedRows, CountedValue, MinedTree, Wanted,
    check_tree_from_counts, mine_tree_from_counts,
};
use incrowd_sql::{Cell, CellCounts, CellRange, Counted, Part, Remote, Source};
use std::collections::HashMap;

/// Mines a tree of a table in an engine. Returns it with the rows that were left out.
///
/// # Errors
/// When the parameters cannot be met from counts, the engine fails, or no tree can meet the guarantee.
pub(crate) fn mine_tree_in_engine(
    source: &Source,
    policy: &PolicyFile,
    params: &CheckedTreeParams,
    options: &OpenOptions,
) -> Result<(MinedTree, RowsLeftOut)> {
    policy.refuse_baskets()?;
    // What cannot be mined is refused before anything is counted.
    check_tree_from_counts(&policy.policy, params)?;
    let mine = || {
        let (coded, repeats) = opened(source, policy, options)?;
        let left_out = coded.left_out.clone();
        let mut rows = EngineCounts::new(coded)?;
        let mut mined = mine_tree_from_counts(&mut rows, &policy.policy, params, options.receiver())?;
        let warnings = left_out.warning().into_iter().chain(repeats);
        mined.warnings.splice(0..0, warnings);
        Ok((mined, left_out))
    };
    mine().map_err(|error: crate::Error| error.in_file(source.to_string()))
}

/// Counts of a table in an engine.
struct EngineCounts {
    remote: Remote,
    columns: EngineColumns,
    tables: Vec<Table>,
}

/// The columns of a table in an engine.
struct EngineColumns {
    all: Vec<CodedColumn>,
    /// For each column the code of each value of the engine.
    codes: Vec<Vec<u32>>,
}

impl EngineCounts {
    fn new(coded: Coded) -> Result<Self> {
        let tables = coded.columns.iter().map(CodedColumn::table).collect::<Result<_>>()?;
        let codes = coded.columns.iter().map(|own| own.column.codes().iter().collect()).collect();
        let columns = EngineColumns { all: coded.columns, codes };
        Ok(Self { remote: coded.remote, columns, tables })
    }
}

impl EngineColumns {
    /// The pairs of parts that are asked for, each once, and for each question its cell and its pair.
    fn questions<'w>(&self, wanted: &'w [Wanted]) -> Questions<'w> {
        let mut found = Questions { cells: Vec::new(), pairs: Vec::new(), wanted: Vec::new() };
        let (mut cells, mut pairs) = (HashMap::new(), HashMap::new());
        for own in wanted {
            let cell = *cells.entry(own.cell).or_insert_with(|| {
                found.cells.push(own);
                found.cells.len() - 1
            });
            let pair = *pairs.entry((&own.of, &own.by)).or_insert_with(|| {
                found.pairs.push((own, [self.class_of_key(&own.of), self.class_of_key(&own.by)]));
                found.pairs.len() - 1
            });
            found.wanted.push((cell, pair));
        }
        found
    }

    fn cell(&self, wanted: &Wanted) -> Cell<'_> {
        let test = |test: &CellTest| CellRange {
            numbers: self.all[test.column].classes(&self.codes[test.column]),
            ranges: test.codes.clone(),
        };
        wanted.tests.iter().map(test).collect()
    }

    /// The class of each value of the engine; none where values are counted.
    fn class_of_key(&self, counted: &CountedBy) -> Vec<u32> {
        match counted {
            CountedBy::Values(_) => Vec::new(),
            CountedBy::Classes(column, of_code) => {
                self.codes[*column].iter().map(|&code| of_code[code as usize]).collect()
            }
        }
    }

    fn pair<'p>(&'p self, (wanted, [of, by]): &'p (&Wanted, [Vec<u32>; 2])) -> [Part<'p>; 2] {
        let part = |counted: &CountedBy, of_key: &'p [u32]| match counted {
            CountedBy::Values(column) => self.all[*column].values(),
            CountedBy::Classes(column, _) => Part::Classes(self.all[*column].classes(of_key)),
        };
        [part(&wanted.of, of), part(&wanted.by, by)]
    }

    /// An answer in codes.
    fn values(
        wanted: &Wanted,
        counted: &Counted,
        codes: &[HashMap<Option<&str>, u32>],
    ) -> Result<Vec<CountedValue>> {
        let number = |counted: &CountedBy, key: &Option<String>| match counted {
            CountedBy::Values(column) => codes[*column].get(&key.as_deref()).copied(),
            CountedBy::Classes(..) => key.as_ref()?.parse().ok(),
        };
        let value = |((of, by), &individuals): ((&Option<String>, &Option<String>), &u64)| {
            let code = number(&wanted.of, of).ok_or_else(changed)?;
            Ok(CountedValue { code, label: number(&wanted.by, by).ok_or_else(changed)?, individuals })
        };
        counted.parts[0].iter().zip(&counted.parts[1]).zip(&counted.counts).map(value).collect()
    }
}

/// Questions with what they have in common.
struct Questions<'w> {
    /// A question about each cell.
    cells: Vec<&'w Wanted>,
    /// A question about each pair of columns, with the class of each value of those that are counted by classes.
    pairs: Vec<(&'w Wanted, [Vec<u32>; 2])>,
    /// The cell and the pair of each question.
    wanted: Vec<(usize, usize)>,
}

impl CountedRows for EngineCounts {
    fn columns(&self) -> &[Table] {
        &self.tables
    }

    fn count(&mut self, wanted: &[Wanted]) -> Result<Vec<Vec<CountedValue>>> {
        let columns = &self.columns;
        let questions = columns.questions(wanted);
        let cells: Vec<Cell<'_>> = questions.cells.iter().map(|own| columns.cell(own)).collect();
        let pairs: Vec<[Part<'_>; 2]> = questions.pairs.iter().map(|own| columns.pair(own)).collect();
        let counts = CellCounts { cells: &cells, pairs: &pairs, wanted: &questions.wanted };
        let counted = self.remote.counted_in_cells(&counts)?;
        let codes: Vec<_> = columns.all.iter().map(CodedColumn::code_of_key).collect();
        wanted
            .iter()
            .zip(&counted)
            .map(|(own, counted)| EngineColumns::values(own, counted, &codes))
            .collect()
    }

    fn combinations(&mut self, attributes: &TreeAttributes) -> Result<Table> {
        combinations(&mut self.remote, &self.columns.all, attributes)
    }

    fn pair(&mut self, public: &str, private: &str) -> Result<Table> {
        pair(&mut self.remote, &self.columns.all, public, private)
    }
}
