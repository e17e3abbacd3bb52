//! Where the papers are subtle or wrong: each a small case that a careless audit gets wrong.

use super::Sketch::{Leaf, Split};
use super::*;
use crate::guarantee::{Distance, Scope};
use crate::model::{Item, Rule, Rules};
use crate::policy::Dependency;

/// A span with one bin may be small under VLDB Claim 3; a private split then turns it into a breach.
#[test]
fn one_bin_few_people() {
    let table = table("sex car class\n f y g\n f n g\n m y g\n m n g\n m y g");
    let policy = policy(&["sex", "class"], &["car"], "class");
    let exempt = also(Guarantee::default(), Requirement::k(3, SingleBin::Exempt));
    let public = tree(&table, "class", Split("sex", vec![("f", Leaf), ("m", Leaf)]));
    assert!(!audit_model(&table, &policy, &public, &k(3)).unwrap().holds);
    assert!(audit_model(&table, &policy, &public, &exempt).unwrap().holds);
    let car = Split("car", vec![("y", Leaf), ("n", Leaf)]);
    let private = tree(&table, "class", Split("sex", vec![("f", car), ("m", Leaf)]));
    let report = audit_model(&table, &policy, &private, &exempt).unwrap();
    assert_eq!((report.holds, report.k), (false, 2));
}

/// Private education that follows from public education-num can be routed by the attacker.
#[test]
fn declared_dependencies_make_private_tests_public() {
    let table = table("num edu class\n 1 low g\n 1 low b\n 1 low b\n 2 high g\n 2 high b");
    let mut policy = policy(&["num"], &["edu", "class"], "class");
    let model = tree(&table, "class", Split("edu", vec![("low", Leaf), ("high", Leaf)]));
    assert_eq!(audit_model(&table, &policy, &model, &k(3)).unwrap().k, 5);
    policy.dependencies = vec![Dependency { from: vec!["num".into()], to: "edu".into() }];
    let report = audit_model(&table, &policy, &model, &k(3)).unwrap();
    assert_eq!((report.holds, sizes(&report)), (false, vec![2, 3]));
}

/// Several rows of one person count once.
#[test]
fn individuals_not_rows() {
    let rows = table("who zip ill\n ann 1 flu\n ann 1 flu\n ann 1 cold\n bob 1 flu\n eve 2 flu\n eve 2 cold");
    let people = People::from_subject(rows.column("who").unwrap());
    let columns = rows.columns()[1..].to_vec();
    let by_person = Table::new(columns.clone(), people).unwrap();
    let policy = policy(&["zip"], &["ill"], "");
    let report = audit_table(&by_person, &policy, &k(2)).unwrap();
    assert_eq!((report.individuals, report.k, report.in_breach, report.holds), (3, 1, Some(1), false));
    assert_eq!(sizes(&report), [1, 2]);
    // Ann and Bob both had the flu, though flu is 2 of the 3 different entries.
    assert_eq!((report.attributes[0].max_confidence, report.attributes[0].alpha), (1.0, 2.0 / 3.0));
    let by_row = Table::new(columns, People::Rows).unwrap();
    assert!(audit_table(&by_row, &policy, &k(2)).unwrap().holds);
}

/// Diversity of the class alone is not enough: all of M have x = yes, though their classes are mixed.
#[test]
fn diversity_of_private_tests() {
    let table = table("x sex class\n y M g\n y M g\n y M b\n y M b\n y U g\n n U g\n n U b\n n U b");
    let policy = policy(&["sex"], &["x", "class"], "class");
    let yes = Split("sex", vec![("M", Leaf), ("U", Leaf)]);
    let model = tree(&table, "class", Split("x", vec![("y", yes), ("n", Leaf)]));
    let diverse = also(k(2), Requirement::entropy_l(1.5));
    let class_only = audit_model(&table, &policy, &model, &diverse).unwrap();
    assert!(class_only.holds);
    assert_eq!((exposed_to(&class_only, "x"), exposed_to(&class_only, "class")), (4, 0));
    let tested = audit_model(&table, &policy, &model, &diverse.of(Scope::Tested)).unwrap();
    assert_eq!((tested.holds, tested.breaches), (false, Some(1)));
}

