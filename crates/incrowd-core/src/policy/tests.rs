//! What an attacker knows, and which values a policy allows.

use super::*;
use crate::table::{Codes, Column, People, Values};

fn policy(attributes: Vec<Attribute>, dependencies: &[(&[&str], &str)]) -> Policy {
    let dependency = |&(from, to): &(&[&str], &str)| Dependency {
        from: from.iter().map(|&name| name.to_owned()).collect(),
        to: to.to_owned(),
    };
    Policy {
        attributes,
        class: None,
        subject: None,
        dependencies: dependencies.iter().map(dependency).collect(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
        earlier: None,
    }
}

fn of_roles(dependencies: &[(&[&str], &str)]) -> Policy {
    let roles = [
        ("a", Role::Public),
        ("b", Role::Public),
        ("x", Role::Private),
        ("y", Role::Private),
        ("z", Role::Private),
        ("n", Role::Identifier),
        ("i", Role::Ignored),
    ];
    policy(roles.map(|(name, role)| Attribute::new(name, role)).to_vec(), dependencies)
}

#[test]
fn what_follows_from_known_attributes_is_known() {
    let known = |dependencies: &[(&[&str], &str)]| of_roles(dependencies).known();
    assert_eq!(known(&[]), ["a", "b"]);
    assert_eq!(known(&[(&["a"], "x")]), ["a", "b", "x"]);
    // Step by step, in whatever order they are declared.
    assert_eq!(known(&[(&["y"], "z"), (&["x"], "y"), (&["a", "b"], "x")]), ["a", "b", "x", "y", "z"]);
    // All that determines must be known, however often it is named.
    assert_eq!(known(&[(&["a", "y"], "x")]), ["a", "b"]);
    assert_eq!(known(&[(&["x", "x", "a"], "y"), (&["b", "b"], "x")]), ["a", "b", "x", "y"]);
    assert_eq!(known(&[(&["x"], "y"), (&["y"], "x")]), ["a", "b"]);
    assert_eq!(known(&[(&["a"], "b"), (&["a"], "x"), (&["b"], "x")]), ["a", "b", "x"]);
}

#[test]
fn only_public_and_private_attributes_can_be_asked_about() {
    let policy = of_roles(&[(&["a"], "x")]);
    assert_eq!((policy.knows("a"), policy.knows("x"), policy.knows("y")), (Ok(true), Ok(true), Ok(false)));
    for name in ["n", "i", "other"] {
        assert_eq!(policy.knows(name).unwrap_err().place.attribute.as_deref(), Some(name));
    }
}

#[test]
fn other_attackers_know_less() {
    let policy = of_roles(&[]).known_to(&["b".to_owned(), "x".to_owned()]);
    let of = |name: &str| policy.attribute(name).map(|attribute| (attribute.role, attribute.harmless));
    assert_eq!((of("a"), of("b")), (Some((Role::Ignored, true)), Some((Role::Public, false))));
    assert_eq!((of("x"), of("i")), (Some((Role::Private, false)), Some((Role::Ignored, false))));
}

#[test]
fn attackers_know_what_follows_from_their_set() {
    let policy = of_roles(&[(&["a"], "b")]).known_to(&["a".to_owned()]);
    assert_eq!(policy.attribute("b").map(|attribute| attribute.role), Some(Role::Public));
    let policy = of_roles(&[(&["a"], "x"), (&["x"], "b")]).known_to(&["a".to_owned()]);
    assert_eq!(policy.known(), ["a", "b", "x"]);
    let policy = of_roles(&[(&["b"], "a")]).known_to(&["a".to_owned()]);
    assert_eq!(policy.attribute("b").map(|attribute| attribute.role), Some(Role::Ignored));
}

fn numbers(cells: &[f64]) -> Table {
    let cells: Vec<Option<f64>> = cells.iter().copied().map(Some).collect();
    Table::new(vec![Column::from_numbers("x", &cells).unwrap()], People::Rows).unwrap()
}

fn texts(cells: &[&str]) -> Table {
    let cells: Vec<Option<&str>> = cells.iter().copied().map(Some).collect();
    Table::new(vec![Column::from_texts("x", &cells)], People::Rows).unwrap()
}

#[test]
fn whole_numbers_are_whole() {
    let whole = Attribute { whole: true, ..Attribute::new("x", Role::Private) };
    let check = |table: &Table| policy(vec![whole.clone()], &[]).check_whole(table);
    assert!(check(&numbers(&[1.0, -2.0, 0.0])).is_ok());
    assert!(check(&numbers(&[1.0, 2.5])).is_err() && check(&texts(&["1"])).is_err());
    // What does not occur does not matter.
    let codes = Codes::collect(3, [0, 0]);
    let unused = Column::new("x", Values::Numeric(vec![1.0, 2.5]), codes).unwrap();
    assert!(check(&Table::new(vec![unused], People::Rows).unwrap()).is_ok());
    assert!(policy(vec![Attribute::new("x", Role::Private)], &[]).check_whole(&numbers(&[0.5])).is_ok());
}

/// The first row, counted from 1, whose value is not allowed.
fn first_wrong(attribute: &Attribute, table: &Table) -> Option<String> {
    let error = policy(vec![attribute.clone()], &[]).check_declared(table).err()?;
    assert_eq!(error.place.attribute.as_deref(), Some("x"));
    error.place.row.map(|row| row.to_string())
}

#[test]
fn values_are_those_declared() {
    for role in [Role::Public, Role::Private] {
        let free = Attribute::new("x", role);
        let row = |row: usize| Some(row.to_string());
        let ranged = Attribute { range: Some((0.0, 5.0)), ..free.clone() };
        assert_eq!(first_wrong(&ranged, &numbers(&[0.0, 5.0, 2.5])), None);
        assert_eq!(first_wrong(&ranged, &numbers(&[0.0, 5.1, -0.1])), row(2));
        assert_eq!(first_wrong(&ranged, &numbers(&[1.0, 1.0, -0.1])), row(3));
        assert_eq!(first_wrong(&ranged, &texts(&["a"])), row(1), "names in a range of numbers");
        let whole = Attribute { whole: true, ..free.clone() };
        assert_eq!(first_wrong(&whole, &numbers(&[0.0, 5.5])), row(2));
        assert_eq!(first_wrong(&whole, &texts(&["a"])), row(1));
        let listed = Attribute { values: ["a", "b", "3"].map(str::to_owned).to_vec(), ..free.clone() };
        assert_eq!(first_wrong(&listed, &texts(&["a", "b", "a"])), None);
        assert_eq!(first_wrong(&listed, &texts(&["a", "b", "c"])), row(3));
        assert_eq!(first_wrong(&listed, &numbers(&[3.0])), None);
        assert_eq!(first_wrong(&listed, &numbers(&[3.0, 4.0])), row(2));
        assert_eq!(first_wrong(&free, &texts(&["a"])), None);
        let named = Attribute { kind: Some(Kind::Numeric), ..free.clone() };
        assert_eq!(first_wrong(&named, &texts(&["a"])), row(1));
        let dates = Attribute { kind: Some(Kind::Date), range: Some((0.0, 31.0)), ..free.clone() };
        assert_eq!(first_wrong(&dates, &texts(&["1970-01-01", "1970-02-01"])), None);
        assert_eq!(first_wrong(&dates, &texts(&["1970-01-01", "1970-02-02"])), row(2));
        assert_eq!(first_wrong(&dates, &texts(&["1969-12-31"])), row(1));
        assert_eq!(first_wrong(&Attribute { range: None, ..dates }, &texts(&["2000-01-01"])), None);
    }
    let ignored = Attribute { range: Some((0.0, 1.0)), ..Attribute::new("x", Role::Ignored) };
    assert_eq!(first_wrong(&ignored, &numbers(&[9.0])), None);
}

#[test]
fn some_values_may_pass_anyway() {
    let ranged = Attribute { range: Some((0.0, 5.0)), ..Attribute::new("x", Role::Public) };
    let table = texts(&["*", "3"]);
    let check = |passes: fn(&str) -> bool| ranged.check_values(&table.columns()[0], passes);
    assert!(check(|text| text == "*" || text == "3").is_ok() && check(|text| text == "*").is_err());
    assert!(check(|_| false).is_err());
}

#[test]
fn private_attributes_that_follow_from_public_ones_are_named() {
    assert_eq!(of_roles(&[(&["x"], "y"), (&["y"], "a")]).unprotected(), None);
    let warning = |dependencies| of_roles(dependencies).unprotected().unwrap_or_default();
    assert!(warning(&[(&["a"], "x")]).starts_with("x is private, but follows"));
    assert!(warning(&[(&["a"], "x"), (&["x", "b"], "z")]).starts_with("x and z are private, but follow"));
}
