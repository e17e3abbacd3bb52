//! The search on small tables.

use super::super::params::{TableMethod, TableParams};
use super::*;
use crate::tree::tests::random::case;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::progress::Silent;

/// Every row is in one group, what a group states about itself is what its rows are, and the search only ever lowers
/// the loss.
#[test]
fn groups_are_what_their_rows_are() {
    let mut lowered = 0;
    for seed in 0..250 {
        let mut case = case(seed, 120, 6);
        case.guarantee = Guarantee::k_anonymity(2 + seed % 4).expect("k");
        let Ok(task) = Task::new(&case.table, &case.policy, &case.guarantee) else { continue };
        let watch = Watch::new(&task);
        if !watch.holds(&(0..case.table.rows() as u32).collect::<Vec<_>>()) {
            continue;
        }
        let search = Search::new(&task, &watch);
        let mut groups = search.cover(&search.everyone(), &vec![1.0; task.attributes.len()]).groups;
        let first = total(&groups);
        search.move_rows(&mut groups, &Silent);
        let second = total(&groups);
        search.rebuild(&mut groups, seed, &Silent);
        let third = total(&groups);
        assert!(third <= second + 1e-9 && second <= first + 1e-9, "seed {seed}: {first} {second} {third}");
        lowered += u32::from(third < first);
        let mut seen = vec![0; case.table.rows()];
        for group in &groups {
            group.rows.iter().for_each(|&row| seen[row as usize] += 1);
            let again = Group::new(&search, group.rows.clone());
            assert_eq!(
                (group.weight, &group.counts, &group.covers),
                (again.weight, &again.counts, &again.covers)
            );
            assert!((group.loss - again.loss).abs() < 1e-9);
            assert!(watch.holds(&search.in_table(&group.rows)), "seed {seed}");
        }
        assert!(seen.iter().all(|&times| times == 1), "seed {seed}");
    }
    assert!(lowered > 30, "{lowered}");
}

/// It starts with what Mondrian finds by loss, where that is better than its own.
#[test]
fn it_loses_no_more_than_mondrian() {
    let mut compared = 0;
    for seed in 0..80 {
        let case = case(seed, 60, 6);
        let guarantee = Guarantee::k_anonymity(3).expect("k");
        let loss = |method| {
            let params = TableParams::new(method, guarantee.clone()).check().expect("parameters");
            let made = super::super::mine_table(&case.table, &case.policy, &params, &Silent);
            made.ok().filter(|_| !matches!(case.table.people(), People::Subjects { .. }))
        };
        if let (Some(finest), Some(mondrian)) = (loss(TableMethod::Finest), loss(TableMethod::Mondrian)) {
            compared += 1;
            let [fine, coarse] = [&finest, &mondrian].map(|made| made.summary.loss.expect("defined"));
            assert!(fine <= coarse + 1e-9, "seed {seed}");
        }
    }
    assert!(compared > 20, "{compared}");
}
