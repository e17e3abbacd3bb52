//! kACTUS-2's Table 1: `best` is ahead of its figures for C4.5. The sets that take long are in docs/reproduction.md.

use crate::benchmark;
use incrowd::Dataset;
use incrowd::compare::ComparedMethod;
use incrowd::policy::{Attribute, Policy, Role};
use incrowd::table::Table;
use incrowd_eval::folds::Protocol;

/// The area under accuracy over k of `best` trees, five times 2-fold.
fn area(table: &Table, is_public: impl Fn(&str) -> bool, ks: &[u64]) -> f64 {
    let role = |name: &str| if name != "class" && is_public(name) { Role::Public } else { Role::Private };
    let policy =
        Policy::new(table.columns().iter().map(|c| Attribute::new(c.name(), role(c.name()))).collect())
            .with_class("class");
    let data = Dataset::of_table(table.clone(), policy);
    let job =
        data.compare().methods([ComparedMethod::named("best").expect("a method")]).ks(ks.iter().copied());
    let job = job.inducers(Vec::<String>::new()).protocol(Protocol::Repeated { times: 5, folds: 2 }).seed(1);
    let found = job.run().expect("a comparison");
    let area = found.series.iter().find(|series| series.method == "best").and_then(|series| series.area);
    area.expect("an area")
}

#[test]
fn tic_tac_toe() {
    let Some(table) = benchmark::table("tic-tac-toe/tic-tac-toe.data", b',', 10, &[]) else { return };
    let area = area(&table, |_| true, &[5, 10, 15, 20, 30]);
    assert!(area > 1_802.35, "{area}");
}

#[test]
fn glass() {
    let Some(table) = benchmark::table("glass/glass.data", b',', 11, &[0]) else { return };
    let area = area(&table, |_| true, &[5, 10, 15, 20, 30]);
    assert!(area > 1_383.2, "{area}");
}

/// Nine of the twenty attributes are public.
#[test]
fn german_credit() {
    let Some(table) = benchmark::table("german-credit/german.data", b' ', 21, &[]) else { return };
    let public = ["a0", "a1", "a2", "a3", "a4", "a5", "a7", "a9", "a11"];
    let area = area(&table, |name| public.contains(&name), &[5, 10, 15, 20, 30, 40, 50, 80, 100]);
    assert!(area > 6_646.4, "{area}");
}
