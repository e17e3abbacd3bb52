//! Where the papers are subtle or wrong: each a small case that a careless audit gets wrong.

use super::Sketch::{Leaf, Split};
use super::*;
use crate::guarantee::{Distance, Scope};
use crate::model::{Axis, Centroid, Clusters, Item, Rule, Rules};
use crate::policy::Dependency;

fn also(guarantee: Guarantee, requirement: Result<Requirement>) -> Guarantee {
    guarantee.with(requirement.unwrap())
}

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
    assert_eq!((report.individuals, report.k, report.in_breach, report.holds), (3, 1, 1, false));
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
    assert_eq!((tested.holds, tested.breaches), (false, 1));
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
    assert_eq!((report.holds, report.breaches, report.in_breach), (false, 1, 2));
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
    assert_eq!((report.holds, report.smallest_bin, report.breaches), (false, Some(3), 1));
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

/// The second cut changes the span of x = 16 although its cluster was untouched: spans must be derived afresh.
#[test]
fn cutting_one_cluster_changes_the_span_of_another() {
    let points = [(16.0, 3.0), (10.0, 9.0), (5.0, 4.0), (10.0, 10.0), (2.0, 9.0)];
    let numbers = |f: fn(&(f64, f64)) -> f64| points.iter().map(|p| Some(f(p))).collect::<Vec<_>>();
    let x = Column::from_numbers("x", &numbers(|p| p.0)).unwrap();
    let y = Column::from_numbers("y", &numbers(|p| p.1)).unwrap();
    let table = Table::new(vec![x, y], People::Rows).unwrap();
    let policy = policy(&["x"], &["y"], "");
    let clusters = |centers: &[(f64, f64)]| {
        let axes = vec![Axis::new("x", 0.0, 20.0), Axis::new("y", 0.0, 12.0)];
        let centroid = |&(x, y): &(f64, f64)| Centroid { center: vec![x, y], population: None };
        Model::Clusters(Clusters::new(axes, centers.iter().map(centroid).collect()).unwrap())
    };
    let span_of_16 = |model: &Model| {
        let linking = link(&table, &policy, model).unwrap();
        (linking.rules)(linking.span_of_row[0] as usize)
    };
    let one_cut = clusters(&[(16.0, 3.0), (6.75, 8.0)]);
    let two_cuts = clusters(&[(16.0, 3.0), (10.0, 9.5), (3.5, 6.5)]);
    assert_eq!(span_of_16(&one_cut), "nearest to centroid 1");
    assert_eq!(span_of_16(&two_cuts), "nearest to centroid 1 or 2");
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
    assert_eq!((report.holds, report.breaches, report.smallest_bin), (false, 1, Some(1)));
    assert_eq!(audit_table(&table, &policy, &cells).unwrap().breaches, 1);
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
    assert_eq!((report.holds, report.warnings.len(), report.max_confidence), (true, 1, None));
    assert_eq!(report.guarantee(), ["k = 2", "distinct l = 2 of x"]);
    let report = audit_model(&table, &policy, &model, &asked("class")).unwrap();
    assert_eq!((report.holds, report.warnings.len(), report.max_confidence), (true, 0, Some(0.5)));
    for name in ["sex", "y"] {
        assert!(audit_model(&table, &policy, &model, &asked(name)).is_err(), "{name} is not private");
    }
}

/// A cluster depends on all private axes, so every requirement on one of them applies to the cluster.
#[test]
fn clusters_are_in_the_scope_of_their_private_axes() {
    let numbers = |name: &str, of: [f64; 4]| Column::from_numbers(name, &of.map(Some)).unwrap();
    let columns = vec![numbers("p", [0.0; 4]), numbers("x", [0.0, 0.0, 0.0, 9.0]), numbers("y", [1.0; 4])];
    let table = Table::new(columns, People::Rows).unwrap();
    let centroid = |x: f64| Centroid { center: vec![0.0, x], population: None };
    let axes = vec![Axis::new("p", 0.0, 9.0), Axis::new("x", 0.0, 9.0)];
    let model = Model::Clusters(Clusters::new(axes, vec![centroid(0.0), centroid(9.0)]).unwrap());
    let holds = |name: &str| {
        let guarantee = also(k(1), Requirement::confidence(0.5)).of(Scope::Named(vec![name.into()]));
        audit_model(&table, &policy(&["p"], &["x", "y"], ""), &model, &guarantee).unwrap().holds
    };
    assert_eq!((holds("x"), holds("y")), (false, true));
}