/// Ratios of bins mislead: M looks 3 : 3, exactly it is all bad, since U cannot fill M's bins.
#[test]
fn bin_ratios_mislead() {
    let table = table("x sex class\n y M b\n y M b\n y M b\n n U g\n n U g\n n U g");
    let policy = policy(&["sex"], &["x", "class"], "class");
    let yes = Split("sex", vec![("M", Leaf), ("U", Leaf)]);
    let model = tree(&table, "class", Split("x", vec![("y", yes), ("n", Leaf)]));
    let report = audit_model(&table, &policy, &model, &k(3)).unwrap();
    assert!(report.holds);
    assert_eq!((exposed_to(&report, "class"), report.max_confidence), (6, Some(1.0)));
    let capped = also(k(3), Requirement::confidence(0.85));
    assert!(!audit_model(&table, &policy, &model, &capped).unwrap().holds);
}

/// With the model fixed, span size is what counts. That the attacker may also reason about how the model was *chosen*
/// (a minimality attack) is outside the guarantee, as the docs state.
#[test]
fn exchangeability_with_the_model_fixed() {
    let table = table("A B class\n 0 0 bad\n 0 0 bad\n 0 1 bad\n 1 1 good\n 1 1 good");
    let policy = policy(&["A", "B"], &["class"], "class");
    let model = tree(&table, "class", Split("B", vec![("0", Leaf), ("1", Leaf)]));
    let report = audit_model(&table, &policy, &model, &k(2)).unwrap();
    assert_eq!((report.holds, sizes(&report), report.exposed), (true, vec![2, 3], 2));
}

/// A group of two that kACTUS-2 as printed releases at K = 3 is found in the table.
#[test]
fn a_group_below_k_in_a_released_table() {
    let table = table("age sex ill\n * f a\n * f b\n * f a\n 30 m a\n 30 m b");
    let report = audit_table(&table, &policy(&["age", "sex"], &["ill"], ""), &k(3)).unwrap();
    assert_eq!((report.holds, report.breaches, report.in_breach), (false, Some(1), Some(2)));
    assert_eq!(report.groups[0].rule, "age = 30, sex = m");
}

/// Large antecedents, small difference: the three individuals with a and not b all have P.
#[test]
fn rules_whose_difference_is_small() {
    let table = weighted(&[
        (77, ["y", "y", "y"]),
        (20, ["y", "y", "n"]),
        (3, ["y", "n", "y"]),
        (50, ["n", "n", "n"]),
    ]);
    let model = a_then_p(&[&[0], &[0, 1]]);
    let report = audit_model(&table, &policy(&["a", "b"], &["P"], ""), &model, &k(50)).unwrap();
    assert_eq!((report.holds, sizes(&report)), (false, vec![3, 50, 97]));
    assert_eq!((report.groups[0].individuals, exposed_to(&report, "P")), (3, 3));
}

