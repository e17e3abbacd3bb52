//! Several releases together: joint spans against those of the definition.

use crate::models;
use crate::random::Random;
use crate::tables::{self, Sort};
use incrowd_core::audit::{JointContent, JointRelease, audit_model, audit_together, joint_populations};
use incrowd_core::guarantee::{Guarantee, Requirement, Scope, SingleBin};
use incrowd_core::model::{
    Axis, Centroid, Class, Clusters, Leaf, LeafContents, MissingRoute, Model, ModelAttribute, Node, Split,
    Test, Tree,
};
use incrowd_core::naive;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::table::{Column, Kind, People, Table};

fn crowds_of_two() -> Guarantee {
    let k = Requirement::k(2, SingleBin::default()).expect("k");
    Guarantee::new(vec![k], Scope::default()).expect("one")
}

fn releases(models: &[Model]) -> Vec<JointRelease<'_>> {
    let release = |(number, model)| JointRelease {
        name: format!("release {number}"),
        content: JointContent::Model(model),
    };
    models.iter().enumerate().map(release).collect()
}

/// Two or three random trees, ensembles and sets of rules over one table.
fn without_clusters(random: &mut Random) -> (Table, Policy, Vec<Model>) {
    let mut sorts = vec![Sort::Names; random.between(1, 3)];
    sorts.push(Sort::Class);
    let rows = random.between(1, 12);
    let (table, domains) = tables::table(random, rows, &sorts, 3);
    let mut policy = tables::policy(random, &domains, Some(domains.len() - 1));
    let private = policy.attributes.iter_mut().filter(|attribute| attribute.role == Role::Private);
    private.skip(2).for_each(|attribute| attribute.role = Role::Public);
    // Releases may declare different domains; the policy's is the same for all.
    for (attribute, domain) in policy.attributes.iter_mut().zip(&domains) {
        match domain.kind {
            Kind::Numeric => attribute.range = Some((-20.0, 20.0)),
            _ => attribute.values.clone_from(&domain.values),
        }
    }
    let model = |random: &mut Random| match random.below(3) {
        0 => Model::Tree(models::tree(random, &domains)),
        1 => Model::Ensemble(models::ensemble(random, &domains)),
        _ => Model::Rules(models::rules(random, &domains)),
    };
    let mut models: Vec<Model> = (0..random.between(2, 3)).map(|_| model(random)).collect();
    if random.percent(30) {
        models[0] = Model::Ensemble(models::ensemble_with_cells(random, &domains, &policy));
    }
    (table, policy, models)
}

/// A random clustering of whole numbers and a random tree over the same ones.
fn with_clusters(random: &mut Random) -> (Table, Policy, Vec<Model>) {
    let sorts = [Sort::Numbers, Sort::Numbers, Sort::Class];
    let rows = random.between(1, 10);
    let numbers = |random: &mut Random| (0..rows).map(|_| Some(random.below(6) as f64)).collect::<Vec<_>>();
    let (made, mut domains) = tables::table(random, rows, &sorts, 3);
    let names = ["a", "b"].map(|name| Column::from_numbers(name, &numbers(random)).expect("numbers"));
    let class = made.columns()[2].clone();
    let table =
        Table::new(names.into_iter().chain([class]).collect(), made.people().clone()).expect("a table");
    for domain in &mut domains[..2] {
        domain.values = (0..6).map(|number| number.to_string()).collect();
        (domain.kind, domain.missing) = (Kind::Numeric, false);
    }
    let mut policy = Policy::new(vec![
        Attribute::new("a", Role::Public),
        Attribute { range: Some((0.0, 5.0)), whole: true, ..Attribute::new("b", Role::Private) },
        Attribute::new("c", random.pick(&[Role::Public, Role::Private])),
    ]);
    if random.percent(30) {
        policy.attributes[0].role = Role::Private;
        (policy.attributes[0].range, policy.attributes[0].whole) = (Some((0.0, 5.0)), true);
    }
    let centroid = |random: &mut Random| Centroid {
        center: (0..2).map(|_| random.between(0, 12) as f64 / 2.0).collect(),
        population: None,
    };
    let axes = vec![Axis::new("a", 0.0, 5.0), Axis::new("b", 0.0, 5.0)];
    let centroids = (0..random.between(1, 4)).map(|_| centroid(random)).collect();
    let clusters = Model::Clusters(Clusters::new(axes, centroids).expect("a clustering"));
    let tree = Model::Tree(whole_tree(random, &domains[2].values));
    (table, policy, vec![clusters, tree])
}

