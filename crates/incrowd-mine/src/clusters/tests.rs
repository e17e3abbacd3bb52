//! Mined clusters on the papers' points, against the naive audit, for any number of threads and any order of rows.

mod averaged;
mod dates;

use super::*;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::naive;
use incrowd_core::policy::{Attribute, Dependency, Role};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People};

fn policy(attributes: Vec<Attribute>) -> Policy {
    Policy::new(attributes)
}

fn ranged(name: &str, role: Role, range: (f64, f64)) -> Attribute {
    Attribute { range: Some(range), ..Attribute::new(name, role) }
}

fn numbers(name: &str, cells: impl IntoIterator<Item = f64>) -> Column {
    Column::from_numbers(name, &cells.into_iter().map(Some).collect::<Vec<_>>()).unwrap()
}

fn plane(points: &[(f64, f64)]) -> Table {
    let columns =
        vec![numbers("age", points.iter().map(|p| p.0)), numbers("result", points.iter().map(|p| p.1))];
    Table::new(columns, People::Rows).unwrap()
}

/// Clusters in a plane of public age and private result, unscaled.
fn cut(
    points: &[(f64, f64)],
    range: (f64, f64),
    k: u64,
    smallest: Option<u64>,
    clusters: u32,
) -> MinedClusters {
    let policy = policy(vec![Attribute::new("age", Role::Public), ranged("result", Role::Private, range)]);
    let mut guarantee = Guarantee::k_anonymity(k).unwrap();
    if let Some(smallest) = smallest {
        guarantee = guarantee.with(Requirement::smallest_bin(smallest).unwrap());
    }
    let mut params = ClusterParams::new(ClusterMethod::Mst, guarantee);
    (params.scaling, params.clusters) = (Scaling::None, clusters);
    mine_clusters(&plane(points), &policy, &params.check().unwrap(), &Silent).unwrap()
}

/// Points A to G with the edges of Figure 5: AC and BC 1.4, CD 5, DE 3.16, EF and FG 2.2.
const FIGURE_5: [(f64, f64); 7] =
    [(1.0, 5.0), (1.0, 3.0), (2.0, 4.0), (7.0, 4.0), (6.0, 7.0), (8.0, 6.0), (7.0, 8.0)];

#[test]
fn figure_5_is_cut_twice_although_d_is_alone_in_its_cluster() {
    let mined = cut(&FIGURE_5, (2.0, 9.0), 3, Some(1), 3);
    let clusters: Vec<_> =
        mined.clusters.centroids().iter().map(|c| (c.center.clone(), c.population)).collect();
    // {A, B, C}, {D}, {E, F, G}; the spans are {1} with three individuals and {2, 3} with four.
    assert_eq!(clusters[0], (vec![1.3, 4.0], Some(3)));
    assert_eq!(clusters[1..], [(vec![7.0, 4.0], Some(1)), (vec![7.0, 7.0], Some(3))]);
    assert_eq!((mined.summary.spans, mined.summary.k, mined.summary.exposed), (2, 3, 0));
}

#[test]
fn a_mean_of_one_person_is_not_told_unless_asked_for() {
    let mined = cut(&FIGURE_5, (2.0, 9.0), 3, None, 3);
    let populations: Vec<_> = mined.clusters.centroids().iter().map(|c| c.population).collect();
    assert_eq!(populations, [Some(3), Some(4)]);
}

/// The cut that changes the span of someone it does not touch; the three-way update would not see it.
/// A postal code of which every cluster has the same most frequent one says little about a cluster.
#[test]
fn axes_of_many_names_that_no_cluster_differs_in_are_named() {
    let clusters = |names: usize, second: usize| {
        let axes = vec![
            incrowd_core::model::Axis::new("age", 0.0, 9.0),
            incrowd_core::model::Axis::of_names("zip", (0..names).map(|name| name.to_string())),
        ];
        let centroid = |age: f64, first: usize| {
            let shares = (0..names).map(|name| if name == first { 0.5 } else { 0.5 / (names - 1) as f64 });
            Centroid { center: std::iter::once(age).chain(shares).collect(), population: None }
        };
        Clusters::new(axes, vec![centroid(1.0, 3), centroid(2.0, second)]).unwrap()
    };
    let found = undivided(&clusters(30, 3));
    assert!(found.len() == 1 && found[0].contains("one of the 30 names of `zip`"), "{found:?}");
    assert!(undivided(&clusters(30, 4)).is_empty() && undivided(&clusters(10, 3)).is_empty());
}

