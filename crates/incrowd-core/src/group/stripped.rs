//! Groups of equal rows without those of a single row: what one more column can still divide.
//!
//! An individual who is alone stays alone, so the more columns are combined, the fewer rows are left to look at. (TANE, Huhtala
//! et al. 1999, calls these stripped partitions.)

use super::{Crowds, Grouping, row_weights};
use crate::table::{Code, Column, Table};
use crate::with_codes;

/// The groups of several rows, and the sizes of all others.
pub(crate) struct Stripped<'a> {
    weights: &'a [u32],
    /// The rows of groups of several rows, group by group.
    rows: Vec<u32>,
    /// Where each of these groups ends.
    ends: Vec<u32>,
    alone: Crowds,
    fewer_than: u64,
}

impl<'a> Stripped<'a> {
    /// None if individuals have several rows. `few` will count individuals in groups of fewer than `fewer_than`.
    pub(crate) fn new(table: &'a Table, grouping: &Grouping, fewer_than: u64) -> Option<Self> {
        let weights = row_weights(table)?;
        let mut counts = vec![0_u32; grouping.count as usize];
        grouping.of_row.iter().for_each(|&group| counts[group as usize] += 1);
        let (mut next, mut ends, mut end) = (counts.clone(), Vec::new(), 0);
        for (next, &count) in next.iter_mut().zip(&counts).filter(|(_, count)| **count > 1) {
            *next = end;
            end += count;
            ends.push(end);
        }
        let (mut rows, mut alone) = (vec![0; end as usize], Crowds::NONE);
        for (row, &group) in grouping.of_row.iter().enumerate() {
            if counts[group as usize] == 1 {
                alone = alone.with(weight(weights, row), fewer_than);
            } else {
                let place = &mut next[group as usize];
                rows[*place as usize] = row as u32;
                *place += 1;
            }
        }
        Some(Self { weights, rows, ends, alone, fewer_than })
    }

    /// How large the groups are if the column divides them; `counts` is scratch memory.
    pub(crate) fn divided_by(&self, column: &Column, counts: &mut Vec<u64>) -> Crowds {
        counts.clear();
        counts.resize(column.code_count(), 0);
        with_codes!(column.codes(), codes => self.divided(codes, counts)).done()
    }

    fn divided<C: Code>(&self, codes: &[C], counts: &mut [u64]) -> Crowds {
        let (mut crowds, mut start) = (self.alone, 0);
        for &end in &self.ends {
            let rows = &self.rows[start..end as usize];
            for &row in rows {
                counts[codes[row as usize].wide() as usize] += weight(self.weights, row as usize);
            }
            for &row in rows {
                let size = std::mem::take(&mut counts[codes[row as usize].wide() as usize]);
                if size != 0 {
                    crowds = crowds.with(size, self.fewer_than);
                }
            }
            start = end as usize;
        }
        crowds
    }
}

fn weight(weights: &[u32], row: usize) -> u64 {
    weights.get(row).map_or(1, |&weight| u64::from(weight))
}