/// 80 - 77 = 3 individuals have a and P but not b: the cell is not published, and anyone can derive it.
#[test]
fn small_cells_that_follow_from_supports() {
    let table = weighted(&[
        (77, ["y", "y", "y"]),
        (20, ["y", "y", "n"]),
        (3, ["y", "n", "y"]),
        (50, ["n", "n", "n"]),
    ]);
    let model = a_then_p(&[&[0], &[0, 1]]);
    // Private b: no individual can be distinguished by it, so that all who have a are one span of 100.
    let policy = policy(&["a"], &["b", "P"], "");
    let report = audit_model(&table, &policy, &model, &k(50)).unwrap();
    // k = 50 holds. That 80 - 77 have a and P and not b, and 100 - 97 a and not b, is revealed; the 20 of each rule are
    // its own.
    assert_eq!((report.holds, sizes(&report), report.channels), (true, vec![50, 100], 2));
    assert!(report.warnings[0].starts_with("2 sets of fewer than 50 "));
    let asked = also(k(50), Requirement::smallest_bin(4));
    let report = audit_model(&table, &policy, &model, &asked).unwrap();
    assert_eq!((report.holds, report.smallest_bin, report.breaches), (false, Some(3), Some(1)));
    let told = |with: &[&str], without: &[&str]| {
        let same = |a: &[String], b: &[&str]| a.iter().map(String::as_str).eq(b.iter().copied());
        let found =
            report.smallest_channels.iter().find(|c| same(&c.with, with) && same(&c.without, without));
        found.map(|channel| (channel.at_least, channel.at_most))
    };
    assert_eq!(told(&["a = y", "P = y"], &["b = y"]), Some((3, 3)));
    assert_eq!(told(&["a = y"], &["b = y"]), Some((3, 3)));
    let alone = audit_model(&table, &policy, &a_then_p(&[&[0]]), &asked).unwrap();
    assert_eq!((alone.holds, alone.smallest_bin), (true, None), "no cell below the smallest bin follows");
}

/// An unpublished set can be bounded tightly enough: 95 of 100 have P, 96 have b, so at least 91 have both, and then at
/// most 5 have P and not b.
#[test]
fn bounds_are_channels_too() {
    let table = weighted(&[(91, ["y", "y", "y"]), (5, ["y", "y", "n"]), (4, ["y", "n", "y"])]);
    let attributes = ["a", "b", "P"].map(|name| ModelAttribute::categorical(name, ["n", "y"])).to_vec();
    let rule = |left: &[usize], right: &[usize]| Rule {
        antecedent: left.iter().map(|&a| Item { attribute: a, value: 1 }).collect(),
        consequent: right.iter().map(|&a| Item { attribute: a, value: 1 }).collect(),
        antecedent_count: None,
        both_count: None,
    };
    let policy = policy(&[], &["a", "b", "P"], "");
    let audit = |rules: Vec<Rule>| {
        let model = Model::Rules(Rules::new(attributes.clone(), rules).unwrap());
        audit_model(&table, &policy, &model, &also(k(2), Requirement::smallest_bin(6))).unwrap()
    };
    // supp(b, P) = 91 is published, supp(P) = 95 follows with b in 96 of 100.
    let report = audit(vec![rule(&[], &[1]), rule(&[], &[2])]);
    assert!(!report.holds, "100 - 96 = 4 do not have b");
    let report = audit(vec![rule(&[1], &[2])]);
    assert!(report.smallest_channels.iter().any(|c| c.without == ["b = y"] && c.at_most == 4));
}

/// Rules about public items reveal nothing: they must not divide the crowd.
#[test]
fn public_rules_play_no_part() {
    let table = weighted(&[
        (50, ["y", "y", "y"]),
        (50, ["y", "y", "n"]),
        (2, ["y", "n", "y"]),
        (50, ["n", "n", "n"]),
    ]);
    let attributes = ["a", "b", "P"].map(|name| ModelAttribute::categorical(name, ["n", "y"])).to_vec();
    let item = |attribute| Item { attribute, value: 1 };
    let rule = |right| Rule {
        antecedent: vec![item(0)],
        consequent: vec![item(right)],
        antecedent_count: Some(102),
        both_count: Some(if right == 1 { 100 } else { 52 }),
    };
    let model = Model::Rules(Rules::new(attributes, vec![rule(1), rule(2)]).unwrap());
    let report = audit_model(&table, &policy(&["a", "b"], &["P"], ""), &model, &k(50)).unwrap();
    assert_eq!((report.holds, sizes(&report)), (true, vec![50, 102]));
}

