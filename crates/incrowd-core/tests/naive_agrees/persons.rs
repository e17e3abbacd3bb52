//! Individuals with several rows: what is certain over all worlds is never more than the audit reports, and strict k is
//! a crowd.

use crate::cases::{self, Case};
use crate::compare::fast;
use crate::random::Random;
use incrowd_core::guarantee::{Guarantee, Requirement, Scope, SeveralRows, SingleBin};
use incrowd_core::naive;
use incrowd_core::table::{People, Table};

/// A random model over few individuals, some of whom have several rows, with few enough ways to place them.
fn small(random: &mut Random, family: fn(&mut Random) -> Case) -> Option<Case> {
    let case = family(random);
    let rows = case.table.rows();
    if !(2..=6).contains(&rows) {
        return None;
    }
    let subjects = 1 + random.below(rows - 1) as u32;
    let of_row: Vec<u32> = (0..rows).map(|_| random.below(subjects as usize) as u32).collect();
    let people = People::of_subjects(&of_row);
    let table = Table::new(case.table.columns().to_vec(), people).expect("the same columns");
    let strict = Requirement::k_over(1, SingleBin::Counted, SeveralRows::Strict).expect("k");
    let smallest = Requirement::smallest_bin(random.between(2, 3) as u64).expect("a bin");
    let asked = if matches!(case.model, Some(incrowd_core::model::Model::Rules(_))) {
        vec![strict]
    } else {
        vec![strict, smallest]
    };
    let guarantee = Guarantee::new(asked, Scope::All).expect("one of each");
    Some(Case { table, guarantee, ..case })
}

#[test]
fn exposure_and_small_cells_are_never_understated() {
    let families: [fn(&mut Random) -> Case; 4] =
        [cases::of_tree, cases::of_clusters, cases::of_rules, cases::of_ensemble];
    let (mut judged, mut certain_somewhere, mut sure_somewhere, mut small_cells, mut crowds) =
        (0, 0, 0, 0, 0);
    for seed in 0..8000_u64 {
        let Some(case) = small(&mut Random::new(seed), families[seed as usize % 4]) else { continue };
        let Ok(report) = fast(&case) else { continue };
        let Some(model) = &case.model else { continue };
        let limit = case.guarantee.asked_smallest_bin().unwrap_or(1);
        let Ok(truth) = naive::certain_of_persons(&case.table, &case.policy, model, limit) else { continue };
        let said: Vec<u64> = report.exposed_to.iter().map(|to| to.individuals).collect();
        let names: Vec<&str> = report.exposed_to.iter().map(|to| to.attribute.as_str()).collect();
        assert_eq!(said.len(), truth.exposed_to.len(), "seed {seed}");
        let mut bound = said.clone();
        let mut exact = truth.exposed_to.clone();
        // The two audits may list attributes in another order.
        bound.sort_unstable();
        exact.sort_unstable();
        let mut surely: Vec<u64> =
            report.exposed_to.iter().map(incrowd_core::audit::ExposedTo::surely).collect();
        assert!(report.at_most && report.exposed_to.iter().all(|to| to.at_least.is_some()), "seed {seed}");
        surely.sort_unstable();
        let no_more = surely.iter().zip(&exact).all(|(surely, certain)| surely <= certain);
        assert!(
            no_more,
            "seed {seed}: {names:?} surely {surely:?}, certain {:?}\n{case:#?}",
            truth.exposed_to
        );
        sure_somewhere += u32::from(surely.iter().any(|&n| n > 0));
        let within = bound.iter().zip(&exact).all(|(said, certain)| certain <= said);
        assert!(within, "seed {seed}: {names:?} said {said:?}, certain {:?}\n{case:#?}", truth.exposed_to);
        if limit > 1 && truth.small_cell {
            assert!(!report.holds, "seed {seed}: a small cell follows and is not seen\n{case:#?}");
            small_cells += 1;
        }
        for &crowd in &truth.crowd {
            assert!(crowd >= report.k, "seed {seed}: {crowd} of {}", report.k);
            crowds += u32::from(report.k > 1);
        }
        judged += 1;
        certain_somewhere += u32::from(truth.exposed_to.iter().any(|&n| n > 0));
    }
    assert!(
        judged > 800 && certain_somewhere > 100 && sure_somewhere > 8 && small_cells > 50 && crowds > 20,
        "{judged}, {certain_somewhere}, {sure_somewhere}, {small_cells}, {crowds}"
    );
}
