//! Several releases together: every figure of the joint audit against the definition.
//!
//! The naive twin tries every combination of private values and goes through all worlds, as if the population of every
//! vector of bins were published. Where nothing ties private attributes to others and no release is a clustering, the
//! figures are equal, except for exposure and exclusion, which a joint audit bounds from above. Elsewhere spans may be
//! divided further than the definition divides them, and every figure errs on the safe side.

use crate::models;
use crate::random::Random;
use crate::tables::{self, Domain, Sort};
use incrowd_core::audit::{ExposedTo, JointContent, JointRelease, Report, audit_together};
use incrowd_core::guarantee::{Distance, Guarantee, Requirement, Scope};
use incrowd_core::model::{
    Axis, Centroid, Class, Clusters, Leaf, LeafContents, MissingRoute, Model, ModelAttribute, Node, Split,
    Test, Tree,
};
use incrowd_core::naive::{self, Audit};
use incrowd_core::policy::{Attribute, Dependency, Policy, Role};
use incrowd_core::table::{Column, Kind, People, Table};

/// A release of a random case.
#[derive(Debug, Clone)]
enum Made {
    Model(Box<Model>),
    Table { group_of_row: Vec<u32>, private: Vec<String> },
}

impl Made {
    fn content(&self) -> JointContent<'_> {
        match self {
            Self::Model(model) => JointContent::Model(model),
            Self::Table { group_of_row, private } => JointContent::Table {
                group_of_row: group_of_row.clone(),
                cells: vec!["a group".to_owned(); group_of_row.len() + 1],
                private: private.clone(),
            },
        }
    }
}

#[derive(Debug)]
struct Case {
    table: Table,
    policy: Policy,
    guarantee: Guarantee,
    made: Vec<Made>,
}

impl Case {
    /// Two or three random releases of one table.
    fn new(random: &mut Random) -> Self {
        let with_clusters = random.percent(30);
        let sort = if with_clusters { Sort::Numbers } else { Sort::Names };
        Self::of(random, sort, with_clusters, with_clusters)
    }

    /// Two or three random releases of one table of numbers, none of them a clustering.
    fn of_numbers(random: &mut Random) -> Self {
        let whole = random.percent(50);
        Self::of(random, Sort::Numbers, whole, false)
    }

    /// A clustering of a public and a private number, another release, and few individuals with several rows.
    fn of_persons(random: &mut Random) -> Self {
        let mut case = Self::of(random, Sort::Numbers, true, true);
        let people = random.between(2, 5) as u32;
        let mut of_row: Vec<u32> =
            (0..case.table.rows()).map(|_| random.below(people as usize) as u32).collect();
        let mut all = of_row.clone();
        all.sort_unstable();
        all.dedup();
        of_row.iter_mut().for_each(|one| *one = all.partition_point(|other| other < one) as u32);
        let people = People::Subjects { of_row, count: all.len() as u32 };
        case.table = Table::new(case.table.columns().to_vec(), people).expect("a table");
        case
    }

    fn of(random: &mut Random, sort: Sort, whole: bool, with_clusters: bool) -> Self {
        let mut sorts = vec![sort; random.between(1, 4)];
        sorts.push(Sort::Class);
        let rows = random.between(1, 10);
        let spread = random.pick(&[2, 3, 4]);
        let (table, domains) = tables::table(random, rows, &sorts, spread);
        let mut policy = tables::policy(random, &domains, Some(domains.len() - 1));
        let private = policy.attributes.iter_mut().filter(|attribute| attribute.role == Role::Private);
        private.skip(3).for_each(|attribute| attribute.role = Role::Public);
        if random.percent(50) {
            tables::some_dependencies(random, &mut policy, &domains);
        }
        declare(&mut policy, &domains, whole);
        let made =
            (0..random.between(2, 3)).map(|_| release(random, &table, &policy, &domains, with_clusters));
        let made = made.collect();
        let guarantee = tables::guarantee(random, &policy);
        let asked =
            guarantee.requirements().iter().filter(|asked| !matches!(asked, Requirement::SmallestBin(_)));
        let guarantee = Guarantee::new(asked.copied().collect(), guarantee.scope().clone()).expect("fewer");
        Self { table, policy, guarantee, made }
    }
}

