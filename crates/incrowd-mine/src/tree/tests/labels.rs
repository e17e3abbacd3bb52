//! Branches are named by the nodes of the taxonomy that are exactly their values.

use super::{TreeMethod, mine, policy};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Node;
use incrowd_core::policy::Role;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::taxonomy::{TaxonomySpec, TreeSpec};

/// The labels of the root of a tree over an attribute whose values have these shares of good and bad.
fn root_labels(method: TreeMethod, k: u64, values: &[(&'static str, usize, usize)]) -> Vec<String> {
    let rows = |&(value, good, bad): &(&'static str, usize, usize)| {
        let good = std::iter::repeat_n((Some(value), Some("good")), good);
        good.chain(std::iter::repeat_n((Some(value), Some("bad")), bad))
    };
    let (names, class): (Vec<_>, Vec<_>) = values.iter().flat_map(rows).unzip();
    let columns = vec![Column::from_texts("school", &names), Column::from_texts("loan", &class)];
    let table = Table::new(columns, People::Rows).unwrap();
    let mut policy = policy(&[("school", Role::Public), ("loan", Role::Private)]);
    let lines = LEAVES.iter().zip(1..).map(|(&leaf, line)| {
        let group = match leaf {
            "Bachelors" | "Masters" | "Doctorate" => "Higher",
            "9th" | "10th" => "Junior",
            _ => leaf,
        };
        (line, vec![leaf, group, "Any"])
    });
    policy.attributes[0].taxonomy = Some(TaxonomySpec::Tree(TreeSpec::from_lines(lines).unwrap()));
    let mined = mine(&table, &policy, method, &Guarantee::k_anonymity(k).unwrap()).unwrap();
    match &mined.tree.nodes()[0] {
        Node::Test(test) => test.labels.clone(),
        Node::Leaf(_) => Vec::new(),
    }
}

const LEAVES: [&str; 6] = ["Bachelors", "Masters", "Doctorate", "9th", "10th", "Grad"];

#[test]
fn a_set_that_is_a_node_has_its_name() {
    let all = [("Bachelors", 9, 1), ("Masters", 9, 1), ("Doctorate", 9, 1), ("9th", 1, 9), ("10th", 1, 9)];
    let mut labels = root_labels(TreeMethod::Best, 5, &all);
    labels.sort();
    assert_eq!(labels, ["= Higher", "= Junior"]);
}

#[test]
fn values_beside_a_node_are_named_beside_it() {
    let all = [
        ("Bachelors", 9, 1),
        ("Masters", 9, 1),
        ("Doctorate", 9, 1),
        ("Grad", 9, 1),
        ("9th", 1, 9),
        ("10th", 8, 2),
    ];
    let mut labels = root_labels(TreeMethod::Best, 5, &all);
    labels.sort();
    assert_eq!(labels, ["= 9th", "in {10th, Higher, Grad}"]);
}

/// A value that no individual at the node has, but could, goes with most rows: a branch that it does not take is not
/// called by a node that has it.
#[test]
fn a_node_that_is_not_whole_lends_no_name() {
    let most_are_junior = [("Bachelors", 9, 1), ("Masters", 9, 1), ("9th", 3, 27), ("10th", 3, 27)];
    let labels = root_labels(TreeMethod::Best, 5, &most_are_junior);
    assert!(labels.contains(&"in {Bachelors, Masters}".to_owned()), "{labels:?}");
    assert!(labels.contains(&"= Junior".to_owned()), "{labels:?}");
}

#[test]
fn levels_keep_their_names() {
    let all = [
        ("Bachelors", 9, 1),
        ("Masters", 9, 1),
        ("Doctorate", 2, 0),
        ("9th", 1, 9),
        ("10th", 1, 9),
        ("Grad", 5, 5),
    ];
    let labels = root_labels(TreeMethod::KadetId3, 10, &all);
    assert_eq!(labels.len(), 3, "{labels:?}");
    assert!(
        ["= Higher", "= Junior", "= Grad"].iter().all(|name| labels.contains(&(*name).to_owned())),
        "{labels:?}"
    );
}
