//! Random small tables with policies and guarantees.

use crate::random::Random;
use incrowd_core::guarantee::{Distance, Guarantee, Requirement, Scope, SeveralRows, SingleBin};
use incrowd_core::policy::{Attribute, Dependency, Policy, Role};
use incrowd_core::table::{Codes, Column, Kind, People, Table, Values};

/// What to make of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sort {
    Any,
    Numbers,
    /// Numbers far from zero or far apart.
    LargeNumbers,
    Names,
    /// Names, hardly ever missing.
    Class,
}

/// A column and all the names its values can have.
#[derive(Debug, Clone)]
pub(crate) struct Domain {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) values: Vec<String>,
    pub(crate) missing: bool,
}

/// A random table of `columns`, named a, b, c …
pub(crate) fn table(random: &mut Random, rows: usize, sorts: &[Sort], spread: usize) -> (Table, Vec<Domain>) {
    let made = sorts.iter().enumerate().map(|(i, &sort)| column(random, rows, i, sort, spread));
    let (columns, domains): (Vec<Column>, Vec<Domain>) = made.unzip();
    let people = people(random, rows);
    (Table::new(columns, people).expect("columns of one length"), domains)
}

fn column(random: &mut Random, rows: usize, place: usize, sort: Sort, spread: usize) -> (Column, Domain) {
    let name = char::from(b'a' + place as u8).to_string();
    let kind = match sort {
        Sort::Numbers | Sort::LargeNumbers => Kind::Numeric,
        Sort::Any | Sort::Names | Sort::Class => {
            random.pick(&[Kind::Categorical, Kind::Categorical, Kind::Ordered, Kind::Numeric])
        }
    };
    let size = if random.percent(4) { 1 } else { random.between(2, spread) };
    let missing =
        random.percent(if matches!(sort, Sort::Numbers | Sort::LargeNumbers | Sort::Class) { 1 } else { 15 });
    let skewed = random.percent(30);
    let cells: Vec<Option<usize>> = (0..rows)
        .map(|_| match () {
            () if missing && random.percent(25) => None,
            () if skewed && random.percent(50) => Some(0),
            () => Some(random.below(size)),
        })
        .collect();
    let values = match sort {
        Sort::LargeNumbers => large_numbers(random, size),
        _ => names(random, kind, size),
    };
    let column = coded(&name, kind, &values, &cells);
    (column, Domain { name, kind, values, missing })
}

/// The names of a column's values, in the order of its codes.
fn names(random: &mut Random, kind: Kind, size: usize) -> Vec<String> {
    let start = random.pick(&[-1, 0, 1, 2]);
    match kind {
        Kind::Numeric => (start..).take(size).map(|number| number.to_string()).collect(),
        Kind::Ordered => (0..size).rev().map(|i| format!("o{i}")).collect(),
        _ => (0..size).map(|i| format!("v{i}")).collect(),
    }
}

fn large_numbers(random: &mut Random, size: usize) -> Vec<String> {
    let (start, step) = (random.pick(&[0, 11_001, 98_000]), random.pick(&[1, 37, 1000, 12_345]));
    (0..size).map(|i| (start + i * step).to_string()).collect()
}

fn coded(name: &str, kind: Kind, values: &[String], cells: &[Option<usize>]) -> Column {
    match kind {
        Kind::Numeric => {
            let number = |i: usize| values[i].parse::<f64>().expect("a number");
            let cells: Vec<Option<f64>> = cells.iter().map(|cell| cell.map(number)).collect();
            Column::from_numbers(name, &cells).expect("finite numbers")
        }
        Kind::Ordered => {
            let codes = cells.iter().map(|cell| cell.unwrap_or(values.len()) as u32);
            let codes = Codes::collect(values.len() + 1, codes);
            Column::new(name, Values::Ordered(values.iter().collect()), codes).expect("codes of values")
        }
        _ => {
            let cells: Vec<Option<&String>> = cells.iter().map(|cell| cell.map(|i| &values[i])).collect();
            Column::from_texts(name, &cells)
        }
    }
}

fn people(random: &mut Random, rows: usize) -> People {
    match random.below(4) {
        0 => People::Weights((0..rows).map(|_| random.pick(&[1, 1, 1, 2, 3])).collect()),
        1 => {
            let subjects: Vec<Option<f64>> =
                (0..rows).map(|_| Some(random.below(rows * 2 / 3 + 1) as f64)).collect();
            People::from_subject(&Column::from_numbers("subject", &subjects).expect("finite numbers"))
        }
        _ => People::Rows,
    }
}

/// A random policy for the table; any roles, and at times dependencies.
pub(crate) fn policy(random: &mut Random, domains: &[Domain], class: Option<usize>) -> Policy {
    let publicity = random.pick(&[20, 50, 80]);
    let role = |random: &mut Random| if random.percent(publicity) { Role::Public } else { Role::Private };
    let declares = random.percent(35);
    let attribute = |domain: &Domain| {
        let mut attribute = Attribute::new(domain.name.clone(), role(random));
        if declares && random.percent(50) {
            declare(random, &mut attribute, domain);
        }
        attribute
    };
    let attributes = domains.iter().map(attribute).collect();
    let names: Vec<String> = domains.iter().map(|domain| domain.name.clone()).collect();
    let dependencies = if random.percent(25) {
        (0..random.between(1, 4)).map(|_| dependency(random, &names)).collect()
    } else {
        Vec::new()
    };
    let mut policy = Policy::new(attributes).with_dependencies(dependencies);
    policy.class = class.map(|class| names[class].clone());
    policy
}

