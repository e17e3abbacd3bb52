//! On random tables with random roles: tracked spans are those of the definition, mined trees pass the audit, and
//! results depend on the table alone.

use super::random::{Case, case, tied_case};
use super::{TreeMethod, mine};
use crate::tree::grower::Grower;
use crate::tree::release::{Cut, spans};
use crate::tree::spans::{Place, Span};
use crate::tree::task::Task;
use crate::tree::watch::individuals;
use crate::tree::{TreeParams, best, c45, id3, prune};
use incrowd_core::model::Model;
use incrowd_core::naive;
use incrowd_core::printed::{Holders, is_declared, required_holders};
use incrowd_core::progress::Silent;
use incrowd_core::table::People;

const CASES: u64 = 1500;

/// The reference goes through all worlds, so it needs small tables.
const SMALL: u32 = 10;

/// The individuals that share the span of each row; a span may be made of several.
fn populations(grower: &Grower<'_>, spans: &[Vec<&Span>]) -> Vec<u64> {
    let mut of_row = vec![0; grower.task.table.rows()];
    for parts in spans {
        let rows: Vec<u32> =
            parts.iter().flat_map(|span| grower.spans.rows(&grower.by_leaf, span)).copied().collect();
        let population = individuals(grower.task, &rows);
        rows.iter().for_each(|&row| of_row[row as usize] += population);
    }
    of_row
}

/// The individuals that share the tracked span of each row.
fn populations_of_all(grower: &Grower<'_>) -> Vec<u64> {
    let spans: Vec<Vec<&Span>> = grower.spans.all().iter().map(|span| vec![span]).collect();
    populations(grower, &spans)
}

/// Calls `check` with a grown tree for every case that has one.
fn grown(method: TreeMethod, cases: u64, rows: u32, check: impl Fn(u64, &Case, &Grower<'_>, &Cut)) {
    let mut seen = 0;
    for seed in 0..cases {
        let case = case(seed, rows, 4);
        let mut params = TreeParams::new(method, case.guarantee.clone());
        params.min_rows = params.min_rows.min(2);
        let params = params.check().expect("parameters");
        let task = Task::new(&case.table, &case.policy, &params).expect("a task");
        let mut grower = Grower::new(&task);
        if grower.root_breach().is_some() {
            continue;
        }
        match method {
            TreeMethod::KadetId3 => id3::grow(&mut grower, &Silent),
            TreeMethod::KadetC45 => c45::grow(&mut grower, &params, &Silent),
            TreeMethod::Best => best::grow_for_test(&mut grower, &params),
        }
        seen += u64::from(grower.nodes.len() > 1);
        check(seed, &case, &grower, &Cut::nothing(&grower));
        if method == TreeMethod::KadetC45 {
            check(seed, &case, &grower, &prune::prune(&grower, 0.25));
        }
    }
    assert!(seen * 8 > cases, "only {seen} of {cases} trees have tests");
}

#[test]
fn tracked_spans_are_those_of_the_definition() {
    for method in TreeMethod::ALL {
        grown(method, CASES, SMALL, |seed, case, grower, cut| {
            let tree = crate::tree::release::model(grower, cut).expect("a tree");
            let spans = spans(grower, cut);
            let audit = naive::audit_model(&case.table, &case.policy, &Model::Tree(tree), &case.guarantee);
            let Ok(audit) = audit else { return };
            let idle = case.guarantee.asked_k().is_none_or(|k| k <= 1);
            if grower.task.tied || (idle && !case.policy.dependencies.is_empty()) {
                // Individuals are distinguished from the start by what is possible for them, whether a test uses it or
                // not.
                let tracked = populations_of_all(grower);
                let finer = tracked.iter().zip(&audit.population_of_row).all(|(a, b)| a <= b);
                assert!(finer || idle, "{method}, seed {seed}");
                return;
            }
            assert_eq!(populations(grower, &spans), audit.population_of_row, "{method}, seed {seed}");
            assert_eq!(spans.len() as u64, audit.spans, "{method}, seed {seed}");
        });
    }
}

#[test]
fn nothing_is_merged_where_nothing_is_cut_off() {
    grown(TreeMethod::KadetId3, 300, 24, |seed, _, grower, cut| {
        let tied = grower.task.kind_of_row.is_some();
        assert!(tied || spans(grower, cut).len() == grower.spans.all().len(), "seed {seed}");
    });
}

#[test]
fn every_mined_tree_passes_the_audit() {
    for method in TreeMethod::ALL {
        for seed in 0..CASES {
            let case = if seed % 3 == 0 { tied_case(seed, 24, 5) } else { case(seed, 24, 5) };
            match mine(&case.table, &case.policy, method, &case.guarantee) {
                Ok(mined) => assert!(mined.report.holds),
                Err(error) => {
                    let why = [
                        "no tree can meet",
                        "with the declared dependencies",
                        "the class has the same value",
                        "the guarantee names a public attribute",
                    ];
                    // Class values are always printed.
                    let is_rare = error.what.starts_with("the release would show") && has_rare_class(&case);
                    let expected = is_rare || why.iter().any(|why| error.what.starts_with(why));
                    assert!(expected, "{method}, seed {seed}: {error}");
                }
            }
        }
    }
}

/// Whether the class is private and some value of it belongs to too few individuals, which the policy does not declare.
fn has_rare_class(case: &Case) -> bool {
    let column = case.table.column("class").unwrap();
    let holders = Holders::new(&case.table, column);
    let required = required_holders(&case.guarantee);
    let is_rare = |code: u32| {
        (1..required).contains(&holders.of(code))
            && !is_declared(&case.policy, "class", &column.values().text(code as usize))
    };
    !case.policy.knows("class").unwrap() && (0..column.missing_code()).any(is_rare)
}

/// Seeds of tables that are large enough for threads to share the work, under one to three requirements, and quickly
/// mined.
const LARGE: [u64; 9] = [0, 15, 25, 35, 55, 65, 95, 125, 155];

#[test]
fn threads_and_merging_change_nothing() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (one, eight) = (pool(1), pool(8));
    for seed in 0..160 {
        let case = case(seed, if LARGE.contains(&seed) { 9_000 } else { 60 }, 5);
        for method in TreeMethod::ALL {
            let mined = || mine(&case.table, &case.policy, method, &case.guarantee);
            let (by_one, by_eight) = (one.install(mined), eight.install(mined));
            assert_eq!(by_one, by_eight, "{method}, seed {seed}");
            if matches!(case.table.people(), People::Subjects { .. }) {
                continue;
            }
            let merged = mine(&case.table.merged(), &case.policy, method, &case.guarantee);
            let tree = |mined: incrowd_core::Result<crate::tree::MinedTree>| mined.map(|mined| mined.tree);
            assert_eq!(tree(by_one), tree(merged), "{method}, seed {seed}");
        }
    }
}

#[test]
fn spans_need_no_rows_of_their_own_while_everything_is_public() {
    grown(TreeMethod::KadetId3, 300, 24, |seed, case, grower, _| {
        let known = case.policy.known();
        let all_public = grower.task.attributes.iter().all(|a| known.contains(&a.column.name().to_owned()));
        if all_public && !grower.task.class.known && !grower.task.tied {
            let by_leaf = |place: &Place| matches!(place, Place::ByLeaf(_));
            assert!(grower.spans.all().iter().all(|span| by_leaf(&span.place)), "seed {seed}");
        }
    });
}