/// Centroids so far away that squares overflow must not make every individual look alike.
#[test]
fn overflow_does_not_look_safe() {
    let x = Column::from_numbers("x", &[1.0, -1.0, -1.0, -1.0].map(Some)).unwrap();
    let y = Column::from_numbers("y", &[0.0; 4].map(Some)).unwrap();
    let table = Table::new(vec![x, y], People::Rows).unwrap();
    let audit = |far: f64| {
        let axes = vec![Axis::new("x", f64::MIN, f64::MAX), Axis::new("y", 0.0, 1.0)];
        let centroid = |x: f64| Centroid { center: vec![x, 0.0], population: None };
        let model = Model::Clusters(Clusters::new(axes, vec![centroid(-far), centroid(far)]).unwrap());
        audit_model(&table, &policy(&["x"], &["y"], ""), &model, &k(2)).map(|report| report.k)
    };
    for far in [10.0, 1e100, 1e200, 1e308, 5e-324] {
        assert_eq!(audit(far).ok(), Some(1), "{far}");
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

fn plane(points: &[(f64, f64)]) -> Table {
    let column = |name: &str, number: fn(&(f64, f64)) -> f64| {
        Column::from_numbers(name, &points.iter().map(number).map(Some).collect::<Vec<_>>()).unwrap()
    };
    Table::new(vec![column("x", |p| p.0), column("y", |p| p.1)], People::Rows).unwrap()
}

fn centroids(range: (f64, f64), centers: &[(f64, f64)]) -> Model {
    let axes = vec![Axis::new("x", -10.0, 10.0), Axis::new("y", range.0, range.1)];
    let centroid = |&(x, y): &(f64, f64)| Centroid { center: vec![x, y], population: None };
    Model::Clusters(Clusters::new(axes, centers.iter().map(centroid).collect()).unwrap())
}

/// Over real numbers both individuals reach the same cells; of whole numbers, one of them has none in a cell between
/// two.
#[test]
fn whole_numbers_do_not_reach_every_cluster() {
    let table = plane(&[(-2.0, 0.0), (-1.0, 1.0)]);
    let model = centroids((0.0, 2.0), &[(-2.0, -2.0), (1.0, 1.0), (1.0, 2.0)]);
    let mut policy = policy(&["x"], &["y"], "");
    assert_eq!(audit_model(&table, &policy, &model, &k(2)).unwrap().k, 2);
    policy.attributes[1].whole = true;
    let report = audit_model(&table, &policy, &model, &k(2)).unwrap();
    assert_eq!((report.k, report.holds), (1, false));
}

/// A crowd shares the clusters that are possible, not the values: of two individuals of one span, only one can have y =
/// 6 in the first cluster.
#[test]
fn crowds_of_clusters_are_not_crowds_of_values() {
    let table = plane(&[(-6.0, 4.0), (2.0, 8.0)]);
    let (range, centers) = ((0.0, 20.0), [(0.0, 3.0), (2.0, 7.0)]);
    let model = centroids(range, &centers);
    let report = audit_model(&table, &policy(&["x"], &["y"], ""), &model, &k(2)).unwrap();
    assert_eq!((report.k, report.spans), (2, 1));
    let first_with = |y: f64, x: f64| {
        let someone = plane(&[(x, y)]);
        let Model::Clusters(clusters) = &model else { unreachable!() };
        crate::predict::nearest_centroids(&someone, clusters).unwrap().cluster_of_row[0] == 0
    };
    assert!(first_with(8.5, -6.0) && !first_with(8.6, -6.0));
    assert!(first_with(4.5, 2.0) && !first_with(4.6, 2.0));
}

/// Means: both individuals are in the first cluster for certain, where y is at most 1 for either of them; a mean of 1
/// then fixes both values, though 1 is not an end of the declared range. The audit reports both as exposed to their
/// cluster; it does not judge what a mean adds.
#[test]
fn means_can_fix_values_inside_the_range() {
    let table = plane(&[(2.0, 1.0), (-2.0, 1.0)]);
    let model = centroids((-100.0, 100.0), &[(0.0, 1.0), (2.0, 3.0), (-2.0, 3.0)]);
    let Model::Clusters(clusters) = &model else { unreachable!() };
    let cluster = |x: f64, y: f64| {
        crate::predict::nearest_centroids(&plane(&[(x, y)]), clusters).unwrap().cluster_of_row[0]
    };
    for x in [2.0, -2.0] {
        assert!(cluster(x, 1.0) == 0 && cluster(x, 1.0 + f64::EPSILON) != 0);
    }
    let report = audit_model(&table, &policy(&["x"], &["y"], ""), &model, &k(1)).unwrap();
    assert_eq!(report.exposed, 2);
}
