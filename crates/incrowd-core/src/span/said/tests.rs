//! Cells as sets, by example.

use super::*;
use crate::policy::Role;
use crate::table::People;
use crate::taxonomy::{Prefix, TaxonomySpec, TreeSpec};

fn policy(attribute: Attribute) -> Policy {
    Policy {
        attributes: vec![attribute],
        class: None,
        subject: None,
        dependencies: Vec::new(),
        undeclared: crate::policy::Undeclared::Warn,
        guarantee: crate::guarantee::Guarantee::default(),
        earlier: None,
    }
}

fn private() -> Attribute {
    Attribute::new("y", Role::Private)
}

fn named(values: &[&str]) -> Attribute {
    Attribute { values: values.iter().map(|&value| value.to_owned()).collect(), ..private() }
}

fn within(low: f64, high: f64, whole: bool) -> Attribute {
    Attribute { range: Some((low, high)), whole, ..private() }
}

fn column(cells: &[&str]) -> Column {
    Column::from_texts("y", &cells.iter().map(|&cell| Some(cell)).collect::<Vec<_>>())
}

/// How many classes the cells of one group make, whether one value is left, and whether one is excluded.
fn check(attribute: &Attribute, cells: &[&str], expected: (usize, bool, bool)) {
    let (column, policy) = (column(cells), policy(attribute.clone()));
    let said = CellContents::of(&column, &policy).expect("no contradiction").expect("sets");
    let codes: Vec<u32> = (0..column.values().len() as u32).collect();
    let mut classes = said.classes(&codes);
    classes.sort_unstable();
    classes.dedup();
    let union = said.union(codes.into_iter());
    assert_eq!((classes.len(), union.is_one, union.excludes), expected, "{cells:?}");
}

#[test]
fn names() {
    let xyz = named(&["x", "y", "z"]);
    check(&xyz, &["{x}", "x"], (1, true, true));
    check(&xyz, &["{x, y}", "{y,x}"], (1, false, true));
    check(&xyz, &["{x, y}", "z"], (2, false, false));
    check(&xyz, &["{x, y}", "{y, z}", "*"], (1, false, false));
    check(&xyz, &["*"], (1, false, false));
    check(&xyz, &["{x, y, z}"], (1, false, false));
    check(&private(), &["*"], (1, false, false));
    check(&private(), &["{x}", "y"], (2, false, false));
    check(&private(), &["other values", "y"], (2, false, false));
    check(&named(&["x", "{x}"]), &["{x}", "x", "*"], (1, false, false));
}

#[test]
fn numbers() {
    check(&private(), &["[1, 3)", "2"], (1, false, false));
    check(&private(), &["[1, 3)", "3", "(3, 4]"], (3, false, false));
    check(&private(), &["{1}", "1.0"], (1, false, false));
    check(&within(0.0, 9.0, true), &["(4, 5]"], (1, true, true));
    check(&within(0.0, 9.0, true), &["(4, 5]", "5"], (1, true, true));
    check(&within(0.0, 9.0, false), &["(4, 5]"], (1, false, true));
    check(&within(0.0, 9.0, false), &["<= 4", "> 4"], (2, false, false));
    check(&within(0.0, 9.0, false), &["any number"], (1, false, false));
    check(&within(0.0, 9.0, false), &[">= 0 or ?"], (1, false, false));
    check(&within(0.0, 9.0, false), &["> 9 or ?"], (1, true, true));
}

#[test]
fn taxonomies() {
    let lines = [["flu", "lung", "*"], ["asthma", "lung", "*"], ["angina", "heart", "*"]];
    let tree = TreeSpec::from_lines((1..).zip(lines.map(Vec::from))).expect("a tree");
    let attribute = Attribute { taxonomy: Some(TaxonomySpec::Tree(tree)), ..private() };
    check(&attribute, &["lung", "flu"], (1, false, false));
    check(&attribute, &["lung", "heart"], (2, false, false));
    check(&attribute, &["{lung, angina}", "heart"], (1, false, false));
    let prefix = Prefix::new(1, '*', None).expect("a prefix");
    let attribute = Attribute { taxonomy: Some(TaxonomySpec::Prefix(prefix)), ..private() };
    check(&attribute, &["12*", "123"], (1, false, false));
    check(&attribute, &["12*", "13*"], (2, false, false));
    check(&attribute, &["1**", "13*", "2**"], (2, false, false));
}

#[test]
fn contradictions() {
    let refused = |attribute: Attribute, cells: &[&str]| {
        assert!(CellContents::of(&column(cells), &policy(attribute)).is_err(), "{cells:?}");
    };
    refused(named(&["x", "y"]), &["{x, z}"]);
    refused(named(&["x", "y"]), &["{x}", "z"]);
    refused(within(0.0, 9.0, false), &["[10, 12)"]);
    refused(within(0.0, 9.0, true), &["{1.5, 2}"]);
    refused(within(0.0, 9.0, true), &["(1, 2)"]);
    refused(within(0.0, 9.0, true), &["[1, 2]", "x"]);
    refused(private(), &["[1, 2]", "x"]);
}

/// Single values become what they are; equal sets get one spelling.
#[test]
fn spelled_alike() {
    let canonical_of = |attribute: Attribute, cells: &[&str]| {
        let table = crate::table::Table::new(vec![column(cells)], People::Rows).expect("a column");
        let made = canonical(&table, &policy(attribute)).expect("no contradiction").into_owned();
        let column = &made.columns()[0];
        let texts = (0..column.len()).map(|row| column.values().text(column.code(row) as usize).into_owned());
        (column.kind(), texts.collect::<Vec<String>>())
    };
    let fives = ["(4, 5]", "{7}", "5"];
    assert_eq!(
        canonical_of(within(0.0, 9.0, true), &fives),
        (Kind::Numeric, vec!["5".into(), "7".into(), "5".into()])
    );
    assert_eq!(
        canonical_of(within(0.0, 9.0, true), &["{10e-1}", "7"]),
        (Kind::Numeric, vec!["1".into(), "7".into()])
    );
    let ordered = Attribute { kind: Some(Kind::Ordered), ..named(&["low", "high"]) };
    assert_eq!(canonical_of(ordered, &["{low}", "high"]).0, Kind::Ordered);
    let texts = canonical_of(private(), &["{b, a}", "{a,b}", "{c}", "c"]).1;
    assert_eq!((&texts[0], &texts[2]), (&texts[1], &texts[3]));
    assert_eq!(texts[2], "c");
}
