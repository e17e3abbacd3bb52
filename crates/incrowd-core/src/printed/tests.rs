//! Which printed values count as rare, by small examples.

use super::*;
use crate::model::{
    Class, Combination, Ensemble, Leaf, LeafContents, Link, Member, MissingRoute, Scoring, Test, TieRule,
};
use crate::policy::{Attribute, Undeclared};
use crate::taxonomy::TreeSpec;

fn policy(private: Vec<Attribute>) -> Policy {
    Policy {
        attributes: private,
        class: None,
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
        earlier: None,
    }
}

fn names(people: People) -> Table {
    let names = ["flu", "flu", "flu", "hiv", "acne", "acne"].map(Some);
    Table::new(vec![Column::from_texts("x", &names)], people).unwrap()
}

/// A tree with one test by thresholds.
fn cut(thresholds: Vec<f64>) -> Model {
    let children: Vec<u32> = (1..=thresholds.len() as u32 + 1).collect();
    let test = Test {
        attribute: 0,
        labels: vec![String::new(); children.len()],
        split: Split::Thresholds(thresholds),
        otherwise: Some(0),
        missing: MissingRoute::Otherwise,
        children: children.clone(),
    };
    let leaf = |_| Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let nodes = [Node::Test(test)].into_iter().chain(children.iter().map(leaf)).collect();
    let class = Class { name: "c".to_owned(), values: vec!["g".to_owned()] };
    let domain = Domain::Numbers { low: f64::NEG_INFINITY, high: f64::INFINITY };
    let attribute = ModelAttribute { name: "x".to_owned(), domain, missing: false, dates: false };
    Model::Tree(Tree::new(vec![attribute], class, nodes).unwrap())
}

#[test]
fn undeclared_names_that_few_have_are_rare() {
    let private = Attribute::new("x", Role::Private);
    let rare = |attribute: &Attribute, required: u64| {
        rare_in_table(&names(People::Rows), &policy(vec![attribute.clone()]), &[], required).total()
    };
    assert_eq!([1, 2, 3, 4].map(|required| rare(&private, required)), [0, 1, 2, 3]);
    let declared = Attribute { values: vec!["hiv".to_owned()], ..private.clone() };
    assert_eq!(rare(&declared, 3), 1);
    let tree = TreeSpec::from_lines([(1, vec!["hiv", "*"]), (2, vec!["acne", "*"])]).unwrap();
    let in_taxonomy = Attribute { taxonomy: Some(TaxonomySpec::Tree(tree)), ..private };
    assert_eq!(rare(&in_taxonomy, 4), 1);
    assert_eq!(rare(&Attribute::new("x", Role::Public), 4), 0);
}

/// Cells that state no more than the policy: groups of its taxonomy, masked codes of its values, dates of its range.
#[test]
fn cells_of_declared_values() {
    let declared = |attribute: &Attribute, cell: &str| {
        is_declared_cell(&policy(vec![attribute.clone()]), "x", cell, None)
    };
    let own = Attribute::new("x", Role::Private);
    let lines = [(1, vec!["a,b", "g1", "*"]), (2, vec!["c", "g2", "*"]), (3, vec!["d", "g2", "*"])];
    let tree = TaxonomySpec::Tree(TreeSpec::from_lines(lines).unwrap());
    let grouped = Attribute { taxonomy: Some(tree), ..own.clone() };
    for cell in ["g1", "g2", "{c, d}", "{g2, a,b}", "{c, other values}", "{c, *}", "*"] {
        assert!(declared(&grouped, cell), "{cell}");
        assert_eq!(declared(&own, cell), cell == "*", "{cell}");
    }
    assert!(!declared(&grouped, "g3") && !declared(&grouped, "{c, e}") && !declared(&grouped, "{e, *}"));
    assert!(!declared(&grouped, OTHER_VALUES));
    let prefix = crate::taxonomy::Prefix::new(1, '*', None).unwrap();
    let masked = Attribute { taxonomy: Some(TaxonomySpec::Prefix(prefix)), ..own.clone() };
    let codes = ["13001", "1201", "1200"].map(str::to_owned).to_vec();
    let listed = Attribute { values: codes, ..masked.clone() };
    assert!(declared(&listed, "12**") && declared(&listed, "{12**, 13001}") && !declared(&listed, "14"));
    assert!(!declared(&masked, "12**"));
    let days = Attribute { range: Some((18_262.0, 18_292.0)), ..own.clone() };
    let dates = Attribute { kind: Some(Kind::Date), ..days.clone() };
    assert!(declared(&dates, "2020-01-02") && declared(&dates, "[2020-01-01, 2020-01-05]"));
    assert!(!declared(&dates, "2021-01-02") && !declared(&days, "2020-01-02"));
    assert!(!declared(&Attribute { range: None, ..dates }, "2020-01-02"));
}

