//! Boosted trees on random small tables, under every requirement.

mod blind;
mod settings;
mod votes;

use super::choose::sampled;
use super::grow::divide;
use super::{BoostParams, ScoreDetail, mine_boost};
use crate::tree::tests::random::case;
use incrowd_core::ErrorKind;
use incrowd_core::model::Model;
use incrowd_core::naive;
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};

fn params(guarantee: &incrowd_core::guarantee::Guarantee) -> BoostParams {
    BoostParams { rounds: 8, leaves: Some(4), min_leaf: Some(1), ..BoostParams::new(guarantee.clone()) }
}

/// The same, with weights of class values for some seeds, and with votes for others.
fn varied(guarantee: &incrowd_core::guarantee::Guarantee, seed: u64) -> BoostParams {
    let detail = if seed % 3 == 2 { ScoreDetail::Labels } else { ScoreDetail::Scores };
    BoostParams { balanced: seed % 3 == 1, detail, ..params(guarantee) }
}

/// What is released keeps the guarantee by the naive audit, and what is refused is refused for a reason.
#[test]
fn the_naive_audit_passes_what_is_released() {
    let (mut released, mut with_cells, mut agreed) = (0, 0, 0);
    for seed in 0..600 {
        let case = case(seed, 14, 4);
        let Ok(params) = varied(&case.guarantee, seed).check() else { continue };
        let mined = match mine_boost(&case.table, &case.policy, &params, &Silent) {
            Ok(mined) => mined,
            Err(error) => {
                assert_ne!(error.kind, ErrorKind::Internal, "seed {seed}: {error}");
                continue;
            }
        };
        released += 1;
        with_cells += u64::from(mined.ensemble.cells().is_some());
        assert!(mined.report.holds, "seed {seed}");
        let model = Model::Ensemble(mined.ensemble);
        // Numbers can be too large for exact fractions.
        let Ok(audit) = naive::audit_model(&case.table, &case.policy, &model, &case.guarantee) else {
            continue;
        };
        agreed += 1;
        assert_eq!(audit.breaches, 0, "seed {seed}: {case:#?}");
    }
    eprintln!("{released} released, {with_cells} with cells, {agreed} audited by the twin");
    assert!(released > 200 && agreed > 150 && with_cells > 10, "{released}, {with_cells}, {agreed}");
}

#[test]
fn threads_do_not_matter() {
    for seed in 0..40 {
        let case = case(seed, 60, 6);
        let leaves = Some(4).filter(|_| seed % 2 == 0);
        let params = BoostParams { leaves, ..varied(&case.guarantee, seed / 2) };
        let Ok(params) = params.check() else { continue };
        let mine =
            || mine_boost(&case.table, &case.policy, &params, &Silent).ok().map(|mined| mined.ensemble);
        let with = |threads| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(mine)
        };
        assert_eq!(with(1), with(3), "seed {seed}");
    }
}

/// A row of weight w is the same as w equal rows: in the folds, in the cells and in the trees.
#[test]
fn weights_count_like_equal_rows() {
    let mut compared = 0;
    for seed in 0..60 {
        let case = case(seed, 80, 3);
        let merged = case.table.merged();
        if merged.rows() == case.table.rows() || case.table.has_several_rows() {
            continue;
        }
        let Ok(params) = varied(&case.guarantee, seed).check() else { continue };
        let mine = |table| mine_boost(table, &case.policy, &params, &Silent).ok().map(|mined| mined.ensemble);
        assert_eq!(mine(&merged), mine(&case.table), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

/// Rows of a leaf that several threads divide are divided as one thread divides them.
#[test]
fn many_rows_are_divided_in_order() {
    let mut random = Random::of(7, 0);
    let bins: Vec<u8> = (0..100_000).map(|_| random.below(5) as u8).collect();
    let first = [true, false, false, true, false];
    let mut rows: Vec<u32> = (0..100_000).filter(|row| row % 11 != 3).collect();
    let (left, right): (Vec<u32>, Vec<u32>) =
        rows.iter().partition(|&&row| first[bins[row as usize] as usize]);
    let kept = divide(&mut rows, &bins, &first, &mut Vec::new());
    assert_eq!((kept, rows), (left.len(), [left, right].concat()));
}

/// The choice on a sample does not depend on the order of rows.
#[test]
fn many_rows_are_sampled_by_their_values() {
    let numbers: Vec<Option<f64>> =
        (0..120_000_u32).map(|row| Some(f64::from(row.wrapping_mul(7919) % 900))).collect();
    let sampled = |numbers: &[Option<f64>]| {
        let column = Column::from_numbers("a", numbers).expect("numbers");
        let (part, share) =
            sampled(&Table::new(vec![column], People::Rows).expect("a table")).expect("a sample");
        let weights: u32 = (0..part.rows()).map(|row| part.weight(row)).sum();
        assert!((f64::from(weights) - 120_000.0 * share).abs() < 900.0, "{weights}");
        let mut rows: Vec<(u32, u32)> =
            (0..part.rows()).map(|row| (part.columns()[0].code(row), part.weight(row))).collect();
        rows.sort_unstable();
        rows
    };
    let reversed: Vec<Option<f64>> = numbers.iter().rev().copied().collect();
    assert_eq!(sampled(&numbers), sampled(&reversed));
}
