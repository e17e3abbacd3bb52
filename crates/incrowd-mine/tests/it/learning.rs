//! What can be learned from tables of Adult.

use crate::benchmark::{CATEGORICAL, adult, adult_policy};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::predict::{evaluate, predict};
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use incrowd_mine::table::{TableMethod, TableParams, mine_table};
use incrowd_mine::tree::{self, TreeParams, mine_tree};

/// The eight names and age are public and change; three numbers and the class stay as they are.
fn policy() -> Policy {
    let mut policy = adult_policy(&[&CATEGORICAL[..], &["age"]].concat());
    let kept = ["capital-gain", "capital-loss", "hours-per-week"];
    for attribute in policy.attributes.iter_mut().filter(|a| kept.contains(&a.name.as_str())) {
        attribute.role = Role::Private;
    }
    policy
}

/// The share of test rows, generalized as the release is, on which a C4.5 tree trained on the release errs.
fn error(train: &Table, test: &Table, method: TableMethod, k: u64) -> f64 {
    let guarantee = Guarantee::k_anonymity(k).expect("k");
    let params = TableParams::new(method, guarantee).check().expect("parameters");
    let made = mine_table(train, &policy(), &params, &Silent).expect("a table");
    let mut open = policy();
    open.attributes.iter_mut().for_each(|attribute| attribute.taxonomy = None);
    let learner = TreeParams::new(tree::TreeMethod::KadetC45, Guarantee::k_anonymity(1).expect("k"));
    let tree =
        mine_tree(&made.table, &open, &learner.check().expect("parameters"), &Silent).expect("a tree").tree;
    let met = made.recoding.apply(test).expect("the same columns");
    let error = evaluate(&met, &tree, &predict(&met, &tree).expect("predictions")).expect("a class").error();
    eprintln!("{method}, k = {k}: a C4.5 tree errs on {:.2} % of the test rows", error * 100.0);
    error * 100.0
}

/// The bounds are what a tree errs that is trained on ARX's output (its classification metric, 5 % of the rows
/// suppressed).
#[test]
fn best_teaches_more_than_global_recoding() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    for (k, most) in [(10, 14.9), (50, 15.1), (100, 14.8)] {
        let best = error(&train, &test, TableMethod::Best, k);
        assert!(best <= most, "k = {k}: {best} %");
    }
}

/// The methods from the papers teach less.
#[test]
fn best_teaches_more_than_other_methods() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    let best = error(&train, &test, TableMethod::Best, 50);
    for method in [TableMethod::Tds, TableMethod::Tdr, TableMethod::Mondrian] {
        let other = error(&train, &test, method, 50);
        assert!(best < other, "{method}: {other} % against {best} %");
    }
}
