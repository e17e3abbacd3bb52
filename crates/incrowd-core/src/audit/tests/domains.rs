//! What an attacker considers possible: the policy's domains, and dependencies in every direction.

use super::Sketch::{Leaf, Split};
use super::*;
use crate::guarantee::Scope;
use crate::model::{Axis, Centroid, Clusters, Domain, Item, Rule, Rules, Split as Branches};
use crate::policy::Dependency;
use crate::table::{Codes, Values};

fn declare(policy: &mut Policy, name: &str, values: &[&str]) {
    let attribute = policy.attributes.iter_mut().find(|attribute| attribute.name == name).unwrap();
    attribute.values = values.iter().map(|&value| value.to_owned()).collect();
}

fn depends(policy: &mut Policy, from: &[&str], to: &str) {
    let from = from.iter().map(|&name| name.to_owned()).collect();
    policy.dependencies.push(Dependency { from, to: to.to_owned() });
}

fn diverse(l: u32) -> Guarantee {
    k(2).with(Requirement::distinct_l(l).unwrap())
}

/// Everyone has hiv, and the release lists nothing else; the policy knows that individuals can have the flu.
#[test]
fn a_class_value_that_only_the_policy_declares_is_possible() {
    let table = table("sex ill\n f hiv\n f hiv\n m hiv\n m hiv");
    let mut policy = policy(&["sex"], &["ill"], "ill");
    let model = tree(&table, "ill", Split("sex", vec![("f", Leaf), ("m", Leaf)]));
    assert!(audit_model(&table, &policy, &model, &diverse(2)).unwrap().holds, "nothing else is possible");
    declare(&mut policy, "ill", &["flu", "hiv"]);
    let report = audit_model(&table, &policy, &model, &diverse(2)).unwrap();
    assert_eq!((report.holds, report.exposed, report.max_confidence), (false, 4, Some(1.0)));
    let capped = k(2).with(Requirement::confidence(0.5).unwrap());
    assert!(!audit_model(&table, &policy, &model, &capped).unwrap().holds);
}

/// A constant column of a table exposes everyone where the policy declares more values.
#[test]
fn constants_of_a_table_are_exposed() {
    let table = table("sex ill\n f hiv\n f hiv\n m hiv\n m hiv");
    let mut policy = policy(&["sex"], &["ill"], "");
    assert_eq!(audit_table(&table, &policy, &k(2)).unwrap().exposed, 0);
    declare(&mut policy, "ill", &["flu", "hiv"]);
    assert_eq!(audit_table(&table, &policy, &k(2)).unwrap().exposed, 4);
}

/// The value that no rule lists is possible: everyone has the item, and could not have it.
#[test]
fn rules_do_not_narrow_the_domain() {
    let table = table("sex ill\n f hiv\n f hiv\n m hiv\n m hiv");
    let mut policy = policy(&["sex"], &["ill"], "");
    let attributes =
        vec![ModelAttribute::categorical("sex", ["f", "m"]), ModelAttribute::categorical("ill", ["hiv"])];
    let rule = Rule {
        antecedent: vec![Item { attribute: 0, value: 0 }],
        consequent: vec![Item { attribute: 1, value: 0 }],
        antecedent_count: None,
        both_count: None,
    };
    let model = Model::Rules(Rules::new(attributes, vec![rule]).unwrap());
    assert_eq!(audit_model(&table, &policy, &model, &k(2)).unwrap().exposed, 0);
    declare(&mut policy, "ill", &["flu", "hiv"]);
    assert_eq!(audit_model(&table, &policy, &model, &k(2)).unwrap().exposed, 2);
}

/// Tests `pay` at 50.5, and above that `sex`.
fn threshold_tree(low: f64, high: f64) -> Model {
    let pay = ModelAttribute {
        name: "pay".to_owned(),
        domain: Domain::Numbers { low, high },
        missing: false,
        dates: false,
    };
    let attributes = vec![pay, ModelAttribute::categorical("sex", ["f", "m"])];
    let test = |attribute, split, children| {
        Node::Test(Test {
            attribute,
            split,
            labels: vec!["left".to_owned(), "right".to_owned()],
            children,
            otherwise: None,
            missing: MissingRoute::Otherwise,
        })
    };
    let leaf = || Node::Leaf(crate::model::Leaf { label: 0, told: LeafContents::Nothing });
    let nodes = vec![
        test(0, Branches::Thresholds(vec![50.5]), vec![1, 2]),
        leaf(),
        test(1, Branches::Values(vec![Some(0), Some(1)]), vec![3, 4]),
        leaf(),
        leaf(),
    ];
    let class = Class { name: "ill".to_owned(), values: vec!["no".to_owned(), "yes".to_owned()] };
    Model::Tree(Tree::new(attributes, class, nodes).unwrap())
}

