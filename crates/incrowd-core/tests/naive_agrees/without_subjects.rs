//! A table without the column that identifies individuals, audited by what was counted with it.

use crate::cases;
use crate::random::Random;
use incrowd_core::audit::{ReleasedTable, StatedPeople, audit_stated_table, audit_table};
use incrowd_core::table::{People, Table};

/// The same verdict and figures as with the column; a requirement that is not settled by what was counted is refused,
/// and only one that does not hold.
#[test]
fn what_was_counted_stands_for_who_is_who() {
    let (mut held, mut broken) = (0, 0);
    for seed in 0..6000 {
        let case = cases::of_table(&mut Random::new(seed));
        let People::Subjects { .. } = case.table.people() else { continue };
        let Ok(report) = audit_table(&case.table, &case.policy, &case.guarantee) else { continue };
        let stated =
            StatedPeople::of(&case.table, &case.policy, &case.guarantee, &report).expect("audited before");
        let rows = Table::new(case.table.columns().to_vec(), People::Rows).expect("the same columns");
        let audited =
            audit_stated_table(&ReleasedTable::whole(&rows), &case.policy, &case.guarantee, &stated);
        let Ok(audited) = audited else {
            assert!(report.breaches > Some(0), "seed {seed}: {:?}", audited.err());
            continue;
        };
        assert_eq!((audited.holds, audited.k), (report.holds, report.k), "seed {seed}");
        assert_eq!(
            (audited.individuals, audited.exposed),
            (report.individuals, report.exposed),
            "seed {seed}"
        );
        assert_eq!(audited.attributes, report.attributes, "seed {seed}");
        assert_eq!(audited.rare_values, report.rare_values, "seed {seed}");
        assert!(audited.in_breach.is_none_or(|people| Some(people) >= report.in_breach), "seed {seed}");
        held += u32::from(report.holds);
        broken += u32::from(!report.holds);
    }
    assert!(held > 100 && broken > 100, "the cases are telling: {held}, {broken}");
}

/// Individuals that cannot be those of the table are refused.
#[test]
fn other_individuals_are_refused() {
    let mut refused = 0;
    for seed in 0..2000 {
        let case = cases::of_table(&mut Random::new(seed));
        let People::Subjects { .. } = case.table.people() else { continue };
        let Ok(report) = audit_table(&case.table, &case.policy, &case.guarantee) else { continue };
        let mut stated =
            StatedPeople::of(&case.table, &case.policy, &case.guarantee, &report).expect("audited before");
        let Some(group) = stated.groups.first_mut() else { continue };
        *group = 1000;
        stated.individuals = 1000;
        let rows = Table::new(case.table.columns().to_vec(), People::Rows).expect("the same columns");
        let audited =
            audit_stated_table(&ReleasedTable::whole(&rows), &case.policy, &case.guarantee, &stated);
        assert!(audited.is_err(), "seed {seed}");
        refused += 1;
    }
    assert!(refused > 100);
}
