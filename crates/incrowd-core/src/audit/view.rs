//! Counts what the spans of a linking reveal about one private attribute.
//!
//! Where possible, one pass over the rows in their order counts all spans at once. Going through the rows span by span
//! would fetch every part of a long column once per span.

use crate::group::{count_by, row_weights};
use crate::guarantee::{Histogram, ValueCounts, Whole};
use crate::span::{CellContents, Cells, Linking, Sensitive};
use crate::table::{Code, Column, People, Table};
use crate::with_codes;
use std::borrow::Cow;

#[cfg(test)]
mod tests;

/// How many counts are kept at once to avoid a second pass over the rows.
const MATRIX: usize = 1 << 18;

/// A sensitive attribute as the spans of a linking distinguish it.
pub(super) struct View<'a> {
    pub(super) sensitive: &'a Sensitive,
    source: CellSource<'a>,
    /// The cell of each code (or bin).
    cell_of_code: Cow<'a, [u32]>,
    /// For each telling the whole table.
    whole: Vec<Whole>,
    /// The counts of every span, cell by cell, if one pass over the rows is enough.
    matrix: Option<Vec<u64>>,
}

enum CellSource<'a> {
    Column(&'a Column),
    Bins(&'a [u32]),
}

impl<'a> View<'a> {
    pub(super) fn new(table: &'a Table, linking: &'a Linking<'_>, sensitive: &'a Sensitive) -> Self {
        let bins = linking.bins.as_ref().map_or(&[][..], |bins| &bins.of_row);
        let (source, cell_of_code) = match &sensitive.source {
            Cells::Column { column, cell_of_code } => {
                (CellSource::Column(&table.columns()[*column]), Cow::Borrowed(cell_of_code.as_slice()))
            }
            Cells::Bin => (CellSource::Bins(bins), (0..sensitive.cells as u32).collect()),
        };
        let mut view = Self { sensitive, source, cell_of_code, whole: Vec::new(), matrix: None };
        view.matrix = view.count_at_once(table, linking);
        view.whole = view.count_whole(table);
        view
    }

    /// Whether all spans have been counted, so that their rows need not be looked at.
    pub(super) fn is_counted(&self) -> bool {
        self.matrix.is_some()
    }

    /// The contents of the cells, if cells that differ can be the same value: such cells of one span are counted as
    /// one.
    pub(super) fn blurred(&self) -> Option<&'a CellContents> {
        self.sensitive.said.as_deref().filter(|said| said.overlaps())
    }

    /// The cell of a row.
    pub(super) fn cell(&self, row: u32) -> u32 {
        let code = match self.source {
            CellSource::Column(column) => column.code(row as usize),
            CellSource::Bins(bins) => bins[row as usize],
        };
        self.cell_of_code[code as usize]
    }

    /// Counts all spans in one pass, if the table of counts is small compared with the rows.
    fn count_at_once(&self, table: &Table, linking: &Linking<'_>) -> Option<Vec<u64>> {
        let size = linking.spans.checked_mul(self.sensitive.cells)?;
        let fits = size > 0 && size <= table.rows().min(MATRIX);
        let has_subjects = matches!(table.people(), People::Subjects { .. });
        (fits && !has_subjects).then(|| self.count(table, &linking.span_of_row, size))
    }

    /// For each telling the counts of all rows.
    fn count_whole(&self, table: &Table) -> Vec<Whole> {
        let cells = self.sensitive.cells;
        let has_subjects = matches!(table.people(), People::Subjects { .. });
        let by_cell = match &self.matrix {
            Some(matrix) => sums(matrix, cells),
            None if has_subjects => Vec::new(),
            None => self.count(table, &[], cells),
        };
        let tellings = 0..self.sensitive.tellings.len();
        let of_telling = |telling: usize| {
            let mut counts = vec![0; self.sensitive.tellings[telling].locals];
            if let People::Subjects { of_row, .. } = table.people() {
                let rows = 0..table.rows() as u32;
                let mut pairs: Vec<(u32, u32)> =
                    rows.map(|row| (self.local(telling, row), of_row[row as usize])).collect();
                pairs.sort_unstable();
                pairs.dedup();
                pairs.iter().for_each(|&(local, _)| counts[local as usize] += 1);
            } else {
                self.add_by_local(telling, &by_cell, &mut counts);
            }
            let whole = Whole::new(counts);
            if self.sensitive.ordered { whole } else { whole.without_order() }
        };
        tellings.map(of_telling).collect()
    }

    /// Counts rows (with their weights) by cell, or by span and cell if spans are given; there are `size` counters.
    fn count(&self, table: &Table, span_of_row: &[u32], size: usize) -> Vec<u64> {
        match self.source {
            CellSource::Column(column) => {
                with_codes!(column.codes(), codes => self.count_codes(codes, table, span_of_row, size))
            }
            CellSource::Bins(bins) => self.count_codes(bins, table, span_of_row, size),
        }
    }

    fn count_codes<C: Code>(&self, codes: &[C], table: &Table, span_of_row: &[u32], size: usize) -> Vec<u64> {
        let (rows, cells) = (codes.len(), self.sensitive.cells);
        let weights = row_weights(table).unwrap_or_default();
        // A code outside the domain, of which there are none, would have a number that is not counted.
        let cell = |row: usize| self.cell_of_code[codes[row].wide() as usize] as usize;
        if span_of_row.is_empty() {
            return count_by(rows, weights, size, cell);
        }
        count_by(rows, weights, size, |row| span_of_row[row] as usize * cells + cell(row))
    }

    /// Adds counts by cell up by the local values of a telling.
    fn add_by_local(&self, telling: usize, by_cell: &[u64], counts: &mut [u64]) {
        // A column without values has a cell, the missing one's, that no individual has and that means nothing.
        let held =
            by_cell.iter().zip(&self.sensitive.tellings[telling].local_of_cell).filter(|&(&n, _)| n > 0);
        held.for_each(|(n, &local)| counts[local as usize] += n);
    }

    /// The whole table, as a telling distinguishes its values.
    pub(super) fn whole(&self, telling: usize) -> &Whole {
        &self.whole[telling]
    }

    /// The local value of a row.
    pub(super) fn local(&self, telling: usize, row: u32) -> u32 {
        // Codes outside the domain do not occur (the linking has seen to that); they get any local value.
        let cell = self.cell(row) as usize;
        self.sensitive.tellings[telling].local_of_cell.get(cell).copied().unwrap_or(0)
    }
}