/// Policy [0, 100], release [0, 10] with a threshold at 50.5: the upper branch, which tests the sex, can be reached.
#[test]
fn a_range_of_the_release_hides_no_branch() {
    let texts = table("sex ill\n f no\n f yes\n f no\n m yes");
    let mut columns = texts.columns().to_vec();
    columns.push(Column::from_numbers("pay", &[1.0, 2.0, 3.0, 4.0].map(Some)).unwrap());
    let table = Table::new(columns, People::Rows).unwrap();
    let mut policy = policy(&["sex"], &["ill", "pay"], "ill");
    let k_of = |policy: &Policy, low, high| {
        audit_model(&table, policy, &threshold_tree(low, high), &k(2)).map(|report| report.k)
    };
    assert_eq!(k_of(&policy, 0.0, 10.0), Ok(4));
    policy.attributes.last_mut().unwrap().range = Some((0.0, 100.0));
    assert_eq!(k_of(&policy, 0.0, 10.0), Ok(1));
    // What contradicts the policy is an error.
    policy.attributes.last_mut().unwrap().range = Some((0.0, 9.0));
    assert!(k_of(&policy, 0.0, 10.0).is_err());
    policy.attributes.last_mut().unwrap().range = Some((2.0, 100.0));
    assert!(k_of(&policy, 5.0, 10.0).is_err());
}

/// Only women can be pregnant: a test of the diagnosis distinguishes them from men.
#[test]
fn a_private_value_that_implies_a_public_one() {
    let table = table("sex diag class\n f pregnant g\n m flu g\n m flu b\n m cold b");
    let mut policy = policy(&["sex"], &["diag", "class"], "class");
    let tests = Split("diag", vec![("pregnant", Leaf), ("flu", Leaf), ("cold", Leaf)]);
    let model = tree(&table, "class", tests);
    assert_eq!(audit_model(&table, &policy, &model, &k(2)).unwrap().k, 4);
    depends(&mut policy, &["diag"], "sex");
    let report = audit_model(&table, &policy, &model, &k(2)).unwrap();
    assert_eq!((report.k, report.spans, sizes(&report)), (1, 2, vec![1, 3]));
    assert_eq!(
        exposed_to(&report, "diag"),
        1,
        "the tree states her diagnosis, though nothing else was possible"
    );
}

/// y = x xor a: only a = 0 reaches the leaf x = 0, y = 0.
#[test]
fn mixed_dependencies() {
    let table = table("a x y class\n 0 0 0 g\n 0 1 1 g\n 0 0 0 b\n 1 0 1 g\n 1 1 0 b");
    let mut policy = policy(&["a"], &["x", "y", "class"], "class");
    let y = || Split("y", vec![("0", Leaf), ("1", Leaf)]);
    let model = tree(&table, "class", Split("x", vec![("0", y()), ("1", y())]));
    assert_eq!(audit_model(&table, &policy, &model, &k(2)).unwrap().k, 5);
    depends(&mut policy, &["a", "x"], "y");
    assert_eq!(sizes(&audit_model(&table, &policy, &model, &k(2)).unwrap()), [2, 3]);
}

/// City → county with the city private and the county public: the one person of a county with one city is known fully.
#[test]
fn a_private_city_in_a_public_county() {
    let table = table("county city class\n x a g\n x b b\n x a b\n x b g\n y c g");
    let mut policy = policy(&["county"], &["city", "class"], "class");
    let model = tree(&table, "class", Split("city", vec![("a", Leaf), ("b", Leaf), ("c", Leaf)]));
    assert_eq!(audit_model(&table, &policy, &model, &k(5)).unwrap().k, 5);
    depends(&mut policy, &["city"], "county");
    let report = audit_model(&table, &policy, &model, &k(5)).unwrap();
    assert_eq!((report.k, report.holds, exposed_to(&report, "class")), (1, false, 1));
}

