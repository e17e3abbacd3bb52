//! A model over dates is the model over whole numbers of days.

use crate::cases::{self, Case};
use crate::compare;
use crate::random::Random;
use crate::sets;
use incrowd_core::model::{Axis, Clusters, Domain, Model, ModelAttribute, Tree};
use incrowd_core::naive;
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::table::{Codes, Column, Date, Kind, Table, Texts, Values};

/// The numbers of a column that can be days, all of them whole.
fn days(column: &Column) -> Option<Vec<Date>> {
    let day = |number: &f64| (number.fract() == 0.0).then(|| Date::from_days(*number as i32)).flatten();
    column.values().numbers()?.iter().map(day).collect()
}

/// The same column with dates.
fn dated(column: &Column) -> Option<Column> {
    let texts: Texts = days(column)?.iter().map(ToString::to_string).collect();
    let codes = Codes::collect(texts.len() + 1, column.codes().iter());
    Column::new(column.name(), Values::Ordered(texts), codes).ok()
}

/// The case with whole numbers, and the same with dates in their place; none if it has no column for that.
fn both(mut case: Case) -> Option<(Case, Case)> {
    let takes_numbers = |name: &str| match case.model.as_ref() {
        Some(Model::Tree(tree)) => tree.attributes().iter().any(|a| a.name == name && is_numbers(&a.domain)),
        Some(Model::Clusters(clusters)) => {
            clusters.axes().iter().any(|a| a.name == name && is_numbers(&a.domain))
        }
        _ => false,
    };
    let has_values = |name: &str| case.policy.attribute(name).is_none_or(|a| !a.values.is_empty());
    let columns = case.table.columns().iter();
    let usable = columns.filter(|c| takes_numbers(c.name()) && !has_values(c.name()) && days(c).is_some());
    let names: Vec<String> = usable.map(|column| column.name().to_owned()).collect();
    if names.is_empty() {
        return None;
    }
    let mut with_dates =
        Case { model: case.model.as_ref().map(|model| flagged(model, &names)), ..case.clone() };
    let is_named = |column: &Column| names.iter().any(|name| name == column.name());
    let column = |column: &Column| {
        if is_named(column) { dated(column).expect("whole numbers") } else { column.clone() }
    };
    let columns = case.table.columns().iter().map(column).collect();
    with_dates.table = Table::new(columns, case.table.people().clone()).expect("columns of one length");
    for attribute in case.policy.attributes.iter_mut().filter(|a| names.contains(&a.name)) {
        attribute.whole = true;
    }
    Some((case, with_dates))
}

fn is_numbers(domain: &Domain) -> bool {
    matches!(domain, Domain::Numbers { .. })
}

fn flagged(model: &Model, names: &[String]) -> Model {
    match model {
        Model::Tree(tree) => {
            let flag = |a: &ModelAttribute| ModelAttribute { dates: names.contains(&a.name), ..a.clone() };
            let attributes = tree.attributes().iter().map(flag).collect();
            Model::Tree(Tree::new(attributes, tree.class().clone(), tree.nodes().to_vec()).expect("a tree"))
        }
        Model::Clusters(clusters) => {
            let flag = |axis: &Axis| Axis { dates: names.contains(&axis.name), ..axis.clone() };
            let axes = clusters.axes().iter().map(flag).collect();
            Model::Clusters(Clusters::new(axes, clusters.centroids().to_vec()).expect("clusters"))
        }
        Model::Rules(_) => model.clone(),
        _ => unreachable!("all families"),
    }
}

