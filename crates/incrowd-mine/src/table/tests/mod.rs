//! Tests of tables: what must hold for every method, on random small cases.

mod blind;
mod discretize;
mod represent;
mod trees;

mod papers;

use super::{
    Average, CheckedTableParams, Common, Criterion, MinedTable, TableMethod, TableParams, mine_table,
};
use crate::tree::TreeMethod;
use crate::tree::tests::parameters::{Change, check_lists};
use crate::tree::tests::random::{Case, case};
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{People, Table};
use incrowd_core::{Result, naive};

/// How many rows, weights counted, the naive audit, which goes through all worlds, is done for in no time.
const NAIVE_ROWS: u32 = 10;

/// How many cases a method is tried on.
const CASES: u64 = 700;

fn params(method: TableMethod, case: &Case, seed: u64) -> CheckedTableParams {
    let mut params = TableParams::new(method, case.guarantee.clone());
    params.seed = seed;
    if method == TableMethod::Mondrian {
        params.criterion = [Criterion::Loss, Criterion::Width, Criterion::Gain][seed as usize % 3];
    }
    params.check().expect("parameters within their ranges")
}

fn made(method: TableMethod, case: &Case, seed: u64) -> Result<MinedTable> {
    mine_table(&case.table, &case.policy, &params(method, case, seed), &Silent)
}

/// Runs a method on random cases; returns how many tables came out.
fn conform(method: TableMethod, truthful: bool) -> usize {
    let made_some = (0..CASES).filter(|&seed| {
        let case = case(seed, if seed % 2 == 0 { 30 } else { NAIVE_ROWS }, 5);
        match made(method, &case, seed) {
            Ok(made) => {
                check(&case, &made, truthful, seed);
                assert_eq!(
                    made,
                    self::made(method, &case, seed).expect("made before"),
                    "{method}, seed {seed}"
                );
                true
            }
            Err(error) => {
                assert!(
                    !error.to_string().contains("refuses") && !error.to_string().contains("did not find"),
                    "{method}, seed {seed}: {error}"
                );
                false
            }
        }
    });
    made_some.count()
}

fn check(case: &Case, made: &MinedTable, truthful: bool, seed: u64) {
    check_naively(case, made, seed);
    assert_eq!(made.source_rows.len(), made.table.rows(), "seed {seed}");
    check_rows(case, made, seed);
    if truthful {
        assert!(made.measures.swapped.abs() < 1e-12, "seed {seed}: a cell is not true");
    }
    let shares = [
        made.measures.suppressed,
        made.measures.swapped,
        made.measures.loss.unwrap_or(0.0),
        made.measures.entropy_loss,
    ];
    assert!(shares.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)), "seed {seed}: {shares:?}");
}

/// The audit straight from the definitions.
fn check_naively(case: &Case, made: &MinedTable, seed: u64) {
    if made.summary.rows > u64::from(NAIVE_ROWS) {
        return;
    }
    match naive::audit_table(&made.table, &case.policy, &case.guarantee) {
        Ok(naive) => {
            assert_eq!(naive.breaches, 0, "seed {seed}");
            assert_eq!(naive.k, made.summary.k, "seed {seed}");
        }
        // Only a table that left out all attributes the guarantee names.
        Err(error) => assert!(error.what.contains("tells nothing of the attributes"), "seed {seed}: {error}"),
    }
}

/// Every released row comes from a row of its own, and lost rows are counted.
fn check_rows(case: &Case, made: &MinedTable, seed: u64) {
    let mut rows = made.source_rows.clone();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), made.table.rows(), "seed {seed}: a row stands twice");
    let weigh = |table: &Table| (0..table.rows()).map(|row| u64::from(table.weight(row))).sum::<u64>();
    assert_eq!(made.summary.rows, weigh(&made.table), "seed {seed}");
    assert_eq!(made.summary.rows + made.summary.rows_lost, weigh(&case.table), "seed {seed}");
}

/// The private values of released rows are those of the source, unless the method generalizes them.
fn check_private(case: &Case, made: &MinedTable, seed: u64) {
    let known = case.policy.known();
    for column in made.table.columns().iter().filter(|column| !known.contains(&column.name().to_owned())) {
        let source = case.table.require(column.name()).expect("a column of the source");
        for (row, &from) in made.source_rows.iter().enumerate() {
            let text = |column: &incrowd_core::table::Column, row: usize| {
                let code = column.code(row);
                (code != column.missing_code()).then(|| column.values().text(code as usize).into_owned())
            };
            assert_eq!(text(column, row), text(source, from as usize), "seed {seed}: {}", column.name());
        }
    }
}

/// Whether only k is required, of rows that are individuals: where the papers' bound on lost rows holds.
fn only_k(case: &Case) -> Option<u64> {
    match (case.guarantee.requirements(), case.table.people()) {
        ([Requirement::K(k)], People::Rows) => Some(k.k()),
        _ => None,
    }
}

#[test]
fn best_keeps_the_guarantee() {
    assert!(conform(TableMethod::Best, true) > 100);
}

#[test]
fn spans_keep_the_guarantee() {
    assert!(conform(TableMethod::Spans, true) > 100);
}

#[test]
fn tds_keeps_the_guarantee() {
    assert!(conform(TableMethod::Tds, true) > 100);
}

#[test]
fn tdr_keeps_the_guarantee() {
    assert!(conform(TableMethod::Tdr, true) > 150);
}

#[test]
fn mondrian_keeps_the_guarantee() {
    assert!(conform(TableMethod::Mondrian, true) > 150);
}

#[test]
fn finest_keeps_the_guarantee() {
    assert!(conform(TableMethod::Finest, true) > 150);
}

