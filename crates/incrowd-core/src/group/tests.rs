use super::{Crowds, Grouping, Stripped, crowds, group_rows, group_sizes, smallest_group};
use crate::table::{Codes, Column, People, Table, Values};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A column whose codes lie among `count` values.
fn column(name: usize, count: usize, codes: &[u32]) -> Column {
    let values = Values::Numeric((0..count).map(|value| value as f64).collect());
    Column::new(name.to_string(), values, Codes::collect(count, codes.iter().copied())).expect("valid")
}

fn row_key(table: &Table, row: usize) -> Vec<u32> {
    table.columns().iter().map(|column| column.code(row)).collect()
}

fn naive_grouping(table: &Table) -> Grouping {
    let mut numbers = BTreeMap::new();
    let number = |row| {
        let next = numbers.len() as u32;
        *numbers.entry(row_key(table, row)).or_insert(next)
    };
    let of_row: Vec<u32> = (0..table.rows()).map(number).collect();
    Grouping { of_row, count: numbers.len() as u32 }
}

/// The individuals in each group: (row, copy) where rows are individuals, subjects otherwise.
fn naive_members(table: &Table) -> BTreeMap<Vec<u32>, BTreeSet<(u32, u32)>> {
    let mut members: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for row in 0..table.rows() {
        let group = members.entry(row_key(table, row)).or_default();
        match table.people() {
            People::Subjects { of_row, .. } => group.extend([(of_row[row], 0)]),
            _ => group.extend((0..table.weight(row)).map(|copy| (row as u32, copy))),
        }
    }
    members
}

fn naive_crowds(table: &Table, fewer_than: u64) -> Crowds {
    let members = naive_members(table);
    let size = |group: &BTreeSet<_>| group.len() as u64;
    let within = |small: &dyn Fn(u64) -> bool| {
        let groups = members.values().filter(|group| small(size(group)));
        groups.flatten().collect::<BTreeSet<_>>().len() as u64
    };
    Crowds {
        groups: members.len() as u64,
        smallest: members.values().map(size).min().unwrap_or(0),
        alone: within(&|size| size == 1),
        few: within(&|size| size < fewer_than),
    }
}

fn check(table: &Table) {
    let columns: Vec<&Column> = table.columns().iter().collect();
    let grouping = group_rows(table.rows(), &columns);
    assert_eq!(grouping, naive_grouping(table));
    assert_eq!(crowds(table, &columns, 3), naive_crowds(table, 3));
    assert_eq!(smallest_group(table, &columns), naive_crowds(table, 3).smallest);
    if let Some((last, others)) = columns.split_last() {
        let fewer = group_rows(table.rows(), others);
        match Stripped::new(table, &fewer, 3) {
            Some(groups) => assert_eq!(groups.divided_by(last, &mut Vec::new()), naive_crowds(table, 3)),
            None => assert!(matches!(table.people(), People::Subjects { .. })),
        }
    }
    let members = naive_members(table);
    let first_rows = grouping.first_rows();
    let sizes: Vec<u64> =
        first_rows.iter().map(|&row| members[&row_key(table, row as usize)].len() as u64).collect();
    assert_eq!(group_sizes(table, &columns), sizes);
}

fn people(rows: usize) -> impl Strategy<Value = People> {
    let weights = proptest::collection::vec(1_u32..4, rows);
    let subjects = proptest::collection::vec(0_u32..20, rows);
    prop_oneof![
        Just(People::Rows),
        weights.prop_map(People::Weights),
        subjects.prop_map(|ids| People::from_subject(&column(0, 20, &ids))),
    ]
}

/// Columns of all widths; their codes crowd at both ends, so that rows coincide.
fn any_table() -> impl Strategy<Value = Table> {
    (0_usize..60, 0_usize..7).prop_flat_map(|(rows, columns)| {
        let one = (prop_oneof![Just(1_usize), Just(2), Just(300), Just(70_000)], any::<u32>()).prop_flat_map(
            move |(count, spice)| {
                let code = (0_u32..3).prop_map(move |pick| match pick {
                    0 => 0,
                    1 => count as u32 - 1,
                    _ => spice % count as u32,
                });
                (Just(count), proptest::collection::vec(code, rows))
            },
        );
        (proptest::collection::vec(one, columns), people(rows)).prop_map(|(columns, people)| {
            let columns = columns.iter().enumerate().map(|(i, (count, codes))| column(i, *count, codes));
            Table::new(columns.collect(), people).expect("valid")
        })
    })
}

proptest! {
    #[test]
    fn agrees_with_the_naive_twin(table in any_table()) {
        check(&table);
    }
}

/// Numbers that look random, the same on every run.
fn scrambled(rows: usize, below: u64, salt: u64) -> Vec<u32> {
    (0..rows as u64).map(|row| (super::tally::spread(row * 64 + salt) % below) as u32).collect()
}

fn large_table(rows: usize, counts: &[u64], people: People) -> Table {
    let columns = counts.iter().enumerate();
    let columns = columns.map(|(i, &count)| column(i, count as usize, &scrambled(rows, count, i as u64)));
    Table::new(columns.collect(), people).expect("valid")
}

#[test]
fn many_blocks_and_partitions() {
    let rows = 150_000;
    check(&large_table(rows, &[300, 700], People::Rows));
    check(&large_table(
        rows,
        &[300, 100, 70_000],
        People::Weights(scrambled(rows, 2, 9).iter().map(|w| w + 1).collect()),
    ));
}

#[test]
fn short_keys_of_many_rows() {
    check(&large_table(100_000, &[3, 50, 7], People::Rows));
    check(&large_table(70_000, &[3, 1000], People::Weights(vec![2; 70_000])));
}

#[test]
fn keys_longer_than_64_bits() {
    check(&large_table(3_000, &[70_000, 70_000, 2, 70_000, 2, 300, 300], People::Rows));
}

#[test]
fn a_partition_much_longer_than_others() {
    let rows = 100_000;
    let rare = scrambled(rows, 90_000, 1).into_iter().map(|code| if code % 10 == 0 { code } else { 0 });
    let columns = vec![column(0, 90_000, &rare.collect::<Vec<_>>()), column(1, 70_000, &vec![7; rows])];
    check(&Table::new(columns, People::Rows).expect("valid"));
}

#[test]
fn no_columns_is_one_group_and_no_rows_none() {
    let table = Table::new(vec![], People::Weights(vec![2, 3])).expect("valid");
    assert_eq!(smallest_group(&table, &[]), 5);
    assert_eq!(group_rows(2, &[]), Grouping { of_row: vec![0, 0], count: 1 });
    let table = Table::new(vec![], People::Rows).expect("valid");
    assert_eq!(smallest_group(&table, &[]), 0);
    assert_eq!(group_rows(0, &[]).count, 0);
}

#[test]
fn the_same_for_any_number_of_threads() {
    let table = large_table(200_000, &[300, 700], People::Rows);
    let columns: Vec<&Column> = table.columns().iter().collect();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| (group_rows(table.rows(), &columns), crowds(&table, &columns, 5)))
    };
    assert_eq!(run(1), run(3));
}