/// Someone with several rows counts once for each value.
#[test]
fn individuals_are_counted_and_not_rows() {
    let table = names(People::of_subjects(&[1, 1, 1, 2, 1, 2]));
    let holders = Holders::new(&table, &table.columns()[0]);
    // acne, flu, hiv
    assert_eq!((holders.of(0), holders.of(1), holders.of(2)), (2, 1, 1));
    assert_eq!((holders.sides(1), holders.sides(2)), ((2, 2), (2, 1)));
}

#[test]
fn thresholds_are_rare_where_they_are_someones_value_or_part_few() {
    let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 9.0].map(Some);
    let table = Table::new(vec![Column::from_numbers("x", &numbers).unwrap()], People::Rows).unwrap();
    let policy = policy(vec![Attribute::new("x", Role::Private)]);
    let two = Guarantee::k_anonymity(2).unwrap();
    let rare = |threshold: f64| rare_in_model(&table, &policy, &cut(vec![threshold]), &two).total();
    assert_eq!([0.5, 1.5, 2.5, 3.0, 6.0, 10.0].map(rare), [0, 1, 0, 1, 1, 0]);
}

/// Thresholds of an ensemble need at most twenty individuals on each side, unless a smallest bin is required; those of
/// a tree need k.
#[test]
fn thresholds_of_ensembles_need_fewer_individuals() {
    let numbers: Vec<Option<f64>> = (0..100).map(|number| Some(f64::from(number))).collect();
    let table = Table::new(vec![Column::from_numbers("x", &numbers).unwrap()], People::Rows).unwrap();
    let policy = policy(vec![Attribute::new("x", Role::Private)]);
    let Model::Tree(tree) = cut(vec![0.0]) else { panic!("a tree") };
    let ensemble = |threshold: f64| {
        let Model::Tree(one) = cut(vec![threshold]) else { panic!("a tree") };
        let class = Class { values: vec!["g".to_owned(), "h".to_owned()], ..tree.class().clone() };
        let scores = vec![vec![], vec![0.1], vec![-0.1]];
        let member = Member { nodes: one.nodes().to_vec(), output: Some(0), scores };
        let scoring = Scoring {
            combination: Combination::Sum,
            base: vec![0.0],
            link: Link::Logistic,
            tie: TieRule::First,
        };
        Model::Ensemble(Ensemble::new(tree.attributes().to_vec(), class, vec![member], scoring).unwrap())
    };
    let forty = Guarantee::k_anonymity(40).unwrap();
    let rare =
        |model: &Model, guarantee: &Guarantee| rare_in_model(&table, &policy, model, guarantee).total();
    // 19, 20 and 40 individuals are up to these.
    let thresholds = [18.5, 19.5, 39.5];
    assert_eq!(thresholds.map(|t| rare(&ensemble(t), &forty)), [1, 0, 0]);
    assert_eq!(thresholds.map(|t| rare(&cut(vec![t]), &forty)), [1, 1, 0]);
    let bins = forty.with(Requirement::smallest_bin(40).unwrap());
    assert_eq!(thresholds.map(|t| rare(&ensemble(t), &bins)), [1, 1, 0]);
    // A threshold that is someone's number is rare in both.
    assert_eq!(rare(&ensemble(50.0), &bins), 1);
}

#[test]
fn as_many_are_required_as_k_and_the_smallest_bin_ask_for() {
    let k = Guarantee::k_anonymity(5).unwrap();
    assert_eq!(required_holders(&k), 5);
    assert_eq!(required_holders(&k.with(Requirement::smallest_bin(9).unwrap())), 9);
    assert_eq!(required_holders(&Guarantee::default()), 1);
}

/// A tree that was made by other programs lists a value of one individual.
#[test]
fn a_smallest_bin_forbids_rare_values_in_print() {
    let mut cells = vec![Some("flu"); 10];
    cells.extend([Some("acne"); 10]);
    cells.push(Some("hiv"));
    let columns = vec![Column::from_texts("x", &cells), Column::from_texts("c", &[Some("g"); 21])];
    let table = Table::new(columns, People::Rows).unwrap();
    let names = ["acne", "flu", "hiv"].map(str::to_owned).to_vec();
    let test = Test {
        attribute: 0,
        labels: vec![String::new(); 2],
        split: Split::Values(vec![Some(0), Some(1), Some(1)]),
        otherwise: Some(1),
        missing: MissingRoute::Otherwise,
        children: vec![1, 2],
    };
    let leaf = || Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let class = Class { name: "c".to_owned(), values: vec!["g".to_owned()] };
    let attribute = ModelAttribute::categorical("x", names.clone());
    let model =
        Model::Tree(Tree::new(vec![attribute], class, vec![Node::Test(test), leaf(), leaf()]).unwrap());
    let mut policy = policy(vec![Attribute::new("x", Role::Private), Attribute::new("c", Role::Public)]);
    let k = Guarantee::k_anonymity(2).unwrap();
    let bins = k.clone().with(Requirement::smallest_bin(2).unwrap());
    let verdict = |policy: &Policy, guarantee: &Guarantee| {
        let report = crate::audit::audit_model(&table, policy, &model, guarantee).unwrap();
        (report.holds, report.breaches.expect("counted"), report.rare_values)
    };
    assert_eq!(verdict(&policy, &k), (true, 0, 1));
    assert_eq!(verdict(&policy, &bins), (false, 0, 1));
    policy.attributes[0].values = names;
    assert_eq!(verdict(&policy, &bins), (true, 0, 0));
}

