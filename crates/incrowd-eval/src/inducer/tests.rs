//! Inducers against their definitions, on small random tables.

use super::logistic::testing;
use super::{Classifier, Examples, Inducer, Logistic, NaiveBayes};
use incrowd_core::table::{Column, People, Table};
use proptest::prelude::*;

/// Cells of two categorical attributes, a numeric one and the class; `None` is missing.
type Cells = (Option<u8>, Option<u8>, Option<i8>, Option<u8>);

fn cells() -> impl Strategy<Value = Cells> {
    let maybe = |values: std::ops::Range<u8>| prop::option::weighted(0.9, values);
    (maybe(0..3), maybe(0..2), prop::option::weighted(0.9, -3..6_i8), maybe(0..3))
}

fn table(rows: &[Cells], people: People) -> Table {
    let names = |name: &str, cell: &dyn Fn(&Cells) -> Option<u8>| {
        let texts: Vec<Option<String>> = rows.iter().map(|row| cell(row).map(|n| format!("v{n}"))).collect();
        Column::from_texts(name, &texts)
    };
    let numbers: Vec<Option<f64>> = rows.iter().map(|row| row.2.map(|n| f64::from(n) / 2.0)).collect();
    let columns = vec![
        names("a", &|row| row.0),
        names("b", &|row| row.1),
        Column::from_numbers("n", &numbers).expect("numbers"),
        names("class", &|row| row.3),
    ];
    Table::new(columns, people).expect("a table")
}

fn inputs() -> Vec<String> {
    ["a", "b", "n"].map(str::to_owned).to_vec()
}

fn learn(inducer: &dyn Inducer, table: &Table) -> Option<Box<dyn Classifier>> {
    inducer.learn(Examples { table, class: "class", inputs: &inputs() }).ok()
}

fn shares(inducer: &dyn Inducer, table: &Table, asked: &Table) -> Option<Vec<f64>> {
    Some(learn(inducer, table)?.shares(asked).expect("shares"))
}

fn close(one: &[f64], other: &[f64], tolerance: f64) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(x, y)| (x - y).abs() < tolerance)
}

/// Naive Bayes directly from the definition: products of frequencies and masses, row by row.
fn naive_bayes(rows: &[Cells], classes: &[u8], asked: Cells) -> Vec<f64> {
    let of = |class: u8| rows.iter().filter(move |row| row.3 == Some(class));
    let rows: Vec<&Cells> = rows.iter().filter(|row| row.3.is_some()).collect();
    let values = |cell: &dyn Fn(&Cells) -> Option<u8>, all: &[Cells]| {
        let mut values: Vec<u8> = all.iter().filter_map(cell).collect();
        values.sort_unstable();
        values.dedup();
        values.len() as f64
    };
    let everyone: Vec<Cells> = rows.iter().map(|&&row| row).collect();
    let mut likelihoods = Vec::new();
    for &class in classes {
        let mut product = (of(class).count() as f64 + 1.0) / (rows.len() + classes.len()) as f64;
        for cell in [&(|row: &Cells| row.0) as &dyn Fn(&Cells) -> Option<u8>, &|row: &Cells| row.1] {
            let Some(value) = cell(&asked) else { continue };
            let met = of(class).filter(|row| cell(row) == Some(value)).count() as f64;
            let known = of(class).filter(|row| cell(row).is_some()).count() as f64;
            product *= (met + 1.0) / (known + values(cell, &everyone));
        }
        if let Some(number) = asked.2 {
            let numbers: Vec<f64> = of(class).filter_map(|row| row.2).map(|n| f64::from(n) / 2.0).collect();
            let mut all: Vec<f64> = rows.iter().filter_map(|row| row.2).map(|n| f64::from(n) / 2.0).collect();
            all.sort_unstable_by(f64::total_cmp);
            all.dedup();
            product *= mass(&numbers, &all, f64::from(number) / 2.0);
        }
        likelihoods.push(product);
    }
    let sum: f64 = likelihoods.iter().sum();
    likelihoods.iter().map(|x| x / sum).collect()
}

