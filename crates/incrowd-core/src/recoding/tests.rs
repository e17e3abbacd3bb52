//! The recoding compared with a twin that goes through all groups, straight from the definition.

use super::*;
use crate::random::Random;
use crate::table::Kind;
use std::collections::BTreeMap;

/// A random extent of a kind, with its text.
fn cell(random: &mut Random, kind: Kind) -> (String, Extent) {
    let names = ["a", "b", "c", "d", "e", "ab", "123", "124", "133", "9"];
    let (low, more) = (random.below(20), random.below(6));
    let range = |(from_low, to_high)| NumberRange {
        low: Some(f64::from(low)),
        high: Some(f64::from(low + more)),
        from_low,
        to_high,
    };
    let mut extent = match (random.below(8), kind) {
        (0, _) => Extent::anything(),
        (1, _) => Extent::missing(),
        (2, Kind::Categorical) => {
            let code = MaskedCode {
                shown: ["1", "12", "0"][low as usize % 3].to_owned(),
                length: 3,
                pad: Some('0'),
            };
            Extent { codes: vec![code], ..Extent::default() }
        }
        (_, Kind::Categorical) => {
            Extent::union((0..=more).map(|i| Extent::name(names[(low + i * 3) as usize % names.len()])))
        }
        (2, _) => Extent::range(NumberRange { low: None, ..range((true, true)) }),
        (3, _) => Extent::range(NumberRange { high: None, ..range((false, true)) }),
        (4, _) => {
            Extent::union([1, 5, 9].map(|far| Extent::range(NumberRange::point(f64::from(low + far * more)))))
        }
        _ => Extent::range(range((random.below(2) == 0, more == 0 || random.below(2) == 0))),
    };
    extent.missing |= random.below(6) == 0;
    (format!("{extent:?}"), extent)
}

/// A random recoding, the groups as they are in the table, and new rows.
fn case(seed: u64) -> (Recoding, Vec<Vec<Extent>>, Table) {
    let random = &mut Random::of(seed, 1);
    let kinds: Vec<Kind> =
        (0..=random.below(4)).map(|i| if i % 2 == 0 { Kind::Categorical } else { Kind::Numeric }).collect();
    let (groups, rows) = (1 + random.below(60) as usize, 30);
    let (mut legends, mut columns, mut new) = (Vec::new(), Vec::new(), Vec::new());
    let mut extents: Vec<Vec<Extent>> = vec![Vec::new(); groups];
    for (place, &kind) in kinds.iter().enumerate() {
        let name = format!("x{place}");
        let cells: BTreeMap<String, Extent> = (0..=random.below(12)).map(|_| cell(random, kind)).collect();
        let texts: Vec<&String> = cells.keys().collect();
        let chosen: Vec<&String> =
            (0..groups).map(|_| texts[random.below(texts.len() as u32) as usize]).collect();
        extents.iter_mut().zip(&chosen).for_each(|(group, text)| group.push(cells[*text].clone()));
        columns.push(Column::from_texts(&name, &chosen.iter().map(Some).collect::<Vec<_>>()));
        legends.push(AttributeLegend::new(&name, kind, cells.clone()));
        new.push(if kind == Kind::Numeric {
            let number = |_| (random.below(9) > 0).then(|| f64::from(random.below(60)) / 2.0 - 2.0);
            Column::from_numbers(&name, &(0..rows).map(number).collect::<Vec<_>>()).expect("numbers")
        } else {
            let names = ["a", "b", "e", "z", "ab", "12", "123", "129", "9", "1234"];
            let text = |_| (random.below(9) > 0).then(|| names[random.below(10) as usize]);
            Column::from_texts(&name, &(0..rows).map(text).collect::<Vec<_>>())
        });
    }
    let unit = if seed.is_multiple_of(4) { Unit::Attribute } else { Unit::Group };
    let released = Table::new(columns, People::Rows).expect("columns");
    let recoding = Recoding::new(Legend { unit, attributes: legends }, &released).expect("a recoding");
    (recoding, extents, Table::new(new, People::Rows).expect("rows"))
}