/// Releases may declare different domains; the policy's is the same for all.
fn declare(policy: &mut Policy, domains: &[Domain], whole: bool) {
    for (attribute, domain) in policy.attributes.iter_mut().zip(domains) {
        match domain.kind {
            Kind::Numeric => {
                (attribute.range, attribute.whole) = (Some((-3.0, 6.0)), whole);
            }
            _ => attribute.values.clone_from(&domain.values),
        }
    }
}

fn release(
    random: &mut Random,
    table: &Table,
    policy: &Policy,
    domains: &[Domain],
    with_clusters: bool,
) -> Made {
    let sorts = if with_clusters { 8 } else { 6 };
    let model = match random.below(sorts) {
        0 | 1 => Model::Tree(models::tree(random, domains)),
        2 => Model::Ensemble(models::ensemble(random, domains)),
        3 => Model::Ensemble(models::ensemble_with_cells(random, domains, policy)),
        4 => Model::Rules(models::rules(random, domains)),
        5 => return groups(random, table, policy),
        _ => {
            let numbers = domains.iter().filter(|domain| domain.kind == Kind::Numeric);
            let numbers: Vec<Domain> = numbers.cloned().collect();
            Model::Clusters(models::clusters(random, &numbers, &mut policy.clone()))
        }
    };
    Made::Model(Box::new(model))
}

/// A released table: groups by what an attacker knows, and some of the private columns.
fn groups(random: &mut Random, table: &Table, policy: &Policy) -> Made {
    let known: Vec<_> =
        table.columns().iter().filter(|column| policy.knows(column.name()).unwrap_or(false)).collect();
    let chosen: Vec<_> = known.into_iter().filter(|_| random.percent(50)).collect();
    let of_code: Vec<Vec<u32>> = chosen
        .iter()
        .map(|column| (0..=column.missing_code()).map(|_| random.below(2) as u32).collect())
        .collect();
    let group = |row: usize| {
        let parts = chosen.iter().zip(&of_code).map(|(column, of_code)| of_code[column.code(row) as usize]);
        parts.fold(0, |group, part| 2 * group + part)
    };
    let private = policy.with_role(Role::Private).map(str::to_owned);
    let is_own = |name: &String| !policy.knows(name).unwrap_or(true);
    let private = private.filter(is_own).filter(|_| random.percent(70)).collect();
    Made::Table { group_of_row: (0..table.rows()).map(group).collect(), private }
}

fn fast(case: &Case) -> incrowd_core::error::Result<Report> {
    let releases = case
        .made
        .iter()
        .enumerate()
        .map(|(number, made)| JointRelease { name: format!("release {number}"), content: made.content() });
    let releases: Vec<JointRelease<'_>> = releases.collect();
    Ok(audit_together(&case.table, &case.policy, &releases, &case.guarantee)?.together)
}

fn slow(case: &Case) -> incrowd_core::error::Result<Audit> {
    let contents: Vec<JointContent<'_>> = case.made.iter().map(Made::content).collect();
    naive::audit_together(&case.table, &case.policy, &contents, &case.guarantee)
}