/// A tree of one or two tests on the numbers `a` and `b`.
fn whole_tree(random: &mut Random, classes: &[String]) -> Tree {
    let attribute = |name: &str| ModelAttribute {
        name: name.to_owned(),
        domain: incrowd_core::model::Domain::Numbers { low: 0.0, high: 5.0 },
        missing: false,
        dates: false,
    };
    let leaf = || Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let test = |random: &mut Random, children: Vec<u32>| {
        Node::Test(Test {
            attribute: random.below(2),
            split: Split::Thresholds(vec![random.between(0, 4) as f64 + 0.5]),
            labels: vec!["0".to_owned(), "1".to_owned()],
            children,
            otherwise: None,
            missing: MissingRoute::Otherwise,
        })
    };
    let nodes = if random.percent(50) {
        vec![test(random, vec![1, 2]), leaf(), leaf()]
    } else {
        vec![test(random, vec![1, 2]), test(random, vec![3, 4]), leaf(), leaf(), leaf()]
    };
    let class = Class { name: "c".to_owned(), values: classes.to_vec() };
    Tree::new(vec![attribute("a"), attribute("b")], class, nodes).expect("a tree")
}

/// Compares joint populations of every row: equal, or never larger where `exact` does not hold.
fn compare(
    cases: u64,
    percent: u64,
    make: fn(&mut Random) -> (Table, Policy, Vec<Model>),
    exact: fn(&Policy) -> bool,
) {
    let (mut compared, mut equal) = (0, 0);
    for seed in 0..cases {
        let (table, policy, models) = make(&mut Random::new(seed));
        let every: Vec<&Model> = models.iter().collect();
        let fast = joint_populations(&table, &policy, &releases(&models));
        let slow = naive::joint_population_of_rows(&table, &policy, &every);
        let (Ok(fast), Ok(slow)) = (fast, slow) else { continue };
        compared += 1;
        equal += u64::from(fast == slow);
        let case = || format!("seed {seed}: {fast:?} {slow:?} {table:#?} {policy:#?} {models:#?}");
        if exact(&policy) {
            assert_eq!(fast, slow, "{}", case());
        }
        assert!(fast.iter().zip(&slow).all(|(fast, slow)| fast <= slow), "{}", case());
    }
    assert!(compared * 100 >= cases * percent, "only {compared} of {cases} could be compared");
    assert!(equal * 2 >= compared, "only {equal} of {compared} are equal");
}

#[test]
fn on_trees_ensembles_and_rules() {
    compare(4000, 60, without_clusters, |policy| policy.dependencies.is_empty());
}

#[test]
fn on_clusters_never_too_large() {
    compare(3000, 80, with_clusters, |_| false);
}

/// What one release reveals, the joint audit of it alone reveals.
#[test]
fn one_release_is_audited_as_alone() {
    let mut compared = 0;
    for seed in 0..2000 {
        let (table, policy, models) = without_clusters(&mut Random::new(seed));
        let guarantee = crowds_of_two();
        let Ok(alone) = audit_model(&table, &policy, &models[0], &guarantee) else { continue };
        if !policy.dependencies.is_empty() {
            continue;
        }
        let joint = audit_together(&table, &policy, &releases(&models[..1]), &guarantee).expect("as alone");
        assert_eq!((joint.holds, joint.together.k), (alone.holds, alone.k), "seed {seed}");
        assert_eq!(joint.together.spans, alone.spans, "seed {seed}");
        assert!(joint.together.exposed >= alone.exposed, "seed {seed}");
        compared += 1;
    }
    assert!(compared > 1000, "only {compared}");
}

