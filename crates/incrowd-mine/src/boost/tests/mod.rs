//! Boosted trees on random small tables, under every requirement.

mod blind;

use super::{BoostParams, mine_boost};
use crate::tree::tests::random::case;
use incrowd_core::ErrorKind;
use incrowd_core::model::Model;
use incrowd_core::naive;
use incrowd_core::progress::Silent;

fn params(guarantee: &incrowd_core::guarantee::Guarantee) -> BoostParams {
    BoostParams { rounds: 8, leaves: 4, min_leaf: Some(1), ..BoostParams::new(guarantee.clone()) }
}

/// What is released keeps the guarantee by the naive audit, and what is refused is refused for a reason.
#[test]
fn the_naive_audit_passes_what_is_released() {
    let (mut released, mut with_cells, mut agreed) = (0, 0, 0);
    for seed in 0..600 {
        let case = case(seed, 14, 4);
        let Ok(params) = params(&case.guarantee).check() else { continue };
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
        let Ok(params) = params(&case.guarantee).check() else { continue };
        let mine =
            || mine_boost(&case.table, &case.policy, &params, &Silent).ok().map(|mined| mined.ensemble);
        let with = |threads| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(mine)
        };
        assert_eq!(with(1), with(3), "seed {seed}");
    }
}