/// What the joint audit presents as safer than it is, and what it has no reason to present as less safe.
fn differences(case: &Case, fast: &Report, slow: &Audit) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |what: &str, holds: bool, fast: &dyn std::fmt::Debug, slow: &dyn std::fmt::Debug| {
        if !holds {
            found.push(format!("{what}: fast {fast:?}, naive {slow:?}"));
        }
    };
    let is_clusters =
        |made: &Made| matches!(made, Made::Model(model) if matches!(**model, Model::Clusters(_)));
    let exact = case.policy.dependencies.is_empty() && !case.made.iter().any(is_clusters);
    check("k", fast.k == slow.k || (!exact && fast.k < slow.k), &fast.k, &slow.k);
    check("spans", fast.spans == slow.spans || (!exact && fast.spans > slow.spans), &fast.spans, &slow.spans);
    check("exposed", fast.exposed >= slow.exposed, &fast.exposed, &slow.exposed);
    check("excluded", fast.excluded >= slow.excluded, &fast.excluded, &slow.excluded);
    for (place, measures) in slow.attributes.iter().enumerate() {
        let of = |all: &[ExposedTo]| {
            all.iter().find(|to| to.attribute == measures.name).map_or(0, |to| to.individuals)
        };
        let (exposed, excluded) = (of(&fast.exposed_to), of(&fast.excluded_to));
        let name = &measures.name;
        check(
            &format!("exposed to {name}"),
            exposed >= slow.exposed_to[place],
            &exposed,
            &slow.exposed_to[place],
        );
        check(
            &format!("excluded to {name}"),
            excluded >= slow.excluded_to[place],
            &excluded,
            &slow.excluded_to[place],
        );
    }
    check(
        "holds",
        fast.holds == (slow.breaches == 0) || (!exact && !fast.holds),
        &fast.holds,
        &slow.breaches,
    );
    for own in &slow.attributes {
        let Some(fast) = fast.attributes.iter().find(|fast| fast.name == own.name) else { continue };
        // Of what releases reveal only together nothing is measured, and requirements on it are refused.
        if !fast.is_measured() {
            continue;
        }
        let no_less = |fast: f64, slow: f64| fast >= slow - 1e-9 * slow.abs().max(1.0);
        let is_safe = !own.is_measured()
            || fast.distinct_l <= own.distinct_l
                && no_less(own.entropy_l, fast.entropy_l)
                && no_less(fast.max_confidence, own.max_confidence)
                && no_less(fast.alpha, own.alpha)
                && (fast.recursive.l < own.recursive.l || no_less(fast.recursive.c, own.recursive.c))
                && no_less(fast.t_equal, own.t_equal)
                && fast.t_ordered.zip(own.t_ordered).is_none_or(|(fast, own)| no_less(fast, own))
                && no_less(fast.beta, own.beta);
        check("no better than it is", is_safe, fast, own);
    }
    if exact {
        check("breaches", fast.breaches == Some(slow.breaches), &fast.breaches, &slow.breaches);
        check("in breach", fast.in_breach == Some(slow.in_breach), &fast.in_breach, &slow.in_breach);
        let asked: Vec<u64> = fast.asked.iter().filter_map(|asked| asked.breaches).collect();
        check("broken by", asked == slow.broken_by, &asked, &slow.broken_by);
        for own in &slow.attributes {
            let fast = fast.attributes.iter().find(|fast| fast.name == own.name);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
            let same = fast.is_some_and(|fast| {
                fast.distinct_l == own.distinct_l
                    && near(fast.entropy_l, own.entropy_l)
                    && near(fast.max_confidence, own.max_confidence)
                    && near(fast.t_equal, own.t_equal)
                    && near(fast.beta, own.beta)
            });
            check("measures", same, &fast, own);
        }
    }
    found
}

/// Whether a model declares missing values of a private attribute that has none, or none where it has some: what is
/// possible would depend on the release.
fn has_own_domain(case: &Case, made: &Made) -> bool {
    let Made::Model(model) = made else { return false };
    let attributes = match &**model {
        Model::Rules(rules) => rules.attributes(),
        Model::Clusters(_) => return false,
        model => model.trees()[0].attributes(),
    };
    let differs = |column: &Column, missing: bool| column.has_missing() != missing;
    attributes.iter().any(|attribute| {
        let column = case.table.column(&attribute.name);
        column.is_some_and(|column| differs(column, attribute.missing))
            && !case.policy.knows(&attribute.name).unwrap_or(true)
    })
}

/// Compares both audits on cases that both can judge, and returns how many these are; `see` counts what they have.
fn compare_all(
    seeds: u64,
    make: fn(&mut Random) -> Case,
    mut see: impl FnMut(&Case, &Report, &Audit),
) -> u64 {
    let mut compared = 0;
    for seed in 0..seeds {
        let case = make(&mut Random::new(seed));
        if case.made.iter().any(|made| has_own_domain(&case, made)) {
            continue;
        }
        let (Ok(fast), Ok(slow)) = (fast(&case), slow(&case)) else { continue };
        let found = differences(&case, &fast, &slow);
        assert!(found.is_empty(), "seed {seed}: {found:#?} {case:#?}");
        see(&case, &fast, &slow);
        compared += 1;
    }
    compared
}

