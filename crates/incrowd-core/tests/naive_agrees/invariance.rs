//! What must not change a report: merging equal rows, the order of rows, the number of threads.

use crate::cases::{self, Case};
use crate::compare::fast;
use crate::random::Random;
use incrowd_core::audit::Report;
use incrowd_core::table::{People, Table};

const FAMILIES: [fn(&mut Random) -> Case; 5] =
    [cases::of_tree, cases::of_clusters, cases::of_rules, cases::of_table, cases::of_ensemble];

/// A report without what may change: how many rows are stored, and the order of groups of equal size.
fn settled(case: &Case) -> Option<Report> {
    let mut report = fast(case).ok()?;
    report.rows = 0;
    report.rows_left_out.of = 0;
    // Of more groups than a report lists, other ones of the same size may be shown.
    if report.spans > report.groups.len() as u64 {
        report.groups.clear();
    }
    report.groups.sort_by_key(|group| (group.individuals, group.rule.clone(), group.exposed_to.clone()));
    Some(report)
}

fn check(cases: u64, change: fn(&mut Random, &Table) -> Table) {
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let case = FAMILIES[seed as usize % FAMILIES.len()](&mut random);
        let before = settled(&case);
        let table = change(&mut random, &case.table);
        let changed = Case { table, ..case };
        assert_eq!(before, settled(&changed), "seed {seed}");
    }
}

#[test]
fn merging_equal_rows_changes_nothing() {
    check(2000, |_, table| table.merged());
}

#[test]
fn a_weight_is_as_many_rows() {
    check(2000, |_, table| match table.people() {
        People::Weights(weights) => {
            let rows = (0_u32..).zip(weights).flat_map(|(row, &n)| std::iter::repeat_n(row, n as usize));
            let columns = table.select(&rows.collect::<Vec<_>>()).columns().to_vec();
            Table::new(columns, People::Rows).expect("the same columns, some rows again")
        }
        _ => table.clone(),
    });
}

#[test]
fn the_order_of_rows_changes_nothing() {
    check(2000, |random, table| {
        let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
        random.shuffle(&mut rows);
        table.select(&rows)
    });
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let (one, eight) = (pool(1), pool(8));
    for seed in 0..1000 {
        let case = FAMILIES[seed as usize % FAMILIES.len()](&mut Random::new(seed));
        assert_eq!(one.install(|| fast(&case)), eight.install(|| fast(&case)), "seed {seed}");
    }
}

/// Enough rows for several blocks and runs of the fast audit, which one small table never fills.
#[test]
fn many_rows_are_as_few_with_weights() {
    const ROWS: usize = 300_000;
    let eight = rayon::ThreadPoolBuilder::new().num_threads(8).build().expect("a pool");
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let case = FAMILIES[seed as usize % FAMILIES.len()](&mut random);
        if case.table.rows() == 0 {
            continue;
        }
        let rows: Vec<u32> = (0..ROWS).map(|_| random.below(case.table.rows()) as u32).collect();
        let many = case.table.select(&rows);
        let table = Table::new(many.columns().to_vec(), People::Rows).expect("the same columns");
        let few = Case { table: table.merged(), ..case };
        let weighted = settled(&few);
        let many = Case { table, ..few };
        assert_eq!(weighted, settled(&many), "seed {seed}");
        assert_eq!(weighted, eight.install(|| settled(&many)), "seed {seed}, eight threads");
    }
}
