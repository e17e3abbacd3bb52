//! Prediction against a naive twin, and the rules for values that a tree does not list.

use super::*;
use crate::model::{Class, Detail, Domain, Leaf, MissingRoute, ModelAttribute, Node, Split, Test};
use crate::table::{Column, People};
use proptest::prelude::*;

fn leaf(label: u32, counts: Option<[u64; 2]>) -> Node {
    Node::Leaf(Leaf { label, told: counts.map(Vec::from).into() })
}

fn test(attribute: usize, split: Split, children: &[u32], otherwise: Option<u32>) -> Node {
    routed(attribute, split, children, (otherwise, MissingRoute::Otherwise))
}

fn routed(
    attribute: usize,
    split: Split,
    children: &[u32],
    (otherwise, missing): (Option<u32>, MissingRoute),
) -> Node {
    let labels = vec![String::new(); children.len()];
    Node::Test(Test { attribute, split, labels, children: children.to_vec(), otherwise, missing })
}

fn attributes(missing: bool) -> Vec<ModelAttribute> {
    let mut number = ModelAttribute::numeric("n");
    number.missing = missing;
    vec![ModelAttribute::categorical("c", ["a", "b", "d"]), number]
}

fn class() -> Class {
    Class { name: "class".to_owned(), values: vec!["no".to_owned(), "yes".to_owned()] }
}

fn table(rows: &[(Option<&str>, Option<f64>)]) -> Table {
    let texts: Vec<_> = rows.iter().map(|row| row.0).collect();
    let numbers: Vec<_> = rows.iter().map(|row| row.1).collect();
    let columns = vec![Column::from_texts("c", &texts), Column::from_numbers("n", &numbers).unwrap()];
    Table::new(columns, People::Rows).unwrap()
}

/// Root by value without `otherwise`; below it a number with one.
fn small(counts: bool) -> Tree {
    let counts = |no, yes| counts.then_some([no, yes]);
    let nodes = vec![
        test(0, Split::Values(vec![Some(0), Some(1), Some(1)]), &[1, 2], None),
        test(1, Split::Thresholds(vec![1.5, 2.5]), &[3, 4, 5], Some(1)),
        leaf(1, counts(2, 9)),
        leaf(0, counts(3, 0)),
        leaf(0, counts(7, 7)),
        leaf(1, counts(0, 0)),
    ];
    Tree::new(attributes(false), class(), nodes).unwrap()
}

#[test]
fn rows_follow_the_tests_and_stop_where_no_branch_fits() {
    let rows = [
        (Some("a"), Some(1.5)),
        (Some("a"), Some(1.6)),
        (Some("a"), Some(9.0)),
        (Some("a"), None),
        (Some("d"), None),
        (Some("other"), Some(1.0)),
        (None, Some(1.0)),
    ];
    let predictions = predict(&table(&rows), &small(true)).unwrap();
    assert_eq!(predictions.node_of_row, [3, 4, 5, 4, 2, 0, 0]);
    // Below the root there are 12 of the first class and 16 of the second.
    assert_eq!((predictions.of(5).label, predictions.of(5).population()), (1, Some(28)));
    assert_eq!(predictions.of(5).shares(), Some(vec![12.0 / 28.0, 16.0 / 28.0]));
    assert_eq!((predictions.of(2).label, predictions.of(2).shares()), (1, None));
}

#[test]
fn without_populations_the_leaves_vote() {
    let outcomes = outcomes(&small(false));
    // Two leaves for each class below the root: the first one listed wins.
    assert_eq!((outcomes[0].label, outcomes[0].leaves, outcomes[0].counts()), (0, 4, None));
    assert_eq!((outcomes[1].label, outcomes[1].leaves), (0, 3));
}

#[test]
fn less_detail_leaves_the_labels_as_they_are() {
    let (whole, shares) = (small(true), small(true).in_detail(Detail::Shares { digits: 1 }));
    let labels = whole.in_detail(Detail::Labels);
    assert_eq!(
        [labels.detail(), shares.detail(), whole.detail()],
        [Detail::Labels, Detail::Shares { digits: 1 }, Detail::Counts]
    );
    let at_leaves = |tree: &Tree| outcomes(tree).split_off(2).iter().map(|o| o.label).collect::<Vec<_>>();
    assert_eq!(at_leaves(&whole), at_leaves(&shares));
    assert_eq!(at_leaves(&whole), at_leaves(&labels));
    // A leaf has its rounded shares, a test and a leaf without individuals none; populations are not released at all.
    let told: Vec<_> = outcomes(&shares).iter().map(Outcome::shares).collect();
    assert_eq!(told[2..], [Some(vec![0.2, 0.8]), Some(vec![1.0, 0.0]), Some(vec![0.5, 0.5]), None]);
    assert_eq!(told[..2], [None, None]);
    assert!(outcomes(&shares).iter().all(|outcome| outcome.population().is_none()));
    assert!(outcomes(&labels).iter().all(|outcome| outcome.shares().is_none()));
}

#[test]
fn predictions_are_judged_where_the_class_is_known() {
    let tree = small(true);
    let cells = [(Some("b"), Some(0.0)); 4];
    let judged = |classes: &[Option<&str>]| {
        let mut columns = table(&cells[..classes.len()]).columns().to_vec();
        columns.push(Column::from_texts("class", classes));
        let table = Table::new(columns, People::Rows).unwrap();
        evaluate(&table, &tree, &predict(&table, &tree).unwrap()).unwrap()
    };
    let known = judged(&[Some("yes"), Some("no"), None]);
    assert_eq!((known.judged, known.wrong, known.confusion), (2, 1, vec![vec![0, 1], vec![0, 1]]));
    let unknown = judged(&[Some("yes"), Some("maybe")]);
    assert_eq!((unknown.wrong, unknown.confusion), (1, vec![vec![0, 0], vec![0, 1], vec![0, 1]]));
    let bare = table(&cells);
    assert_eq!(evaluate(&bare, &tree, &predict(&bare, &tree).unwrap()), None);
}

