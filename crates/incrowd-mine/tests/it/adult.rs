//! The papers' figures on Adult.

use crate::benchmark::{ADULT, CATEGORICAL, adult, adult_policy, wrong};
use incrowd_core::guarantee::{Guarantee, Requirement, Scope};
use incrowd_core::model::{Node, Test, Tree};
use incrowd_core::policy::Policy;
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use incrowd_mine::tree::{Method, Mined, TreeParams, mine_tree};

fn mine(table: &Table, policy: &Policy, method: Method, guarantee: Guarantee) -> Mined {
    let params = TreeParams::new(method, guarantee).check().expect("parameters");
    mine_tree(table, policy, &params, &Silent).expect("a tree")
}

fn id3(table: &Table, policy: &Policy, k: u64) -> Mined {
    mine(table, policy, Method::KadetId3, Guarantee::k_anonymity(k).expect("k"))
}

#[test]
fn table_6_to_the_digit() {
    let Some(table) = adult("data") else { return };
    let public: Vec<&str> = CATEGORICAL.into_iter().filter(|name| *name != "relationship").collect();
    let policy = adult_policy(&public);
    for (k, cm) in [(10, 5198), (25, 5273), (50, 5379), (100, 5439)] {
        let mined = id3(&table, &policy, k);
        assert_eq!(mined.summary.cm, cm, "k = {k}");
        assert!(mined.summary.k >= k);
    }
}

#[test]
fn figure_6_has_its_shape() {
    let (Some(table), Some(test)) = (adult("data"), adult("test")) else { return };
    let policy = adult_policy(&CATEGORICAL);
    for k in [1, 10, 25, 50, 75, 100, 150, 200, 250, 500, 750, 1000, 1500, 2000] {
        let mined = id3(&table, &policy, k);
        let w = wrong(&mined.tree, &test);
        eprintln!(
            "{k} {:.3} leaves {} {:?} root {:?}",
            100.0 * w as f64 / test.rows() as f64,
            mined.summary.leaves,
            mined.summary,
            root(&mined.tree).labels
        );
    }
}

fn root(tree: &Tree) -> &Test {
    match &tree.nodes()[0] {
        Node::Test(test) => test,
        Node::Leaf(_) => panic!("a tree with tests"),
    }
}
