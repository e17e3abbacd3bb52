//! Pruning as far as the guarantee allows.

use super::random::{Case, case};
use super::{TreeMethod, mine, policy};
use crate::tree::grower::Grower;
use crate::tree::release::{Cut, model, release};
use crate::tree::safely::{release_pruned, with_private_tests};
use crate::tree::task::Task;
use crate::tree::{TreeParams, c45, mine_tree};
use incrowd_core::audit::audit_model;
use incrowd_core::guarantee::{Guarantee, Requirement, Scope, SingleBin};
use incrowd_core::model::Model;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};
use std::cell::Cell;

/// A class that depends on public numbers and on a private one, which depends on a public one, with noise.
fn table(seed: u64) -> Table {
    let random = &mut Random::of(seed, 0);
    let rows: Vec<[u32; 4]> = (0..600)
        .map(|_| {
            let [a, b] = [random.below(9), random.below(5)];
            let p = (a / 2 + random.below(3)).min(5);
            let sure = u32::from(p >= 3) ^ u32::from(a >= 5);
            [a, b, p, if random.percent(25) { random.below(2) } else { sure }]
        })
        .collect();
    let numbers = |name: &str, place: usize| {
        let cells: Vec<Option<f64>> = rows.iter().map(|row| Some(f64::from(row[place]))).collect();
        Column::from_numbers(name, &cells).unwrap()
    };
    let class: Vec<Option<&str>> = rows.iter().map(|row| Some(["no", "yes"][row[3] as usize])).collect();
    let columns =
        vec![numbers("a", 0), numbers("b", 1), numbers("p", 2), Column::from_texts("class", &class)];
    Table::new(columns, People::Rows).unwrap()
}

fn owner() -> Policy {
    policy(&[("a", Role::Public), ("b", Role::Public), ("p", Role::Private), ("class", Role::Private)])
}

fn capped(cap: f64) -> Guarantee {
    let guarantee = Guarantee::default().with(Requirement::k(5, SingleBin::Counted).unwrap());
    guarantee.with(Requirement::confidence(cap).unwrap()).of(Scope::Named(vec!["p".to_owned()]))
}

#[test]
fn a_tree_that_cannot_be_pruned_whole_is_pruned_in_part() {
    let (mut smaller, mut warned) = (0, 0);
    for seed in 16..24 {
        let method = TreeMethod::Best;
        let (table, policy, guarantee) = (table(seed), owner(), capped(0.7));
        let mined = mine(&table, &policy, method, &guarantee).unwrap();
        let Some(warning) = mined.warnings.iter().find(|warning| warning.contains("pruning stopped")) else {
            continue;
        };
        warned += 1;
        assert!(mined.report.holds, "seed {seed}");
        assert_eq!(mine(&table, &policy, method, &guarantee).unwrap(), mined, "seed {seed}");
        let leaves = mined.summary.leaves;
        assert!(warning.starts_with(&format!("pruning stopped at {leaves} leaves instead of ")), "{warning}");
        let params = TreeParams::new(method, guarantee).check().unwrap().unpruned();
        let whole = mine_tree(&table, &policy, &params, &Silent).unwrap();
        smaller += u32::from(leaves < whole.summary.leaves);
    }
    assert!(warned >= 1 && smaller == warned, "{smaller} of {warned} are smaller");
}

