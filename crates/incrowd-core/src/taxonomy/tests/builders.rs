use super::*;
use proptest::prelude::*;

fn build(spec: &TaxonomySpec, column: &Column) -> Taxonomy {
    Taxonomy::build(spec, column).expect("a taxonomy")
}

fn intervals(width: f64, origin: f64, factor: u32) -> TaxonomySpec {
    TaxonomySpec::Intervals(Intervals::new(width, origin, factor).expect("a rule"))
}

fn quantiles(count: u32, factor: u32) -> TaxonomySpec {
    TaxonomySpec::Quantiles(Quantiles::new(count, factor).expect("a rule"))
}

fn prefix(step: u32, pad: Option<char>) -> TaxonomySpec {
    TaxonomySpec::Prefix(Prefix::new(step, '*', pad).expect("a rule"))
}

#[test]
fn intervals_double_level_by_level() {
    let taxonomy = build(&intervals(10.0, 0.0, 2), &numbers(&[17.0, 23.0, 30.0, 79.0]));
    assert_eq!(path(&taxonomy, 0), ["17", "[10, 20)", "[0, 20)", "[0, 40)", "*"]);
    assert_eq!(path(&taxonomy, 2), ["30", "[30, 40)", "[20, 40)", "[0, 40)", "*"]);
    assert_eq!(path(&taxonomy, 3), ["79", "[70, 80)", "[60, 80)", "[40, 80)", "*"]);
}

#[test]
fn intervals_have_short_bounds_and_keep_them() {
    let taxonomy = build(&intervals(0.1, 0.0, 10), &numbers(&[0.25, 0.3, 0.7]));
    assert_eq!(path(&taxonomy, 0)[1], "[0.2, 0.3)");
    assert_eq!(path(&taxonomy, 1)[1], "[0.3, 0.4)");
    assert_eq!(path(&taxonomy, 2), ["0.7", "[0.7, 0.8)", "*"]);
}

#[test]
fn intervals_on_both_sides_of_the_origin_meet_in_the_root() {
    let taxonomy = build(&intervals(5.0, 0.0, 2), &numbers(&[-12.0, -1.0, 4.0]));
    assert_eq!(path(&taxonomy, 0), ["-12", "[-15, -10)", "[-20, -10)", "[-20, 0)", "*"]);
    assert_eq!(path(&taxonomy, 2), ["4", "[0, 5)", "[0, 10)", "[0, 20)", "*"]);
}

#[test]
fn round_bounds_grow_by_fives_and_tens() {
    let ages: Vec<f64> = (17..=90).map(f64::from).collect();
    let taxonomy = build(&TaxonomySpec::Round, &numbers(&ages));
    assert_eq!(path(&taxonomy, 0), ["17", "[15, 20)", "[10, 20)", "[0, 50)", "*"]);
    let taxonomy = build(&TaxonomySpec::Round, &numbers(&[0.12, 0.13, 0.2]));
    assert_eq!(path(&taxonomy, 0), ["0.12", "[0.1, 0.15)", "[0.1, 0.2)", "*"]);
    let taxonomy = build(&TaxonomySpec::Round, &numbers(&[3.0]));
    assert_eq!(path(&taxonomy, 0), ["3", "*"]);
}

#[test]
fn quantiles_cut_between_values() {
    let cells: Vec<f64> = (0..100).map(|row| f64::from(row) * 7.0).collect();
    let taxonomy = build(&quantiles(4, 2), &numbers(&cells));
    assert_eq!(path(&taxonomy, 0), ["0", "< 170", "< 346", "*"]);
    assert_eq!(path(&taxonomy, 30), ["210", "[170, 346)", "< 346", "*"]);
    assert_eq!(path(&taxonomy, 99), ["693", ">= 520", ">= 346", "*"]);
}

#[test]
fn quantiles_of_an_odd_count_leave_a_short_branch() {
    let taxonomy = build(&quantiles(3, 2), &numbers(&[1.0, 2.0, 3.0]));
    assert_eq!(path(&taxonomy, 0), ["1", "< 1.5", "< 2.5", "*"]);
    assert_eq!(path(&taxonomy, 2), ["3", ">= 2.5", "*"]);
}