/// x → z: all with a = 1 have x in {2, 3}, hence z = 1. The release does not test z, and reveals it.
#[test]
fn what_follows_from_tested_attributes_is_told() {
    let table = table("a x z class\n 0 1 0 g\n 0 2 1 b\n 0 1 0 b\n 1 2 1 g\n 1 3 1 b\n 1 3 1 g");
    let mut policy = policy(&["a"], &["x", "z", "class"], "class");
    let x = || Split("x", vec![("1", Leaf), ("2", Leaf), ("3", Leaf)]);
    let model = tree(&table, "class", Split("a", vec![("0", x()), ("1", x())]));
    let all = diverse(2).of(Scope::All);
    assert!(audit_model(&table, &policy, &model, &all).unwrap().holds);
    depends(&mut policy, &["x"], "z");
    let report = audit_model(&table, &policy, &model, &all).unwrap();
    assert_eq!((report.k, report.holds, exposed_to(&report, "z")), (3, false, 3));
}

/// Two counties whose cities a test does not distinguish are one crowd, though no individual of one can have a value of
/// the other.
#[test]
fn equal_bins_are_one_span() {
    let table = table("county city class\n x a g\n x b b\n y c g\n y d b");
    let mut policy = policy(&["county"], &["city", "class"], "class");
    depends(&mut policy, &["city"], "county");
    let model =
        tree(&table, "class", Split("city", vec![("a", Leaf), ("b", Leaf), ("c", Leaf), ("d", Leaf)]));
    let Model::Tree(tree) = model else { panic!("a tree") };
    // a and c go to the first leaf, b and d to the second.
    let mut nodes = tree.nodes()[..3].to_vec();
    if let Node::Test(test) = &mut nodes[0] {
        test.split = Branches::Values(vec![Some(0), Some(1), Some(0), Some(1)]);
        test.labels.truncate(2);
        test.children.truncate(2);
    }
    let model = Model::Tree(Tree::new(tree.attributes().to_vec(), tree.class().clone(), nodes).unwrap());
    let report = audit_model(&table, &policy, &model, &k(4)).unwrap();
    assert_eq!((report.k, report.spans, report.holds), (4, 1, true));
}

/// Rules: only women can be pregnant, and a rule about it distinguishes them from men.
#[test]
fn rules_follow_dependencies() {
    let table = table("sex diag\n f pregnant\n f flu\n m flu\n m flu");
    let mut policy = policy(&["sex"], &["diag"], "");
    let attributes = vec![ModelAttribute::categorical("diag", ["pregnant", "flu"])];
    let consequent = vec![Item { attribute: 0, value: 0 }];
    let rule = Rule { antecedent: Vec::new(), consequent, antecedent_count: None, both_count: None };
    let model = Model::Rules(Rules::new(attributes, vec![rule]).unwrap());
    assert_eq!(audit_model(&table, &policy, &model, &k(3)).unwrap().k, 4);
    depends(&mut policy, &["diag"], "sex");
    assert_eq!(audit_model(&table, &policy, &model, &k(3)).unwrap().k, 2);
}

/// Public `x` and private `y` with the range that the release declares: one cluster below, two above that `x`
/// distinguishes.
fn far_centroids(low: f64, high: f64) -> Model {
    let centroid = |x: f64, y: f64| Centroid { center: vec![x, y], population: None };
    let axes = vec![Axis::new("x", f64::NEG_INFINITY, f64::INFINITY), Axis::new("y", low, high)];
    let centroids = vec![centroid(0.0, 0.0), centroid(-1.0, 100.0), centroid(1.0, 100.0)];
    Model::Clusters(Clusters::new(axes, centroids).unwrap())
}

/// k by both audits, where they do not refuse.
fn k_of_both(table: &Table, policy: &Policy, model: &Model) -> Option<u64> {
    let fast = audit_model(table, policy, model, &k(2)).ok().map(|report| report.k);
    let naive = crate::naive::audit_model(table, policy, model, &k(2)).ok().map(|audit| audit.k);
    assert_eq!(fast, naive);
    fast
}

