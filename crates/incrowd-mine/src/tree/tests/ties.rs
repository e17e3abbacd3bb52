//! Dependencies that involve private attributes, in the miner.

use super::{TreeMethod, mine, policy};
use incrowd_core::error::ErrorKind;
use incrowd_core::guarantee::{Guarantee, Requirement, Scope};
use incrowd_core::model::Node;
use incrowd_core::policy::{Dependency, Policy, Role};
use incrowd_core::table::{Column, People, Table};

fn table(columns: &[(&str, &str)]) -> Table {
    let column = |(name, cells): &(&str, &str)| {
        Column::from_texts(name, &cells.split_whitespace().map(Some).collect::<Vec<_>>())
    };
    Table::new(columns.iter().map(column).collect(), People::Rows).unwrap()
}

fn with_dependency(roles: &[(&str, Role)], from: &str, to: &str) -> Policy {
    let dependency = Dependency { from: vec![from.to_owned()], to: to.to_owned() };
    policy(roles).with_dependencies(vec![dependency])
}

fn cities() -> Table {
    table(&[
        ("county", "x x x x x x y y y y y y"),
        ("city", "a a a b b b c c c d d d"),
        ("class", "g g g b b b g g g b b b"),
    ])
}

const ROLES: [(&str, Role); 3] =
    [("county", Role::Public), ("city", Role::Private), ("class", Role::Private)];

/// The policy declares the cities, so that they may be printed.
fn of_cities() -> Policy {
    let mut policy = with_dependency(&ROLES, "city", "county");
    policy.attributes[1].values = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    policy
}

/// With groups that are large enough, the city may be tested; individuals of different counties count apart.
#[test]
fn tied_attributes_are_tested_where_groups_are_large() {
    let policy = of_cities();
    for method in TreeMethod::ALL {
        let mined = mine(&cities(), &policy, method, &Guarantee::k_anonymity(6).unwrap()).unwrap();
        assert!(mined.report.k >= 6 && mined.tree.nodes().len() > 1, "{method}");
    }
}

/// Otherwise it is not, and the owner is warned.
#[test]
fn tied_attributes_are_left_out_where_groups_are_small() {
    let policy = of_cities();
    for method in TreeMethod::ALL {
        let mined = mine(&cities(), &policy, method, &Guarantee::k_anonymity(7).unwrap()).unwrap();
        let tests = mined.tree.nodes().iter().filter(|node| matches!(node, Node::Test(_))).count();
        assert_eq!((mined.report.k, tests), (12, 0), "{method}");
        assert!(mined.warnings.iter().any(|warning| warning.contains("`city` is not tested")), "{method}");
    }
}

/// A class that follows from what the attacker knows in part: individuals whose county leaves one class cannot be
/// hidden.
#[test]
fn a_class_tied_to_known_attributes_may_leave_no_tree() {
    let table = table(&[("county", "x x x y"), ("class", "g g b c")]);
    let roles = [("county", Role::Public), ("class", Role::Private)];
    let policy = with_dependency(&roles, "class", "county");
    let error = mine(&table, &policy, TreeMethod::KadetId3, &Guarantee::k_anonymity(2).unwrap()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsatisfiable);
}

/// x → z, both private: where values matter, neither is tested.
#[test]
fn what_follows_from_private_attributes_is_not_given_away() {
    let table = table(&[("x", "1 2 1 2 3 3"), ("z", "0 1 0 1 1 1"), ("class", "g b b g b g")]);
    let roles = [("x", Role::Private), ("z", Role::Private), ("class", Role::Private)];
    let policy = with_dependency(&roles, "x", "z");
    let diverse = Guarantee::k_anonymity(2).unwrap().with(Requirement::distinct_l(2).unwrap()).of(Scope::All);
    for method in TreeMethod::ALL {
        assert!(mine(&table, &policy, method, &diverse).unwrap().report.holds);
    }
}