#[test]
fn a_column_of_another_kind_is_an_error() {
    let columns = vec![Column::from_texts("c", &[Some("a")]), Column::from_texts("n", &[Some("many")])];
    let table = Table::new(columns, People::Rows).unwrap();
    let error = predict(&table, &small(true)).unwrap_err();
    assert!(error.to_string().contains("numeric"), "{error}");
}

/// The node of a row, cell by cell. A name that no axis lists is equally far from each listed name: the other axes and
/// the spread of the centroids decide.
#[test]
fn clusters_take_names_that_they_do_not_list() {
    use crate::model::{Axis, Centroid, Clusters};
    let name = Axis {
        name: "c".into(),
        domain: ModelAttribute::categorical("c", ["a", "b"]).domain,
        scale: 1.0,
        dates: false,
    };
    let number =
        Axis { name: "n".into(), domain: ModelAttribute::numeric("n").domain, scale: 1.0, dates: false };
    let centroid = |center: [f64; 3]| Centroid { center: center.to_vec(), population: None };
    let centroids = vec![centroid([1.0, 0.0, 0.0]), centroid([0.0, 1.0, 3.0]), centroid([0.5, 0.5, 9.0])];
    let clusters = Clusters::new(vec![name, number], centroids).unwrap();
    let rows = [
        (Some("a"), Some(0.0)),
        (Some("new"), Some(1.0)),
        (Some("new"), Some(2.0)),
        (Some("other"), Some(5.9)),
    ];
    let found = nearest_centroids(&table(&rows), &clusters).unwrap();
    // At 5.9 the second is at 2.9² + 1 = 9.41 and the third at 3.1² + 0.5 = 10.11.
    assert_eq!(found.cluster_of_row, [0, 0, 1, 1]);
    assert!((found.inertia - (2.0 + 2.0 + 9.41)).abs() < 1e-9, "{}", found.inertia);
    assert!(nearest_centroids(&table(&[(None, Some(1.0))]), &clusters).is_err());
}

fn naive(tree: &Tree, row: (Option<&str>, Option<f64>)) -> u32 {
    let mut at = 0;
    while let Node::Test(test) = &tree.nodes()[at as usize] {
        let branch = match (&test.split, &tree.attributes()[test.attribute].domain) {
            (Split::Values(of_value), Domain::Values(values)) => {
                let place = values.iter().position(|value| Some(value.as_str()) == row.0);
                match row.0 {
                    Some(_) => place.and_then(|place| of_value[place]).or(test.otherwise),
                    None => test.missing_branch(),
                }
            }
            (Split::Thresholds(thresholds), _) => match row.1 {
                Some(number) => {
                    Some(thresholds.iter().filter(|&&threshold| number > threshold).count() as u32)
                }
                None => test.missing_branch(),
            },
            _ => unreachable!(),
        };
        match branch {
            Some(branch) => at = test.children[branch as usize],
            None => break,
        }
    }
    at
}

/// A random tree from random numbers: each node a leaf, a test by value or by number.
fn random_tree(choices: &[u32], missing: bool) -> Tree {
    let mut nodes = Vec::new();
    let mut announced = 1_u32;
    for &choice in choices.iter().cycle().take(40) {
        if nodes.len() == announced as usize {
            break;
        }
        let otherwise = (missing || choice % 2 == 0).then_some(choice / 7 % 2);
        let route = match choice >> 20 & 3 {
            0 => MissingRoute::Branch(choice >> 22 & 1),
            1 if !missing => MissingRoute::Stop,
            _ => MissingRoute::Otherwise,
        };
        let routes = (otherwise, route);
        nodes.push(match choice % 5 {
            _ if announced > 20 => leaf(choice % 2, None),
            0 => leaf(choice % 2, Some([u64::from(choice % 11), u64::from(choice % 13)])),
            1 | 2 => {
                announced += 2;
                let own =
                    |i: u32| (otherwise.is_none() || choice >> i & 1 == 0).then_some(choice >> (4 + i) & 1);
                routed(0, Split::Values((0..3).map(own).collect()), &[announced - 2, announced - 1], routes)
            }
            _ => {
                announced += 3;
                let low = f64::from(choice % 17) / 2.0;
                let children = [announced - 3, announced - 2, announced - 1];
                routed(1, Split::Thresholds(vec![low, low + 1.0]), &children, routes)
            }
        });
    }
    Tree::new(attributes(missing), class(), nodes).unwrap()
}

proptest! {
    #[test]
    fn equals_the_naive_twin(
        choices in proptest::collection::vec(any::<u32>(), 1..30),
        missing in any::<bool>(),
        rows in proptest::collection::vec((0..5_usize, -2..20_i32), 1..60),
    ) {
        let tree = random_tree(&choices, missing);
        let texts = [Some("a"), Some("b"), Some("d"), Some("other"), None];
        let number = |n: i32| (n >= 0).then_some(f64::from(n) / 2.0);
        let rows: Vec<_> = rows.into_iter().map(|(c, n)| (texts[c], number(n))).collect();
        let predictions = predict(&table(&rows), &tree).unwrap();
        let expected: Vec<u32> = rows.iter().map(|&row| naive(&tree, row)).collect();
        prop_assert_eq!(predictions.node_of_row, expected);
        let root = &predictions.outcomes[0];
        let leaves = tree.nodes().iter().filter(|node| matches!(node, Node::Leaf(_))).count();
        prop_assert_eq!(root.leaves as usize, leaves);
    }
}
