//! Every worked example of the VLDB Journal paper (and of the PKDD paper, which shares them).

use super::Sketch::{Leaf, Split};
use super::*;
use crate::model::{Axis, Centroid, Clusters, Item, Rule, Rules};
use crate::samples;

fn figure_1(table: &Table) -> Model {
    let male = Split("Age", vec![("Young", Leaf), ("Old", Leaf)]);
    let female = Split("Married", vec![("Yes", Leaf), ("No", Leaf)]);
    tree(table, "Loan Risk", Split("Gender", vec![("Male", male), ("Female", female)]))
}

const MORTGAGE: [&str; 4] = ["Gender", "Married", "Age", "Sports Car"];

#[test]
fn table_1_and_figure_1_are_three_anonymous_and_expose_two_leaves() {
    let table = samples::mortgage_of_twelve().table;
    let policy = policy(&MORTGAGE, &["Loan Risk"], "Loan Risk");
    let model = figure_1(&table);
    let report = audit_model(&table, &policy, &model, &k(3)).unwrap();
    assert!(report.holds);
    assert_eq!((report.k, sizes(&report)), (3, vec![3, 3, 3, 3]));
    // Leaf 1 has good risks only, leaf 3 bad ones only: anonymity is not the same as inference.
    assert_eq!((report.exposed, report.max_confidence), (6, Some(1.0)));
    assert!(!audit_model(&table, &policy, &model, &k(4)).unwrap().holds);
}

#[test]
fn table_2_is_the_same_release_as_a_table() {
    let table = samples::mortgage_anonymized().table;
    let policy = policy(&MORTGAGE, &["Loan Risk"], "Loan Risk");
    let report = audit_table(&table, &policy, &k(3)).unwrap();
    assert!(report.holds);
    assert_eq!((report.k, sizes(&report), report.exposed), (3, vec![3, 3, 3, 3], 6));
}

#[test]
fn table_3_original_gives_ben_and_laura_away_and_the_anonymized_one_does_not() {
    let policy = policy(&["Zipcode"], &["Income"], "");
    let original = audit_table(&samples::zip_original().table, &policy, &k(2)).unwrap();
    assert!(!original.holds);
    assert_eq!(
        (original.k, original.breaches, original.in_breach, original.exposed),
        (1, Some(2), Some(2), 2)
    );
    let anonymized = audit_table(&samples::zip_anonymized().table, &policy, &k(2)).unwrap();
    assert!(anonymized.holds);
    assert_eq!((anonymized.k, anonymized.exposed), (2, 0));
}

fn figure_2(table: &Table) -> Model {
    let yes = Split("Marital Status", vec![("Married", Leaf), ("Unmarried", Leaf)]);
    tree(table, "Loan Risk", Split("Sports Car", vec![("Yes", yes), ("No", Leaf)]))
}

#[test]
fn figure_2_is_three_anonymous_if_the_sports_car_is_private() {
    let table = samples::mortgage_of_six().table;
    let policy = policy(&["Marital Status"], &["Sports Car", "Loan Risk"], "Loan Risk");
    let report = audit_model(&table, &policy, &figure_2(&table), &k(3)).unwrap();
    assert!(report.holds);
    assert_eq!((report.k, sizes(&report), report.exposed), (3, vec![3, 3], 0));
    let mut rules: Vec<_> = report.groups.iter().map(|group| group.rule.as_str()).collect();
    rules.sort_unstable();
    assert_eq!(rules, ["Marital Status = Married", "Marital Status = Unmarried"]);
}

#[test]
fn figure_2_links_john_alone_if_the_sports_car_is_public() {
    let table = samples::mortgage_of_six().table;
    let policy = policy(&["Marital Status", "Sports Car"], &["Loan Risk"], "Loan Risk");
    let report = audit_model(&table, &policy, &figure_2(&table), &k(3)).unwrap();
    assert!(!report.holds);
    assert_eq!(sizes(&report), [1, 2, 3]);
    assert_eq!(report.groups[0].rule, "Sports Car = Yes, Marital Status = Married");
}

/// The areas of Figure 3 as nearest cells: zip codes by 500, incomes by 20,000.
fn figure_3() -> Model {
    let axes = vec![
        Axis { scale: 500.0, ..Axis::new("Zip Code", 11_001.0, 15_013.0) },
        Axis { scale: 20_000.0, ..Axis::new("Income", 20_000.0, 120_000.0) },
    ];
    let centers = [
        (11_000.0, 80_000.0, 2),
        (13_500.0, 110_000.0, 1),
        (14_000.0, 40_000.0, 2),
        (16_000.0, 100_000.0, 1),
    ];
    let centroid =
        |&(zip, income, n): &(f64, f64, u64)| Centroid { center: vec![zip, income], population: Some(n) };
    Model::Clusters(Clusters::new(axes, centers.iter().map(centroid).collect()).unwrap())
}