#[test]
fn quantiles_heed_weights() {
    let column = numbers(&[1.0, 2.0, 3.0, 4.0]);
    let spec = quantiles(2, 2);
    let even = Taxonomy::build(&spec, &column).unwrap();
    assert_eq!(path(&even, 1)[1], "< 2.5");
    let heavy = Taxonomy::build_weighted(&spec, &column, |row| if row == 0 { 100 } else { 1 }).unwrap();
    assert_eq!(path(&heavy, 1)[1], ">= 1.5");
}

#[test]
fn prefixes_lose_characters() {
    let taxonomy = build(&prefix(1, None), &texts(&["12345", "12399", "2"]));
    assert_eq!(path(&taxonomy, 0), ["12345", "1234*", "123**", "12***", "1****", "*"]);
    assert_eq!(path(&taxonomy, 2), ["2", "*"]);
    assert_eq!(taxonomy.label(taxonomy.cover([0, 1]).unwrap()), "123**");
    let taxonomy = build(&prefix(2, Some('0')), &numbers(&[501.0, 10_115.0]));
    assert_eq!(path(&taxonomy, 0), ["00501", "005**", "0****", "*"]);
    assert_eq!(path(&taxonomy, 1), ["10115", "101**", "1****", "*"]);
}

#[test]
fn values_that_look_like_groups_are_refused() {
    assert!(Taxonomy::build(&prefix(1, None), &texts(&["12*", "123"])).is_err());
    assert!(Taxonomy::build(&prefix(1, None), &texts(&["1*", "12"])).is_err());
    assert!(Taxonomy::build(&prefix(1, Some('0')), &texts(&["01", "1"])).is_err());
    assert!(Taxonomy::build(&TaxonomySpec::Flat, &texts(&["*", "a"])).is_err());
}

#[test]
fn flat_puts_everything_under_the_root() {
    let taxonomy = build(&TaxonomySpec::Flat, &texts(&["a", "b", "?"]));
    assert_eq!((taxonomy.height(), taxonomy.len()), (1, 4));
    assert_eq!(path(&taxonomy, 2), ["?", "*"]);
    let empty = build(&TaxonomySpec::Flat, &texts(&[]));
    assert_eq!((empty.height(), empty.len(), empty.leaf_count(TaxonomyNode::ROOT)), (0, 1, 1));
}

#[test]
fn intervals_need_numbers() {
    for spec in [intervals(1.0, 0.0, 2), quantiles(2, 2), TaxonomySpec::Round] {
        assert!(Taxonomy::build(&spec, &texts(&["a"])).unwrap_err().what.contains("numbers"));
    }
}

#[test]
fn impossible_rules_are_refused() {
    assert!(Intervals::new(0.0, 0.0, 2).is_err());
    assert!(Intervals::new(f64::NAN, 0.0, 2).is_err());
    assert!(Intervals::new(1.0, f64::INFINITY, 2).is_err());
    assert!(Intervals::new(1.0, 0.0, 1).is_err());
    assert!(Quantiles::new(1, 2).is_err());
    assert!(Quantiles::new(4, 0).is_err());
    assert!(Prefix::new(0, '*', None).is_err());
    assert!(Prefix::new(1, '0', Some('0')).is_err());
    assert!(Taxonomy::build(&intervals(1e-3, 0.0, 2), &numbers(&[1e300])).is_err());
    assert!(Taxonomy::build(&intervals(1e-3, 1e17, 2), &numbers(&[1e17])).is_err());
}