#[test]
fn spans_are_those_of_the_released_centroids_after_every_cut() {
    let points = [(16.0, 3.0), (10.0, 9.0), (5.0, 4.0), (10.0, 10.0), (2.0, 9.0)];
    for k in 1..=5 {
        let mined = cut(&points, (0.0, 12.0), k, Some(1), 5);
        assert!(mined.summary.k >= k && mined.report.holds);
    }
    assert_eq!(cut(&points, (0.0, 12.0), 5, Some(1), 5).summary.spans, 1);
}

fn random_case(random: &mut Random) -> (Table, Policy) {
    let rows = 3 + random.below(7) as usize;
    let mut columns = Vec::new();
    let mut attributes = Vec::new();
    for name in ["a", "b", "c"].iter().take(1 + random.below(3) as usize) {
        let role = if random.percent(50) { Role::Public } else { Role::Private };
        if random.percent(35) {
            let cells: Vec<Option<&str>> =
                (0..rows).map(|_| Some(["x", "y", "z"][random.below(3) as usize])).collect();
            columns.push(Column::from_texts(name, &cells));
            attributes.push(Attribute::new(*name, role));
        } else {
            // Far apart against a unit, so that centroids are whole numbers and ties are exact.
            columns.push(numbers(name, (0..rows).map(|_| f64::from(random.below(8)) * 64.0)));
            attributes.push(ranged(name, role, (0.0, 512.0)));
        }
    }
    let mut policy = policy(attributes);
    policy.dependencies = random_dependencies(random, &policy);
    (Table::new(columns, random_people(random, rows)).unwrap(), policy)
}

/// Dependencies of names and public numbers on each other, or none.
fn random_dependencies(random: &mut Random, policy: &Policy) -> Vec<Dependency> {
    let free = policy.attributes.iter().filter(|a| a.range.is_none() || a.role == Role::Public);
    let names: Vec<String> = free.map(|attribute| attribute.name.clone()).collect();
    if names.len() < 2 || random.percent(40) {
        return Vec::new();
    }
    let one = |random: &mut Random| names[random.below(names.len() as u32) as usize].clone();
    (0..=random.below(2)).map(|_| Dependency { from: vec![one(random)], to: one(random) }).collect()
}

/// Rows, weights, or several rows a person.
fn random_people(random: &mut Random, rows: usize) -> People {
    match random.below(4) {
        0 => People::Weights((0..rows).map(|_| 1 + random.below(3)).collect()),
        1 => {
            let subjects =
                numbers("who", (0..rows).map(|_| f64::from(random.below(rows as u32 * 2 / 3 + 1))));
            People::from_subject(&subjects)
        }
        _ => People::Rows,
    }
}

fn random_params(random: &mut Random, seed: u64) -> CheckedClusterParams {
    let method = ClusterMethod::ALL[random.below(2) as usize];
    let mut guarantee = Guarantee::k_anonymity(1 + u64::from(random.below(3))).unwrap();
    if random.percent(50) {
        guarantee = guarantee.with(Requirement::smallest_bin(1).unwrap());
    }
    if random.percent(30) {
        guarantee = guarantee.with(Requirement::distinct_l(2).unwrap());
    }
    let mut params = ClusterParams::new(method, guarantee);
    params.seed = seed;
    params.scaling = if random.percent(70) { Scaling::None } else { Scaling::Deviation };
    params.check().unwrap()
}

#[test]
fn mined_clusters_pass_the_naive_audit() {
    let (mut mined_in_all, mut several, mut several_of_subjects, mut tied) = (0, 0, 0, 0);
    for seed in 0..1800 {
        let random = &mut Random::of(seed, 0);
        let (table, policy) = random_case(random);
        let params = random_params(random, seed);
        let Ok(mined) = mine_clusters(&table, &policy, &params, &Silent) else { continue };
        let model = Model::Clusters(mined.clusters);
        let audit = naive::audit_model(&table, &policy, &model, &params.guarantee).unwrap();
        assert_eq!((audit.breaches, audit.k), (0, mined.report.k), "seed {seed}");
        assert_eq!(audit.spans, mined.report.spans, "seed {seed}");
        mined_in_all += 1;
        several += u32::from(mined.report.spans > 1);
        tied += u32::from(mined.report.spans > 1 && !policy.dependencies.is_empty());
        let of_subjects = matches!(table.people(), People::Subjects { .. });
        several_of_subjects += u32::from(mined.report.spans > 1 && of_subjects);
    }
    assert!(mined_in_all > 900 && several > 200, "{mined_in_all} mined, {several} with several spans");
    assert!(several_of_subjects > 20, "{several_of_subjects} of people with several rows");
    assert!(tied > 20, "{tied} with dependencies");
}