/// A tree for every case that has one, with nodes to become leaves at random.
fn grown(cases: impl Iterator<Item = (u64, Case)>, check: impl Fn(u64, &Case, &Grower<'_>, Cut)) {
    for (seed, case) in cases {
        let mut params = TreeParams::new(TreeMethod::KadetC45, case.guarantee.clone());
        params.min_rows = 1;
        let params = params.check().unwrap();
        let task = Task::new(&case.table, &case.policy, &params).unwrap();
        let mut grower = Grower::new(&task);
        if grower.root_breach().is_some() {
            continue;
        }
        c45::grow(&mut grower, &params, &Silent);
        let random = &mut Random::of(seed, 5);
        let cut = grower.nodes.iter().map(|node| node.split.is_some() && random.percent(15)).collect();
        check(seed, &case, &grower, Cut(cut));
    }
}

fn random_cases(count: u64) -> impl Iterator<Item = (u64, Case)> {
    (0..count).map(|seed| {
        let mut case = case(seed, 40, 5);
        if seed.is_multiple_of(2) {
            let cap = Requirement::confidence(0.6 + (seed % 7) as f64 * 0.05).unwrap();
            case.guarantee = case.guarantee.with(cap).of(Scope::All);
        }
        (seed, case)
    })
}

fn larger_cases(count: u64) -> impl Iterator<Item = (u64, Case)> {
    let guarantee = |seed: u64| capped([0.65, 0.7, 0.75][seed as usize % 3]);
    (0..count)
        .map(move |seed| (seed, Case { table: table(seed), policy: owner(), guarantee: guarantee(seed) }))
}

#[test]
fn the_cap_that_the_warning_names_allows_the_pruned_tree() {
    let named = Cell::new(0);
    grown(larger_cases(60), |seed, case, grower, cut| {
        let params = TreeParams::new(TreeMethod::KadetC45, case.guarantee.clone()).check().unwrap();
        let mined = release_pruned(grower, &cut, &params, &Silent).unwrap();
        let Some(warning) = mined.warnings.iter().find(|warning| warning.contains("a cap of ")) else {
            return;
        };
        let cap: f64 = warning.split("a cap of ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let pruned = Model::Tree(model(grower, &cut).unwrap());
        let holds = |cap: f64| audit_model(&case.table, &case.policy, &pruned, &capped(cap)).unwrap().holds;
        assert!(holds(cap) && !holds(cap - 0.01), "seed {seed}: {warning}");
        named.set(named.get() + 1);
    });
    assert!(named.get() > 5, "{} named", named.get());
}

/// See "Merging preserves guarantees" in docs/proofs.md: where each individual has one row, a subtree without private
/// tests can become a leaf.
#[test]
fn subtrees_without_private_tests_can_be_pruned() {
    let seen = Cell::new(0);
    grown(random_cases(2000), |seed, case, grower, mut cut| {
        let derivable = case.guarantee.asked_smallest_bin().is_some() || grower.task.tied;
        if case.table.has_several_rows() || derivable || release(grower, &Cut::nothing(grower)).is_err() {
            return;
        }
        let private = with_private_tests(grower);
        cut.0.iter_mut().zip(private).for_each(|(cut, private)| *cut &= !private);
        if cut.0.contains(&true) {
            assert!(release(grower, &cut).is_ok(), "seed {seed}");
            seen.set(seen.get() + 1);
        }
    });
    assert!(seen.get() > 100, "{} seen", seen.get());
}

#[test]
fn whatever_is_to_be_pruned_the_release_passes_its_audit() {
    let (pruned, partly) = (Cell::new(0), Cell::new(0));
    grown(random_cases(800).chain(larger_cases(60)), |seed, case, grower, cut| {
        let params = TreeParams::new(TreeMethod::KadetC45, case.guarantee.clone()).check().unwrap();
        let Ok(whole) = release(grower, &Cut::nothing(grower)) else { return };
        let mined = release_pruned(grower, &cut, &params, &Silent).unwrap();
        assert!(mined.report.holds && mined.summary.leaves <= whole.summary.leaves, "seed {seed}");
        let is_partly = mined.warnings.iter().any(|warning| warning.contains("pruning stopped"));
        assert!(!is_partly || release(grower, &cut).is_err(), "seed {seed}");
        partly.set(partly.get() + u32::from(is_partly && mined.summary.leaves < whole.summary.leaves));
        pruned.set(pruned.get() + u32::from(mined.summary.leaves < whole.summary.leaves));
    });
    assert!(pruned.get() > 150 && partly.get() > 4, "{} pruned, {} in part", pruned.get(), partly.get());
}