/// The sums of all spans, cell by cell.
fn sums(matrix: &[u64], cells: usize) -> Vec<u64> {
    let mut sums = vec![0; cells];
    for of_span in matrix.chunks_exact(cells) {
        sums.iter_mut().zip(of_span).for_each(|(sum, n)| *sum += n);
    }
    sums
}

/// Counts of one attribute's local values in a span; kept between spans to save allocations.
#[derive(Default)]
pub(super) struct Tally {
    dense: Vec<u64>,
    counts: Vec<(u32, u64)>,
    pairs: Vec<(u32, u32)>,
}

impl Tally {
    pub(super) fn count<'t>(
        &'t mut self,
        table: &Table,
        view: &'t View<'_>,
        span: usize,
        rows: &[u32],
        individuals: u64,
    ) -> Option<Histogram<'t>> {
        let telling = view.sensitive.telling(span)?;
        let local = |row: u32| view.local(telling, row);
        self.counts.clear();
        match (table.people(), &view.matrix) {
            (_, Some(matrix)) => {
                let cells = view.sensitive.cells;
                self.dense.clear();
                self.dense.resize(view.whole[telling].values(), 0);
                view.add_by_local(telling, &matrix[span * cells..(span + 1) * cells], &mut self.dense);
                let held = (0..).zip(self.dense.iter().copied()).filter(|&(_, n)| n > 0);
                self.counts.extend(held);
            }
            (People::Subjects { of_row, .. }, None) => {
                self.pairs.clear();
                self.pairs.extend(rows.iter().map(|&row| (local(row), of_row[row as usize])));
                self.pairs.sort_unstable();
                self.pairs.dedup();
                if let Some(said) = view.blurred() {
                    self.join_pairs(said);
                }
                let same = |a: &(u32, u32), b: &(u32, u32)| a.0 == b.0;
                self.counts.extend(self.pairs.chunk_by(same).map(|run| (run[0].0, run.len() as u64)));
            }
            (People::Rows | People::Weights(_), None) if rows.len() == 1 => {
                self.counts.push((local(rows[0]), u64::from(table.weight(rows[0] as usize))));
            }
            (People::Rows | People::Weights(_), None) => {
                self.dense.resize(self.dense.len().max(view.whole[telling].values()), 0);
                for &row in rows {
                    let value = local(row);
                    let slot = &mut self.dense[value as usize];
                    if *slot == 0 {
                        self.counts.push((value, 0));
                    }
                    *slot += u64::from(table.weight(row as usize));
                }
                self.counts.sort_unstable();
                self.counts
                    .iter_mut()
                    .for_each(|(value, n)| *n = std::mem::take(&mut self.dense[*value as usize]));
            }
        }
        if let Some(said) = view.blurred() {
            self.join_counts(said);
        }
        Some(Histogram::new(ValueCounts::Occurring(&self.counts), individuals, &view.whole[telling]))
    }
    /// Merges overlapping values, for the individuals who have them.
    fn join_pairs(&mut self, said: &CellContents) {
        let mut cells: Vec<u32> = self.pairs.iter().map(|&(cell, _)| cell).collect();
        cells.dedup();
        let classes = said.classes(&cells);
        for (cell, _) in &mut self.pairs {
            *cell = classes[cells.partition_point(|other| other < cell)];
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// Merges values that overlap into one, with the sum of their counts.
    fn join_counts(&mut self, said: &CellContents) {
        let cells: Vec<u32> = self.counts.iter().map(|&(cell, _)| cell).collect();
        let classes = said.classes(&cells);
        self.counts.iter_mut().zip(classes).for_each(|(count, class)| count.0 = class);
        self.counts.sort_unstable();
        self.counts.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            kept.1 += if same { later.1 } else { 0 };
            same
        });
    }
}