/// Three clouds in public age, private income and a private name.
fn clouds(rows: u64) -> (Table, Policy) {
    let mut cells: (Vec<f64>, Vec<f64>, Vec<Option<&str>>) = Default::default();
    for row in 0..rows {
        let random = &mut Random::of(3, row);
        let cloud = random.below(3);
        cells.0.push((25.0 + 20.0 * f64::from(cloud) + 4.0 * random.bell()).round());
        cells.1.push((2000.0 + 1500.0 * f64::from(cloud) + 400.0 * random.bell()).round());
        cells.2.push(Some(if random.percent(20 + 30 * cloud) { "owner" } else { "tenant" }));
    }
    let columns =
        vec![numbers("age", cells.0), numbers("income", cells.1), Column::from_texts("home", &cells.2)];
    let policy = policy(vec![
        ranged("age", Role::Public, (0.0, 120.0)),
        ranged("income", Role::Private, (0.0, 20_000.0)),
        Attribute::new("home", Role::Private),
    ]);
    (Table::new(columns, People::Rows).unwrap(), policy)
}

#[test]
fn threads_and_the_order_of_rows_change_nothing() {
    let (table, policy) = clouds(3000);
    let backwards: Vec<u32> = (0..3000).rev().collect();
    let backwards = table.select(&backwards);
    for method in ClusterMethod::ALL {
        let params = ClusterParams::new(method, Guarantee::k_anonymity(20).unwrap()).check().unwrap();
        let mine = |threads: usize, table: &Table| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| mine_clusters(table, &policy, &params, &Silent)).unwrap().clusters
        };
        let one = mine(1, &table);
        assert!(one.centroids().len() > 2, "{method}: {}", one.centroids().len());
        assert_eq!(one, mine(8, &table), "{method}");
        assert_eq!(one, mine(2, &backwards), "{method}");
    }
}

#[test]
fn more_clusters_lie_nearer_to_everybody() {
    let (table, policy) = clouds(2000);
    let inertia = |clusters: u32| {
        let mut params = ClusterParams::new(ClusterMethod::KMeans, Guarantee::k_anonymity(10).unwrap());
        params.clusters = clusters;
        mine_clusters(&table, &policy, &params.check().unwrap(), &Silent).unwrap().summary.inertia
    };
    assert!(inertia(3) < 0.7 * inertia(1));
}

/// Four groups of a public and a private number, two of which are so small that they must be merged away, and one that
/// is wide enough to be divided.
fn uneven() -> (Table, Policy) {
    let group = |count: u64, x: f64, y: f64, wide: f64| {
        (0..count).map(move |row| {
            let random = &mut Random::of(9, row + (x * 7.0) as u64);
            ((x + wide * random.unit()).round(), (y + wide * random.unit()).round())
        })
    };
    let all = group(300, 0.0, 0.0, 40.0)
        .chain(group(300, 200.0, 10.0, 160.0))
        .chain(group(3, 700.0, 0.0, 5.0))
        .chain(group(3, 720.0, 100.0, 5.0));
    let points: Vec<(f64, f64)> = all.collect();
    let policy =
        policy(vec![Attribute::new("age", Role::Public), ranged("result", Role::Private, (0.0, 200.0))]);
    (plane(&points), policy)
}

#[test]
fn merged_clusters_are_divided_again_where_that_is_safe() {
    let (table, policy) = uneven();
    let mine = |clusters: u32| {
        let mut params = ClusterParams::new(ClusterMethod::KMeans, Guarantee::k_anonymity(10).unwrap());
        (params.clusters, params.scaling) = (clusters, Scaling::None);
        mine_clusters(&table, &policy, &params.check().unwrap(), &Silent).unwrap().summary
    };
    // Both small groups take a centre in the beginning, which merging takes away.
    for clusters in 2..=6 {
        let summary = mine(clusters);
        assert!(summary.clusters <= u64::from(clusters) && summary.k >= 10, "{clusters}: {summary:?}");
        assert!(summary.clusters >= u64::from(clusters.min(4)), "{clusters}: {summary:?}");
    }
    assert!(mine(4).inertia < mine(2).inertia);
}

#[test]
fn several_rows_of_one_person_do_not_make_a_crowd() {
    let (table, policy) = clouds(400);
    let of_row: Vec<u32> = (0..400).map(|row| row / 4).collect();
    let people = People::Subjects { of_row, count: 100 };
    let table = Table::new(table.columns().to_vec(), people).unwrap();
    for method in ClusterMethod::ALL {
        let params = ClusterParams::new(method, Guarantee::k_anonymity(15).unwrap()).check().unwrap();
        let mined = mine_clusters(&table, &policy, &params, &Silent).unwrap();
        assert_eq!(mined.summary.individuals, 100);
        assert!(mined.clusters.centroids().iter().all(|c| c.population.is_some_and(|n| n >= 15)));
    }
}