#[test]
fn cells_keep_the_guarantee() {
    assert!(conform(TableMethod::Cells, true) > 100);
}

#[test]
fn effects_keep_the_guarantee() {
    assert!(conform(TableMethod::Effects, true) > 100);
}

/// Every method, and whether recoding the source's rows gives the released table by itself: its groups are regions that
/// do not overlap.
const METHODS: [(TableMethod, bool); 10] = [
    (TableMethod::Best, true),
    (TableMethod::Cells, true),
    (TableMethod::Effects, true),
    (TableMethod::Spans, true),
    (TableMethod::Tds, true),
    (TableMethod::Tdr, true),
    (TableMethod::Mondrian, false),
    (TableMethod::Kactus, false),
    (TableMethod::Kactus2, false),
    (TableMethod::Aggregate, false),
];

/// The public cells of a table's row.
fn public_cells(case: &Case, table: &Table, row: usize) -> Vec<String> {
    let known = case.policy.known();
    let columns = table.columns().iter().filter(|column| known.iter().any(|name| name == column.name()));
    columns.map(|column| column.values().text(column.code(row) as usize).into_owned()).collect()
}

/// How many rows of the source the recoding gives other cells than the release shows.
fn differing(case: &Case, made: &MinedTable) -> usize {
    let recoded = made.recoding.apply(&case.table).expect("the source's own rows");
    let differs = |&(row, &from): &(usize, &u32)| {
        public_cells(case, &made.table, row) != public_cells(case, &recoded, from as usize)
    };
    made.source_rows.iter().enumerate().filter(differs).count()
}

fn has_private_class(case: &Case) -> bool {
    let known = case.policy.known();
    case.policy.class.as_ref().is_some_and(|class| !known.contains(class))
}

#[test]
fn recoding_the_source_gives_the_release() {
    for (method, is_exact) in METHODS {
        for seed in 0..250 {
            let case = case(seed, 40, 6);
            let mut params = (*params(method, &case, seed)).clone();
            // Without a private class, these methods are Mondrian by loss, whose groups can overlap.
            let is_mondrian = matches!(method, TableMethod::Best | TableMethod::Cells | TableMethod::Effects)
                && !has_private_class(&case);
            // Groups with equal cells that are merged where individuals have several rows are not regions.
            if is_exact
                && !is_mondrian
                && !matches!(case.table.people(), People::Subjects { .. })
                && let Ok(made) = made(method, &case, seed)
            {
                assert_eq!(differing(&case, &made), 0, "{method}, seed {seed}");
            }
            params.closed = true;
            let made = mine_table(&case.table, &case.policy, &params.check().expect("parameters"), &Silent);
            if let Ok(made) = made {
                assert_eq!(differing(&case, &made), 0, "{method} closed, seed {seed}");
                assert_eq!(made.summary.rows_lost, 0, "{method} closed, seed {seed}");
                check_naively(&case, &made, seed);
            }
        }
    }
}

#[test]
fn recoding_leaves_private_values_alone() {
    for method in [TableMethod::Tds, TableMethod::Tdr, TableMethod::Mondrian, TableMethod::Finest] {
        for seed in 0..200 {
            let case = case(seed, 30, 5);
            if let Ok(made) = made(method, &case, seed) {
                check_private(&case, &made, seed);
            }
        }
    }
}

/// Neither the order of rows nor the number of threads changes what is released.
fn depends_on_the_table_alone(method: TableMethod) {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for seed in 0..90 {
        let mut case = case(seed, 200, 8);
        case.guarantee = Guarantee::k_anonymity(3).expect("k");
        // Individuals are numbered by their rows, so others come first.
        if matches!(case.table.people(), People::Subjects { .. }) {
            continue;
        }
        let params = params(method, &case, seed);
        let make = |table: &Table| {
            let made = mine_table(table, &case.policy, &params, &Silent).ok()?;
            Some((made.table, made.measures, made.recoding))
        };
        let random = &mut Random::of(seed, 1);
        let mut order: Vec<u32> = (0..case.table.rows() as u32).collect();
        (1..order.len()).rev().for_each(|i| order.swap(i, random.below(i as u32 + 1) as usize));
        let made = make(&case.table);
        assert!(made == make(&case.table.select(&order)), "{method}, seed {seed}: the order of rows");
        assert!(made == alone.install(|| make(&case.table)), "{method}, seed {seed}: threads");
    }
}

#[test]
fn recoding_depends_on_the_table_alone() {
    [
        TableMethod::Best,
        TableMethod::Cells,
        TableMethod::Effects,
        TableMethod::Spans,
        TableMethod::Tds,
        TableMethod::Tdr,
        TableMethod::Mondrian,
        TableMethod::Finest,
    ]
    .into_iter()
    .for_each(depends_on_the_table_alone);
}

#[test]
fn parameters_of_other_methods_are_refused() {
    let changes: [Change<TableParams>; 10] = [
        ("tree", |params| params.tree = TreeMethod::KadetId3),
        ("swapping", |params| params.swapping = 0.5),
        ("as_printed", |params| params.as_printed = true),
        ("noise", |params| params.noise = 0.5),
        ("average", |params| params.average = Average::Median),
        ("common", |params| params.common = Common::Ancestor),
        ("criterion", |params| params.criterion = Criterion::Gain),
        ("structure", |params| params.structure = crate::Structure::Blind),
        ("rounds", |params| params.rounds = 7),
        ("max_suppressed", |params| params.max_suppressed = 0.1),
    ];
    check_lists::<TableMethod, _>(&changes, TableParams::new, |params| params.check().map(drop));
}
