//! The methods that suppress, swap or aggregate along a tree, on random small cases.

use super::{CASES, conform, made, only_k};
use crate::table::Method;
use crate::tree::tests::random::case;

const METHODS: [Method; 3] = [Method::Kactus, Method::Kactus2, Method::Aggregate];

#[test]
fn kactus_keeps_the_guarantee() {
    assert!(conform(Method::Kactus, true) > 100);
}

#[test]
fn kactus2_keeps_the_guarantee() {
    assert!(conform(Method::Kactus2, false) > 100);
}

#[test]
fn aggregates_keep_the_guarantee() {
    assert!(conform(Method::Aggregate, false) > 100);
}

/// Where only k is required, fewer than k rows are lost; private values are unchanged.
#[test]
fn few_rows_are_lost() {
    let mut lost_some = 0;
    for method in METHODS {
        for seed in 0..CASES {
            let case = case(seed, 60, 5);
            let Ok(made) = made(method, &case, seed) else { continue };
            super::check_private(&case, &made, seed);
            if let Some(k) = only_k(&case) {
                assert!(made.summary.rows_lost < k, "{method}, seed {seed}: {} lost", made.summary.rows_lost);
                lost_some += usize::from(made.summary.rows_lost > 0);
            }
        }
    }
    assert!(lost_some > 0);
}

#[test]
fn threads_do_not_matter() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for (method, seed) in METHODS.into_iter().flat_map(|method| (0..60).map(move |seed| (method, seed))) {
        let case = case(seed, 200, 8);
        let make = || made(method, &case, seed).ok();
        assert!(make() == alone.install(make), "{method}, seed {seed}");
    }
}