/// Policy [0, 100], release [0, 10]: the clusters far up can be reached.
#[test]
fn a_range_of_the_release_hides_no_cluster() {
    let numbers = |name: &str, numbers: [f64; 4]| Column::from_numbers(name, &numbers.map(Some)).unwrap();
    let columns = vec![numbers("x", [-5.0, -5.0, -5.0, 5.0]), numbers("y", [1.0, 2.0, 3.0, 4.0])];
    let table = Table::new(columns, People::Rows).unwrap();
    let mut policy = policy(&["x"], &["y"], "");
    assert_eq!(k_of_both(&table, &policy, &far_centroids(0.0, 10.0)), Some(4));
    let mut k_within = |range, low, high| {
        policy.attributes.last_mut().unwrap().range = Some(range);
        k_of_both(&table, &policy, &far_centroids(low, high))
    };
    assert_eq!(k_within((0.0, 30.0), 0.0, 10.0), Some(4));
    assert_eq!(k_within((0.0, 100.0), 0.0, 10.0), Some(1));
    assert_eq!(k_within((0.0, 9.0), f64::NEG_INFINITY, f64::INFINITY), Some(4), "open ends declare nothing");
    assert_eq!(k_within((0.0, 9.0), 0.0, 10.0), None, "the release contradicts the policy");
    assert_eq!(k_within((2.0, 100.0), 5.0, 10.0), None, "the table contradicts the policy");
}

fn clusters_of_names(names: &[&str]) -> Model {
    let center = |own: usize| (0..names.len()).map(|name| f64::from(u8::from(name == own))).collect();
    let centroids = (0..names.len()).map(|own| Centroid { center: center(own), population: None });
    let axes = vec![Axis::of_names("diag", names.iter().copied())];
    Model::Clusters(Clusters::new(axes, centroids.collect()).unwrap())
}

/// A name that the policy declares needs a coordinate, and a coordinate a name that it declares.
#[test]
fn names_of_clusters_are_those_of_the_policy() {
    let table = table("sex diag\n f cold\n f flu\n m cold\n m flu");
    let mut policy = policy(&["sex"], &["diag"], "");
    assert_eq!(k_of_both(&table, &policy, &clusters_of_names(&["cold", "flu"])), Some(4));
    declare(&mut policy, "diag", &["flu", "cold", "hiv"]);
    assert_eq!(k_of_both(&table, &policy, &clusters_of_names(&["cold", "flu"])), None);
    assert_eq!(k_of_both(&table, &policy, &clusters_of_names(&["cold", "flu", "hiv"])), Some(4));
    assert_eq!(k_of_both(&table, &policy, &clusters_of_names(&["cold", "flu", "hiv", "gout"])), None);
}

/// Only women can be pregnant: the cluster of the pregnant is for women alone, although the distance does not depend on
/// the sex.
#[test]
fn clusters_of_names_follow_dependencies() {
    let table = table("sex diag ward\n f pregnant w1\n m flu w1\n m flu w2\n m cold w2");
    let model = clusters_of_names(&["pregnant", "flu", "cold"]);
    let mut policy = policy(&["sex"], &["diag", "ward"], "");
    assert_eq!(k_of_both(&table, &policy, &model), Some(4));
    depends(&mut policy, &["diag"], "sex");
    assert_eq!(k_of_both(&table, &policy, &model), Some(1));
    // What follows from an axis is in the scope of a guarantee, too.
    depends(&mut policy, &["diag"], "ward");
    let of_ward =
        Guarantee::new(vec![Requirement::confidence(0.5).unwrap()], Scope::Named(vec!["ward".to_owned()]));
    assert!(!audit_model(&table, &policy, &model, &of_ward.unwrap()).unwrap().holds);
}

/// Six men, five individuals with the flu, and women are pregnant: one man has something else, which is in no rule and
/// no item.
#[test]
fn cells_of_rules_follow_dependencies() {
    let men = " m flu\n".repeat(5) + " m cold\n";
    let table = table(&format!("sex diag\n{men}{}", " f pregnant\n".repeat(5).trim_end()));
    let mut policy = policy(&["sex"], &["diag"], "");
    declare(&mut policy, "diag", &["flu", "cold", "pregnant"]);
    let attributes = vec![ModelAttribute::categorical("diag", ["flu", "cold", "pregnant"])];
    let flu = Rule {
        antecedent: Vec::new(),
        consequent: vec![Item { attribute: 0, value: 0 }],
        antecedent_count: None,
        both_count: None,
    };
    let model = Model::Rules(Rules::new(attributes, vec![flu]).unwrap());
    let guarantee = k(1).with(Requirement::smallest_bin(3).unwrap());
    let audits = |policy: &Policy| {
        let fast = audit_model(&table, policy, &model, &guarantee).unwrap();
        let naive = crate::naive::audit_model(&table, policy, &model, &guarantee).unwrap();
        assert_eq!((fast.breaches, fast.smallest_bin), (Some(naive.breaches), naive.smallest_bin));
        (fast.holds, fast.smallest_bin)
    };
    assert_eq!(audits(&policy), (true, None));
    depends(&mut policy, &["diag"], "sex");
    assert_eq!(audits(&policy), (false, Some(1)));
}

