//! Rules from partial trees on random small tables.

use super::random::case;
use crate::tree::{Condition, ConditionValues, DecisionList, induce_rules, induce_tree};
use incrowd_core::model::{Domain, Node};
use incrowd_core::table::{Column, People, Table};

const CASES: u64 = 400;

fn inputs(table: &Table) -> Vec<String> {
    table.columns().iter().map(|c| c.name().to_owned()).filter(|name| name != "class").collect()
}

fn rules(table: &Table) -> DecisionList {
    induce_rules(table, "class", &inputs(table)).expect("rules")
}

/// Whether a row satisfies a condition, by the content of its cell.
fn meets(list: &DecisionList, condition: &Condition, table: &Table, row: usize) -> bool {
    let attribute = &list.attributes()[condition.attribute];
    let column = table.require(&attribute.name).expect("a column");
    let code = column.code(row);
    if code == column.missing_code() {
        return condition.otherwise;
    }
    match &condition.met {
        ConditionValues::UpTo(end) => column.values().numbers().expect("numbers")[code as usize] <= *end,
        ConditionValues::Above(end) => column.values().numbers().expect("numbers")[code as usize] > *end,
        ConditionValues::Names(met) => {
            let Domain::Values(names) = &attribute.domain else { panic!("names") };
            let text = column.values().text(code as usize);
            names.iter().position(|name| *name == text).map_or(condition.otherwise, |place| met[place])
        }
    }
}

fn first_met(list: &DecisionList, table: &Table, row: usize) -> usize {
    let met = |conditions: &[Condition]| conditions.iter().all(|c| meets(list, c, table, row));
    list.rules().iter().position(|rule| met(&rule.conditions)).expect("the last rule has no conditions")
}

#[test]
fn everybody_meets_a_rule_and_counts_where_he_does() {
    let mut longest = 0;
    for seed in 0..CASES {
        let table = case(seed, 60, 6).table;
        let list = rules(&table);
        let class = table.require("class").expect("a class");
        let mut counts = vec![vec![0; class.values().len()]; list.rules().len()];
        let met = list.first_met(&table).expect("the same columns");
        for row in 0..table.rows() {
            let rule = first_met(&list, &table, row);
            assert_eq!(met[row] as usize, rule, "case {seed}, row {row}");
            counts[rule][class.code(row) as usize] += u64::from(table.weight(row));
        }
        let told: Vec<&Vec<u64>> = list.rules().iter().map(|rule| &rule.counts).collect();
        assert_eq!(counts.iter().collect::<Vec<_>>(), told, "case {seed}");
        assert!(list.rules().last().is_some_and(|rule| rule.conditions.is_empty()), "case {seed}");
        longest = longest.max(list.rules().len());
    }
    assert!(longest > 3, "no case has rules to speak of");
}

#[test]
fn merging_rows_changes_no_rule_and_no_tree() {
    for seed in 0..CASES {
        let table = case(seed, 60, 6).table;
        let merged = table.merged();
        assert_eq!(rules(&table), rules(&merged), "case {seed}");
        let tree = |table: &Table| induce_tree(table, "class", &inputs(table)).expect("a tree");
        assert_eq!(tree(&table), tree(&merged), "case {seed}");
    }
}

/// Each row splits one more off: a partial tree as deep as there are rows.
#[test]
fn deep_trees_need_no_deep_stack() {
    let rows = 20_000;
    let numbers: Vec<Option<f64>> = (0..rows).map(|row| Some(f64::from(row))).collect();
    let class: Vec<Option<&str>> =
        (0..rows).map(|row| Some(if row / 2 % 2 == 0 { "p" } else { "q" })).collect();
    let columns =
        vec![Column::from_numbers("a", &numbers).expect("numbers"), Column::from_texts("class", &class)];
    let list = rules(&Table::new(columns, People::Rows).expect("a table"));
    assert!(!list.rules().is_empty());
}

#[test]
fn rows_without_a_class_are_not_learned_from() {
    let a = Column::from_texts("a", &["x", "x", "x", "y", "y", "y", "x", "x"].map(Some));
    let class = ["p", "p", "p", "q", "q", "q", "?", "?"].map(|class| (class != "?").then_some(class));
    let table = Table::new(vec![a, Column::from_texts("class", &class)], People::Rows).expect("a table");
    let list = rules(&table);
    let counts: Vec<&[u64]> = list.rules().iter().map(|rule| &rule.counts[..]).collect();
    assert_eq!(counts, [&[3, 0], &[0, 3]]);
    let tree = induce_tree(&table, "class", &inputs(&table)).expect("a tree");
    assert_eq!(tree.nodes().iter().filter(|node| matches!(node, Node::Leaf(_))).count(), 2);
    let unlabelled = table.select(&[6, 7]);
    assert!(induce_tree(&unlabelled, "class", &inputs(&table)).is_err());
    assert!(induce_rules(&unlabelled, "class", &inputs(&table)).is_err());
}