/// The bounds of a label.
fn bounds(label: &str) -> (f64, f64) {
    if let Some(high) = label.strip_prefix("< ") {
        return (f64::NEG_INFINITY, high.parse().unwrap());
    }
    if let Some(low) = label.strip_prefix(">= ") {
        return (low.parse().unwrap(), f64::INFINITY);
    }
    match label
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|rest| rest.split_once(", "))
    {
        Some((low, high)) => (low.parse().unwrap(), high.parse().unwrap()),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

fn rule() -> impl Strategy<Value = TaxonomySpec> {
    prop_oneof![
        (prop_oneof![Just(0.1), Just(0.25), Just(7.0), 0.01f64..50.0], -5.0f64..5.0, 2u32..6)
            .prop_map(|(width, origin, factor)| intervals(width, origin, factor)),
        (2u32..20, 2u32..5).prop_map(|(count, factor)| quantiles(count, factor)),
        Just(TaxonomySpec::Round),
    ]
}

fn cells() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(-1000i32..1000, 1..40)
            .prop_map(|cells| cells.into_iter().map(|cell| f64::from(cell) / 10.0).collect()),
        prop::collection::vec(-1e3f64..1e3, 1..40),
    ]
}

proptest! {
    /// Every value lies in every interval above it, and every interval in the one above.
    #[test]
    fn intervals_hold_what_is_under_them(spec in rule(), cells in cells()) {
        let column = numbers(&cells);
        let taxonomy = build(&spec, &column);
        for code in 0..column.values().len() as u32 {
            let number = column.values().numbers().unwrap()[code as usize];
            let path = path(&taxonomy, code);
            prop_assert_eq!(path.last().map(String::as_str), Some(ANY));
            let mut inner = (number, number.next_up());
            for label in &path[1..] {
                let outer = bounds(label);
                prop_assert!(outer.0 <= inner.0 && inner.1 <= outer.1, "{:?} in {:?}", inner, path);
                inner = outer;
            }
        }
    }

    #[test]
    fn quantile_bounds_are_nobodys_value(count in 2u32..20, cells in cells()) {
        let column = numbers(&cells);
        let taxonomy = build(&quantiles(count, 2), &column);
        let ends: Vec<f64> = taxonomy.nodes().filter(|node| taxonomy.code(*node).is_none())
            .map(|node| bounds(taxonomy.label(node))).flat_map(|(low, high)| [low, high]).collect();
        prop_assert!(column.values().numbers().unwrap().iter().all(|number| !ends.contains(number)));
    }

    #[test]
    fn quantiles_are_as_even_as_the_gaps_allow(count in 2u32..8, weights in prop::collection::vec(0u64..9, 2..20)) {
        let gaps = super::super::number::quantile_gaps(count, &weights);
        let total: u64 = weights.iter().sum();
        let off = |gap: usize, part: u64| {
            (weights[..gap].iter().sum::<u64>() * u64::from(count)).abs_diff(total * part)
        };
        let mut expected: Vec<usize> = (1..u64::from(count))
            .filter_map(|part| (1..weights.len()).min_by_key(|gap| off(*gap, part)))
            .collect();
        expected.dedup();
        prop_assert_eq!(gaps, expected);
    }

    #[test]
    fn any_finite_numbers_build_or_fail_quietly(spec in rule(), cells in prop::collection::vec(any::<f64>(), 0..12)) {
        let cells: Vec<f64> = cells.into_iter().filter(|cell| cell.is_finite()).collect();
        let _ = Taxonomy::build(&spec, &numbers(&cells));
        if cells.iter().all(|cell| cell.abs() < 1e300) {
            prop_assert!(Taxonomy::build(&TaxonomySpec::Round, &numbers(&cells)).is_ok());
        }
    }

    #[test]
    fn prefixes_match_their_masks(values in prop::collection::btree_set("[0-9a-cé]{1,6}", 1..20), step in 1u32..4) {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let taxonomy = build(&prefix(step, None), &texts(&values));
        for (code, value) in (0u32..).zip(&values) {
            let path = path(&taxonomy, code);
            prop_assert_eq!(path.len(), 1 + value.chars().count().div_ceil(step as usize));
            for label in &path[..path.len() - 1] {
                prop_assert_eq!(label.chars().count(), value.chars().count());
                prop_assert!(label.chars().zip(value.chars()).all(|(l, v)| l == v || l == '*'));
            }
        }
    }
}