#[test]
fn figure_3_exposes_lisa() {
    let sample = samples::zip_and_income();
    let policy = policy(&["Zip Code"], &["Income"], "");
    let model = figure_3();
    let linking = link(&sample.table, &policy, &model).unwrap();
    let span = |name: &str| (linking.rules)(linking.span_of_row[sample.row_of(name).unwrap()] as usize);
    assert_eq!(span("John"), "nearest to centroid 1");
    assert_eq!(span("Cathy"), span("John"));
    assert_eq!(span("Ben"), "nearest to centroid 2 or 3");
    assert_eq!((span("Laura"), span("William")), (span("Ben"), span("Ben")));
    assert_eq!(span("Lisa"), "nearest to centroid 3 or 4");
    let report = audit_model(&sample.table, &policy, &model, &k(2)).unwrap();
    assert!(!report.holds);
    assert_eq!((report.k, report.breaches, report.in_breach, report.exposed), (1, Some(1), Some(1), 1));
    assert_eq!(report.groups[0].exposed_to, ["cluster"]);
}

fn baskets(both: bool) -> Model {
    let names = ["cherries", "candles", "viagra", "tylenol"];
    let attributes = names.iter().map(|name| ModelAttribute::categorical(name, ["no", "yes"])).collect();
    let yes = |attribute: usize| Item { attribute, value: 1 };
    let rule = |antecedent: &[usize], consequent: usize, left: u64, all: u64| Rule {
        antecedent: antecedent.iter().map(|&a| yes(a)).collect(),
        consequent: vec![yes(consequent)],
        antecedent_count: Some(left),
        both_count: Some(all),
    };
    let mut rules = vec![rule(&[0], 2, 112, 84)];
    if both {
        rules.push(rule(&[0, 1], 3, 30, 24));
    }
    Model::Rules(Rules::new(attributes, rules).unwrap())
}

#[test]
fn cherries_and_candles_have_spans_of_888_30_and_82() {
    let table = samples::cherries_and_candles();
    let policy = policy(&["cherries", "candles"], &["viagra", "tylenol"], "");
    let report = audit_model(&table, &policy, &baskets(true), &k(30)).unwrap();
    assert!(report.holds);
    assert_eq!(sizes(&report), [30, 82, 888]);
    let told: Vec<(u64, &str)> =
        report.groups.iter().map(|group| (group.individuals, group.rule.as_str())).collect();
    assert_eq!(
        told,
        [
            (30, "cherries = yes and candles = yes"),
            (82, "cherries = yes; not: candles = yes"),
            (888, "not: cherries = yes")
        ]
    );
    assert_eq!(report.exposed, 0);
    assert!(!audit_model(&table, &policy, &baskets(true), &k(31)).unwrap().holds);
    let first = audit_model(&table, &policy, &baskets(false), &k(31)).unwrap();
    assert!(first.holds);
    assert_eq!(sizes(&first), [112, 888]);
}

#[test]
fn populations_of_another_table_are_refused() {
    let Model::Rules(rules) = baskets(true) else { unreachable!() };
    let mut wrong = rules.rules().to_vec();
    wrong[1].both_count = Some(25);
    let model = Model::Rules(Rules::new(rules.attributes().to_vec(), wrong).unwrap());
    let policy = policy(&["cherries", "candles"], &["viagra", "tylenol"], "");
    let error = audit_model(&samples::cherries_and_candles(), &policy, &model, &k(2)).unwrap_err();
    assert!(error.what.contains("populations"), "{error}");
}

/// More rows than a block: the audit counts what the rows were made to have.
#[test]
fn rows_of_several_blocks() {
    const ROWS: usize = 3 * (1 << 16) / 2;
    let column = |name: &str, cell: &dyn Fn(usize) -> &'static str| {
        Column::from_texts(name, &(0..ROWS).map(|row| Some(cell(row))).collect::<Vec<_>>())
    };
    // The last rows differ from all others.
    let a = column("a", &|row| if row + 5 < ROWS { ["x", "y"][row % 2] } else { "z" });
    let b = column("b", &|row| if row + 3 < ROWS { ["p", "q"][row / 2 % 2] } else { "r" });
    let c = column("c", &|row| ["no", "yes"][row / 4 % 2]);
    let table = Table::new(vec![a, b, c], People::Rows).unwrap();
    let leaf = |name: &'static str| (name, Sketch::Leaf);
    let inner = || Sketch::Split("b", vec![leaf("p"), leaf("q"), leaf("r")]);
    let model = tree(&table, "c", Sketch::Split("a", vec![("x", inner()), leaf("y"), leaf("z")]));
    let report = audit_model(&table, &policy(&["a"], &["b", "c"], "c"), &model, &k(6)).unwrap();
    assert_eq!((report.spans, report.k, report.breaches, report.in_breach), (3, 5, Some(1), Some(5)));
    let halves = (ROWS - 5) as u64 / 2;
    assert_eq!(sizes(&report), [5, halves, (ROWS - 5) as u64 - halves]);
    let both = audit_model(&table, &policy(&["a", "b"], &["c"], "c"), &model, &k(6)).unwrap();
    assert_eq!((both.spans, both.k), (4, 5));
    let found = audit_table(&table, &policy(&["a", "b"], &["c"], "c"), &k(6)).unwrap();
    assert_eq!((found.spans, found.k, found.in_breach), (7, 1, Some(5)));
}