/// More releases reveal no less: with dependencies too, nobody who is exposed by one release, by the definition, is
/// missing in the joint audit.
#[test]
fn exposure_by_one_release_is_never_lost_together() {
    let (mut compared, mut exposed, mut with_dependencies) = (0, 0, 0);
    for seed in 0..6000 {
        let (table, policy, models) = without_clusters(&mut Random::new(seed));
        let none = Guarantee::default();
        let Ok(joint) = audit_together(&table, &policy, &releases(&models), &none) else { continue };
        for model in &models {
            let Ok(alone) = naive::audit_model(&table, &policy, model, &none) else { continue };
            compared += 1;
            for (&individuals, measures) in alone.exposed_to.iter().zip(&alone.attributes) {
                let name = &measures.name;
                let together = joint.together.exposed_to.iter().find(|own| &own.attribute == name);
                let together = together.map_or(0, |own| own.individuals);
                assert!(together >= individuals, "seed {seed}, {name}: {together} < {individuals}");
                exposed += individuals;
                with_dependencies += u64::from(individuals > 0 && !policy.dependencies.is_empty());
            }
            assert!(joint.together.exposed >= alone.exposed, "seed {seed}");
            let (together, alone) = (joint.together.excluded, alone.excluded);
            assert!(together >= alone, "seed {seed}: ruled out for {together} < {alone}");
        }
    }
    assert!(
        compared > 3000 && exposed > 500 && with_dependencies > 50,
        "{compared} {exposed} {with_dependencies}"
    );
}

/// The same with clusters, also with clusters that nobody is in.
#[test]
fn exposure_to_clusters_is_never_lost_together() {
    let (mut compared, mut exposed) = (0, 0);
    for seed in 0..3000 {
        let (table, policy, models) = with_clusters(&mut Random::new(seed));
        let none = Guarantee::default();
        let Ok(joint) = audit_together(&table, &policy, &releases(&models), &none) else { continue };
        for model in &models {
            let Ok(alone) = audit_model(&table, &policy, model, &none) else { continue };
            if alone.at_most {
                continue;
            }
            compared += 1;
            exposed += alone.exposed;
            let (own, together) = ((alone.exposed, alone.excluded), &joint.together);
            assert!(
                together.exposed >= own.0 && together.excluded >= own.1,
                "seed {seed}: {own:?}, {together:?}"
            );
        }
    }
    assert!(compared > 2000 && exposed > 500, "{compared} {exposed}");
}

/// A private y determines z; a table shows z and not y. What it reveals about y is not known, also if another release
/// shows y itself.
#[test]
fn a_requirement_that_a_table_is_refused_for_is_refused_together() {
    let names = |name: &str, codes: &[u32], values: &[&str]| {
        let texts: Vec<Option<&str>> = codes.iter().map(|&code| Some(values[code as usize])).collect();
        Column::from_texts(name, &texts)
    };
    let columns = vec![
        names("b", &[0, 0, 0, 0], &["0"]),
        names("y", &[0, 1, 0, 1], &["0", "1"]),
        names("z", &[0, 0, 0, 0], &["u"]),
    ];
    let table = Table::new(columns, People::Rows).expect("a table");
    let attribute = |name: &str, role| Attribute::new(name, role);
    let mut policy = Policy::new(vec![
        attribute("b", Role::Public),
        attribute("y", Role::Private),
        attribute("z", Role::Private),
    ]);
    policy
        .dependencies
        .push(incrowd_core::policy::Dependency { from: vec!["y".to_owned()], to: "z".to_owned() });
    let content = JointContent::Table {
        group_of_row: vec![0; 4],
        cells: vec!["b = 0".to_owned()],
        private: vec!["z".to_owned()],
    };
    let release = [JointRelease { name: "table".to_owned(), content }];
    let two =
        Guarantee::new(vec![Requirement::distinct_l(2).expect("l")], Scope::Named(vec!["y".to_owned()]));
    let report = audit_together(&table, &policy, &release, &Guarantee::default()).expect("no requirement");
    assert_eq!(report.together.exposed, 4);
    let refused = two.and_then(|two| audit_together(&table, &policy, &release, &two));
    assert!(refused.is_err_and(|error| error.what.contains("cannot be checked")));
}