/// The mass of a normal distribution around a number, by Simpson's rule.
fn mass(numbers: &[f64], all: &[f64], number: f64) -> f64 {
    let gaps = all.len() as f64 - 1.0;
    let precision = if gaps > 0.0 { (all[all.len() - 1] - all[0]) / gaps } else { 0.01 };
    let round = |x: f64| (x / precision).round_ties_even() * precision;
    let size = numbers.len() as f64;
    let mean = if numbers.is_empty() { 0.0 } else { numbers.iter().map(|&x| round(x)).sum::<f64>() / size };
    let squares: f64 = numbers.iter().map(|&x| (round(x) - mean).powi(2)).sum();
    let deviation = (squares / size.max(1.0)).sqrt();
    let deviation = if deviation > 1e-10 { deviation.max(precision / 6.0) } else { precision / 6.0 };
    let density =
        |x: f64| (-((x - mean) / deviation).powi(2) / 2.0).exp() / (deviation * std::f64::consts::TAU.sqrt());
    let (low, steps) = (round(number) - precision / 2.0, 2000);
    let at = |i: i32| low + precision * f64::from(i) / f64::from(steps);
    let weight = |i: i32| match i {
        _ if i == 0 || i == steps => 1.0,
        _ if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=steps).map(|i| weight(i) * density(at(i))).sum();
    (sum * precision / f64::from(steps) / 3.0).max(1e-75)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn naive_bayes_is_its_definition(rows in prop::collection::vec(cells(), 4..40)) {
        // Values that only rows without a class have would be in the value table, and in the correction.
        let rows: Vec<Cells> = rows.into_iter().filter(|row| row.3.is_some()).collect();
        let table = table(&rows, People::Rows);
        let Some(learned) = learn(&NaiveBayes, &table) else { return Ok(()) };
        let classes: Vec<u8> =
            learned.classes().iter().map(|name| name[1..].parse().expect("a class")).collect();
        let shares = learned.shares(&table).expect("shares");
        for (row, own) in rows.iter().zip(shares.chunks(classes.len())) {
            let expected = naive_bayes(&rows, &classes, *row);
            prop_assert!(close(own, &expected, 1e-6), "{own:?}, {expected:?}");
        }
    }

    #[test]
    fn merging_rows_changes_nothing(rows in prop::collection::vec(cells(), 4..60)) {
        let table = table(&rows, People::Rows);
        let merged = table.merged();
        let bayes = |from: &Table| shares(&NaiveBayes, from, &table);
        prop_assert_eq!(bayes(&table), bayes(&merged));
        let logistic = |from: &Table| shares(&Logistic { ridge: 1e-3 }, from, &table).unwrap_or_default();
        prop_assert!(close(&logistic(&table), &logistic(&merged), 1e-6));
    }

    #[test]
    fn logistic_ends_where_the_loss_is_flat(rows in prop::collection::vec(cells(), 6..60), ridge in 0.001..1.0) {
        let table = table(&rows, People::Rows);
        let inputs = inputs();
        let Ok(bound) = (Examples { table: &table, class: "class", inputs: &inputs }).bind() else { return Ok(()) };
        let (newton, lbfgs) = (testing::newton(&bound, ridge), testing::lbfgs(&bound, ridge));
        prop_assert!(newton.slope < 1e-3, "{}", newton.slope);
        prop_assert!((newton.loss - lbfgs.loss).abs() < 1e-6 * newton.loss.max(1.0));
        let descent = testing::descent(&bound, ridge);
        prop_assert!(newton.loss <= descent.loss + 1e-9);
        prop_assert!((newton.loss - descent.loss).abs() < 1e-2 * newton.loss.max(1.0), "{} {}", newton.loss, descent.loss);
        prop_assert!(newton.gradient_is_right);
    }

    #[test]
    fn shares_add_up(rows in prop::collection::vec(cells(), 4..40), asked in prop::collection::vec(cells(), 1..10)) {
        let (table, asked) = (table(&rows, People::Rows), table(&asked, People::Rows));
        for inducer in [&NaiveBayes as &dyn Inducer, &Logistic::default()] {
            let Some(learned) = learn(inducer, &table) else { continue };
            let shares = learned.shares(&asked).expect("shares");
            for row in shares.chunks(learned.classes().len()) {
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row:?}");
                prop_assert!(row.iter().all(|share| (0.0..=1.0).contains(share)));
            }
        }
    }
}

/// A table with a categorical attribute and the class.
fn small(a: [&str; 4], class: [&str; 4]) -> Table {
    let column = |name, cells: [&str; 4]| Column::from_texts(name, &cells.map(Some));
    Table::new(vec![column("a", a), column("class", class)], People::Rows).expect("a table")
}

#[test]
fn a_name_that_was_not_there_says_nothing() {
    let train = small(["x", "x", "y", "y"], ["p", "q", "q", "q"]);
    let asked = small(["z", "z", "x", "y"], ["p", "p", "p", "p"]);
    for inducer in [&NaiveBayes as &dyn Inducer, &Logistic { ridge: 0.1 }] {
        let examples = Examples { table: &train, class: "class", inputs: &["a".to_owned()] };
        let shares = inducer.learn(examples).expect("learned").shares(&asked).expect("shares");
        let (unknown, x, y) = (shares[0], shares[4], shares[6]);
        assert!(x > unknown && unknown > y, "{}: {shares:?}", inducer.name());
    }
}

#[test]
fn errors_name_the_attribute_and_a_way_out() {
    let train = small(["x", "x", "y", "y"], ["p", "q", "q", "q"]);
    let error = |class: &str, inputs: &[String]| {
        let learned = NaiveBayes.learn(Examples { table: &train, class, inputs });
        learned.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(error("income", &[]).contains("income"));
    assert!(error("class", &["b".to_owned()]).contains('b'));
    assert!(error("class", &["class".to_owned()]).contains("itself"));
    let numbers: Vec<Option<f64>> = (0..200).map(|n| Some(f64::from(n))).collect();
    let numbers = Table::new(vec![Column::from_numbers("class", &numbers).expect("numbers")], People::Rows);
    let learned =
        NaiveBayes.learn(Examples { table: &numbers.expect("a table"), class: "class", inputs: &[] });
    assert!(learned.err().is_some_and(|error| error.help.is_some()));
}

#[test]
fn numbers_cannot_be_asked_about_names() {
    let numbers = Column::from_numbers("a", &[1.0, 2.0, 3.0, 4.0].map(Some)).expect("numbers");
    let class = Column::from_texts("class", &["p", "q", "q", "q"].map(Some));
    let train = Table::new(vec![numbers, class], People::Rows).expect("a table");
    let asked = small(["x", "x", "y", "y"], ["p", "q", "q", "q"]);
    for inducer in [&NaiveBayes as &dyn Inducer, &Logistic::default()] {
        let examples = Examples { table: &train, class: "class", inputs: &["a".to_owned()] };
        let error = inducer.learn(examples).expect("learned").shares(&asked).expect_err("names");
        assert_eq!(error.place.attribute.as_deref(), Some("a"));
    }
}