#[test]
fn dates_are_whole_numbers_of_days() {
    let mut compared = 0;
    for seed in 0..500 {
        let make = if seed % 2 == 0 { cases::of_tree } else { cases::of_clusters };
        let Some((numbers, dates)) = both(make(&mut Random::new(seed))) else { continue };
        let model = dates.model.as_ref().expect("a model");
        match (compare::fast(&numbers), compare::fast(&dates)) {
            (Ok(numbers), Ok(dates)) => assert_eq!(numbers, dates, "seed {seed}"),
            (Err(_), Err(_)) => continue,
            (numbers, dates) => panic!("seed {seed}: {:?}, {:?}", numbers.err(), dates.err()),
        }
        if let Ok(slow) = naive::audit_model(&dates.table, &dates.policy, model, &dates.guarantee) {
            let fast = compare::fast(&dates).expect("audited");
            assert_eq!((fast.k, fast.exposed, fast.spans), (slow.k, slow.exposed, slow.spans), "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 40, "only {compared} compared");
}

/// A cell with every whole number as a date; none if it has other numbers.
fn dated_cell(cell: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit() || ['-', '.'].contains(&c);
    let (mut dates, mut rest) = (String::new(), cell);
    while let Some(from) = rest.find(is_digit) {
        let to = rest[from..].find(|c| !is_digit(c)).map_or(rest.len(), |length| from + length);
        let number = rest[from..to].parse::<f64>().ok().filter(|number| number.fract() == 0.0)?;
        dates += &rest[..from];
        dates += &Date::from_days(number as i32)?.to_string();
        rest = &rest[to..];
    }
    Some(dates + rest)
}

/// A table of whole numbers and sets of them, and the same with dates in their place; none if it has no column for
/// that.
fn both_tables(mut case: Case) -> Option<(Case, Case)> {
    let mut with_dates = case.clone();
    let mut columns = case.table.columns().to_vec();
    let mut any = false;
    let pairs = case.policy.attributes.iter_mut().zip(&mut with_dates.policy.attributes);
    for (numbers, dates) in pairs.filter(|(own, _)| own.role == Role::Private && own.values.is_empty()) {
        let Some(column) = columns.iter_mut().find(|column| column.name() == numbers.name) else { continue };
        let texts = (0..column.values().len()).map(|code| column.values().text(code).into_owned());
        let texts: Vec<String> = texts.collect();
        let cells: Option<Vec<String>> = texts.iter().map(|text| dated_cell(text)).collect();
        let Some(cells) = cells.filter(|_| column.kind() == Kind::Numeric || is_of_numbers(numbers, &texts))
        else {
            continue;
        };
        *column = if column.kind() == Kind::Numeric {
            dated(column)?
        } else {
            let cell = |code: u32| cells.get(code as usize).cloned();
            Column::from_texts(column.name(), &column.codes().iter().map(cell).collect::<Vec<_>>())
        };
        (numbers.kind, numbers.whole) = (Some(Kind::Numeric), true);
        (dates.kind, dates.whole) = (Some(Kind::Date), false);
        any = true;
    }
    with_dates.table = Table::new(columns, case.table.people().clone()).expect("columns of one length");
    any.then_some((case, with_dates))
}

/// Whether texts are numbers and sets of numbers.
fn is_of_numbers(attribute: &Attribute, texts: &[String]) -> bool {
    let is_numbers = |text: &String| !text.chars().any(char::is_alphabetic) || text.ends_with(" or ?");
    attribute.taxonomy.is_none() && texts.iter().all(is_numbers)
}

/// Private dates of a table are days of their range, one by one and in sets and intervals.
#[test]
fn cells_of_dates_are_cells_of_days() {
    let mut compared = 0;
    for seed in 0..1500 {
        let Some((numbers, dates)) = both_tables(sets::of_sets(&mut Random::new(seed))) else { continue };
        match (compare::fast(&numbers), compare::fast(&dates)) {
            (Ok(mut numbers), Ok(mut dates)) => {
                // What follows from public attributes is written as it is.
                let groups = numbers.groups.iter_mut().chain(&mut dates.groups);
                groups.for_each(|group| group.rule.clear());
                assert_eq!(numbers, dates, "seed {seed}");
            }
            (Err(_), Err(_)) => continue,
            (numbers, dates) => panic!("seed {seed}: {:?}, {:?}", numbers.err(), dates.err()),
        }
        if let Ok(slow) = naive::audit_table(&numbers.table, &numbers.policy, &numbers.guarantee) {
            let fast = compare::fast(&dates).expect("audited");
            let figures = (slow.k, slow.exposed, slow.excluded, Some(slow.breaches));
            assert_eq!((fast.k, fast.exposed, fast.excluded, fast.breaches), figures, "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} compared");
}
