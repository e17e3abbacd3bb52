//! Merging equal rows into weighted ones.

use super::{Column, People, Table};
use crate::group::group_rows;

impl Table {
    /// The same table with equal rows merged into one with a weight, in order of first appearance.
    ///
    /// A table with subjects is returned unchanged: the individuals of its rows must not be lost. Takes time linear in
    /// the cells.
    #[must_use]
    pub fn merged(&self) -> Self {
        if matches!(self.people, People::Subjects { .. }) {
            return self.clone();
        }
        let columns: Vec<&Column> = self.columns.iter().collect();
        let grouping = group_rows(self.rows, &columns);
        let (mut rows, mut weights) = (Vec::new(), Vec::new());
        for (row, size) in grouping.first_rows().into_iter().zip(grouping.sizes(self)) {
            for weight in parts(size) {
                rows.push(row);
                weights.push(weight);
            }
        }
        let columns = self.columns.iter().map(|column| column.select(&rows)).collect();
        Self { columns, rows: rows.len(), people: People::Weights(weights) }
    }
}

/// The weights of as many rows as it takes: one that does not fit a weight goes on in another row.
fn parts(size: u64) -> impl Iterator<Item = u32> {
    let most = u64::from(u32::MAX);
    (0..size.div_ceil(most)).map(move |part| (size - part * most).min(most) as u32)
}

#[cfg(test)]
mod tests {
    use crate::table::{Column, People, Table};

    fn table(cells: &[&str], people: People) -> Table {
        let cells: Vec<_> = cells.iter().map(|cell| (*cell != "?").then_some(*cell)).collect();
        Table::new(vec![Column::from_texts("a", &cells)], people).expect("valid")
    }

    #[test]
    fn keeps_the_order_of_first_appearance() {
        let merged = table(&["z", "?", "a", "z", "?", "z"], People::Rows).merged();
        assert_eq!(merged, table(&["z", "?", "a"], People::Weights(vec![3, 2, 1])));
    }

    #[test]
    fn adds_weights_up_and_goes_on_in_another_row_when_they_do_not_fit() {
        let merged = table(&["b", "a", "b"], People::Weights(vec![u32::MAX, 7, 2])).merged();
        assert_eq!(merged, table(&["b", "b", "a"], People::Weights(vec![u32::MAX, 2, 7])));
    }

    #[test]
    fn leaves_subjects_alone() {
        let subjects = table(&["a", "a"], People::Subjects { of_row: vec![0, 0], count: 1 });
        assert_eq!(subjects.merged(), subjects);
    }
}
