//! What stands for the cells of a table: from the definition, for every method.

use super::{METHODS, params};
use crate::table::{MinedTable, mine_table};
use crate::tree::tests::random::{Case, case};
use incrowd_core::ErrorKind;
use incrowd_core::progress::Silent;
use incrowd_core::recoding::{Shown, Unit};
use incrowd_core::table::{Column, Table};

fn text(column: &Column, row: usize) -> Option<String> {
    let code = column.code(row);
    (code != column.missing_code()).then(|| column.values().text(code as usize).into_owned())
}

/// The recoded attributes of a row: those that representatives of one attribute depend on.
fn key(recoded: &Table, names: &[&str], row: usize) -> Vec<Option<String>> {
    names.iter().map(|name| text(recoded.require(name).expect("recoded"), row)).collect()
}

/// Every row shows the mean, or the most frequent value, of all rows with its cells.
fn check(case: &Case, made: &MinedTable, seed: u64) {
    let recoding = &made.recoding;
    let cells = recoding.apply(&case.table).expect("the source's own rows");
    let (shown, _) =
        recoding.apply_shown(&case.table, Shown::Representatives, &Silent).expect("representatives");
    let names: Vec<&str> = recoding.legend().attributes.iter().map(|own| own.name.as_str()).collect();
    let k = case.guarantee.asked_k().unwrap_or(1);
    for name in &names {
        let depends = if recoding.legend().unit == Unit::Group { names.clone() } else { vec![*name] };
        let (source, own) = (case.table.require(name).expect("source"), shown.require(name).expect("shown"));
        let days = source.in_days();
        for row in 0..case.table.rows() {
            let group: Vec<usize> = (0..case.table.rows())
                .filter(|&other| key(&cells, &depends, other) == key(&cells, &depends, row))
                .collect();
            let weight = |row: usize| f64::from(case.table.weight(row));
            if let Some(numbers) = own.values().numbers() {
                let source = days.as_ref().unwrap_or(source);
                let all = source.values().numbers().expect("numbers");
                let number =
                    |&other: &usize| all.get(source.code(other) as usize).map(|n| (n, weight(other)));
                let of_group: Vec<(&f64, f64)> = group.iter().filter_map(number).collect();
                let size: f64 = of_group.iter().map(|(_, weight)| weight).sum();
                let mean = of_group.iter().map(|(number, weight)| *number * weight).sum::<f64>() / size;
                match numbers.get(own.code(row) as usize) {
                    Some(shown) => {
                        assert!((shown - mean).abs() <= 1e-5 * mean.abs(), "seed {seed}: {shown}, {mean}");
                        assert!(size >= k as f64, "seed {seed}: a mean of {size} rows");
                    }
                    None => assert!(size < k.max(1) as f64, "seed {seed}: {size} rows without a mean"),
                }
            } else {
                let often = |of: &Option<String>| -> f64 {
                    group
                        .iter()
                        .filter(|&&other| text(source, other) == *of)
                        .map(|&other| weight(other))
                        .sum()
                };
                let most = group.iter().map(|&other| often(&text(source, other))).fold(0.0, f64::max);
                assert!((often(&text(own, row)) - most).abs() < 0.5, "seed {seed}: {name}");
            }
        }
    }
}

#[test]
fn representatives_are_means_and_most_frequent_values_of_groups() {
    let mut checked = 0;
    for (method, _) in METHODS {
        for seed in 0..60 {
            let case = case(seed, 40, 6);
            let mut params = (*params(method, &case, seed)).clone();
            (params.closed, params.representatives) = (true, true);
            let made = mine_table(&case.table, &case.policy, &params.check().expect("parameters"), &Silent);
            let Ok(made) = made else { continue };
            check(&case, &made, seed);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} tables");
}

#[test]
fn representatives_need_a_closed_table() {
    let case = case(1, 40, 6);
    let mut params = (*params(super::TableMethod::Best, &case, 1)).clone();
    params.representatives = true;
    assert_eq!(params.check().expect_err("not closed").kind, ErrorKind::Parameters);
    let made = super::made(super::TableMethod::Mondrian, &case, 1).expect("a table");
    let error =
        made.recoding.apply_shown(&case.table, Shown::Representatives, &Silent).expect_err("not stated");
    assert_eq!(error.kind, ErrorKind::Input);
}