#[test]
fn on_releases_of_all_families() {
    let (mut with_dependencies, mut exposed) = (0, 0);
    let compared = compare_all(6000, Case::new, |case, _, slow| {
        with_dependencies += u64::from(!case.policy.dependencies.is_empty());
        exposed += u64::from(slow.exposed > 0);
    });
    let counts = [compared, with_dependencies, exposed];
    assert!(compared > 2500 && with_dependencies > 250 && exposed > 500, "{counts:?}");
}

/// With several rows per individual, shares can grow in a union of the spans that clusters divide further.
#[test]
fn on_clusters_and_several_rows() {
    let (mut divided, mut broken) = (0, 0);
    let compared = compare_all(8000, Case::of_persons, |_, fast, slow| {
        divided += u64::from(fast.spans > slow.spans);
        broken += u64::from(!fast.holds);
    });
    let counts = [compared, divided, broken];
    assert!(compared > 3000 && divided > 150 && broken > 500 && broken * 10 < compared * 9, "{counts:?}");
}

#[test]
fn on_releases_of_numbers() {
    let mut excluded = 0;
    let compared = compare_all(3000, Case::of_numbers, |_, _, slow| {
        excluded += u64::from(slow.excluded_to.iter().any(|&one| one > 0));
    });
    let counts = [compared, excluded];
    assert!(compared > 1000 && excluded > 300, "{counts:?}");
}

/// A clustering in which everyone can be in both clusters, and a tree on its private number: all individuals are in one
/// joint span, which the audit divides by a public number into more pieces than it checks all unions of.
fn case_of_many_pieces(random: &mut Random) -> Case {
    let rows = random.between(12, 18);
    let people = random.between(3, 9);
    let mut of_row: Vec<u32> =
        (0..rows).map(|row| if row < people { row } else { random.below(people) } as u32).collect();
    random.shuffle(&mut of_row);
    let column = |name: &str, cells: Vec<usize>| {
        let cells: Vec<Option<f64>> = cells.into_iter().map(|cell| Some(cell as f64)).collect();
        Column::from_numbers(name, &cells).expect("numbers")
    };
    let x = column("a", (0..rows).map(|row| row % 12).collect());
    let z = column("x", (0..rows).map(|_| random.below(6)).collect());
    let c = Column::from_texts("c", &vec![Some("n"); rows]);
    let people = People::Subjects { of_row, count: people as u32 };
    let mut attributes = vec![
        Attribute::new("a", Role::Public),
        Attribute::new("x", Role::Private),
        Attribute::new("c", Role::Private),
    ];
    (attributes[1].range, attributes[1].whole) = (Some((0.0, 5.0)), true);
    attributes[2].values = vec!["n".to_owned(), "y".to_owned()];
    let policy = Policy::new(attributes).with_class("c");
    let axes = vec![Axis::new("a", 0.0, 100.0), Axis::new("x", 0.0, 5.0)];
    let centroid = |center: [f64; 2]| Centroid { center: center.to_vec(), population: None };
    let clusters = Clusters::new(axes, vec![centroid([0.0, 0.0]), centroid([0.0, 5.0])]).expect("clusters");
    let asked = vec![
        random
            .pick(&[
                Requirement::confidence(0.8),
                Requirement::alpha(0.5),
                Requirement::beta(1.0),
                Requirement::recursive_l(3.0, 2),
                Requirement::entropy_l(1.5),
                Requirement::t_closeness(0.4, Distance::Equal),
            ])
            .expect("a requirement"),
    ];
    Case {
        table: Table::new(vec![x, z, c], people).expect("a table"),
        policy,
        guarantee: Guarantee::new(asked, Scope::All).expect("one"),
        made: vec![Made::Model(Box::new(Model::Clusters(clusters))), stump_at(random.pick(&[0.5, 1.5, 3.5]))],
    }
}

