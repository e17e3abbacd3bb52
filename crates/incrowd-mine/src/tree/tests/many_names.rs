//! Names with very many values, which seem to separate classes and do not.

use crate::tree::{TreeMethod, TreeParams, mine_tree};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::predict::{evaluate, predict};
use incrowd_core::progress::Silent;
use incrowd_core::samples::{clinic, clinic_policy};

/// The share of other patients a tree errs on.
fn error(method: TreeMethod) -> f64 {
    let (train, test) = (clinic(3_000, 1), clinic(3_000, 2));
    let params = TreeParams::new(method, Guarantee::k_anonymity(10).expect("k")).check().expect("checked");
    let tree = mine_tree(&train, &clinic_policy(), &params, &Silent).expect("a tree").tree;
    evaluate(&test, &tree, &predict(&test, &tree).expect("predicted")).expect("a class").error()
}

/// Hundreds of zip codes have nothing to do with the diagnosis, but can be divided so that they seem to.
#[test]
fn best_is_not_taken_in_by_zip_codes() {
    let (best, other) = (error(TreeMethod::Best), error(TreeMethod::KadetC45));
    assert!(best < other + 0.02, "{best} against {other}");
}
