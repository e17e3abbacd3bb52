//! The papers' worked examples.

use super::{TreeMethod, mine, policy};
use crate::tree::grower::Grower;
use crate::tree::task::Task;
use crate::tree::{TreeParams, id3, labels};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Node, Tree};
use incrowd_core::policy::{Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::samples::{PaperTable, mortgage_anonymized, mortgage_of_six, mortgage_of_twelve};
use incrowd_core::table::Table;

fn six(car: Role) -> (PaperTable, Policy) {
    let roles = [("Marital Status", Role::Public), ("Sports Car", car), ("Loan Risk", Role::Private)];
    (mortgage_of_six(), policy(&roles))
}

fn names(paper: &PaperTable, rows: &[u32]) -> Vec<&'static str> {
    let mut names: Vec<_> = rows.iter().map(|&row| paper.names[row as usize]).collect();
    names.sort_unstable();
    names
}

/// The individuals of each span that reaches a node, and the nodes it reaches.
fn spans_of(paper: &PaperTable, grower: &Grower<'_>, node: u32) -> Vec<(Vec<&'static str>, Vec<u32>)> {
    let spans = grower.spans.of(node);
    spans.map(|span| (names(paper, grower.spans.rows(&grower.by_leaf, span)), span.leaves.clone())).collect()
}

#[test]
fn figure_2_step_by_step() {
    let (paper, policy) = six(Role::Private);
    let params = TreeParams::new(TreeMethod::KadetId3, Guarantee::k_anonymity(3).unwrap()).check().unwrap();
    let task = Task::new(&paper.table, &policy, &params).unwrap();
    let mut grower = Grower::new(&task);
    let everyone = vec!["Anna", "Ben", "John", "Laura", "Lisa", "Robert"];
    assert_eq!(spans_of(&paper, &grower, 0), [(everyone.clone(), vec![0])]);

    // First the private Sports Car: one span still, which reaches both leaves.
    id3::step(&mut grower, 1, &Silent);
    let (split, first) = grower.node(0).split.as_ref().unwrap();
    assert_eq!((task.attributes[split.attribute].column.name(), *first), ("Sports Car", 1));
    assert_eq!(labels::of(split, &task.attributes[split.attribute], None), ["= No", "= Yes"]);
    assert_eq!(split.branches, 2);
    assert_eq!(names(&paper, grower.rows(1)), ["Anna", "Ben", "Laura"]);
    assert_eq!(names(&paper, grower.rows(2)), ["John", "Lisa", "Robert"]);
    assert_eq!(spans_of(&paper, &grower, 1), [(everyone, vec![1, 2])]);
    assert_eq!(grower.spans.all().len(), 1);

    // Then the public Marital Status among those with a sports car: every individual is distinguished by it.
    let mut grower = Grower::new(&task);
    id3::step(&mut grower, 2, &Silent);
    let (split, first) = grower.node(2).split.as_ref().unwrap();
    assert_eq!((task.attributes[split.attribute].column.name(), *first), ("Marital Status", 3));
    assert_eq!(spans_of(&paper, &grower, 3), [(vec!["Ben", "John", "Laura"], vec![1, 3])]);
    assert_eq!(spans_of(&paper, &grower, 4), [(vec!["Anna", "Lisa", "Robert"], vec![1, 4])]);
    assert_eq!(spans_of(&paper, &grower, 1).len(), 2);

    // And that is all: the only other split gains nothing.
    let mut whole = Grower::new(&task);
    id3::grow(&mut whole, &Silent);
    assert_eq!(whole.nodes.len(), 5);
}

#[test]
fn the_tree_of_figure_1_is_three_anonymous_and_not_four() {
    let (paper, policy) = six(Role::Private);
    let mined =
        mine(&paper.table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(3).unwrap()).unwrap();
    assert_eq!((mined.summary.k, mined.summary.spans, mined.summary.leaves), (3, 2, 3));
    assert_eq!((mined.summary.exposed, mined.summary.cm), (0, 2));
    let four =
        mine(&paper.table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(4).unwrap()).unwrap();
    assert_eq!((four.summary.spans, four.summary.k), (1, 6));
}

#[test]
fn with_a_public_car_the_second_split_would_breach() {
    let (paper, policy) = six(Role::Public);
    let mined =
        mine(&paper.table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(3).unwrap()).unwrap();
    assert_eq!((mined.summary.k, mined.summary.spans, mined.summary.leaves), (3, 2, 2));
}

#[test]
fn more_than_everybody_is_refused_with_a_way_out() {
    let (paper, policy) = six(Role::Private);
    let error =
        mine(&paper.table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(7).unwrap()).unwrap_err();
    assert_eq!(
        error.what,
        "no tree can meet `k = 7`: it does not hold even with all 6 individuals in one group"
    );
    assert!(error.help.is_some());
}

#[test]
fn a_public_class_makes_a_span_of_each_class_value() {
    let (paper, mut policy) = six(Role::Private);
    policy.attributes[2].role = Role::Public;
    let guarantee = Guarantee::k_anonymity(2).unwrap();
    let mined = mine(&paper.table, &policy, TreeMethod::KadetId3, &guarantee).unwrap();
    assert_eq!((mined.summary.k, mined.summary.spans), (2, 2));
    let error =
        mine(&paper.table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(3).unwrap()).unwrap_err();
    assert!(error.what.starts_with("no tree can meet"), "{error}");
}

/// The mortgage tree of VLDB Figure 1 (gender, then age for men and marriage for women), and its table.
#[test]
fn the_mortgage_tree_and_table_2() {
    let paper = mortgage_of_twelve();
    let roles: Vec<(&str, Role)> = ["Gender", "Married", "Age", "Sports Car"]
        .map(|name| (name, Role::Public))
        .into_iter()
        .chain([("Loan Risk", Role::Private)])
        .collect();
    let policy = policy(&roles);
    let mined =
        mine(&paper.table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(3).unwrap()).unwrap();
    assert_eq!((mined.summary.k, mined.summary.spans, mined.summary.leaves), (3, 4, 4));
    assert_eq!(as_table(&mined.tree, &paper.table), cells(&mortgage_anonymized().table));
}

fn cells(table: &Table) -> Vec<Vec<String>> {
    let cell = |row: usize| {
        move |column: &incrowd_core::table::Column| {
            column.values().text(column.code(row) as usize).into_owned()
        }
    };
    (0..table.rows()).map(|row| table.columns().iter().map(cell(row)).collect()).collect()
}

/// The table with the information of the tree: `*` where it does not test.
fn as_table(tree: &Tree, table: &Table) -> Vec<Vec<String>> {
    let mut all = cells(table);
    let class = table.columns().len() - 1;
    for cells in &mut all {
        let mut asked = vec![false; class];
        let mut node = 0;
        while let Node::Test(test) = &tree.nodes()[node] {
            let name = &tree.attributes()[test.attribute].name;
            let column = table.columns().iter().position(|column| column.name() == name).unwrap();
            asked[column] = true;
            let branch =
                test.labels.iter().position(|label| *label == format!("= {}", cells[column])).unwrap();
            node = test.children[branch] as usize;
        }
        cells.iter_mut().zip(asked).filter(|(_, asked)| !asked).for_each(|(cell, _)| "*".clone_into(cell));
    }
    all
}
