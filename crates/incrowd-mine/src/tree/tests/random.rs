//! Random small tables with random roles, taxonomies and guarantees.

use super::policy;
use incrowd_core::guarantee::{Distance, Guarantee, Requirement, Scope, SingleBin};
use incrowd_core::policy::{Dependency, Policy, Role};
use incrowd_core::random::Random;
use incrowd_core::table::{Column, Kind, People, Table};
use incrowd_core::taxonomy::{Intervals, TaxonomySpec, TreeSpec};

/// Something to mine.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) table: Table,
    pub(crate) policy: Policy,
    pub(crate) guarantee: Guarantee,
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const VALUES: [&str; 5] = ["v0", "v1", "v2", "v3", "v4"];

/// A case for a seed. `spread` bounds how many values a column has.
pub(crate) fn case(seed: u64, rows: u32, spread: u32) -> Case {
    let random = &mut Random::of(seed, 0);
    let count = 1 + random.below(4) as usize;
    let rows = 1 + random.below(rows);
    let mut columns: Vec<Column> = (0..count).map(|i| column(random, NAMES[i], rows, spread)).collect();
    let classes = 1 + random.below(3) + u32::from(random.percent(80));
    columns.push(class(random, &columns, rows, classes.min(3)));
    let roles: Vec<(&str, Role)> = NAMES[..count]
        .iter()
        .copied()
        .chain(["class"])
        .map(|name| (name, if random.percent(55) { Role::Public } else { Role::Private }))
        .collect();
    let mut policy = policy(&roles);
    for (attribute, column) in policy.attributes.iter_mut().zip(&columns).filter(|_| random.percent(50)) {
        attribute.taxonomy = taxonomy(column);
    }
    if random.percent(15) {
        let pick = |random: &mut Random| NAMES[random.below(count as u32) as usize].to_owned();
        let dependency = Dependency { from: vec![pick(random)], to: pick(random) };
        policy.dependencies.push(dependency);
    }
    let table = Table::new(columns, people(random, rows)).expect("columns of one length");
    let guarantee = guarantee(random, &policy);
    Case { table, policy, guarantee }
}

/// The same with dependencies between any attributes, the class among them.
pub(crate) fn tied_case(seed: u64, rows: u32, spread: u32) -> Case {
    let mut case = case(seed, rows, spread);
    let random = &mut Random::of(seed, 7);
    for _ in 0..=random.below(2) {
        let names: Vec<&String> = case.policy.attributes.iter().map(|attribute| &attribute.name).collect();
        let mut pick = || names[random.below(names.len() as u32) as usize].clone();
        let (from, to) = (vec![pick()], pick());
        case.policy.dependencies.push(Dependency { from, to });
    }
    case
}

fn column(random: &mut Random, name: &str, rows: u32, spread: u32) -> Column {
    let size = 1 + random.below(spread);
    let missing = random.percent(25);
    let numeric = random.percent(40);
    let cell = |random: &mut Random| (!(missing && random.percent(20))).then(|| random.below(size));
    let cells: Vec<Option<u32>> = (0..rows).map(|_| cell(random)).collect();
    if numeric {
        let number = |n: u32| f64::from(n) * 1.5 - 1.0;
        let cells: Vec<Option<f64>> = cells.iter().map(|cell| cell.map(number)).collect();
        return Column::from_numbers(name, &cells).expect("finite numbers");
    }
    let cells: Vec<Option<&str>> = cells.iter().map(|cell| cell.map(|n| VALUES[n as usize % 5])).collect();
    Column::from_texts(name, &cells)
}

/// A class that has something to do with the other columns.
fn class(random: &mut Random, others: &[Column], rows: u32, classes: u32) -> Column {
    let value = |row: u32, random: &mut Random| {
        let sum: u32 = others.iter().map(|column| column.code(row as usize)).sum();
        let value = if random.percent(60) { sum } else { random.below(classes) };
        Some(["x", "y", "z"][(value % classes) as usize])
    };
    let cells: Vec<Option<&str>> = (0..rows).map(|row| value(row, random)).collect();
    Column::from_texts("class", &cells)
}

/// Names in two groups and one value beside them; numbers in intervals.
fn taxonomy(column: &Column) -> Option<TaxonomySpec> {
    if column.kind() == Kind::Numeric {
        return Intervals::new(2.0, 0.0, 2).ok().map(TaxonomySpec::Intervals);
    }
    let lines =
        [["v0", "g", "all"], ["v1", "g", "all"], ["v2", "h", "all"], ["v3", "h", "all"], ["v4", "v4", "all"]];
    let lines = (1..).zip(lines.map(|line| line.to_vec()));
    TreeSpec::from_lines(lines).ok().map(TaxonomySpec::Tree)
}

fn people(random: &mut Random, rows: u32) -> People {
    match random.below(4) {
        0 => People::Weights((0..rows).map(|_| 1 + random.below(3)).collect()),
        1 => {
            let subjects: Vec<Option<f64>> =
                (0..rows).map(|_| Some(f64::from(random.below(rows * 2 / 3 + 1)))).collect();
            People::from_subject(&Column::from_numbers("subject", &subjects).expect("finite numbers"))
        }
        _ => People::Rows,
    }
}

/// Any requirements of any scope, mild enough for some trees to grow.
fn guarantee(random: &mut Random, policy: &Policy) -> Guarantee {
    let single = if random.percent(30) { SingleBin::Exempt } else { SingleBin::Counted };
    let mut guarantee = Guarantee::default();
    if random.percent(85) {
        guarantee = guarantee.with(Requirement::k(1 + u64::from(random.below(5)), single).expect("k"));
    }
    let distance = if random.percent(50) { Distance::Equal } else { Distance::Ordered };
    let more = [
        Requirement::distinct_l(1 + random.below(2)),
        Requirement::entropy_l(1.0 + random.unit() * 0.4),
        Requirement::recursive_l(2.0 + random.unit() * 3.0, 2),
        Requirement::confidence(0.6 + random.unit() * 0.4),
        Requirement::t_closeness(0.3 + random.unit() * 0.6, distance),
        Requirement::alpha(0.6 + random.unit() * 0.4),
        Requirement::beta(0.5 + random.unit() * 2.0),
        Requirement::smallest_bin(1 + u64::from(random.below(3))),
    ];
    for requirement in more {
        if random.percent(12) {
            guarantee = guarantee.with(requirement.expect("within its range"));
        }
    }
    if guarantee.is_empty() {
        guarantee = guarantee.with(Requirement::k(2, single).expect("k"));
    }
    let private: Vec<String> = policy
        .with_role(Role::Private)
        .filter(|name| !policy.known().contains(&(*name).to_owned()))
        .map(str::to_owned)
        .collect();
    guarantee.of(match random.below(5) {
        0 => Scope::Tested,
        1 => Scope::All,
        2 if !private.is_empty() => Scope::Named(private),
        _ => Scope::Class,
    })
}