/// Whether an extent covers a value, by the definition; none is a missing value.
fn covers(extent: &Extent, value: Option<&str>) -> bool {
    let Some(value) = value else { return extent.any || extent.missing };
    let number: Option<f64> = value.parse().ok();
    let fits = |code: &MaskedCode| {
        let mut text = value.to_owned();
        while let Some(pad) = code.pad.filter(|_| text.chars().count() < code.length as usize) {
            text.insert(0, pad);
        }
        text.chars().count() == code.length as usize && text.starts_with(&code.shown)
    };
    extent.any
        || extent.names.iter().any(|name| name == value)
        || extent.codes.iter().any(fits)
        || number.is_some_and(|number| extent.ranges.iter().any(|range| range.contains(number)))
}

/// The distance of a value to an extent, by the definition.
fn distance(extent: &Extent, value: Option<&str>, range: f64, kind: Kind) -> f64 {
    if covers(extent, value) {
        return 0.0;
    }
    let number: Option<f64> = value.and_then(|value| value.parse().ok()).filter(|_| kind == Kind::Numeric);
    let gap = |of: &NumberRange, number: f64| {
        let below = of.low.map_or(0.0, |low| low - number);
        below.max(of.high.map_or(0.0, |high| number - high)).max(0.0)
    };
    let gaps = extent.ranges.iter().filter_map(|of| number.map(|number| gap(of, number)));
    let shares = gaps.map(|gap| if gap > 0.0 { 1.0 - range / (gap + range) } else { f64::MIN_POSITIVE });
    shares.fold(1.0, f64::min)
}

fn value(column: &Column, row: usize) -> Option<String> {
    let code = column.code(row);
    (code != column.missing_code()).then(|| column.values().text(code as usize).into_owned())
}

#[test]
fn rows_take_the_cells_of_the_nearest_group() {
    for seed in 0..600 {
        let (recoding, _, new) = case(seed);
        let (table, counts) = recoding.apply_counted(&new, &crate::progress::Silent).expect("recoded");
        assert_eq!((counts.rows, counts.covered + counts.nearest), (30, 30), "seed {seed}");
        let cells = recoding.cells().expect("cells");
        let range = |place: usize| {
            let extents = (0..cells.rows()).map(|group| extent_of(&recoding, &cells, place, group));
            let bounds =
                extents.flat_map(|extent| extent.ranges).flat_map(|range| [range.low, range.high]).flatten();
            let (low, high) =
                bounds.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), n| (a.min(n), b.max(n)));
            (high - low).max(0.0)
        };
        let ranges: Vec<f64> = (0..new.columns().len()).map(range).collect();
        let far = |place: usize, row: usize, group: usize| {
            let kind = recoding.legend().attributes[place].kind;
            let value = value(&new.columns()[place], row);
            distance(&extent_of(&recoding, &cells, place, group), value.as_deref(), ranges[place], kind)
        };
        let mut covered = 0;
        for row in 0..new.rows() {
            let got = |place: usize| value(&table.columns()[place], row).expect("a cell");
            let places = 0..new.columns().len();
            if recoding.legend().unit == Unit::Attribute {
                let mut is_covered = true;
                for place in places {
                    let least =
                        (0..cells.rows()).map(|group| far(place, row, group)).fold(f64::INFINITY, f64::min);
                    let taken = (0..cells.rows())
                        .find(|&group| value(&cells.columns()[place], group) == Some(got(place)));
                    let own = taken.map_or(1.0, |group| far(place, row, group));
                    assert!((own - least).abs() < 1e-12, "seed {seed}, row {row}: {own} for {least}");
                    is_covered &= taken.is_some()
                        && covers(
                            &extent_of(&recoding, &cells, place, taken.unwrap_or(0)),
                            value(&new.columns()[place], row).as_deref(),
                        );
                }
                covered += u64::from(is_covered);
                continue;
            }
            let total = |group: usize| -> f64 { places.clone().map(|place| far(place, row, group)).sum() };
            let least = (0..cells.rows()).map(total).fold(f64::INFINITY, f64::min);
            let is = |group: usize| {
                places.clone().all(|place| value(&cells.columns()[place], group) == Some(got(place)))
            };
            let taken =
                (0..cells.rows()).find(|&group| is(group)).unwrap_or_else(|| panic!("seed {seed}: no group"));
            assert!(total(taken) <= least + 1e-12, "seed {seed}, row {row}: not the nearest");
            // Groups are sorted by how specific they are.
            let covers_all = |group: usize| {
                places.clone().all(|place| {
                    let value = value(&new.columns()[place], row);
                    covers(&extent_of(&recoding, &cells, place, group), value.as_deref())
                })
            };
            let covering = (0..cells.rows()).find(|&group| covers_all(group));
            assert!(
                covering.is_none_or(|covering| taken == covering),
                "seed {seed}, row {row}: not the most specific"
            );
            let is_covered = covering.is_some();
            covered += u64::from(is_covered);
        }
        assert_eq!(counts.covered, covered, "seed {seed}");
    }
}

