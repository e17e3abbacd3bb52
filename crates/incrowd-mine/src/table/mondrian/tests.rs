//! Partitions by their properties, divisions against all there are.

use super::super::measures;
use super::super::params::Criterion;
use super::super::task::Task;
use super::super::watch::Watch;
use super::divide::Mondrian;
use super::{aside, draft};
use crate::table::{TableMethod, TableParams};
use crate::tree::tests::random::{Case, case};
use incrowd_core::guarantee::{Guarantee, Requirement, SingleBin};
use incrowd_core::progress::Silent;
use incrowd_core::table::{Kind, People, Table};
use incrowd_core::taxonomy::TaxonomyNode;

/// Calls with a bound case, where a table can be made at all.
fn with<T>(case: &Case, criterion: Criterion, then: impl Fn(&Task<'_>, &Mondrian<'_>) -> T) -> Option<T> {
    let task = Task::new(&case.table, &case.policy, &case.guarantee).ok()?;
    let watch = Watch::new(&task);
    let mondrian = Mondrian::new(&task, &watch, criterion).ok()?;
    watch.holds(&mondrian.everyone()).then(|| then(&task, &mondrian))
}

#[test]
fn parts_are_told_apart_by_an_attribute() {
    let mut parts = 0;
    for seed in 0..600 {
        for criterion in [Criterion::Width, Criterion::Gain, Criterion::Loss] {
            let groups = with(&case(seed, 40, 5), criterion, |_, mondrian| {
                let groups = mondrian.strict(&Silent);
                let codes: Vec<_> = groups.iter().map(|rows| mondrian.codes(rows)).collect();
                for (i, a) in codes.iter().enumerate() {
                    for b in &codes[..i] {
                        let apart = a.iter().zip(b).any(|(a, b)| a.iter().all(|code| !b.contains(code)));
                        assert!(apart, "seed {seed}, {criterion:?}");
                    }
                }
                groups.len()
            });
            parts += groups.unwrap_or(0);
        }
    }
    assert!(parts > 1500, "{parts}");
}

#[test]
fn a_part_that_could_be_divided_is() {
    for seed in 0..300 {
        let mut case = case(seed, 40, 5);
        case.guarantee = Guarantee::k_anonymity(2).expect("k");
        with(&case, Criterion::Width, |task, mondrian| {
            for rows in mondrian.strict(&Silent) {
                for attribute in task.attributes.iter().filter(|attribute| attribute.is_numeric()) {
                    let is_safe = |cut: u32| {
                        let (below, above): (Vec<u32>, Vec<u32>) =
                            rows.iter().partition(|&&row| attribute.code(row) < cut);
                        let divides = !below.is_empty() && !above.is_empty();
                        divides && mondrian.watch.holds(&below) && mondrian.watch.holds(&above)
                    };
                    let is_whole = !(0..=attribute.column.missing_code()).any(is_safe);
                    assert!(is_whole || mondrian.watch.only_k().is_none(), "seed {seed}");
                }
            }
        });
    }
}

