//! Rare printed private values, counted by both: in models of every family and in tables, generalized ones among them.

use crate::cases::{self, Case};
use crate::random::Random;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::naive;
use incrowd_core::printed::{rare_in_model, rare_in_table};
use incrowd_core::table::{Column, Kind, Table};

/// How many of some cases have rare values printed.
fn telling(make: fn(&mut Random) -> Case) -> u32 {
    let mut telling = 0;
    for seed in 0..1200 {
        let random = &mut Random::new(seed);
        let mut case = make(random);
        if case.model.is_none() && random.percent(50) {
            case.table = generalized(random, &case.table);
        }
        for required in 1..8 {
            let guarantee = Guarantee::k_anonymity(required).expect("k");
            let fast = match &case.model {
                Some(model) => rare_in_model(&case.table, &case.policy, model, &guarantee).total(),
                None => rare_in_table(&case.table, &case.policy, &[], required).total(),
            };
            let slow = naive::rare_values(&case.table, &case.policy, case.model.as_ref(), required);
            assert_eq!(fast, slow, "seed {seed}, {required} required: {case:#?}");
            telling += u32::from(fast > 0);
        }
    }
    telling
}

/// The table with some names written as sets, marks and groups.
fn generalized(random: &mut Random, table: &Table) -> Table {
    let mut of_column = |column: &Column| {
        if column.kind() != Kind::Categorical {
            return column.clone();
        }
        let values = column.values();
        let mut cell = |code: u32| {
            let text = (code < column.missing_code()).then(|| values.text(code as usize).into_owned())?;
            let other = values.text(random.below(values.len()));
            let marks = ["?", "other values", "*", other.as_ref(), "elsewhere", ""];
            let mark = random.pick(&marks);
            Some(match random.below(5) {
                0 => format!("{{{text}, {mark}}}"),
                1 => "*".to_owned(),
                2 => mark.to_owned(),
                _ => text,
            })
        };
        let cells: Vec<Option<String>> = column.codes().iter().map(&mut cell).collect();
        Column::from_texts(column.name(), &cells)
    };
    let columns = table.columns().iter().map(&mut of_column).collect();
    Table::new(columns, table.people().clone()).expect("columns of one length")
}

#[test]
fn rare_values_in_print_are_those_of_the_definition() {
    let families: [fn(&mut Random) -> Case; 4] =
        [cases::of_tree, cases::of_clusters, cases::of_rules, cases::of_table];
    let telling = families.map(telling);
    assert!(telling.iter().all(|&cases| cases > 300), "rare values in {telling:?} cases");
}
