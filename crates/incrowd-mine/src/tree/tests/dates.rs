//! Dates are tested by the calendar.

use crate::tree::{MinedTree, TreeMethod, TreeParams, mine_tree};
use incrowd_core::audit::audit_model;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Model, Node, Split};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::predict::predict;
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, Date, People, Table};
use incrowd_core::taxonomy::TaxonomySpec;

const METHODS: [TreeMethod; 3] = [TreeMethod::Best, TreeMethod::KadetC45, TreeMethod::KadetId3];

fn dates(name: &str, days: &[i32]) -> Column {
    let cells: Vec<Option<String>> = days.iter().map(|day| Some(day.to_string())).collect();
    let day = |text: &str| text.parse().ok().and_then(Date::from_days);
    Column::from_texts(name, &cells).with_dates(day).expect("dates")
}

/// Admissions, of which those from 2023-04-11 on are readmitted.
fn table(days: &[i32]) -> Table {
    let class: Vec<Option<&str>> =
        days.iter().map(|day| Some(if *day < 19_458 { "no" } else { "yes" })).collect();
    Table::new(vec![dates("admitted", days), Column::from_texts("again", &class)], People::Rows)
        .expect("valid")
}

fn policy(role: Role) -> Policy {
    let admitted = Attribute { taxonomy: Some(TaxonomySpec::Calendar), ..Attribute::new("admitted", role) };
    Policy::new(vec![admitted, Attribute::new("again", Role::Private)]).with_class("again")
}

fn mine(table: &Table, policy: &Policy, method: TreeMethod) -> MinedTree {
    let params = TreeParams::new(method, Guarantee::k_anonymity(5).expect("valid")).check().expect("valid");
    mine_tree(table, policy, &params, &Silent).expect("a tree")
}

#[test]
fn dates_are_asked_by_bounds_that_hold_for_other_days_too() {
    let days: Vec<i32> = (0..120).map(|i| 19_358 + 3 * (i % 60)).collect();
    let table = table(&days);
    for (method, role) in METHODS.into_iter().flat_map(|m| [(m, Role::Public), (m, Role::Private)]) {
        let policy = policy(role);
        let mined = mine(&table, &policy, method);
        let tree = &mined.tree;
        let Node::Test(test) = &tree.nodes()[0] else { panic!("{method}: no test") };
        assert!(tree.attributes()[0].dates, "{method}");
        let Split::Thresholds(bounds) = &test.split else { panic!("{method}: not by thresholds") };
        assert!(bounds.iter().all(|bound| bound.fract() == 0.0), "{method}: {bounds:?}");
        assert!(test.labels[0].starts_with("<= 2023-"), "{method}: {:?}", test.labels);
        let model = Model::Tree(tree.clone());
        let guarantee = Guarantee::k_anonymity(5).expect("valid");
        let report = audit_model(&table, &policy, &model, &guarantee).expect("audited");
        assert!(report.holds && report.rare_values == 0, "{method}");
        // Days before and after all that the table has.
        let others = super::dates::table(&[10_000, 25_000]);
        let found = predict(&others, tree).expect("predicted");
        assert_eq!([found.of(0).label, found.of(1).label], [0, 1], "{method}");
    }
}

/// One individual a day: no bound of a private date is anyone's day.
#[test]
fn bounds_of_private_dates_are_nobodys_day() {
    let days: Vec<i32> = (0..60).map(|i| 19_400 + 2 * i).collect();
    let table = table(&days);
    for method in METHODS {
        let mined = mine(&table, &policy(Role::Private), method);
        assert_eq!(mined.report.rare_values, 0, "{method}");
        for node in mined.tree.nodes() {
            let Node::Test(test) = node else { continue };
            let Split::Thresholds(bounds) = &test.split else { panic!("{method}: not by thresholds") };
            assert!(bounds.iter().all(|&bound| !days.contains(&(bound as i32))), "{method}: {bounds:?}");
        }
    }
}

#[test]
fn a_taxonomy_that_does_not_divide_is_told() {
    let children: Vec<Option<f64>> = (0..40).map(|i| Some(f64::from(i % 4))).collect();
    let class: Vec<Option<&str>> = (0..40).map(|i| Some(if i % 4 < 2 { "no" } else { "yes" })).collect();
    let columns = vec![
        Column::from_numbers("children", &children).expect("finite"),
        Column::from_texts("again", &class),
    ];
    let table = Table::new(columns, People::Rows).expect("valid");
    let mut policy = policy(Role::Public);
    policy.attributes[0] =
        Attribute { taxonomy: Some(TaxonomySpec::Round), ..Attribute::new("children", Role::Public) };
    let warned = mine(&table, &policy, TreeMethod::KadetId3).warnings;
    assert!(warned[0].contains("leaves out `children`: its taxonomy does not divide"), "{warned:?}");
    policy.attributes[0].taxonomy = None;
    let warned = mine(&table, &policy, TreeMethod::KadetId3).warnings;
    assert!(warned[0].contains("has no taxonomy"), "{warned:?}");
}