/// Bounds on unions are never better than the joint span.
#[test]
fn on_more_pieces_than_unions_are_tried_of() {
    let (mut bounded, mut broken) = (0, 0);
    for seed in 0..400 {
        let case = case_of_many_pieces(&mut Random::new(seed));
        let (fast, slow) = (fast(&case).expect("an audit"), slow(&case).expect("an audit"));
        let found = differences(&case, &fast, &slow);
        assert!(found.is_empty(), "seed {seed}: {found:#?} {case:#?}");
        bounded += u64::from(
            fast.warnings.iter().any(|warning| warning.contains("figures on private values are bounds")),
        );
        broken += u64::from(slow.breaches > 0);
    }
    assert!(bounded > 80 && broken > 50, "{bounded} {broken}");
}

/// A tree that tests whether x is at most a threshold.
fn stump_at(threshold: f64) -> Made {
    let attribute = ModelAttribute {
        name: "x".to_owned(),
        domain: incrowd_core::model::Domain::Numbers { low: 0.0, high: 5.0 },
        missing: false,
        dates: false,
    };
    let leaf = |label| Node::Leaf(Leaf { label, told: LeafContents::Nothing });
    let test = Node::Test(Test {
        attribute: 0,
        split: Split::Thresholds(vec![threshold]),
        labels: vec![format!("<= {threshold}"), format!("> {threshold}")],
        children: vec![1, 2],
        otherwise: None,
        missing: MissingRoute::Otherwise,
    });
    let class = Class { name: "c".to_owned(), values: vec!["n".to_owned(), "y".to_owned()] };
    let tree = Tree::new(vec![attribute], class, vec![test, leaf(0), leaf(1)]).expect("a tree");
    Made::Model(Box::new(Model::Tree(tree)))
}

fn case_of_thresholds(rows: &[f64], whole: bool, thresholds: &[f64]) -> Case {
    let x = Column::from_numbers("x", &rows.iter().map(|&x| Some(x)).collect::<Vec<_>>()).expect("numbers");
    let c = Column::from_texts("c", &vec![Some("n"); rows.len()]);
    let mut attributes = vec![Attribute::new("x", Role::Private), Attribute::new("c", Role::Private)];
    (attributes[0].range, attributes[0].whole) = (Some((0.0, 5.0)), whole);
    attributes[1].values = vec!["n".to_owned(), "y".to_owned()];
    Case {
        table: Table::new(vec![x, c], People::Rows).expect("a table"),
        policy: Policy::new(attributes).with_class("c"),
        guarantee: Guarantee::default(),
        made: thresholds.iter().map(|&threshold| stump_at(threshold)).collect(),
    }
}

/// Both trees have everyone in two leaves, and as many above 1.5 as above 4.5: so nobody is between them. Between 1.5 and
/// 1.7 there are only numbers that are not whole.
#[test]
fn intervals_between_thresholds_of_two_trees_are_ruled_out() {
    let cases: [(bool, &[f64], u64); 5] = [
        (true, &[1.5, 4.5], 4),
        (false, &[1.5, 4.5], 4),
        (false, &[1.5, 1.7], 4),
        (true, &[1.5, 1.7], 0),
        (false, &[1.5, 1.5], 0),
    ];
    for (whole, thresholds, excluded) in cases {
        let case = case_of_thresholds(&[0.0, 0.0, 5.0, 5.0], whole, thresholds);
        let (fast, slow) = (fast(&case).expect("an audit"), slow(&case).expect("an audit"));
        let x = slow.attributes.iter().position(|own| own.name == "x").expect("tested");
        assert_eq!(slow.excluded_to[x], excluded, "{whole} {thresholds:?}");
        assert_eq!(fast.excluded_to[0].individuals, excluded, "{whole} {thresholds:?}");
        let found = differences(&case, &fast, &slow);
        assert!(found.is_empty(), "{found:?}");
    }
    let case = case_of_thresholds(&[5.0, 0.0], true, &[2.5, 4.5]);
    assert_eq!(fast(&case).expect("an audit").excluded_to[0].individuals, 2);
}

