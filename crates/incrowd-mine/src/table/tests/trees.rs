//! The methods that suppress, swap or aggregate along a tree, on random small cases.

use super::{CASES, conform, made, only_k};
use crate::table::{TableMethod, TableParams, mine_table};
use crate::tree::tests::random::case;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::Role;
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, Date, Kind, People, Table};
use incrowd_core::taxonomy::TaxonomySpec;

const METHODS: [TableMethod; 3] = [TableMethod::Kactus, TableMethod::Kactus2, TableMethod::Aggregate];

#[test]
fn kactus_keeps_the_guarantee() {
    assert!(conform(TableMethod::Kactus, true) > 100);
}

#[test]
fn kactus2_keeps_the_guarantee() {
    assert!(conform(TableMethod::Kactus2, false) > 100);
}

#[test]
fn aggregates_keep_the_guarantee() {
    assert!(conform(TableMethod::Aggregate, false) > 100);
}

/// Where only k is required, fewer than k rows are lost; private values are unchanged.
#[test]
fn few_rows_are_lost() {
    let mut lost_some = 0;
    for method in METHODS {
        for seed in 0..CASES {
            let case = case(seed, 60, 5);
            let Ok(made) = made(method, &case, seed) else { continue };
            super::check_private(&case, &made, seed);
            if let Some(k) = only_k(&case) {
                assert!(made.summary.rows_lost < k, "{method}, seed {seed}: {} lost", made.summary.rows_lost);
                lost_some += usize::from(made.summary.rows_lost > 0);
            }
        }
    }
    assert!(lost_some > 0);
}

#[test]
fn threads_do_not_matter() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for (method, seed) in METHODS.into_iter().flat_map(|method| (0..60).map(move |seed| (method, seed))) {
        let case = case(seed, 200, 8);
        let make = || made(method, &case, seed).ok();
        assert!(make() == alone.install(make), "{method}, seed {seed}");
    }
}

/// A tree over dates divides them by the calendar, also where names would be divided by their share of a class.
#[test]
fn best_divides_dates_by_order() {
    let day = |row: usize| format!("2023-{:02}-{:02}", 1 + row % 12, 1 + row % 28);
    let late = |row: usize| row % 12 >= 6;
    let days: Vec<Option<String>> = (0..336).map(|row| Some(day(row))).collect();
    let class: Vec<Option<&str>> =
        (0..336).map(|row| Some(if late(row) == (row % 11 == 0) { "no" } else { "yes" })).collect();
    let dates = Column::from_texts("day", &days).with_dates(|text| Date::parse(text, None)).unwrap();
    let table = Table::new(vec![dates, Column::from_texts("class", &class)], People::Rows).unwrap();
    let mut policy = crate::tree::tests::policy(&[("day", Role::Public), ("class", Role::Private)]);
    policy.attributes[0].kind = Some(Kind::Date);
    policy.attributes[0].taxonomy = Some(TaxonomySpec::Calendar);
    let params = TableParams::new(TableMethod::Best, Guarantee::k_anonymity(5).unwrap()).check().unwrap();
    let made = mine_table(&table, &policy, &params, &Silent).unwrap();
    let column = made.table.column("day").unwrap();
    let mut months: Vec<(u32, u32)> = Vec::new();
    for group in 0..column.values().len() as u32 {
        let rows = (0..made.table.rows()).filter(|&row| column.code(row) == group);
        let of_source = rows.map(|row| made.source_rows[row] as usize % 12);
        let of_source: Vec<u32> = of_source.map(|month| month as u32).collect();
        months.push((*of_source.iter().min().unwrap(), *of_source.iter().max().unwrap()));
    }
    months.sort_unstable();
    assert!(months.len() >= 2 && months.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{months:?}");
}

/// The individuals who do not have their group's most frequent class, not their rows.
#[test]
fn the_classification_metric_counts_individuals() {
    let class = ["a", "a", "a", "b", "b"].map(Some);
    let columns = vec![Column::from_texts("x", &[Some("v"); 5]), Column::from_texts("class", &class)];
    let table = Table::new(columns, People::of_subjects(&[0, 0, 0, 1, 2])).unwrap();
    let policy = crate::tree::tests::policy(&[("x", Role::Public), ("class", Role::Private)]);
    let params = TableParams::new(TableMethod::Mondrian, Guarantee::k_anonymity(2).unwrap()).check().unwrap();
    let made = mine_table(&table, &policy, &params, &Silent).unwrap();
    assert_eq!(made.summary.cm, Some(1), "one of three individuals, though three of five rows");
}
