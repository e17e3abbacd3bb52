//! Samples of tables, and tables with other weights.
//!
//! What is in a sample depends on a mark of each row, a hash of its values (or of whose row it is), so that neither the
//! order of rows nor merging equal ones matters.

use incrowd_core::random::scattered;
use incrowd_core::table::{Code, Column, People, Table};
use incrowd_core::with_codes;
use rayon::prelude::*;

/// Rows marked in one go.
const BLOCK: usize = 1 << 12;

/// The number of bits of a mark that select its bucket.
const BUCKET_BITS: u32 = 20;

/// Some rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// The rows, in ascending order.
    pub(crate) rows: Vec<u32>,
    /// What each of them counts for, if not for its weight in the table.
    pub(crate) weights: Option<Vec<u32>>,
}

impl Part {
    /// The rows with a weight, given a weight for each row. The rows of subjects stay as they are, or are left out.
    pub(crate) fn weighted(table: &Table, weights: &[u32]) -> Self {
        let rows: Vec<u32> =
            (0..).zip(weights).filter(|&(_, &weight)| weight > 0).map(|(row, _)| row).collect();
        let has_subjects = matches!(table.people(), People::Subjects { .. });
        let own = || weights.iter().copied().filter(|&weight| weight > 0).collect();
        Self { rows, weights: (!has_subjects).then(own) }
    }

    /// What a row counts for, by its place among the rows of this part.
    pub(crate) fn weight(&self, table: &Table, place: usize) -> u32 {
        self.weights.as_ref().map_or_else(|| table.weight(self.rows[place] as usize), |own| own[place])
    }

    /// This part as a table of its own.
    pub(crate) fn of(&self, table: &Table) -> Table {
        let part = table.select(&self.rows);
        let Some(weights) = &self.weights else { return part };
        // There are as many weights as rows.
        Table::new(part.columns().to_vec(), People::Weights(weights.clone())).unwrap_or(part)
    }
}

/// A mark for each row by the values it has (or by whose row it is), equal for equal rows wherever they are.
pub(crate) fn marks(table: &Table) -> Vec<u64> {
    if let People::Subjects { of_row, .. } = table.people() {
        return of_row.iter().map(|&subject| scattered(u64::from(subject))).collect();
    }
    let mixed = |column: &Column| (0..=u64::from(column.missing_code())).map(scattered).collect::<Vec<_>>();
    let columns: Vec<_> = table.columns().iter().map(|column| (column.codes(), mixed(column))).collect();
    let mut marks = vec![0_u64; table.rows()];
    marks.par_chunks_mut(BLOCK).enumerate().for_each(|(block, marks)| {
        for (codes, mixed) in &columns {
            with_codes!(codes, codes => {
                for (mark, code) in marks.iter_mut().zip(&codes[block * BLOCK..]) {
                    let turned = mark.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    *mark = turned ^ mixed[code.wide() as usize];
                }
            });
        }
        marks.iter_mut().for_each(|mark| *mark = scattered(*mark));
    });
    marks
}

/// What all rows count for; those of subjects count for one each.
pub(crate) fn weight_of(table: &Table) -> u64 {
    match table.people() {
        People::Weights(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
        _ => table.rows() as u64,
    }
}

/// About a share of the individuals of every row, equal rows taken together, rounded up or down by the row's mark; and
/// the marks of the rows that are left.
pub(crate) fn sample(table: &Table, share: f64) -> (Table, Vec<u64>) {
    let merged = match table.people() {
        // They are not merged, and a part of them would have other numbers.
        People::Subjects { .. } => table.clone(),
        _ => table.select(&candidates(table, share)).merged(),
    };
    let marks = marks(&merged);
    let weight = |row: usize| f64::from(merged.weight(row));
    let weights: Vec<u32> = (0..marks.len()).map(|row| taken(weight(row), marks[row], share)).collect();
    let marks =
        marks.iter().zip(&weights).filter(|&(_, &weight)| weight > 0).map(|(&mark, _)| mark).collect();
    (Part::weighted(&merged, &weights).of(&merged), marks)
}

/// The number of individuals of a row of this weight and mark that are in a sample.
fn taken(weight: f64, mark: u64, share: f64) -> u32 {
    let dither = f64::from(mark as u32) / f64::from(u32::MAX);
    (weight * share + dither * 0.999_999) as u32
}

/// The rows that may be in a sample: merging equal rows is much work, and few of them are. A row and its equals have
/// one mark, so they weigh no more than all rows whose marks end up in the same of many buckets.
fn candidates(table: &Table, share: f64) -> Vec<u32> {
    let marks = marks(table);
    let bucket = |mark: u64| (mark >> (u64::BITS - BUCKET_BITS)) as usize;
    let mut weights = vec![0_u64; 1 << BUCKET_BITS];
    for (row, &mark) in marks.iter().enumerate() {
        weights[bucket(mark)] += u64::from(table.weight(row));
    }
    let may_be = |&(_, &mark): &(u32, &u64)| taken(weights[bucket(mark)] as f64, mark, share) > 0;
    (0..).zip(&marks).filter(may_be).map(|(row, _)| row).collect()
}