/// A dependency of a private number among the axes is refused.
#[test]
fn a_private_number_of_clusters_is_tied_to_nothing() {
    let numbers = |name: &str| Column::from_numbers(name, &[1.0, 2.0].map(Some)).unwrap();
    let table = Table::new(vec![numbers("x"), numbers("y")], People::Rows).unwrap();
    let mut policy = policy(&["x"], &["y"], "");
    depends(&mut policy, &["y"], "x");
    let error = audit_model(&table, &policy, &far_centroids(0.0, 10.0), &k(2)).unwrap_err();
    assert!(error.what.contains("ties this private number"), "{error}");
    assert_eq!(k_of_both(&table, &policy, &far_centroids(0.0, 10.0)), None);
}

/// Two days of two women and two men, private, within a declared range.
fn dated() -> (Table, Policy) {
    let texts = table("sex x\n f a\n f b\n m a\n m b");
    let days = Values::Ordered(["2020-02-01", "2020-02-02"].iter().collect());
    let day = Column::new("day", days, Codes::collect(3, [0, 1, 0, 1])).unwrap();
    let columns = texts.columns().iter().cloned().chain([day]).collect();
    let mut policy = policy(&["sex"], &["x", "day"], "");
    let attribute = &mut policy.attributes[2];
    (attribute.kind, attribute.range) = (Some(Kind::Date), Some((18_262.0, 18_627.0)));
    (Table::new(columns, People::Rows).unwrap(), policy)
}

/// A model that takes private dates by name is refused where the policy declares a range of them: a class, a test, a
/// rule, an axis. Without a range, or without the dates, it is not.
#[test]
fn models_of_dates_by_name_are_refused() {
    let (table, policy) = dated();
    let names = || ["2020-02-01", "2020-02-02"].map(str::to_owned).to_vec();
    let item = |attribute, value| Item { attribute, value };
    let rule = Rule {
        antecedent: vec![item(0, 0)],
        consequent: vec![item(1, 0)],
        antecedent_count: None,
        both_count: None,
    };
    let attributes =
        vec![ModelAttribute::categorical("sex", ["f", "m"]), ModelAttribute::categorical("day", names())];
    let axes = vec![Axis::of_names("sex", ["f", "m"]), Axis::of_names("day", names())];
    let center = |at: [f64; 4]| Centroid { center: at.to_vec(), population: None };
    let centroids = vec![center([1.0, 0.0, 0.5, 0.5]), center([0.0, 1.0, 0.5, 0.5])];
    let leaf = |name: &'static str| (name, Leaf);
    let by_day = || Split("day", vec![leaf("2020-02-01"), leaf("2020-02-02")]);
    let models = [
        tree(&table, "day", Split("sex", vec![leaf("f"), leaf("m")])),
        tree(&table, "x", by_day()),
        Model::Rules(Rules::new(attributes, vec![rule]).unwrap()),
        Model::Clusters(Clusters::new(axes, centroids).unwrap()),
    ];
    let mut open = policy.clone();
    open.attributes[2].range = None;
    for model in &models {
        let error = audit_model(&table, &policy, model, &k(1)).unwrap_err();
        assert_eq!(error.place.attribute.as_deref(), Some("day"));
        assert!(audit_model(&table, &open, model, &k(1)).is_ok(), "{}", model.family());
    }
    let without = tree(&table, "x", Split("sex", vec![leaf("f"), leaf("m")]));
    assert!(audit_model(&table, &policy, &without, &k(1)).is_ok());
    // In a table they are days of the range: two of 366.
    let report = audit_table(&table, &policy, &k(1)).unwrap();
    assert_eq!((exposed_to(&report, "day"), report.excluded), (0, 4));
}