/// Calls some of the numeric attributes whole, hardly ever one that has other numbers.
pub(crate) fn some_whole(random: &mut Random, policy: &mut Policy, domains: &[Domain]) {
    for (attribute, domain) in policy.attributes.iter_mut().zip(domains) {
        let numbers: Vec<f64> = domain.values.iter().filter_map(|value| value.parse().ok()).collect();
        // The naive audit of clusters tries whole numbers one by one.
        let are_near = numbers.iter().all(|number| (number - numbers[0]).abs() < 50.0);
        let are_whole = numbers.iter().all(|number| number.fract() == 0.0) || random.percent(2);
        let fits = are_near && are_whole;
        attribute.whole = domain.kind == Kind::Numeric && fits && random.percent(30);
    }
}

/// Declares a domain: mostly what the column can have and more, at times less.
fn declare(random: &mut Random, attribute: &mut Attribute, domain: &Domain) {
    if domain.kind == Kind::Numeric {
        let number = |i: usize| domain.values[i].parse::<f64>().expect("a number");
        let (low, high) = (number(0), number(domain.values.len() - 1));
        let ends = [2.0, 2.0, 2.5, 7.0, 7.0, 100.0, 100.0, 100.0, 0.0];
        attribute.range = Some((low - random.pick(&ends), high + random.pick(&ends)));
        return;
    }
    attribute.values.clone_from(&domain.values);
    if random.percent(97) {
        attribute.values.extend(["99".to_owned(), "none".to_owned()]);
    }
    if random.percent(50) {
        attribute.values.push("w".to_owned());
    }
    if random.percent(1) {
        attribute.values.remove(0);
    }
}

fn dependency(random: &mut Random, names: &[String]) -> Dependency {
    let from = (0..random.between(1, 2)).map(|_| random.pick(names)).collect();
    Dependency { from, to: random.pick(names) }
}

/// More dependencies between any attributes, at times.
pub(crate) fn some_dependencies(random: &mut Random, policy: &mut Policy, domains: &[Domain]) {
    let names: Vec<String> = domains.iter().map(|domain| domain.name.clone()).collect();
    if random.percent(40) {
        policy
            .dependencies
            .extend((0..random.between(1, 2)).map(|_| dependency(random, &names)).collect::<Vec<_>>());
    }
}

/// Dependencies for clusterings: mostly ones that no private number is in, for which they are refused, and more of
/// those.
pub(crate) fn tie_names(random: &mut Random, policy: &mut Policy, domains: &[Domain]) {
    if random.percent(2) {
        return;
    }
    let is_private = |name: &str| policy.attribute(name).is_some_and(|a| a.role == Role::Private);
    let number =
        |name: &str| domains.iter().any(|domain| domain.name == name && domain.kind == Kind::Numeric);
    let is_free = |name: &String| !(number(name) && is_private(name));
    let names: Vec<String> = domains.iter().map(|domain| domain.name.clone()).filter(is_free).collect();
    let mut kept: Vec<Dependency> = policy.dependencies.clone();
    kept.retain(|dependency| dependency.from.iter().chain([&dependency.to]).all(&is_free));
    if !names.is_empty() && random.percent(40) {
        kept.extend((0..random.between(1, 3)).map(|_| dependency(random, &names)).collect::<Vec<_>>());
    }
    policy.dependencies = kept;
}

/// A random guarantee: any of the requirements, any scope.
pub(crate) fn guarantee(random: &mut Random, policy: &Policy) -> Guarantee {
    let often = random.pick(&[0, 15, 40, 70]);
    let all: Vec<Requirement> = (0..9).map(|sort| requirement(random, sort)).collect();
    let asked = all.into_iter().filter(|_| random.percent(often)).collect();
    let names: Vec<String> = policy.attributes.iter().map(|a| a.name.clone()).collect();
    let scope = match random.below(5) {
        0 => Scope::Tested,
        1 => Scope::All,
        2 => Scope::Named((0..random.between(1, 2)).map(|_| random.pick(&names)).collect()),
        _ => Scope::Class,
    };
    Guarantee::new(asked, scope).expect("one of each sort")
}

fn requirement(random: &mut Random, sort: usize) -> Requirement {
    let share = random.pick(&[0.25, 1.0 / 3.0, 0.5, 2.0 / 3.0, 0.75, 0.8, 1.0]);
    let exempt = random.pick(&[SingleBin::Counted, SingleBin::Exempt]);
    let distance = random.pick(&[Distance::Equal, Distance::Ordered]);
    let l = random.between(1, 3) as u32;
    let made = match sort {
        0 => {
            let k = random.between(1, 6) as u64;
            let several = if k.is_multiple_of(2) { SeveralRows::Strict } else { SeveralRows::Counted };
            Requirement::k_over(k, exempt, several)
        }
        1 => Requirement::distinct_l(l),
        2 => Requirement::entropy_l(random.pick(&[1.0, 1.3, 1.526, 2.0, 3.0])),
        3 => Requirement::recursive_l(random.pick(&[0.5, 1.0, 2.0, 3.0]), l),
        4 => Requirement::confidence(share),
        5 => Requirement::t_closeness(random.pick(&[0.0, 0.1, 0.25, 0.5, 1.0]), distance),
        6 => Requirement::alpha(share),
        7 => Requirement::beta(random.pick(&[0.1, 0.5, 1.0, 2.0])),
        _ => Requirement::smallest_bin(random.between(1, 4) as u64),
    };
    made.expect("parameters within their ranges")
}
