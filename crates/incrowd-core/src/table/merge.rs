//! Merging equal rows into weighted ones.

use super::{People, Table};
use hashbrown::HashMap;

impl Table {
    /// The same table with equal rows merged into one with a weight, in order of first appearance.
    ///
    /// A table with subjects is returned as it is: whose rows they are must not be forgotten.
    /// Takes time linear in the cells.
    #[must_use]
    pub fn merged(&self) -> Self {
        if matches!(self.people, People::Subjects { .. }) {
            return self.clone();
        }
        let mut first: HashMap<Vec<u32>, usize> = HashMap::new();
        let mut rows: Vec<u32> = Vec::new();
        let mut weights: Vec<u32> = Vec::new();
        for row in 0..self.rows {
            let key: Vec<u32> = self.columns.iter().map(|column| column.code(row)).collect();
            let weight = self.weight(row);
            let slot = *first.entry(key).or_insert(weights.len());
            // A weight that would overflow starts another row of the same values; nothing is lost.
            match weights.get_mut(slot).and_then(|sum| sum.checked_add(weight).map(|total| (sum, total))) {
                Some((sum, total)) => *sum = total,
                None => {
                    rows.push(row as u32);
                    weights.push(weight);
                }
            }
        }
        let columns = self.columns.iter().map(|column| column.select(&rows)).collect();
        Self { columns, rows: rows.len(), people: People::Weights(weights) }
    }
}
