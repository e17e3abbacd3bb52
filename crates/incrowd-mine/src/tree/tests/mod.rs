//! Tests of the miner's parts and of whole trees on small tables.

mod breach;
mod counted;
mod dates;
mod figures;
mod labels;
mod many_names;
mod missing;
mod papers;
pub(crate) mod parameters;
mod part;
mod pruning;
pub(crate) mod random;
mod rare;
mod spans;
mod ties;

use super::{MinedTree, TreeMethod, TreeParams, mine_tree};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;

/// A policy with these roles; the last attribute is the class.
pub(crate) fn policy(roles: &[(&str, Role)]) -> Policy {
    let mut policy = Policy::new(roles.iter().map(|&(name, role)| Attribute::new(name, role)).collect());
    policy.class = roles.last().map(|(name, _)| (*name).to_owned());
    policy
}

fn mine(table: &Table, policy: &Policy, method: TreeMethod, guarantee: &Guarantee) -> Result<MinedTree> {
    mine_tree(table, policy, &TreeParams::new(method, guarantee.clone()).check()?, &Silent)
}

/// Stores the last reported figures.
#[derive(Default)]
struct Listener(std::sync::Mutex<Vec<(String, u64)>>);

impl incrowd_core::progress::Progress for Listener {
    fn figures(&self, figures: &[(&str, u64)]) {
        *self.0.lock().unwrap() = figures.iter().map(|&(name, number)| (name.to_owned(), number)).collect();
    }
}

#[test]
fn growing_tells_nodes_leaves_and_rows() {
    let table = incrowd_core::samples::tic_tac_toe();
    let names: Vec<&str> = table.columns().iter().map(incrowd_core::table::Column::name).collect();
    let roles: Vec<(&str, Role)> = names.iter().map(|&name| (name, Role::Public)).collect();
    for method in [TreeMethod::KadetId3, TreeMethod::Best] {
        let listener = Listener::default();
        let params = TreeParams::new(method, Guarantee::k_anonymity(20).unwrap()).check().unwrap();
        let mined = mine_tree(&table, &policy(&roles), &params, &listener).unwrap();
        let told = listener.0.into_inner().unwrap();
        let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["nodes", "leaves", "rows"]);
        assert!(
            told[1].1 >= mined.summary.leaves && told[0].1 > told[1].1 && told[2].1 >= mined.summary.rows
        );
        if method == TreeMethod::KadetId3 {
            assert_eq!((told[0].1, told[1].1), (mined.tree.nodes().len() as u64, mined.summary.leaves));
        }
    }
}
