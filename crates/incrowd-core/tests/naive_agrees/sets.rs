//! Tables whose private cells are sets of values, spelled in many ways.

use crate::cases::{self, Case};
use crate::random::Random;
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::table::{Column, Kind, Table};
use incrowd_core::taxonomy::{Prefix, TaxonomySpec, TreeSpec};

/// A random table; most of its private columns have cells that state less than a value.
pub(crate) fn of_sets(random: &mut Random) -> Case {
    let mut case = cases::of_table(random);
    let mut columns = case.table.columns().to_vec();
    for column in &mut columns {
        let private =
            |attribute: &&mut Attribute| attribute.name == column.name() && attribute.role == Role::Private;
        let Some(attribute) = case.policy.attributes.iter_mut().find(private) else { continue };
        if random.percent(85) {
            *column = blurred(random, column, attribute);
        }
    }
    case.table = Table::new(columns, case.table.people().clone()).expect("columns of the same length");
    case
}

fn blurred(random: &mut Random, column: &Column, attribute: &mut Attribute) -> Column {
    let texts: Vec<String> =
        (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect();
    let is_numeric = column.kind() == Kind::Numeric;
    declare(random, attribute, column.kind(), &texts);
    let often = random.pick(&[0, 20, 60, 100]);
    let plain = random.percent(30);
    let cell = |code: u32| {
        let text = texts.get(code as usize)?;
        Some(match () {
            () if random.percent(often) => text.clone(),
            () if plain => format!("{{{text}}}"),
            () if is_numeric => interval(random, text, &texts),
            () => set(random, text, &texts, attribute),
        })
    };
    Column::from_texts(column.name(), &column.codes().iter().map(cell).collect::<Vec<_>>())
}

/// Sometimes the policy states more about the attribute: its kind, whole numbers, a taxonomy.
fn declare(random: &mut Random, attribute: &mut Attribute, kind: Kind, texts: &[String]) {
    match kind {
        Kind::Numeric => {
            attribute.whole = random.percent(30);
            attribute.kind = random.percent(30).then_some(Kind::Numeric);
        }
        Kind::Ordered if !attribute.values.is_empty() && random.percent(60) => {
            attribute.kind = Some(Kind::Ordered);
        }
        _ if random.percent(25) && texts.len() > 1 => {
            let lines = texts.iter().enumerate().map(|(i, text)| {
                let group = if i < 2 { "first" } else { "last" };
                (i as u64, vec![text.as_str(), group, "*"])
            });
            attribute.taxonomy = TreeSpec::from_lines(lines).ok().map(TaxonomySpec::Tree);
        }
        _ if random.percent(20) => {
            attribute.taxonomy = Prefix::new(1, '*', None).ok().map(TaxonomySpec::Prefix);
        }
        _ => {}
    }
}

fn set(random: &mut Random, text: &str, texts: &[String], attribute: &Attribute) -> String {
    let other = random.pick(texts);
    let sorts = if random.percent(10) { 14 } else { 9 };
    match random.below(sorts) {
        0 | 1 => format!("{{{text}}}"),
        2 | 3 => format!("{{{text}, {other}}}"),
        4 => format!("{{{other},{text}}}"),
        5 => "*".to_owned(),
        6 => format!("{{{}}}", texts.join(", ")),
        7 if matches!(attribute.taxonomy, Some(TaxonomySpec::Prefix(_))) => format!("{}*", &text[..1]),
        7 if attribute.taxonomy.is_some() => random.pick(&["first", "last"]).to_owned(),
        8 => "?".to_owned(),
        9 => "other values".to_owned(),
        10 => format!("{{{text}, ?}}"),
        11 => format!("{{{text}, other values}}"),
        12 => "{undeclared}".to_owned(),
        _ => text.to_owned(),
    }
}

fn interval(random: &mut Random, text: &str, texts: &[String]) -> String {
    let own: f64 = text.parse().expect("a number");
    let ends = [0.0, 0.0, 0.5, 1.0, 1.0, 2.0];
    let (low, high) = (own - random.pick(&ends), own + random.pick(&ends));
    let sorts = if random.percent(10) { 15 } else { 11 };
    match random.below(sorts) {
        0 => format!("[{low}, {high}]"),
        1 => format!("[{low}, {})", high + 1.0),
        2 => format!("({}, {high}]", low - 1.0),
        3 => format!("<= {high}"),
        4 => format!("> {}", low - 0.5),
        5 => format!(">= {low}"),
        6 => format!("{{{text}, {}}}", random.pick(texts)),
        7 | 8 => format!("{{{text}}}"),
        9 => "*".to_owned(),
        10 => format!("{text}.0"),
        11 => "any number".to_owned(),
        12 => format!("[{low}, {high}] or ?"),
        13 => "x".to_owned(),
        _ => "?".to_owned(),
    }
}
