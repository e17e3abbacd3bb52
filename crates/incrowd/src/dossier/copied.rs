//! Test rows that are no test: rows of the table that a release was made from.

use crate::dataset::OpenOptions;
use incrowd_core::Result;
use incrowd_core::random::scattered;
use incrowd_core::table::{Column, Table};
use incrowd_core::words::{count, counted};
use incrowd_eval::words::percent;
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::{MissingRows, read_table};
use serde::Serialize;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// How many standard errors, and how many more rows than by chance, are certainly not chance.
const CERTAIN: f64 = 4.0;

/// Test rows that also occur among the rows that a release was made from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CopiedRows {
    /// The test rows that are equal to a row of the data.
    pub(crate) rows: u64,
    /// All test rows.
    pub(crate) of: u64,
    /// The share of the data's rows that are equal to another one: as many of the test rows would be by chance.
    pub(crate) by_chance: f64,
}

impl CopiedRows {
    /// Compares test rows with the rows that a release was made from, by the columns of the policy that both have.
    pub(crate) fn find(test: &Path, data: &Path, policy: &PolicyFile, options: &OpenOptions) -> Result<Self> {
        let mut plan = policy.read_plan(Purpose::Source).with_missing_rows(MissingRows::Keep);
        plan.columns.values_mut().for_each(|column| column.optional = true);
        let reading = options.reading();
        let read = |path| Ok(read_table(path, &plan, reading.threads, reading.progress)?.table);
        Ok(Self::between(&read(test)?, &read(data)?))
    }

    pub(crate) fn between(test: &Table, data: &Table) -> Self {
        let shared: Vec<(&Column, &Column)> =
            test.columns().iter().filter_map(|column| Some((column, data.column(column.name())?))).collect();
        let of_test = hashes(test.rows(), shared.iter().map(|pair| pair.0));
        let of_data = hashes(data.rows(), shared.iter().map(|pair| pair.1));
        let mut times: HashMap<u64, u64> = HashMap::new();
        of_data.iter().for_each(|&row| *times.entry(row).or_default() += 1);
        let repeated: u64 = times.values().filter(|&&times| times > 1).sum();
        Self {
            rows: of_test.iter().filter(|&row| times.contains_key(row)).count() as u64,
            of: of_test.len() as u64,
            by_chance: repeated as f64 / (of_data.len() as f64).max(1.0),
        }
    }

    /// Whether more rows are equal than by chance.
    pub(crate) fn is_certain(&self) -> bool {
        let (of, chance) = (self.of as f64, self.by_chance);
        let error = (of * chance * (1.0 - chance)).sqrt();
        self.rows as f64 > of * chance + CERTAIN * error.max(1.0)
    }

    /// Whether too few rows are left that could be a test: at most half of them.
    pub(crate) fn is_most(&self) -> bool {
        self.rows * 2 >= self.of && self.is_certain()
    }

    /// The warning, if more rows are equal than by chance.
    pub(crate) fn warning(&self) -> Option<String> {
        self.is_certain().then(|| {
            format!(
                "{} of {} are equal to rows that the release was made from ({}; {} would be by chance): the error on new \
                 rows is probably higher than the error on these",
                count(self.rows),
                counted(self.of, "test row"),
                percent(self.rows as f64 / self.of.max(1) as f64),
                percent(self.by_chance)
            )
        })
    }
}

/// One number per row, which rows with the same values share. Values are compared as texts, because a column may be of
/// another kind in another file.
fn hashes<'c>(rows: usize, columns: impl Iterator<Item = &'c Column>) -> Vec<u64> {
    let mut hashes = vec![0_u64; rows];
    for column in columns {
        let values = column.values();
        let of_value = |code: usize| {
            let mut hasher = DefaultHasher::new();
            (code < values.len()).then(|| values.text(code)).hash(&mut hasher);
            hasher.finish()
        };
        let of_value: Vec<u64> = (0..=values.len()).map(of_value).collect();
        for (hash, code) in hashes.iter_mut().zip(column.codes().iter()) {
            *hash = scattered(*hash) ^ of_value[code as usize];
        }
    }
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_core::samples::clinic;

    #[test]
    fn other_rows_of_the_same_kind_are_not_copies() {
        let (data, test) = (clinic(3_000, 1), clinic(900, 2));
        let copied = CopiedRows::between(&test, &data);
        assert!(!copied.is_certain(), "{copied:?}");
        let copied = CopiedRows::between(&data, &data);
        assert!(copied.is_most() && copied.rows == 3_000, "{copied:?}");
    }

    #[test]
    fn rows_of_few_values_are_equal_by_chance() {
        let copied = |rows, of, by_chance| CopiedRows { rows, of, by_chance };
        assert!(!copied(300, 300, 1.0).is_certain());
        assert!(!copied(290, 300, 0.95).is_certain());
        assert!(copied(100, 300, 0.05).is_certain() && !copied(100, 300, 0.05).is_most());
        assert!(!copied(2, 2, 0.0).is_certain());
    }
}
