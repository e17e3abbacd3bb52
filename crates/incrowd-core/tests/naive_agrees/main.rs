//! The fast audit and the naive one, written apart, agree on thousands of random small models and tables.
//!
//! Every case is named by its seed. `INCROWD_CASES` sets another number of cases of each family.

mod cases;
mod channels;
mod compare;
mod dates;
mod details;
mod invariance;
mod joint;
mod joint_figures;
mod models;
mod persons;
mod printed;
mod random;
mod sets;
mod stated;
mod tables;
mod units;
mod without_subjects;

use cases::Case;
use random::Random;

/// Compares both audits on this many cases, or as many as `INCROWD_CASES` sets.
fn check(cases: u64, make: fn(&mut Random) -> Case) {
    check_most(cases, 80, make);
}

/// The same, if that many percent of them can be audited: not all can be, in exact fractions that fit.
fn check_most(cases: u64, percent: u64, make: fn(&mut Random) -> Case) {
    let cases = std::env::var("INCROWD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    let mut audited = 0;
    let mut differing = Vec::new();
    for seed in 0..cases {
        let case = make(&mut Random::new(seed));
        match compare::differences(&case) {
            Some(found) if !found.is_empty() => differing.push((seed, found)),
            Some(_) => audited += 1,
            None => {}
        }
    }
    if let Some((seed, _)) = differing.first() {
        for (seed, found) in differing.iter().take(5) {
            eprintln!("seed {seed}: {}", found.join("; "));
        }
        panic!("{} of {cases} differ, such as {:#?}", differing.len(), make(&mut Random::new(*seed)));
    }
    assert!(audited * 100 >= cases * percent, "only {audited} of {cases} could be audited");
}

#[test]
fn on_trees() {
    check(5000, cases::of_tree);
}

/// If dependencies tie private attributes to others, the fast audit may divide a span into several and refuses
/// requirements on such attributes: it errs on the safe side.
#[test]
fn on_ensembles() {
    check_most(5000, 70, cases::of_ensemble);
}

/// The trees test what cells over public attributes define.
#[test]
fn on_ensembles_with_cells() {
    check_most(4000, 60, cases::of_cells);
}

#[test]
fn on_clusters() {
    check(6000, cases::of_clusters);
}

#[test]
fn on_clusters_with_several_private_numbers() {
    check(3000, cases::of_private_clusters);
}

/// A clustering is refused only where a value is missing or not in its domain, domains contradict each other, or a
/// dependency ties a private number: everything else is decided, by both audits.
#[test]
fn every_clustering_is_decided() {
    for seed in 0..2000 {
        let make = if seed % 2 == 0 { cases::of_clusters } else { cases::of_private_clusters };
        let case = make(&mut Random::new(seed));
        let model = case.model.as_ref().expect("a clustering");
        if let Err(error) = incrowd_core::span::link(&case.table, &case.policy, model) {
            let told = [
                "not in the domain",
                "a value is missing",
                "whole",
                "numeric",
                "ties this private number",
                "that the policy does not",
                "no branch for a value",
            ];
            assert!(told.iter().any(|part| error.what.contains(part)), "seed {seed}: {error}");
        }
    }
}

#[test]
fn on_rules() {
    check(3000, cases::of_rules);
}

/// Both ways: what the fast audit finds small is small in every world, and it finds everything that is. Some tables
/// have individuals with several rows, for whom both refuse.
#[test]
fn on_rules_with_a_smallest_bin() {
    check_most(2000, 60, cases::of_few_rules);
}

/// Many are refused by both: cells that contradict the policy, and requirements that cells which overlap leave open.
#[test]
fn on_tables_of_sets() {
    check_most(6000, 60, sets::of_sets);
}

#[test]
fn on_tables() {
    check(4000, cases::of_table);
}
