//! Missing values: one more possible cell, which the attacker knows for public cells.

use super::{TreeMethod, mine, policy};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Node, Split, Test, Tree};
use incrowd_core::policy::Role;
use incrowd_core::table::{Column, People, Table};

fn root(tree: &Tree) -> &Test {
    match &tree.nodes()[0] {
        Node::Test(test) => test,
        Node::Leaf(_) => panic!("a tree with tests"),
    }
}

fn class(good: usize, bad: usize) -> Column {
    let cells: Vec<Option<&str>> =
        (0..good).map(|_| Some("good")).chain((0..bad).map(|_| Some("bad"))).collect();
    Column::from_texts("class", &cells)
}

/// Three with a, three with b, and some of whom nothing is known.
fn names(missing: usize) -> Table {
    let known = ["a", "a", "a", "b", "b", "b"].map(Some);
    let cells: Vec<Option<&str>> = known.into_iter().chain((0..missing).map(|_| None)).collect();
    Table::new(vec![Column::from_texts("name", &cells), class(3, 3 + missing)], People::Rows).unwrap()
}

#[test]
fn missing_names_have_a_branch_and_a_span_of_their_own() {
    let policy = policy(&[("name", Role::Public), ("class", Role::Private)]);
    for method in [TreeMethod::KadetId3, TreeMethod::KadetC45] {
        let mined = mine(&names(3), &policy, method, &Guarantee::k_anonymity(3).unwrap()).unwrap();
        let test = root(&mined.tree);
        assert_eq!((test.labels.join(" "), test.otherwise), ("= a = b = ?".to_owned(), Some(2)));
        assert_eq!((mined.summary.spans, mined.summary.k), (3, 3));
        assert!(mined.tree.attributes()[0].missing);
    }
}

/// Two individuals without a name would be distinguished from the others, so none is.
#[test]
fn few_missing_names_are_a_breach_like_any_few() {
    let policy = policy(&[("name", Role::Public), ("class", Role::Private)]);
    for method in TreeMethod::ALL {
        let mined = mine(&names(2), &policy, method, &Guarantee::k_anonymity(3).unwrap()).unwrap();
        assert_eq!(mined.summary.spans, 1, "{method}");
    }
}

#[test]
fn missing_numbers_go_with_most_rows() {
    let policy = policy(&[("number", Role::Public), ("class", Role::Private)]);
    let numbers: Vec<Option<f64>> = (0..12)
        .map(|i| if i < 4 { Some(f64::from(i)) } else { Some(f64::from(i + 10)) })
        .chain([None, None])
        .collect();
    let columns = vec![Column::from_numbers("number", &numbers).unwrap(), class(4, 10)];
    let table = Table::new(columns, People::Rows).unwrap();
    let mined = mine(&table, &policy, TreeMethod::KadetC45, &Guarantee::k_anonymity(4).unwrap()).unwrap();
    let test = root(&mined.tree);
    // The only cut between 3 and 14 on tens.
    assert_eq!((&test.split, test.otherwise), (&Split::Thresholds(vec![10.0]), Some(1)));
    assert_eq!((mined.summary.k, mined.summary.error), (4, 0.0));
}

/// The side with most rows gets the missing ones, so a cut that is safe only with them is safe, and is found.
#[test]
fn safety_counts_missing_numbers_where_they_go() {
    let policy = policy(&[("number", Role::Public), ("class", Role::Private)]);
    let numbers =
        [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0].map(Some).into_iter().chain([None; 3]).collect::<Vec<_>>();
    let columns = vec![Column::from_numbers("number", &numbers).unwrap(), class(3, 7)];
    let table = Table::new(columns, People::Rows).unwrap();
    let mined =
        |k| mine(&table, &policy, TreeMethod::KadetC45, &Guarantee::k_anonymity(k).unwrap()).unwrap().summary;
    assert_eq!((mined(3).spans, mined(3).k), (2, 3));
    assert_eq!(mined(4).spans, 1);
}
