//! Individuals with several rows: who has the same spans in all of them.
//!
//! Exchanging whole individuals who have the same multiset of spans changes no population, not even one that counts
//! different individuals: each of them could have the bins of the other (`docs/proofs.md`). The strict reading of k
//! counts the individuals of these classes.

use crate::table::{People, Table};
use hashbrown::HashMap;

/// The individuals of a table, some of whom have several rows, in classes of equal multisets of spans.
pub(super) struct Persons {
    /// All rows, by individual.
    rows: Vec<u32>,
    /// Where the rows of each individual begin, and the end.
    start: Vec<u32>,
    /// The class of each individual.
    class_of: Vec<u32>,
    /// The individuals of each class.
    members: Vec<Vec<u32>>,
}

impl Persons {
    /// `None` if every individual has one row: then a class is a span.
    pub(super) fn of(table: &Table, span_of_row: &[u32]) -> Option<Self> {
        let People::Subjects { of_row, count } = table.people() else { return None };
        if of_row.len() <= *count as usize {
            return None;
        }
        let mut start = vec![0_u32; *count as usize + 1];
        of_row.iter().for_each(|&subject| start[subject as usize + 1] += 1);
        (0..*count as usize).for_each(|subject| start[subject + 1] += start[subject]);
        let (mut next, mut rows) = (start.clone(), vec![0; of_row.len()]);
        for (row, &subject) in (0_u32..).zip(of_row) {
            let place = &mut next[subject as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        let mut this = Self { rows, start, class_of: Vec::new(), members: Vec::new() };
        let mut number: HashMap<Vec<u32>, u32> = HashMap::new();
        for subject in 0..*count {
            let mut spans: Vec<u32> =
                this.rows_of(subject).iter().map(|&row| span_of_row[row as usize]).collect();
            spans.sort_unstable();
            let class = *number.entry(spans).or_insert(this.members.len() as u32);
            if class as usize == this.members.len() {
                this.members.push(Vec::new());
            }
            this.members[class as usize].push(subject);
            this.class_of.push(class);
        }
        Some(this)
    }

    /// The rows of an individual.
    fn rows_of(&self, subject: u32) -> &[u32] {
        &self.rows[self.start[subject as usize] as usize..self.start[subject as usize + 1] as usize]
    }

    /// The individuals whose spans over all rows no other individual has.
    pub(super) fn alone(&self) -> u64 {
        self.members.iter().filter(|members| members.len() == 1).count() as u64
    }

    /// For each span, the number of individuals in the smallest class of any individual with a row in it.
    pub(super) fn alike(&self, table: &Table, span_of_row: &[u32], spans: usize) -> Vec<u64> {
        let mut alike = vec![u64::MAX; spans];
        let People::Subjects { of_row, .. } = table.people() else { return alike };
        for (&subject, &span) in of_row.iter().zip(span_of_row) {
            let class = self.class_of[subject as usize] as usize;
            alike[span as usize] = alike[span as usize].min(self.members[class].len() as u64);
        }
        alike
    }
}
