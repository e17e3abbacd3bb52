//! Rows as keys of at most 64 bits, one bit field per column.

use super::{Grouping, group};
use crate::table::{Code, Column};
use crate::with_codes;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Rows packed at a time: their keys stay in the innermost cache while one column after the other is added.
const TILE: usize = 1 << 11;

/// How to make the key of each row.
pub(super) struct Keys<'a> {
    rows: usize,
    fields: Vec<Field<'a>>,
    bits: u32,
}

struct Field<'a> {
    source: KeySource<'a>,
    bits: u32,
}

enum KeySource<'a> {
    Column(&'a Column),
    Numbers(Cow<'a, [u32]>),
}

impl<'a> Keys<'a> {
    /// Keys that are equal exactly where the rows are equal in all columns.
    pub(super) fn of_columns(rows: usize, columns: &[&'a Column]) -> Self {
        assert!(columns.iter().all(|column| column.len() >= rows), "a column is shorter than the table");
        let field = |column: &&'a Column| Field {
            source: KeySource::Column(column),
            bits: width(column.code_count() as u64),
        };
        Self::of_fields(rows, columns.iter().map(field))
    }

    /// Keys that are equal exactly where rows are in one group and equal in the column.
    pub(super) fn of_grouping(grouping: &'a Grouping, column: &'a Column) -> Self {
        let rows = grouping.of_row.len();
        assert!(column.len() >= rows, "the column is shorter than the grouping");
        let groups = Field {
            source: KeySource::Numbers(Cow::Borrowed(&grouping.of_row)),
            bits: width(u64::from(grouping.count)),
        };
        let codes = Field { source: KeySource::Column(column), bits: width(column.code_count() as u64) };
        Self::of_fields(rows, [groups, codes].into_iter())
    }

    /// Keys of lists of numbers, all of one length.
    pub(super) fn of_numbers(lists: &[&'a [u32]]) -> Self {
        let rows = lists.first().map_or(0, |list| list.len());
        let field = |list: &&'a [u32]| {
            let count = list.iter().max().map_or(0, |&highest| u64::from(highest) + 1);
            Field { source: KeySource::Numbers(Cow::Borrowed(list)), bits: width(count) }
        };
        Self::of_fields(rows, lists.iter().map(field))
    }

    fn of_fields(rows: usize, fields: impl Iterator<Item = Field<'a>>) -> Self {
        let mut keys = Self { rows, fields: Vec::new(), bits: 0 };
        for field in fields {
            if keys.bits + field.bits > u64::BITS {
                keys = keys.condensed();
            }
            keys.bits += field.bits;
            keys.fields.push(field);
        }
        keys
    }

    /// The same groups under the shortest keys: the number of the group, at most 32 bits.
    fn condensed(self) -> Self {
        let grouping = group(&self);
        let bits = width(u64::from(grouping.count));
        let source = KeySource::Numbers(Cow::Owned(grouping.of_row));
        Self { rows: self.rows, fields: vec![Field { source, bits }], bits }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// How many bits the longest key has.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Writes the keys of a range of rows.
    pub(super) fn pack(&self, rows: Range<usize>, keys: &mut [u64]) {
        for (tile, start) in keys.chunks_mut(TILE).zip(rows.step_by(TILE)) {
            tile.fill(0);
            for field in &self.fields {
                field.append(start, tile);
            }
        }
    }

    /// The rows in blocks of `block`, each with its number, its first row and its keys, in parallel.
    pub(super) fn blocks(&self, block: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
        let rows = self.rows;
        (0..rows.div_ceil(block))
            .into_par_iter()
            .map(move |number| number * block..rows.min((number + 1) * block))
    }
}

impl Field<'_> {
    fn append(&self, start: usize, keys: &mut [u64]) {
        match &self.source {
            KeySource::Column(column) => {
                with_codes!(column.codes(), codes => shift_in(keys, self.bits, &codes[start..]));
            }
            KeySource::Numbers(numbers) => shift_in(keys, self.bits, &numbers[start..]),
        }
    }
}

fn shift_in<C: Code>(keys: &mut [u64], bits: u32, codes: &[C]) {
    for (key, code) in keys.iter_mut().zip(codes) {
        *key = *key << bits | u64::from(code.wide());
    }
}

/// The number of bits that distinguish `count` numbers from 0.
fn width(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}