/// A table of names, one text per row with a character per column.
fn letters(names: &[&str], rows: &[&str]) -> Table {
    let column = |(place, name): (usize, &&str)| {
        let texts: Vec<Option<&str>> = rows.iter().map(|row| row.get(place..=place)).collect();
        Column::from_texts(name, &texts)
    };
    Table::new(names.iter().enumerate().map(column).collect(), People::Rows).expect("a table")
}

/// A tree that tests one attribute, with a branch for each value; its class is `c`.
fn stump(name: &str, values: &[&str], class: &[&str]) -> Made {
    let names = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let attribute = ModelAttribute::categorical(name, names(values));
    let leaf = || Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let test = Node::Test(Test {
        attribute: 0,
        split: Split::Values((0..values.len() as u32).map(Some).collect()),
        labels: names(values),
        children: (1..=values.len() as u32).collect(),
        otherwise: None,
        missing: MissingRoute::Otherwise,
    });
    let nodes = [test].into_iter().chain(values.iter().map(|_| leaf())).collect();
    let class = Class { name: "c".to_owned(), values: names(class) };
    Made::Model(Box::new(Model::Tree(Tree::new(vec![attribute], class, nodes).expect("a tree"))))
}

fn tied_case(names: &[&str], public: &[&str], from: &[&str], rows: &[&str], tested: &[&str]) -> Case {
    let role = |name: &str| if public.contains(&name) { Role::Public } else { Role::Private };
    let attributes = names.iter().map(|name| Attribute::new(*name, role(name))).collect();
    let from = from.iter().map(|&name| name.to_owned()).collect();
    let policy = Policy::new(attributes)
        .with_class("c")
        .with_dependencies(vec![Dependency { from, to: "z".to_owned() }]);
    Case {
        table: letters(names, rows),
        policy,
        guarantee: Guarantee::default(),
        made: tested.iter().map(|name| stump(name, &["0", "1"], &["n", "y"])).collect(),
    }
}

/// With a public a and z = x + y + a, each of three trees that test x, y and z leaves everyone every leaf. All together
/// tell a from each other: the leaves of an individual add up to it.
#[test]
fn releases_of_tied_attributes_divide_together() {
    let rows = ["000n", "011y", "101n", "110y", "001y", "010n", "100y", "111n"];
    let rows: Vec<String> = rows.iter().enumerate().map(|(row, rest)| format!("{}{rest}", row / 4)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let case = tied_case(&["a", "x", "y", "z", "c"], &["a"], &["a", "x", "y"], &rows, &["x", "y", "z"]);
    let (fast, slow) = (fast(&case).expect("an audit"), slow(&case).expect("an audit"));
    assert_eq!((slow.k, slow.spans), (4, 2));
    assert_eq!((fast.k, fast.spans), (4, 2));
}

/// With z = x + y, neither a tree that tests x nor one that tests y says anything about z. Of the two individuals with
/// b = 0, one is in both leaves of 0 and one in both leaves of 1: both have z = 0.
#[test]
fn releases_reveal_together_what_none_reveals_alone() {
    let rows = ["0000n", "0110y", "1011n", "1101y", "1000n", "1110y"];
    let case = tied_case(&["b", "x", "y", "z", "c"], &["b"], &["x", "y"], &rows, &["x", "y"]);
    let case =
        Case { made: case.made.into_iter().chain([stump("b", &["0", "1"], &["n", "y"])]).collect(), ..case };
    let (fast, slow) = (fast(&case).expect("an audit"), slow(&case).expect("an audit"));
    let of = |all: &[ExposedTo]| all.iter().find(|to| to.attribute == "z").map_or(0, |to| to.individuals);
    let z = slow.attributes.iter().position(|own| own.name == "z").expect("tied");
    assert!(slow.exposed_to[z] >= 2 && slow.excluded_to[z] >= 2, "{slow:?}");
    assert!(of(&fast.exposed_to) >= slow.exposed_to[z] && of(&fast.excluded_to) >= slow.excluded_to[z]);
    let found = differences(&case, &fast, &slow);
    assert!(found.is_empty(), "{found:?}");
}