/// 10 have a, 9 of them not b, and all 10 have P: one individual has a, b and P. That the first rule has only public
/// items does not matter, nor whether it shares an item with the other; that few have a public item is not a breach.
#[test]
fn public_rules_are_part_of_small_cells() {
    let table =
        weighted(&[(1, ["y", "y", "y"]), (9, ["y", "n", "y"]), (5, ["n", "y", "n"]), (5, ["n", "n", "n"])]);
    let attributes = ["a", "b", "P"].map(|name| ModelAttribute::categorical(name, ["n", "y"])).to_vec();
    let rule = |left: &[(usize, u32)], right: (usize, u32)| {
        let item = |&(attribute, value): &(usize, u32)| Item { attribute, value };
        let antecedent = left.iter().map(item).collect();
        Rule { antecedent, consequent: vec![item(&right)], antecedent_count: None, both_count: None }
    };
    let audit = |rules: Vec<Rule>| {
        let model = Model::Rules(Rules::new(attributes.clone(), rules).unwrap());
        let asked = also(k(3), Requirement::smallest_bin(3));
        audit_model(&table, &policy(&["a", "b"], &["P"], ""), &model, &asked).unwrap()
    };
    let private = || rule(&[(0, 1)], (2, 1));
    assert!(audit(vec![private()]).holds && audit(vec![rule(&[(0, 1)], (1, 1))]).holds);
    for public in [rule(&[(0, 1)], (1, 0)), rule(&[], (1, 1))] {
        let report = audit(vec![public, private()]);
        assert_eq!((report.holds, report.smallest_bin, report.k), (false, Some(1), 10));
    }
}

/// Four private items of which one cell of one individual follows, and more items than can be searched: no small cell
/// is found, and the report says that this proves nothing: the guarantee does not hold.
#[test]
fn what_was_not_searched_is_not_proven() {
    let rows = ["yyyn", "yyyn", "nyyy", "nyyy", "nyyy", "nyyn", "nynn", "nynn", "nynn"];
    let more = "nynynynyn";
    let names: Vec<String> = (0..13).map(|place| format!("x{place}")).collect();
    let cell = |row: &str, place: usize| match place {
        0..4 => row[place..=place].to_owned(),
        _ => more[place - 4..place - 3].to_owned(),
    };
    let column = |place: usize| {
        let cells: Vec<String> = rows.iter().map(|row| cell(row, place)).collect();
        Column::from_texts(&names[place], &cells.iter().map(|cell| Some(cell.as_str())).collect::<Vec<_>>())
    };
    let table = Table::new((0..13).map(column).collect(), People::Rows).unwrap();
    let attributes: Vec<_> = names.iter().map(|name| ModelAttribute::categorical(name, ["n", "y"])).collect();
    let item = |attribute| Item { attribute, value: 1 };
    let rule = |left: Option<usize>, right| Rule {
        antecedent: left.map(item).into_iter().collect(),
        consequent: vec![item(right)],
        antecedent_count: None,
        both_count: None,
    };
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(a, b)| rule(Some(a), b));
    let base: Vec<Rule> = pairs.into_iter().chain((0..4).map(|a| rule(None, a))).collect();
    let padding = (4..13).map(|place| rule(Some(place % 4), place));
    let padded = base.iter().cloned().chain(padding).collect();
    let private: Vec<&str> = names.iter().map(String::as_str).collect();
    let audit = |rules: Vec<Rule>| {
        let model = Model::Rules(Rules::new(attributes.clone(), rules).unwrap());
        let asked = Guarantee::default().with(Requirement::smallest_bin(2).unwrap());
        audit_model(&table, &policy(&[], &private, ""), &model, &asked).unwrap()
    };
    let searched = audit(base);
    let warned = |report: &Report| report.warnings.iter().any(|warning| warning.contains("is incomplete"));
    assert!(!searched.holds && searched.unproven().is_empty() && !warned(&searched));
    let report = audit(padded);
    assert!(!report.holds && warned(&report));
    assert_eq!(
        (report.unproven(), report.asked[0].unsearched_rules),
        (vec!["smallest bin = 2".to_owned()], 19)
    );
    assert!(
        report.warnings.iter().any(|warning| warning.contains("19 connected rules")),
        "{:?}",
        report.warnings
    );
}

