//! Where counts are kept, and that they are the same either way.

use super::*;
use crate::policy::{Attribute, Policy, Role, Undeclared};
use crate::span::link_table;

fn policy() -> Policy {
    Policy {
        attributes: vec![Attribute::new("a", Role::Public), Attribute::new("x", Role::Private)],
        class: None,
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: crate::guarantee::Guarantee::default(),
        earlier: None,
    }
}

fn table(rows: &[(&str, &str)], people: People) -> Table {
    let column = |name: &str, cell: &dyn Fn(&(&str, &str)) -> String| {
        Column::from_texts(name, &rows.iter().map(|row| Some(cell(row))).collect::<Vec<_>>())
    };
    let columns = vec![column("a", &|row| row.0.to_owned()), column("x", &|row| row.1.to_owned())];
    Table::new(columns, people).unwrap()
}

/// All counts of all spans, and whether they were counted at once.
fn counted(table: &Table) -> (Vec<Vec<(u32, u64)>>, bool) {
    let policy = policy();
    let linking = link_table(table, &policy).unwrap();
    let view = View::new(table, &linking, &linking.sensitive[0]);
    let mut tally = Tally::default();
    let counts = (0..linking.spans).map(|span| {
        let rows: Vec<u32> = (0..table.rows() as u32)
            .filter(|&row| linking.span_of_row[row as usize] as usize == span)
            .collect();
        tally.count(table, &view, span, &rows, 0).unwrap().counts.iter().collect()
    });
    (counts.collect(), view.is_counted())
}

/// Two spans and two cells: four counts for four rows, but not for three.
#[test]
fn counts_are_kept_where_they_are_few() {
    let rows = [("f", "p"), ("f", "q"), ("m", "p"), ("m", "p"), ("m", "q"), ("f", "q")];
    let six = counted(&table(&rows, People::Rows));
    assert_eq!(six, (vec![vec![(0, 1), (1, 2)], vec![(0, 2), (1, 1)]], true));
    let four = counted(&table(&rows[..4], People::Rows));
    assert_eq!(four, (vec![vec![(0, 1), (1, 1)], vec![(0, 2)]], true));
    let three = counted(&table(&rows[..3], People::Rows));
    assert_eq!(three, (vec![vec![(0, 1), (1, 1)], vec![(0, 1)]], false));
    let weighted = counted(&table(&rows, People::Weights(vec![1, 2, 3, 4, 5, 6])));
    assert_eq!(weighted, (vec![vec![(0, 1), (1, 8)], vec![(0, 7), (1, 5)]], true));
    let weighted = counted(&table(&rows[..3], People::Weights(vec![1, 2, 3])));
    assert_eq!(weighted, (vec![vec![(0, 1), (1, 2)], vec![(0, 3)]], false));
    // Someone with several rows counts once for each value, and is never counted at once.
    let subjects = counted(&table(&rows, People::of_subjects(&[1, 1, 2, 2, 3, 1])));
    assert_eq!(subjects, (vec![vec![(0, 1), (1, 1)], vec![(0, 1), (1, 1)]], false));
    let alone = counted(&table(&[("f", "p"), ("m", "q")], People::Weights(vec![3, 4])));
    assert_eq!(alone, (vec![vec![(0, 3)], vec![(1, 4)]], false));
}