#[test]
fn cells_that_state_no_more_than_the_policy() {
    let numbers = Attribute { range: Some((2.0, 5.0)), ..Attribute::new("n", Role::Private) };
    let names = Attribute {
        values: ["flu", "hiv"].map(str::to_owned).to_vec(),
        ..Attribute::new("x", Role::Private)
    };
    let policy = policy(vec![numbers, names, Attribute::new("y", Role::Private)]);
    let number = |number: f64| is_declared_cell(&policy, "n", &number.to_string(), Some(number));
    assert_eq!([1.9, 2.0, 3.0, 5.0, 5.1].map(number), [false, true, true, true, false]);
    let is_declared = |attribute: &str, cell: &str| is_declared_cell(&policy, attribute, cell, None);
    assert_eq!(
        ["flu", "acne", "*", "", MISSING].map(|cell| is_declared("x", cell)),
        [true, false, true, true, true]
    );
    let sets = ["{flu, hiv}", "{flu,hiv}", "{flu, acne}", "{acne}", "{flu", "flu}", "{other values, hiv}"];
    assert_eq!(sets.map(|cell| is_declared("x", cell)), [true, true, false, false, false, false, true]);
    assert!(!is_declared("y", "[2, 3]") && !is_declared("x", "[2, 3]"));
    assert!(!is_declared("y", "flu") && !is_declared("z", "flu") && is_declared("y", "*"));
    assert!(!is_declared_cell(&policy, "y", "3", Some(3.0)));
    // Numbers beside sets are texts.
    assert_eq!(
        ["5", "5.5", "x", "[2, 3)", "<= 4", "{2, 5}", "{2, 6}"].map(|cell| is_declared("n", cell)),
        [true, false, false, true, true, true, false]
    );
}

/// Ends of a printed range are someone's number unless the policy declares them.
#[test]
fn ends_of_ranges_are_rare_where_they_are_someones_value() {
    let numbers = [1.0, 2.0, 2.0, 2.0, 9.0].map(Some);
    let table = Table::new(vec![Column::from_numbers("x", &numbers).unwrap()], People::Rows).unwrap();
    let rare = |low: f64, high: f64, range: Option<(f64, f64)>| {
        let policy = policy(vec![Attribute { range, ..Attribute::new("x", Role::Private) }]);
        let known = policy.known();
        let counter = Counter { tables: &[&table], policy: &policy, known: &known, required: 2, beside: 2 };
        counter.in_domain("x", &Domain::Numbers { low, high }, &[])
    };
    assert_eq!((rare(1.0, 9.0, None), rare(0.0, 9.0, None), rare(0.0, 10.0, None)), (2, 1, 0));
    assert_eq!((rare(2.0, 9.0, None), rare(1.0, 2.0, None)), (1, 1));
    assert_eq!((rare(1.0, 9.0, Some((1.0, 10.0))), rare(1.0, 9.0, Some((0.0, 9.0)))), (1, 1));
    assert_eq!((rare(1.0, 9.0, Some((1.0, 9.0))), rare(1.0, 9.0, Some((0.0, 10.0)))), (0, 2));
}

#[test]
fn a_warning_names_the_attributes_with_the_most_values_first() {
    let mut rare = RareValues::default();
    rare.add("crp", 1);
    assert_eq!(
        rare.warning(1, 5),
        "the release shows 1 rare private value (fewer than 5 individuals): crp (1); round or group such values; if they \
         are not secret, declare them in the policy (`range` for numbers, `values` otherwise); to forbid them, set \
         `smallest-bin`"
    );
    for (name, values) in [("cost", 19_220), ("sex", 0), ("crp", 685)] {
        rare.add(name, values);
    }
    let warning = rare.warning(rare.total(), 10);
    assert!(
        warning.starts_with(
            "the release shows 19,906 rare private values (fewer than 10 individuals each): cost (19,220), crp (686); round"
        ),
        "{warning}"
    );
    let warning = rare.warning(20_000, 10);
    assert!(warning.contains("individuals each): cost, crp; round"), "stated, not counted: {warning}");
    ["a", "b", "c", "d"].into_iter().for_each(|name| rare.add(name, 1));
    assert!(rare.warning(rare.total(), 10).contains(", crp (686), a (1), b (1), c (1) and 1 more; round"));
}