fn weighted(counts: &[(u32, [&'static str; 3])]) -> Table {
    let column = |i: usize, name| {
        Column::from_texts(name, &counts.iter().map(|row| Some(row.1[i])).collect::<Vec<_>>())
    };
    let columns = vec![column(0, "a"), column(1, "b"), column(2, "P")];
    Table::new(columns, People::Weights(counts.iter().map(|row| row.0).collect())).unwrap()
}

/// For each of some left sides the rule that ends in P.
fn a_then_p(lefts: &[&[usize]]) -> Model {
    let item = |attribute| Item { attribute, value: 1 };
    let rule = |left: &&[usize]| Rule {
        antecedent: left.iter().map(|&a| item(a)).collect(),
        consequent: vec![item(2)],
        antecedent_count: None,
        both_count: None,
    };
    let attributes = ["a", "b", "P"].map(|name| ModelAttribute::categorical(name, ["n", "y"])).to_vec();
    Model::Rules(Rules::new(attributes, lefts.iter().map(rule).collect()).unwrap())
}

/// A span of k can contain a bin of one.
#[test]
fn small_cells_are_a_requirement_of_their_own() {
    let table = table("sex class\n f g\n f g\n f g\n f b\n m g\n m g\n m b\n m b");
    let policy = policy(&["sex"], &["class"], "class");
    let model = tree(&table, "class", Split("sex", vec![("f", Leaf), ("m", Leaf)]));
    assert!(audit_model(&table, &policy, &model, &k(4)).unwrap().holds);
    let cells = also(k(4), Requirement::smallest_bin(2));
    let report = audit_model(&table, &policy, &model, &cells).unwrap();
    assert_eq!((report.holds, report.breaches, report.smallest_bin), (false, Some(1), Some(1)));
    assert_eq!(audit_table(&table, &policy, &cells).unwrap().breaches, Some(1));
}

/// A private attribute that a span does not distinguish cannot break a requirement there.
#[test]
fn silent_spans_do_not_count_against_a_private_attribute() {
    let table = table("sex x class\n f y g\n f n b\n f y g\n f n b\n m y g\n m y b");
    let policy = policy(&["sex"], &["x", "class"], "class");
    let asks = Split("x", vec![("y", Leaf), ("n", Leaf)]);
    let model = tree(&table, "class", Split("sex", vec![("f", asks), ("m", Leaf)]));
    // All men have x = y, but the release does not contain this.
    let diverse = also(k(2), Requirement::distinct_l(2)).of(Scope::Named(vec!["x".into()]));
    let report = audit_model(&table, &policy, &model, &diverse).unwrap();
    assert_eq!((report.holds, exposed_to(&report, "x")), (true, 0));
}

#[test]
fn what_cannot_be_checked_is_an_error_and_not_a_pass() {
    let table = table("sex x class\n f y g\n m n b");
    let model = tree(&table, "class", Split("x", vec![("y", Leaf), ("n", Leaf)]));
    let audit = |policy: &Policy| audit_model(&table, policy, &model, &k(1));
    assert!(audit(&policy(&["sex"], &["class"], "class")).is_err(), "x has no role");
    let mut ignored = policy(&["sex"], &["x", "class"], "class");
    ignored.attributes[1].role = Role::Ignored;
    assert!(audit(&ignored).is_err(), "x is ignored");
    let fewer = table.select(&[0]);
    let columns: Vec<Column> = fewer.columns().iter().filter(|c| c.name() != "x").cloned().collect();
    let lacking = Table::new(columns, People::Rows).unwrap();
    assert!(audit_model(&lacking, &policy(&["sex"], &["x", "class"], "class"), &model, &k(1)).is_err());
    let nothing = policy(&[], &["sex", "x", "class"], "class");
    assert!(audit_table(&table, &nothing, &k(1)).is_err(), "no public column");
    let t = also(k(1), Requirement::t_closeness(0.5, Distance::Equal)).of(Scope::Named(vec!["sex".into()]));
    assert!(audit_table(&table, &policy(&["sex"], &["x", "class"], "class"), &t).is_err(), "sex is public");
}

/// What a guarantee names and the release does not contain cannot be inferred from it: nothing is required of it, and
/// the report states this.
#[test]
fn absent_attributes_are_asked_nothing() {
    let table = table("sex x class\n f y g\n f y b\n m n b\n m n g");
    let policy = policy(&["sex"], &["x", "class"], "class");
    let model = tree(&table, "class", Split("sex", vec![("f", Leaf), ("m", Leaf)]));
    let asked = |name: &str| also(k(2), Requirement::distinct_l(2)).of(Scope::Named(vec![name.into()]));
    let report = audit_model(&table, &policy, &model, &asked("x")).unwrap();
    assert_eq!((report.holds, report.max_confidence), (true, None));
    let warnings = [
        "the release does not contain `x`, so there is nothing to check about it",
        "no requirement limits what can be inferred about `class`, which the release contains: the guarantee leaves it out (`of` without it, or `except`)",
    ];
    assert_eq!(report.warnings, warnings);
    assert_eq!(report.guarantee(), ["k = 2", "distinct l = 2 (nothing to check)"]);
    let report = audit_model(&table, &policy, &model, &asked("class")).unwrap();
    assert_eq!((report.holds, report.warnings.len(), report.max_confidence), (true, 0, Some(0.5)));
    for name in ["sex", "y"] {
        assert!(audit_model(&table, &policy, &model, &asked(name)).is_err(), "{name} is not private");
    }
}

/// A branch that only numbers between two whole ones lead to is out of reach where numbers are whole.
#[test]
fn whole_numbers_do_not_reach_every_branch_of_a_tree() {
    let column = |name: &str, numbers: &[f64]| {
        Column::from_numbers(name, &numbers.iter().copied().map(Some).collect::<Vec<_>>()).unwrap()
    };
    let class = Column::from_texts("class", &[Some("g"); 4]);
    let columns = vec![column("a", &[0.0, 0.0, 1.0, 1.0]), column("b", &[1.0, 2.0, 1.0, 2.0]), class];
    let table = Table::new(columns, People::Rows).unwrap();
    let test = |attribute: usize, thresholds: &[f64], children: &[u32]| {
        let labels = children.iter().map(ToString::to_string).collect();
        let split = crate::model::Split::Thresholds(thresholds.to_vec());
        Node::Test(Test {
            attribute,
            split,
            labels,
            children: children.to_vec(),
            otherwise: None,
            missing: MissingRoute::Otherwise,
        })
    };
    let leaf = || Node::Leaf(crate::model::Leaf { label: 0, told: LeafContents::Nothing });
    // Only individuals with b between 1.25 and 1.75 are tested for a.
    let nodes =
        vec![test(1, &[1.25, 1.75], &[1, 2, 3]), leaf(), test(0, &[0.5], &[4, 5]), leaf(), leaf(), leaf()];
    let number = |name: &str| ModelAttribute {
        name: name.to_owned(),
        domain: crate::model::Domain::Numbers { low: 0.0, high: 5.0 },
        missing: false,
        dates: false,
    };
    let class = Class { name: "class".to_owned(), values: vec!["g".to_owned()] };
    let model = Model::Tree(Tree::new(vec![number("a"), number("b")], class, nodes).unwrap());
    let mut policy = policy(&["a"], &["b", "class"], "class");
    let k_of = |policy: &Policy| audit_model(&table, policy, &model, &k(1)).map(|report| report.k);
    assert_eq!(k_of(&policy).unwrap(), 2);
    policy.attributes[1].whole = true;
    assert_eq!(k_of(&policy).unwrap(), 4);
    let halves = Table::new(
        vec![column("a", &[0.0]), column("b", &[0.5]), Column::from_texts("class", &[Some("g")])],
        People::Rows,
    );
    assert!(audit_model(&halves.unwrap(), &policy, &model, &k(1)).unwrap_err().what.contains("whole"));
}