fn extent_of(recoding: &Recoding, cells: &Table, place: usize, group: usize) -> Extent {
    let text = value(&cells.columns()[place], group).expect("a cell");
    recoding.legend().attributes[place].extent(&text).expect("an extent")
}

#[test]
fn unseen_values_are_those_that_no_cell_covers() {
    for seed in 0..200 {
        let (recoding, extents, new) = case(seed);
        let (_, counts) = recoding.apply_counted(&new, &crate::progress::Silent).expect("recoded");
        let unseen = |place: usize| {
            let seen = |row: &usize| {
                let value = value(&new.columns()[place], *row);
                extents.iter().any(|group| covers(&group[place], value.as_deref()))
            };
            (0..new.rows()).filter(|row| !seen(row)).count() as u64
        };
        for (place, column) in new.columns().iter().enumerate() {
            let counted = counts.unseen.iter().find(|unseen| unseen.attribute == column.name());
            assert_eq!(
                counted.map_or(0, |unseen| unseen.rows),
                unseen(place),
                "seed {seed}, {}",
                column.name()
            );
        }
    }
}

#[test]
fn texts_state_what_they_cover() {
    let days = |from: &str, to: &str| {
        let day = |text: &str| Some(f64::from(crate::table::Date::parse(text, None).expect("a date").days()));
        NumberRange { low: day(from), high: day(to), from_low: true, to_high: true }
    };
    for (text, from, to) in [
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2024-Q4", "2024-10-01", "2024-12-31"),
        ("2023", "2023-01-01", "2023-12-31"),
        ("9999", "9999-01-01", "9999-12-31"),
        ("2023-05-06", "2023-05-06", "2023-05-06"),
    ] {
        assert_eq!(Extent::of_text(Kind::Date, text), Some(Extent::range(days(from, to))), "{text}");
    }
    let set = Extent::of_text(Kind::Date, "{2023-Q1, 2023-07-01, ?}").expect("dates");
    assert_eq!((set.ranges.len(), set.missing), (2, true));
    for wrong in ["2023-13", "2023-Q5", "2023-Q0", "20x3", "2023-1", "soon", "{2023, soon}"] {
        assert_eq!(Extent::of_text(Kind::Date, wrong), None, "{wrong}");
    }
    let numbers = |text: &str| Extent::of_text(Kind::Numeric, text).expect("numbers");
    assert!(numbers("[1, 3)").ranges[0].contains(1.0) && !numbers("[1, 3)").ranges[0].contains(3.0));
    assert!(numbers("> 2 or ?").missing && numbers("*").any && numbers("?").ranges.is_empty());
    assert_eq!(numbers("{1, 2, ?}").ranges.len(), 2);
    assert_eq!(Extent::of_text(Kind::Numeric, "old"), None);
    let names = Extent::of_text(Kind::Categorical, "{a, b, ?}").expect("names");
    assert_eq!((names.names.len(), names.missing), (2, true));
    // A name that reads like a set is in the legend, and nothing else is.
    let legend = AttributeLegend::new(
        "x",
        Kind::Categorical,
        [("{a, b}".to_owned(), Extent::name("{a, b}")), ("c".to_owned(), Extent::name("c"))],
    );
    assert_eq!(legend.cells.keys().collect::<Vec<_>>(), ["{a, b}"]);
    assert_eq!(legend.extent("{a, b}"), Some(Extent::name("{a, b}")));
}

#[test]
fn a_cell_without_a_meaning_is_an_error() {
    let released =
        Table::new(vec![Column::from_texts("age", &[Some("old")])], People::Rows).expect("a table");
    let legend =
        |name| Legend { unit: Unit::Group, attributes: vec![AttributeLegend::new(name, Kind::Numeric, [])] };
    let error = Recoding::new(legend("age"), &released).expect_err("no meaning");
    assert!(error.what.contains("does not explain"), "{error}");
    assert!(Recoding::new(legend("zip"), &released).is_err());
}

#[test]
fn work_can_be_cancelled() {
    let (recoding, _, new) = case(1);
    let cancel = crate::progress::Cancel::new();
    cancel.cancel();
    assert!(recoding.apply_counted(&new, &cancel).is_err());
}