#[test]
fn what_cannot_be_clustered_is_told() {
    let (table, policy) = clouds(50);
    let mine = |change: &dyn Fn(&mut ClusterParams)| {
        let mut params = ClusterParams::new(ClusterMethod::Mst, Guarantee::k_anonymity(5).unwrap());
        change(&mut params);
        params.check().and_then(|params| mine_clusters(&table, &policy, &params, &Silent))
    };
    let fault = |change: &dyn Fn(&mut ClusterParams)| mine(change).unwrap_err().what;
    assert!(fault(&|p| p.guarantee = Guarantee::k_anonymity(51).unwrap()).contains("no clusters can meet"));
    assert!(mine(&|p| p.attributes = vec!["height".to_owned()]).is_err());
    assert!(fault(&|p| p.clusters = 0).contains("clusters must be at least 1"));
    assert!(fault(&|p| p.guarantee = Guarantee::default()).contains("no guarantee"));
    assert!(mine(&|p| p.attributes = vec!["age".to_owned()]).is_ok());
}

/// Clusters of numbers of any size are as those of the same numbers in other units.
#[test]
fn small_numbers_without_scaling_are_clustered_as_large_ones() {
    let points: Vec<(f64, f64)> = (0..60_u64)
        .map(|row| {
            let random = &mut Random::of(5, row);
            let cloud = 40.0 * f64::from(random.below(3));
            ((cloud + 8.0 * random.bell()).round(), (cloud + 8.0 * random.bell()).round())
        })
        .collect();
    let mine = |unit: f64, method: ClusterMethod| {
        let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x * unit, y * unit)).collect();
        let range = (-200.0 * unit, 400.0 * unit);
        let policy = policy(vec![ranged("age", Role::Public, range), ranged("result", Role::Private, range)]);
        let mut params = ClusterParams::new(method, Guarantee::k_anonymity(3).unwrap());
        params.scaling = Scaling::None;
        let table = plane(&points);
        let mined = mine_clusters(&table, &policy, &params.check().unwrap(), &Silent).unwrap();
        let model = Model::Clusters(mined.clusters);
        let populations = naive::population_of_rows(&table, &policy, &model).unwrap();
        assert_eq!(populations.iter().min(), Some(&mined.report.k), "{unit}");
        assert!(mined.report.k >= 3, "{unit}");
    };
    for method in ClusterMethod::ALL {
        [1.0, 1e-5, 1e-200, 1e200].into_iter().for_each(|unit| mine(unit, method));
    }
}

/// Neighbouring doubles, subnormal, huge and mixed numbers, −0: every search ends, and what is mined is safe.
#[test]
fn extreme_numbers_end() {
    let columns: [&[f64]; 6] = [
        &[0.3, 0.300_000_000_000_000_04],
        &[0.0, -0.0, 5e-324],
        &[5e-324, 1e-310, 2e-310],
        &[f64::MAX, f64::MIN],
        &[1e-300, 1.0, 1e300],
        &[1e15, 1e15 + 0.125, -1e15],
    ];
    let mut mined = 0;
    for (xs, ys) in columns.iter().flat_map(|xs| columns.iter().map(move |ys| (xs, ys))) {
        let points: Vec<(f64, f64)> =
            (0..10).map(|row| (xs[row % xs.len()], ys[row / 2 % ys.len()])).collect();
        let table = plane(&points);
        let policy =
            policy(vec![Attribute::new("age", Role::Public), Attribute::new("result", Role::Private)]);
        let guarantee = Guarantee::k_anonymity(2).unwrap();
        for (method, scaling) in
            ClusterMethod::ALL.into_iter().flat_map(|m| [(m, Scaling::None), (m, Scaling::Deviation)])
        {
            let mut params = ClusterParams::new(method, guarantee.clone());
            params.scaling = scaling;
            // What cannot be clustered is refused, and does not hang or panic.
            let Ok(found) = mine_clusters(&table, &policy, &params.check().unwrap(), &Silent) else {
                continue;
            };
            let audit =
                naive::audit_model(&table, &policy, &Model::Clusters(found.clusters), &guarantee).unwrap();
            assert_eq!((audit.breaches, audit.k), (0, found.report.k), "{xs:?}, {ys:?}");
            mined += 1;
        }
    }
    assert!(mined > 100, "{mined}");
}