/// The lowest loss any division of rows in two (or along the taxonomy) leaves in the attribute's cells, by trying all
/// of them.
fn lowest_loss(task: &Task<'_>, mondrian: &Mondrian<'_>, rows: &[u32], place: usize, k: u64) -> f64 {
    let attribute = &task.attributes[place];
    let codes = mondrian.codes(rows)[place].clone();
    let mut divisions: Vec<Vec<Vec<u32>>> = Vec::new();
    let two = |first: Vec<u32>| {
        let rest = codes.iter().copied().filter(|code| !first.contains(code)).collect();
        vec![first, rest]
    };
    let under = |node: TaxonomyNode| {
        let tree = attribute.taxonomy.as_ref().expect("a taxonomy");
        codes.iter().copied().filter(|&code| tree.contains(node, tree.leaf(code))).collect::<Vec<u32>>()
    };
    match &attribute.taxonomy {
        Some(tree) if !attribute.is_numeric() => {
            divisions.extend(tree.nodes().map(|node| two(under(node))));
            let cover = tree.cover(codes.iter().copied()).expect("codes");
            divisions.push(tree.children(cover).map(under).collect());
        }
        _ if attribute.column.kind() == Kind::Categorical => {
            // Every subset there is.
            for set in 0..1_u32 << codes.len() {
                let chosen = codes.iter().enumerate().filter(|&(i, _)| set & (1 << i) != 0);
                divisions.push(two(chosen.map(|(_, &code)| code).collect()));
            }
        }
        _ => divisions.extend((0..codes.len()).map(|cut| two(codes[..cut].to_vec()))),
    }
    let loss = |division: &Vec<Vec<u32>>| {
        let parts = division.iter().filter(|codes| !codes.is_empty());
        let parts: Vec<Vec<u32>> = parts
            .map(|codes| rows.iter().copied().filter(|&r| codes.contains(&attribute.code(r))).collect())
            .collect();
        let safe = parts.iter().all(|part| mondrian.weight(part) >= k);
        let cost = |part: &Vec<u32>| {
            mondrian.weight(part) as f64 * measures::loss(&mondrian.cells(part)[place], attribute)
        };
        if safe { parts.iter().map(cost).sum() } else { f64::INFINITY }
    };
    divisions.iter().map(loss).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_division_taken_lowers_the_loss_most() {
    let mut divided = 0;
    for seed in 0..500 {
        let mut case = case(seed, 30, 5);
        let k = 1 + seed % 4;
        case.guarantee = Guarantee::default().with(Requirement::k(k, SingleBin::Counted).expect("k"));
        if matches!(case.table.people(), People::Subjects { .. }) {
            continue;
        }
        with(&case, Criterion::Loss, |task, mondrian| {
            let rows = mondrian.everyone();
            let now = |place: usize| {
                mondrian.weight(&rows) as f64
                    * measures::loss(&mondrian.cells(&rows)[place], &task.attributes[place])
            };
            let falls = (0..task.attributes.len())
                .map(|place| now(place) - lowest_loss(task, mondrian, &rows, place, k));
            let best = falls.fold(0.0, f64::max);
            let chosen = mondrian.choose(&rows, false).map_or(0.0, |division| division.score[0]);
            // Groups too small by themselves go together, which trying all groups below does not.
            assert!(chosen >= best - 1e-9, "seed {seed}: {chosen}, and {best} is there");
            chosen > 0.0
        })
        .is_some_and(|chosen| chosen)
        .then(|| divided += 1);
    }
    assert!(divided > 100, "{divided}");
}

#[test]
fn setting_aside_keeps_everybody_and_the_guarantee() {
    for seed in 0..600 {
        with(&case(seed, 60, 6), Criterion::Loss, |task, mondrian| {
            let Some(groups) = aside::with_setting_aside(mondrian, &Silent) else { return };
            let mut rows: Vec<u32> = groups.concat();
            rows.sort_unstable();
            assert_eq!(rows, mondrian.everyone(), "seed {seed}");
            assert!(groups.iter().all(|rows| mondrian.watch.holds(rows)), "seed {seed}");
            for (rows, attribute) in
                groups.iter().flat_map(|rows| task.attributes.iter().map(move |a| (rows, a)))
            {
                let place =
                    task.attributes.iter().position(|other| other.place == attribute.place).expect("it");
                let own = measures::loss(&mondrian.cells(rows)[place], attribute);
                let codes = &mondrian.codes(rows)[place];
                let fast = mondrian.scale(place).loss(codes);
                assert!((own - fast).abs() < 1e-9, "seed {seed}: {own} and {fast}");
            }
        });
    }
}

#[test]
fn a_chain_of_divisions_needs_no_stack() {
    // Each number is far beyond the ones before it, so that the best cut takes off one.
    let numbers: Vec<Option<f64>> = (0..900).map(|i| Some(f64::powi(2.0, i))).collect();
    let class: Vec<Option<&str>> = (0..900).map(|i| Some(if i % 2 == 0 { "x" } else { "y" })).collect();
    let columns = vec![
        incrowd_core::table::Column::from_numbers("a", &numbers).expect("numbers"),
        incrowd_core::table::Column::from_texts("class", &class),
    ];
    let table = Table::new(columns, People::Rows).expect("a table");
    let roles = [("a", incrowd_core::policy::Role::Public), ("class", incrowd_core::policy::Role::Private)];
    let policy = crate::tree::tests::policy(&roles);
    let guarantee = Guarantee::k_anonymity(1).expect("k");
    let params = TableParams::new(TableMethod::Mondrian, guarantee.clone()).check().expect("parameters");
    let task = Task::new(&table, &policy, &guarantee).expect("a task");
    let made = draft(&task, &Watch::new(&task), &params, &Silent).expect("a draft");
    assert_eq!(made.groups(), 900);
}