/// A stump on one attribute.
fn stump(name: &str, cut: f64, class: &str) -> Model {
    let attribute = ModelAttribute {
        name: name.to_owned(),
        domain: incrowd_core::model::Domain::Numbers { low: 0.0, high: 9.0 },
        missing: false,
        dates: false,
    };
    let leaf = || Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let test = Node::Test(Test {
        attribute: 0,
        split: Split::Thresholds(vec![cut]),
        labels: vec!["low".to_owned(), "high".to_owned()],
        children: vec![1, 2],
        otherwise: None,
        missing: MissingRoute::Otherwise,
    });
    let class = Class { name: class.to_owned(), values: vec!["no".to_owned(), "yes".to_owned()] };
    Model::Tree(Tree::new(vec![attribute], class, vec![test, leaf(), leaf()]).expect("a tree"))
}

fn numbers(name: &str, cells: &[f64]) -> Column {
    Column::from_numbers(name, &cells.iter().map(|&cell| Some(cell)).collect::<Vec<_>>()).expect("numbers")
}

/// Two trees, each of which leaves everyone in a crowd of two, single people out together.
#[test]
fn two_releases_single_out_together() {
    let class = Column::from_texts("c", &[Some("no"), Some("yes"), Some("no"), Some("yes")]);
    let columns = vec![numbers("x", &[1.0, 1.0, 5.0, 5.0]), numbers("y", &[1.0, 5.0, 1.0, 5.0]), class];
    let table = Table::new(columns, People::Rows).expect("a table");
    let public = |name: &str| Attribute::new(name, Role::Public);
    let policy =
        Policy::new(vec![public("x"), public("y"), Attribute::new("c", Role::Private)]).with_class("c");
    let models = [stump("x", 3.0, "c"), stump("y", 3.0, "c"), stump("x", 4.0, "c")];
    let guarantee = crowds_of_two();
    for model in &models {
        assert!(audit_model(&table, &policy, model, &guarantee).expect("an audit").holds);
    }
    let report = audit_together(&table, &policy, &releases(&models), &guarantee).expect("an audit");
    assert!(!report.holds);
    assert_eq!(report.together.k, 1);
    assert!(report.releases.iter().all(|release| release.holds && release.k == 2));
    // The first and the third tree distinguish the same people.
    let broken: Vec<bool> = report.pairs.iter().map(|pair| !pair.holds).collect();
    assert_eq!(broken, [true, false, true]);
    assert_eq!(report.pairs[0].broken, ["k = 2"]);
}

/// Clusters and a tree, each of which leaves both people possible everywhere, leave one world together.
#[test]
fn equal_spans_of_clusters_are_not_enough() {
    let class = Column::from_texts("c", &[Some("no"), Some("yes")]);
    let columns = vec![numbers("x", &[0.0, 2.0]), numbers("y", &[6.0, 6.0]), class];
    let table = Table::new(columns, People::Rows).expect("a table");
    let policy = Policy::new(vec![
        Attribute::new("x", Role::Public),
        Attribute { range: Some((0.0, 9.0)), ..Attribute::new("y", Role::Private) },
        Attribute::new("c", Role::Private),
    ]);
    let centroid = |center: [f64; 2]| Centroid { center: center.to_vec(), population: None };
    let axes = vec![Axis::new("x", 0.0, 9.0), Axis::new("y", 0.0, 9.0)];
    let clusters = Clusters::new(axes, vec![centroid([0.0, 3.0]), centroid([2.0, 7.0])]).expect("clusters");
    let models = [Model::Clusters(clusters), stump("y", 5.0, "c")];
    let guarantee = crowds_of_two();
    for model in &models {
        assert!(audit_model(&table, &policy, model, &guarantee).expect("an audit").holds);
    }
    let report = audit_together(&table, &policy, &releases(&models), &guarantee).expect("an audit");
    assert_eq!((report.holds, report.together.k), (false, 1));
}
