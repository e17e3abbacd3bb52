//! A blind structure: exchanging private values within groups changes nothing.

use super::super::{Criterion, MinedTable, TableMethod, TableParams, mine_table};
use crate::Structure;
use crate::exchange::{exchanged, is_known};
use crate::tree::tests::random::{Case, case};
use incrowd_core::Result;
use incrowd_core::group::group_rows;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, Table};

fn made(
    case: &Case,
    table: &Table,
    criterion: Criterion,
    guarantee: &Guarantee,
) -> Option<Result<MinedTable>> {
    let mut params = TableParams::new(TableMethod::Mondrian, guarantee.clone());
    (params.criterion, params.structure) = (criterion, Structure::Blind);
    Some(mine_table(table, &case.policy, &params.check().ok()?, &Silent))
}

/// The group of each row of the source.
fn groups(case: &Case, made: &MinedTable) -> Vec<u32> {
    let public: Vec<&Column> =
        made.table.columns().iter().filter(|column| is_known(case, column.name())).collect();
    let released = group_rows(made.table.rows(), &public).of_row;
    let mut of_row = vec![u32::MAX; case.table.rows()];
    made.source_rows.iter().zip(released).for_each(|(&row, group)| of_row[row as usize] = group);
    of_row
}

/// What leaves the program: the table and the figures in its file, or the refusal.
fn leaves(made: &Result<MinedTable>) -> String {
    match made {
        Ok(made) => {
            let report = &made.report;
            let texts = made.table.columns().iter().map(|column| {
                let codes = column.codes().iter();
                let text = |code: u32| {
                    let is_there = code < column.missing_code();
                    is_there.then(|| column.values().text(code as usize).into_owned())
                };
                (column.name().to_owned(), codes.map(text).collect::<Vec<_>>())
            });
            let texts: Vec<_> = texts.collect();
            format!(
                "{texts:?} {:?} {:?}",
                (report.k, report.exposed, report.max_confidence),
                made.recoding.legend()
            )
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn exchanging_private_values_within_groups_changes_nothing() {
    let (mut released, mut several, mut refused) = (0, 0, 0);
    for seed in 0..500 {
        let case = case(seed, 40, 5);
        let criterion = if seed % 2 == 0 { Criterion::Width } else { Criterion::Loss };
        let Some(mined) = made(&case, &case.table, criterion, &case.guarantee) else { continue };
        let only_k = Guarantee::k_anonymity(case.guarantee.asked_k().unwrap_or(1)).expect("k");
        let Some(Ok(of_k)) = made(&case, &case.table, criterion, &only_k) else { continue };
        let groups = groups(&case, &of_k);
        assert!(!groups.contains(&u32::MAX), "seed {seed}: no row is lost");
        several += u64::from(groups.iter().any(|&group| group > 0));
        for turn in 0..3 {
            let other = exchanged(&case, &groups, &mut Random::of(seed, turn));
            let again = made(&case, &other, criterion, &case.guarantee).expect("checked");
            assert_eq!(leaves(&mined), leaves(&again), "seed {seed}: {case:#?} {other:#?}");
        }
        released += u64::from(mined.is_ok());
        refused += u64::from(mined.is_err());
    }
    eprintln!("{released} released, {refused} refused, {several} with several groups");
    assert!(released > 60 && several > 40 && refused > 5, "{released}, {refused}, {several}");
}
